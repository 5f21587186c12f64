"""Modules that outlive their call: `async`. Loaded by a Runner when the first one is asked for. Python 3.6 and up.

The call's child forks twice, answers at once and exits. What is left is a watcher in a session of its own, with nothing
of the Runner's, and below it the module: they survive the Runner, sudo and the connection. The watcher ends the module
after `limit` seconds and writes the outcome into `DIR/JID`, always by renaming, so that readers see whole files. Names,
keys and the place of the file are Ansible's, so that `async_status` and people find what they know.
"""

import os
import signal
import sys
import tempfile
import time

from pyplay.remote.guard import kill_group, remove_tree
from pyplay.remote.module_utils import json_text
from pyplay.remote.module_utils.boot import boot_id

GRACE = 30  # seconds between SIGTERM and SIGKILL
DIRECTORY = "~/.ansible_async"


def detach(job, folder, run, given):
    """Answer the call and go on as the watcher of a module; `run(*given)` is it. Never returns in the watcher.

    `job`: `jid`, `limit` (seconds, 0 for none), `dir` (None: ANSIBLE_ASYNC_DIR, else ~/.ansible_async). `folder` is
    the call's own, which goes when the job ends. Gives the exit status for the call's child.
    """
    directory = job["dir"] or os.environ.get("ANSIBLE_ASYNC_DIR") or DIRECTORY
    path = os.path.join(os.path.expanduser(os.path.expandvars(directory)), os.path.basename(job["jid"]))
    status = {"started": 1, "finished": 0, "ansible_job_id": job["jid"]}
    boot = boot_id()
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        write(path, dict(status, _boot=boot) if boot else status)
    except OSError as error:
        if folder:
            remove_tree(folder)
        why = "cannot prepare the job in %s: %s; set ANSIBLE_ASYNC_DIR in the task's environment to another directory"
        why %= os.path.dirname(path), error.strerror or error
        return answer({"failed": True, "msg": why})
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        started = {"started": True, "finished": False, "ansible_job_id": job["jid"], "results_file": path}
        return answer(dict(started, changed=True))
    try:
        os.setsid()
        if not os.fork():
            watch(job["limit"], path, status, folder, run, given)
    finally:
        os._exit(0)


def answer(result):
    """Write the call's result; gives the exit status of its child."""
    sys.stdout.write(json_text.write(result))
    return 0


def watch(limit, path, status, folder, run, given):
    """Run the module, wait for it or for its time to be over, and write down how it ended."""
    null = os.open(os.devnull, os.O_RDWR)
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  # stays open
    began = time.monotonic()  # clocks of hosts are set
    pid = os.fork()
    if not pid:
        os.setsid()
        for number, source in ((1, out.fileno()), (2, err.fileno())):
            os.dup2(source, number)
        run(*given)
    for number in (0, 1, 2):
        os.dup2(null, number)
    ended = wait(pid, limit)
    if ended is None:
        stop(pid)
        result = {"failed": True, "msg": "Timeout exceeded", "child_pid": pid}
    else:
        result = outcome(ended, contents(out), contents(err))
    write(path, dict(result, **dict(status, finished=1, elapsed=int(time.monotonic() - began))))
    if folder:
        remove_tree(folder)


def wait(pid, limit):
    """Give the status of the module, None if it takes longer than `limit` seconds."""
    if not limit:
        return os.waitpid(pid, 0)[1]
    until, pause = time.monotonic() + limit, 0.01
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)
    return None


def stop(pid):
    """End the module's process group, gently first."""
    kill_group(pid, signal.SIGTERM)
    if wait(pid, GRACE) is None:
        kill_group(pid, signal.SIGKILL)


def contents(file):
    """Give what was written into a file."""
    file.seek(0)
    return file.read().decode("utf-8", "backslashreplace")


def outcome(ended, out, err):
    """Give the result that the module wrote, or that it gave none. `ended` is its wait status."""
    import json  # noqa: PLC0415  # of all that the module wrote, its result is looked for

    start = 0 if out.startswith("{") else out.find("\n{") + 1
    try:
        result, end = json.JSONDecoder().raw_decode(out, start)
    except ValueError:
        result, end = None, 0
    if isinstance(result, dict):
        around = (out[:start] + out[end:]).strip()
        if around:
            warning = "the module wrote more than its result: %s" % around[:200]
            result["warnings"] = [*(result.get("warnings") or ()), warning]
        if err:
            result.setdefault("stderr", err)
        return result
    code = -os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else os.WEXITSTATUS(ended)
    result = {"failed": True, "rc": code, "module_stdout": out, "module_stderr": err}
    if "Traceback (most recent call last)" in err:
        kind, _, said = err.strip().splitlines()[-1].partition(": ")
        told = "%s (%s)" % (said, kind) if said else kind
        return dict(result, msg="Task failed: Module failed: %s" % told, exception=err)
    return dict(result, msg="the module ended with status %d and gave no result" % code)


def write(path, content):
    """Put a file there whole, readable by its owner alone."""
    beside = "%s.%d.tmp" % (path, os.getpid())
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(json_text.write(content))
    os.rename(beside, path)
