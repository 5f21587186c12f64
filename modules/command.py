"""Run a program, without a shell."""

import os

from pyplay.remote.module_utils import commands

OPTIONS = {
    "options": {
        "_raw_params": {"type": "str", "doc": "The command line as free text; quotes group, nothing else is special."},
        "cmd": {"type": "str", "doc": "The command line, as a named option."},
        "argv": {"type": "list", "elements": "str", "doc": "The command as a list of words."},
        "expand_argument_vars": {"type": "bool", "default": True, "doc": "Replace $VARIABLES and ~ in the words."},
        "chdir": {"type": "path", "doc": "Directory to run in; relative `creates` and `removes` start there too."},
        "creates": {"type": "path", "doc": "Path or glob; where it exists, the command is not run."},
        "removes": {"type": "path", "doc": "Path or glob; where it does not exist, the command is not run."},
        "stdin": {"type": "str", "doc": "Text for the command's standard input."},
        "stdin_add_newline": {"type": "bool", "default": True, "doc": "End `stdin` with a newline."},
        "strip_empty_ends": {"type": "bool", "default": True, "doc": "Leave out newlines at the end of the output."},
        "executable": {"type": "path", "doc": "The shell to use where a shell is asked for."},
        "_uses_shell": {"type": "bool", "default": False, "doc": "Give the command line to a shell."},
    },
    "mutually_exclusive": [["_raw_params", "cmd", "argv"]],
    "required_one_of": [["_raw_params", "cmd", "argv"]],
    "free_form": True,
    "check_mode": "partial",
    "diff": False,
    "identity": ["_raw_params", "cmd", "argv"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "cmd": "The words that were run.",
        "rc": "Exit status.",
        "stdout": "Standard output.",
        "stderr": "Standard error.",
        "start": "When it began, local time of the host.",
        "end": "When it ended.",
        "delta": "How long it took.",
    },
}


def run(module):
    """Run the command unless creates/removes say that it is not needed."""
    args = module.args
    line = args["_raw_params"] if args["_raw_params"] is not None else args["cmd"]
    if args["_uses_shell"]:
        return commands.run(module, line or "", line or "", args["executable"] or module.shell)
    if args["executable"]:
        module.warn("'executable' is no longer supported here, it is only for a shell: use the module shell")
    if line is None:
        words = args["argv"]
    else:
        try:
            words = commands.split(line)
        except ValueError as error:
            module.fail("cannot split the command line into words: %s" % error, cmd=line, rc=256)
    if not words:
        told = {"rc": 256} if line is not None else {"rc": 257, "cmd": "", "stdout": "", "stderr": ""}
        module.fail("no command given", **told)
    ready = words
    if args["expand_argument_vars"]:
        ready = [os.path.expandvars(os.path.expanduser(word)) for word in words]
    return commands.run(module, words, ready)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
