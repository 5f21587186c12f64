"""synchronize: rsync runs here, or on the delegate, and reaches the task's host over SSH, or through an engine."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any, cast

from pyplay.actions.base import ActionFailed
from pyplay.actions.files import search
from pyplay.actions.normal import module_name
from pyplay.actions.options import boolean, text
from pyplay.connection.kinds import LOGIN_KINDS
from pyplay.connection.login_words import check_login
from pyplay.shipping.search import builtin_directory
from pyplay.templating.own_variables import read_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.actions.base import ActionCall
    from pyplay.connection.base import BecomeOptions, ConnectionOptions

_BECOME = ("sudo", "doas")
_PULL = "pull"


async def run(call: ActionCall) -> dict[str, Any]:
    """Copy between the controller (or delegate) and the host.

    A host that is reached without a connection, and one that is its own delegate, copies within itself.
    """
    if not call.args.get("src") or not call.args.get("dest"):
        raise ActionFailed("missing required arguments: src and dest are both needed")
    connection, become = await call.remote.route()
    name = module_name(call.task)
    if call.delegate is None:
        if connection.kind == "local":
            return await call.remote.module(name, _with_local_paths(call, both=True))
        args = _with_local_paths(call)
        if connection.kind in LOGIN_KINDS:
            return await call.render(_here, call, _over_ssh(args, connection, become))
        return await call.render(_through_engine, call, args, connection, become)
    if call.delegate == call.host:
        return await call.remote.module(name, call.args)
    there = await call.render(_of_the_host, call)
    return await call.remote.module(name, _towards(call.args, there))


def _through_engine(
    call: ActionCall, args: dict[str, Any], connection: ConnectionOptions, become: BecomeOptions | None
) -> dict[str, Any]:
    """Have rsync start its other half in a container, pod or root."""
    from pyplay.connection.engine_connection import entry_of  # noqa: PLC0415  # few hosts are reached that way

    entry = entry_of(connection)
    if entry.private is not None:
        raise ActionFailed("synchronize cannot log in to the engine with a token or password: use its configuration")
    # rsync adds a host's name, which the engine knows already, and words for a shell
    words = [*entry.words, connection.shell_executable, "-c", 'shift; eval "exec $*"', "sh"]
    given = _through(args, {"host": connection.kind}, become)
    given["rsync_opts"] = ["--rsh=" + shlex.join(words), *(given.get("rsync_opts") or ())]
    return _here(call, given, entry.environment)


def _here(call: ActionCall, args: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Run the module as a program of the controller: it starts rsync and reads what that prints."""
    given = {**args, "_ansible_check_mode": call.check_mode, "_ansible_diff": call.diff}
    program = [sys.executable, str(builtin_directory() / "synchronize.py")]
    text = json.dumps({"ANSIBLE_MODULE_ARGS": given}, default=str)
    done = subprocess.run(
        program, input=text.encode(), capture_output=True, check=False, env={**os.environ, **(environment or {})}
    )
    try:
        return cast("dict[str, Any]", json.loads(done.stdout))
    except ValueError:
        raise ActionFailed(f"rsync could not be run here: {done.stderr.decode(errors='replace').strip()}") from None


def _with_local_paths(call: ActionCall, *, both: bool = False) -> dict[str, Any]:
    """Give the arguments with paths of this side as the search of files finds them."""
    args = dict(call.args)
    pull = args.get("mode") == _PULL
    for name in ("src", "dest") if both else ("dest",) if pull else ("src",):
        args[name] = _local_path(call, str(args[name]), exists=name == "src")
    return args


def _local_path(call: ActionCall, path: str, *, exists: bool) -> str:
    """Give a path of this side; what is not found stays beside the playbook, for rsync to complain about."""
    path = os.path.expanduser(path)  # noqa: PTH111  # a slash at the end means something
    if os.path.isabs(path) or ":" in path.split("/", 1)[0]:  # noqa: PTH117  # as above
        return path
    slash = "/" if path.endswith("/") else ""
    if exists:
        try:
            return search(call, "files", path).rstrip("/") + slash
        except ActionFailed:
            pass
    return os.path.join(call.templar.basedir, path)  # noqa: PTH118  # as above


def _over_ssh(args: dict[str, Any], connection: ConnectionOptions, become: BecomeOptions | None) -> dict[str, Any]:
    """Give the arguments with the host's path made remote, and what SSH needs to get there."""
    there = {"host": connection.address, "user": connection.user, "port": connection.port}
    there["key"] = connection.private_key_file
    if boolean(args, "use_ssh_args"):
        words = (connection.ssh_args, connection.ssh_common_args, connection.ssh_extra_args)
        there["ssh_args"] = " ".join(filter(None, words))
    return _through(args, there, become)


def _through(args: dict[str, Any], there: Mapping[str, Any], become: BecomeOptions | None) -> dict[str, Any]:
    """Give the arguments with the path of the host `there` made remote, and rsync started as the user to become."""
    if become is not None and text(args, "rsync_path") is None:
        if become.method not in _BECOME:
            raise ActionFailed(f"synchronize cannot become {become.user} by {become.method}: rsync_path must say how")
        args["rsync_path"] = f"{become.method} -n -u {shlex.quote(become.user)} rsync"
    return _towards(args, there)


def _towards(args: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments with the path of the host `there` made remote."""
    given = dict(args)
    side = "src" if given.get("mode") == _PULL else "dest"
    given[side] = _remote_path(str(given[side]), there, named=boolean(args, "set_remote_user", default=True))
    for option, key in (("dest_port", "port"), ("private_key", "key"), ("ssh_args", "ssh_args")):
        if given.get(option) is None and there.get(key) is not None:
            given[option] = there[key]
    return given


def _remote_path(path: str, there: Mapping[str, Any], *, named: bool) -> str:
    if path.startswith("rsync://") or ":" in path.split("/", 1)[0]:
        return path
    host = str(there["host"])
    host = f"[{host}]" if ":" in host else host
    user = f"{there['user']}@" if named and there.get("user") else ""
    return f"{user}{host}:{path}"


def _of_the_host(call: ActionCall) -> dict[str, Any]:
    """Give how the delegate reaches the task's host, from the host's variables."""
    templar = call.templar
    host = read_option(templar, "ansible_host") or read_option(templar, "ansible_ssh_host") or call.host
    user = read_option(templar, "ansible_user") or read_option(templar, "ansible_ssh_user")
    check_login(call.host, str(host), None if user is None else str(user))
    return {
        "host": host,
        "user": user,
        "port": read_option(templar, "ansible_port") or read_option(templar, "ansible_ssh_port"),
        "key": read_option(templar, "ansible_private_key_file") or read_option(templar, "ansible_ssh_private_key_file"),
    }
