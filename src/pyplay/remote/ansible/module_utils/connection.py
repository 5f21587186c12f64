"""Speaking to a connection that the controller keeps open for a module (network devices)."""

import json
import os
import socket
import struct
import uuid

from .common.text.converters import to_bytes, to_text


class ConnectionError(Exception):  # noqa: A001  # the name that importers use
    """The connection is not there, or answered with an error; further keys are attributes."""

    def __init__(self, message, **kwargs):
        Exception.__init__(self, message)
        for name, value in kwargs.items():
            setattr(self, name, value)


def write_to_stream(stream, obj):
    """Write an object as JSON, its length before it."""
    data = json.dumps(obj).encode()
    stream.write(b"%d\n" % len(data) + data)
    stream.flush()


def send_data(s, data):
    """Send bytes, their length before them."""
    return s.sendall(struct.pack("!Q", len(data)) + to_bytes(data))


def _receive(s, size):
    data = b""
    while len(data) < size:
        piece = s.recv(min(size - len(data), 65536))
        if not piece:
            return None
        data += piece
    return data


def recv_data(s):
    """Give the bytes that were sent by `send_data`, None where the other end is gone."""
    head = _receive(s, 8)
    return None if head is None else _receive(s, struct.unpack("!Q", head)[0])


def request_builder(method_, *args, **kwargs):
    """Give a call as JSON-RPC 2.0."""
    return {"jsonrpc": "2.0", "method": method_, "id": str(uuid.uuid4()), "params": (args, kwargs)}


def exec_command(module, command):
    """Run a command over the connection; gives (rc, stdout, stderr)."""
    try:
        out = Connection(module._socket_path).exec_command(command)
    except ConnectionError as error:
        return getattr(error, "code", 1), "", to_text(getattr(error, "err", error))
    return 0, out, ""


class Connection:
    """The connection behind a socket's path: its methods are the other end's."""

    def __init__(self, socket_path):
        if socket_path is None:
            raise AssertionError("a module that needs a connection was started without one")
        self.socket_path = socket_path

    def __repr__(self):
        return "<Connection %s>" % self.socket_path

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError("%r has no attribute %r" % (type(self).__name__, name))

        def call(*args, **kwargs):
            return self.__rpc__(name, *args, **kwargs)

        return call

    def _exec_jsonrpc(self, name, *args, **kwargs):
        request = request_builder(name, *args, **kwargs)
        if not os.path.exists(self.socket_path):
            raise ConnectionError("the connection's socket %s is not there" % self.socket_path)
        try:
            answer = json.loads(self.send(json.dumps(request)))
        except ValueError as error:
            raise ConnectionError("the connection gave no JSON: %s" % error) from None
        if answer.get("id") != request["id"]:
            raise ConnectionError("the connection answered another call")
        return answer

    def __rpc__(self, name, *args, **kwargs):
        """Call a method of the other end and give its answer. Raises ConnectionError."""
        answer = self._exec_jsonrpc(name, *args, **kwargs)
        if "error" in answer:
            error = answer["error"]
            message = error.get("data") or error["message"]
            raise ConnectionError(to_text(message), code=error.get("code", 1))
        result = answer["result"]
        return json.loads(result) if answer.get("result_type") == "json" else result

    def send(self, data):
        """Send text and give the answer. Raises ConnectionError."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stream:
            try:
                stream.connect(self.socket_path)
                send_data(stream, to_bytes(data))
                answer = recv_data(stream)
            except OSError as error:
                raise ConnectionError("cannot speak to the connection: %s" % error, err=str(error)) from None
        return to_text(answer)
