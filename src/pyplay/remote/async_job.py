"""Modules that outlive their call: `async`. Loaded by a Runner when the first one is asked for. Python 3.6 and up.

The call's child forks twice, answers at once and exits. What is left is a watcher in a session of its own, with nothing
of the Runner's, and below it the module: they survive the Runner, sudo and the connection. The watcher ends the module
after `limit` seconds and writes the outcome into `DIR/JID`, always by renaming, so that readers see whole files. Names,
keys and the place of the file are Ansible's, so that `async_status` and people find what they know.
"""

import json
import os
import signal
import sys
import tempfile
import time

GRACE = 5


def detach(job, name, folder, run, given):
    """Answer the call and go on as the watcher of a module; `run(*given)` is it. Never returns in the watcher.

    `job`: `jid`, `limit` (seconds, 0 for none), `dir`. Gives the exit status for the call's child. Raises OSError if
    the status file cannot be written.
    """
    directory = os.path.expanduser(job["dir"])
    os.makedirs(directory, 0o700, exist_ok=True)
    path = os.path.join(directory, os.path.basename(job["jid"]))
    write(path, {"started": True, "finished": False, "ansible_job_id": job["jid"]})
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        answer = {"started": True, "finished": False, "ansible_job_id": job["jid"], "results_file": path}
        sys.stdout.write(json.dumps(dict(answer, changed=True)))
        return 0
    try:
        os.setsid()
        if not os.fork():
            watch(job, name, path, folder, run, given)
    finally:
        os._exit(0)


def watch(job, name, path, folder, run, given):
    """Run the module, wait for it or for its time to be over, and write down how it ended."""
    null = os.open(os.devnull, os.O_RDWR)
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  # stays open
    pid = os.fork()
    if not pid:
        os.setsid()
        for number, source in ((1, out.fileno()), (2, err.fileno())):
            os.dup2(source, number)
        run(*given)
    for number in (0, 1, 2):
        os.dup2(null, number)
    status = wait(pid, job["limit"])
    if status is None:
        write(path, {"failed": True, "finished": True, "msg": "Timeout exceeded", "child_pid": pid})
        stop(pid)
    else:
        write(path, outcome(name, job["jid"], status, contents(out), contents(err)))
    if folder:
        from pyplay.remote.guard import remove_tree  # noqa: PLC0415  # loaded where it is needed

        remove_tree(folder)


def wait(pid, limit):
    """Give the status of the module, None if it takes longer than `limit` seconds."""
    if not limit:
        return os.waitpid(pid, 0)[1]
    until, pause = time.time() + limit, 0.01
    while time.time() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)
    return None


def stop(pid):
    """End the module's process group."""
    from pyplay.remote.guard import kill_group  # noqa: PLC0415  # loaded where it is needed

    kill_group(pid, signal.SIGTERM)
    if wait(pid, GRACE) is None:
        kill_group(pid, signal.SIGKILL)


def contents(file):
    """Give what was written into a file."""
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def outcome(name, jid, status, out, err):
    """Give what the status file shall hold: the module's result, or that it gave none."""
    for at in range(len(out)):
        if out[at] == "{" and (not at or out[at - 1] == "\n"):
            try:
                result = json.JSONDecoder().raw_decode(out, at)[0]
            except ValueError:
                continue
            if isinstance(result, dict):
                return result
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return {
        "failed": True,
        "finished": True,
        "cmd": name,
        "msg": "the module ended with status %d and gave no result" % code,
        "rc": code,
        "outdata": out,
        "stderr": err,
        "ansible_job_id": jid,
    }


def write(path, content):
    """Put a file there whole, readable by its owner alone."""
    beside = "%s.%d.tmp" % (path, os.getpid())
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(content, file)
    os.rename(beside, path)
