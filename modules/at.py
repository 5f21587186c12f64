"""Have a command or script run once, later, by at."""

import os
import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "command": {"type": "str", "doc": "The command."},
        "script_file": {"type": "str", "doc": "A script of the host to run in place of a command."},
        "count": {"type": "int", "doc": "How many units from now."},
        "units": {"type": "str", "choices": ["minutes", "hours", "days", "weeks"], "doc": "The unit."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be waiting?"},
        "unique": {"type": "bool", "default": False, "doc": "Add nothing where the same job is waiting already."},
    },
    "mutually_exclusive": [["command", "script_file"]],
    "required_one_of": [["command", "script_file"]],
    "required_if": [["state", "present", ["count", "units"]]],
    "check_mode": "full",
    "diff": False,
    "identity": ["command", "script_file"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {
        "state": "The state.",
        "script_file": "The script.",
        "count": "As the option.",
        "units": "As the option.",
    },
}


def matching(module, atq, at, script):
    """Give the numbers of the waiting jobs that run the script's text."""
    _, out, _ = module.run_command([atq], check=True)
    found = []
    for line in out.splitlines():
        match = re.match(r"\s*(\d+)", line)
        if match:
            rc, text, _ = module.run_command([at, "-c", match.group(1)])
            if rc == 0 and script.strip() and script.strip() in text:
                found.append(match.group(1))
    return found


def script_of(module):
    """Give the text that the job runs."""
    args = module.args
    if args["command"] is not None:
        return args["command"]
    try:
        return files.read_bytes(os.path.expanduser(args["script_file"])).decode("utf-8", "surrogateescape")
    except OSError as error:
        module.fail("cannot read %s: %s" % (args["script_file"], error.strerror or error))
    return None


def add(module, at):
    """Have the job wait; in check mode see that its script is there."""
    args = module.args
    words = [at, "now", "+", str(args["count"]), args["units"]]
    if module.check_mode:
        script_of(module)
    elif args["script_file"] is not None:
        words[1:1] = ["-f", args["script_file"]]
        module.run_command(words, check=True)
    else:
        module.run_command(words, stdin=args["command"] + "\n", check=True)


def run(module):
    """Add or remove the job."""
    args = module.args
    at = module.find_program("at", required=True)
    atq = module.find_program("atq", required=True)
    result = {"changed": False, "state": args["state"]}
    if args["state"] == "absent":
        jobs = matching(module, atq, at, script_of(module))
        if not module.check_mode:
            for job in jobs:
                module.run_command([at, "-r", job], check=True)
        return dict(result, changed=bool(jobs))
    if args["unique"] and matching(module, atq, at, script_of(module)):
        return result
    add(module, at)
    return dict(result, changed=True, script_file=args["script_file"], count=args["count"], units=args["units"])


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
