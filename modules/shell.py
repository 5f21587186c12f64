"""Run a command line through a shell."""

from pyplay.remote.module_utils import commands

OPTIONS = {
    "options": {
        "_raw_params": {"type": "str", "doc": "The command line as free text, handed to the shell as it is."},
        "cmd": {"type": "str", "doc": "The command line, as a named option."},
        "executable": {"type": "path", "doc": "Absolute path of the shell, /bin/sh if not given."},
        "chdir": {"type": "path", "doc": "Directory to run in; relative `creates` and `removes` start there too."},
        "creates": {"type": "path", "doc": "Path or glob; where it exists, the command is not run."},
        "removes": {"type": "path", "doc": "Path or glob; where it does not exist, the command is not run."},
        "stdin": {"type": "str", "doc": "Text for the command's standard input."},
        "stdin_add_newline": {"type": "bool", "default": True, "doc": "End `stdin` with a newline."},
        "strip_empty_ends": {"type": "bool", "default": True, "doc": "Leave out newlines at the end of the output."},
    },
    "mutually_exclusive": [["_raw_params", "cmd"]],
    "required_one_of": [["_raw_params", "cmd"]],
    "free_form": True,
    "check_mode": "partial",
    "diff": False,
    "identity": ["_raw_params", "cmd"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "cmd": "The command line that was run.",
        "rc": "Exit status.",
        "stdout": "Standard output.",
        "stderr": "Standard error.",
        "start": "When it began, local time of the host.",
        "end": "When it ended.",
        "delta": "How long it took.",
    },
}


def run(module):
    """Run the command line unless creates/removes say that it is not needed."""
    args = module.args
    line = args["_raw_params"] if args["_raw_params"] is not None else args["cmd"]
    if not line.strip():
        module.fail("no command given", rc=256)
    return commands.run(module, line, line, args["executable"] or module.shell)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
