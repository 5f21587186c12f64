"""Running one command line for the modules command and shell."""

import os
import time

from pyplay.remote.module_utils import process


def run(module: object, shown: object, words: object, executable: object = None) -> dict:
    """Run `words` (list, or text for the shell `executable`) as the module's options say; gives the module's result.

    `shown` is the command as the result names it (`cmd`). A status other than 0 fails the task.
    """
    args = module.args
    result = {"changed": False, "cmd": shown, "rc": None, "stdout": "", "stderr": "", "msg": ""}
    result.update({"start": None, "end": None, "delta": None})
    if args["chdir"]:
        try:
            os.chdir(args["chdir"])
        except OSError as error:
            reason = error.strerror or error
            result.pop("msg")
            module.fail("Unable to change directory to %s: %s" % (args["chdir"], reason), **dict(result, rc=257))
    reason = not_needed(args)
    if reason:
        verdict = "would not run" if module.check_mode else "did not run"
        result.update(rc=0, stdout="skipped, since %s" % reason, msg="%s, since %s" % (verdict, reason))
        return result
    if module.check_mode:
        result.update(rc=0, msg="Command would have run if not in check mode", changed=True)
        if not args["creates"] and not args["removes"]:
            result.update(changed=False, skipped=True)
        return result
    return _execute(module, result, words, executable)


def not_needed(args: dict) -> str:
    """Tell why the command need not run, "" where it must."""
    if args["creates"] and _there(args["creates"]):
        return "%s exists" % args["creates"]
    if args["removes"] and not _there(args["removes"]):
        return "%s does not exist" % args["removes"]
    return ""


def _there(pattern: str) -> bool:
    import glob  # noqa: PLC0415  # most commands have no such condition

    return bool(glob.glob(pattern))


def split(line: str) -> list:
    """Give the words of a command line, as `shlex.split` does. Raises ValueError."""
    if line.isprintable() and not {"'", '"', "\\"}.intersection(line):  # blanks alone part the words
        return line.split()
    import shlex  # noqa: PLC0415  # it takes a host longer to load than most commands to run

    return shlex.split(line)


def _execute(module: object, result: dict, words: object, executable: object) -> dict:
    args = module.args
    stdin = args["stdin"]
    if stdin is not None and args["stdin_add_newline"]:
        stdin += "\n"
    start = time.time()
    try:
        rc, out, err = process.run(words, stdin=stdin, executable=executable, plain=False)
    except OSError as error:
        name = words[0] if isinstance(words, list) else executable or "/bin/sh"
        whole = words if isinstance(words, list) else [name, "-c", words]
        import shlex  # noqa: PLC0415  # only on the way to a failure

        result["cmd"] = " ".join(shlex.quote(word) for word in whole)
        result["rc"] = error.errno or 1
        result.pop("msg")
        module.fail("Error executing command: cannot run %s: %s" % (name, error.strerror or error), **result)
    end = time.time()
    if args["strip_empty_ends"]:
        out, err = out.rstrip("\r\n"), err.rstrip("\r\n")
    result.update(changed=True, rc=rc, stdout=out, stderr=err)
    result.update(start=_clock(start), end=_clock(end), delta=_span(end - start))
    if rc != 0:
        result.pop("msg")
        module.fail("the command ended with exit status %d (non-zero return code)" % rc, **result)
    return result


def _clock(moment: float) -> str:
    """Give a moment in the host's local time, with microseconds."""
    return "%s.%06d" % (time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment)), moment % 1 * 1000000)


def _span(seconds: float) -> str:
    """Give a span of time as `datetime.timedelta` spells it, which takes 2 ms to load."""
    rest, micro = divmod(round(seconds * 1000000), 1000000)
    minutes, seconds = divmod(rest, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    text = "%d:%02d:%02d.%06d" % (hours, minutes, seconds, micro)
    return "%d day%s, %s" % (days, "" if abs(days) == 1 else "s", text) if days else text
