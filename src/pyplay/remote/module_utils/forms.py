"""Writing forms as multipart/form-data. Source: RFC 7578."""

import base64
import mimetypes
import os

from pyplay.remote.module_utils import channel


def multipart(fields: dict) -> tuple:
    """Give (content type, content) of a form.

    A field is text, or a mapping with `content` or `filename` (a file of this host), and maybe `mime_type` and
    `multipart_encoding` (base64 or 7or8bit). Raises ValueError, OSError.
    """
    if not isinstance(fields, dict):
        raise ValueError("it must be a mapping of fields")
    boundary = "pyplay-%s" % os.urandom(16).hex()
    parts = []
    for name, field in sorted(fields.items()):
        parts.append(b"--" + boundary.encode() + b"\r\n" + _part(name, field) + b"\r\n")
    parts.append(b"--" + boundary.encode() + b"--\r\n")
    return "multipart/form-data; boundary=" + boundary, b"".join(parts)


def _part(name: str, field: object) -> bytes:
    if not isinstance(field, dict):
        field = {"content": field if isinstance(field, str) else str(field)}
    filename, content = field.get("filename"), field.get("content")
    if filename is None and content is None:
        raise ValueError("the field %s needs filename or content" % name)
    if content is None and "_content" in field:
        data = b"".join(channel.request_blob(field["_content"]))
    elif content is None:
        with open(filename, "rb") as stream:
            data = stream.read()
    else:
        data = content.encode("utf-8") if isinstance(content, str) else str(content).encode("utf-8")
    disposition = 'form-data; name="%s"' % _quoted(name)
    kind = field.get("mime_type")
    if filename is not None:
        disposition += '; filename="%s"' % _quoted(os.path.basename(filename))
        kind = kind or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    head = ["Content-Disposition: " + disposition]
    if kind:
        head.append("Content-Type: " + kind)
    encoding = field.get("multipart_encoding") or ("base64" if filename is not None and content is None else "7or8bit")
    if encoding == "base64":
        head.append("Content-Transfer-Encoding: base64")
        data = base64.encodebytes(data).rstrip(b"\n")
    elif encoding != "7or8bit":
        raise ValueError("%r is no multipart_encoding: base64 or 7or8bit" % encoding)
    return "\r\n".join(head).encode("utf-8") + b"\r\n\r\n" + data


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "%0D").replace("\n", "%0A")
