"""Start another module in the background, so that it outlives Runner and connection; its status is in a file.

The controller sends the module's program as the content `program` and its arguments as `arguments`. The job has a
session of its own and none of the Runner's descriptors; it is ended when its time is over. The program's file goes when
the job ends, the status file stays for `async_status`.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

from pyplay.remote.module_utils import channel

OPTIONS = {
    "options": {
        "jid": {"type": "str", "required": True, "doc": "The job's name."},
        "seconds": {"type": "int", "required": True, "doc": "Time after which the job is ended."},
        "python": {"type": "bool", "default": True, "doc": "The program is Python, else it is started as it is."},
        "directory": {"type": "path", "doc": "Where status files are; else ANSIBLE_ASYNC_DIR, else ~/.ansible_async."},
    },
    "check_mode": "none",
    "diff": False,
    "identity": ["jid"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "ansible_job_id": "The job's name.",
        "results_file": "Its status file.",
        "started": "Always true.",
        "finished": "Always false.",
    },
}

GRACE = 30  # seconds between SIGTERM and SIGKILL


def write_status(path, status):
    """Replace the status file in one step."""
    new = "%s.%d.tmp" % (path, os.getpid())
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        json.dump(status, stream)
    os.rename(new, path)


def write_program(path, pieces):
    """Write the program where only its user can read and run it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700)
    with os.fdopen(descriptor, "wb") as stream:
        for piece in pieces:
            stream.write(piece)


def read_result(out, err, rc):
    """Give the result that the module printed, or that of its failure."""
    text = out.decode("utf-8", "backslashreplace")
    shown = err.decode("utf-8", "backslashreplace")
    start = text.find("{")
    try:
        result, end = json.JSONDecoder().raw_decode(text, start) if start >= 0 else (None, 0)
    except ValueError:
        result, end = None, 0
    if isinstance(result, dict):
        around = (text[:start] + text[end:]).strip()
        if around:
            warning = "the module wrote more than its result: %s" % around[:200]
            result["warnings"] = list(result.get("warnings") or ()) + [warning]
        if shown:
            result.setdefault("stderr", shown)
        return result
    lines = shown.strip().splitlines()
    crashed = "Traceback (most recent call last)" in shown
    why = "the module crashed: %s" % lines[-1] if crashed else "the job gave no result"
    result = {"failed": True, "rc": rc, "module_stdout": text, "module_stderr": shown, "msg": why}
    return dict(result, exception=shown) if crashed else result


def stop(process):
    """End the job's whole session, gently first."""
    for number, wait in ((signal.SIGTERM, GRACE), (signal.SIGKILL, None)):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=wait)
            return


def run_job(argv, arguments, seconds):
    """Run the module to its end, or to the end of its time; gives its result."""
    try:
        process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        return {"failed": True, "msg": "the job cannot be started: %s" % (error.strerror or error)}
    try:
        out, err = process.communicate(arguments, timeout=seconds)
    except subprocess.TimeoutExpired:
        stop(process)
        return {"failed": True, "msg": "the job was ended: it took longer than %d seconds" % seconds}
    return read_result(out, err, process.returncode)


def detach():
    """Fork twice: gives True in a process that is nobody's child and has no descriptor of ours, False in the caller."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return False
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.closerange(3, 4096)
    os.chdir("/")
    return True


def supervise(argv, program, arguments, seconds, status_file, status):
    """Be the job's supervisor; never returns."""
    code = 0
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        began = time.time()
        result = run_job(argv, arguments, seconds)
        os.unlink(program)
        result.update(status, finished=1, elapsed=int(time.time() - began))
        write_status(status_file, result)
    except BaseException:  # the end of this process: there is nobody to tell
        code = 1
    os._exit(code)


def run(module):
    """Start the job and tell where its status is."""
    args = module.args
    directory = args["directory"] or os.environ.get("ANSIBLE_ASYNC_DIR") or "~/.ansible_async"
    directory = os.path.expanduser(os.path.expandvars(directory))
    status_file = os.path.join(directory, args["jid"])
    program = status_file + ".program"
    try:
        if not os.path.isdir(directory):
            os.makedirs(directory, 0o700)
        write_program(program, channel.request_blob("program"))
        arguments = b"".join(channel.request_blob("arguments"))
        status = {"started": 1, "finished": 0, "ansible_job_id": args["jid"]}
        write_status(status_file, status)
    except KeyError as error:
        module.fail("the controller sent no %s" % error)
    except OSError as error:
        module.fail("cannot prepare the job in %s: %s" % (directory, error.strerror or error))
    argv = [sys.executable, program] if args["python"] else [program, "/dev/stdin"]
    if detach():
        supervise(argv, program, arguments, args["seconds"], status_file, status)
    return {
        "changed": True,
        "started": True,
        "finished": False,
        "ansible_job_id": args["jid"],
        "results_file": status_file,
    }


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
