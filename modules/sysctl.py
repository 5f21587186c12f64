"""Set kernel parameters, now and for the next boot."""

import os
import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "aliases": ["key"], "doc": "The parameter, dotted or with slashes."},
        "value": {"type": "str", "aliases": ["val"], "doc": "Its value."},
        "state": {
            "type": "str",
            "default": "present",
            "choices": ["present", "absent"],
            "doc": "Shall it be in the file?",
        },
        "sysctl_file": {"type": "path", "default": "/etc/sysctl.conf", "doc": "The file that keeps it."},
        "sysctl_set": {"type": "bool", "default": False, "doc": "Set it in the running kernel too, where it differs."},
        "reload": {"type": "bool", "default": True, "doc": "Have the kernel take the file where that changed."},
        "ignoreerrors": {"type": "bool", "default": False, "doc": "Go on where the kernel does not know a parameter."},
    },
    "required_if": [["state", "present", ["value"]]],
    "check_mode": "full",
    "diff": True,
    "identity": ["name", "sysctl_file"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"changed": "Whether the file or the kernel was changed."},
}


def plain(text):
    """Give a value as it is written: without blanks around it, truth as 1 and 0."""
    text = text.strip()
    return {"yes": "1", "true": "1", "on": "1", "no": "0", "false": "0", "off": "0"}.get(text.lower(), text)


def proc_path(name):
    """Give the parameter's file in /proc/sys. Source: sysctl(8): the first separator tells which one is used."""
    first = re.search(r"[./]", name)
    if first and first.group() == ".":
        name = name.translate(str.maketrans("./", "/."))
    return os.path.join("/proc/sys", name)


def same_name(one, other):
    """Tell whether two names mean one parameter."""
    return proc_path(one) == proc_path(other)


def edit(text, name, value):
    """Give the file's text with the parameter set to `value` (see `plain`), or without it where that is None."""
    kept, done = [], False
    for line in text.splitlines():
        key, equals, old = line.partition("=")
        if not equals or line.lstrip().startswith(("#", ";")) or not same_name(key.strip().lstrip("-"), name):
            kept.append(line)
        elif value is not None and not done:
            done = True
            kept.append(line if old.strip() == value else "%s=%s" % (key.strip(), value))
    if value is not None and not done:
        kept.append("%s=%s" % (name, value))
    return "".join(line + "\n" for line in kept)


def current(name):
    """Give the kernel's value, None where it knows no such parameter."""
    try:
        with open(proc_path(name)) as stream:
            return stream.read()
    except OSError:
        return None


def run(module):
    """Set the parameter."""
    args = module.args
    name, path = args["name"], args["sysctl_file"]
    if not name.strip():
        module.fail("name is empty")
    value = None if args["state"] == "absent" else plain(args["value"])
    if value == "":
        module.fail("value is empty")
    try:
        before = files.read_bytes(path).decode("utf-8", "surrogateescape") if os.path.exists(path) else ""
    except OSError as error:
        module.fail("cannot read %s: %s" % (path, error.strerror or error))
    after = edit(before, name, value)
    written = before.splitlines() != after.splitlines()
    live = False
    if args["sysctl_set"] and value is not None:
        have = current(name)
        if have is None and not args["ignoreerrors"]:
            module.fail("the kernel knows no parameter %s" % name)
        live = have is not None and have.split() != value.split()  # the kernel writes tabs between numbers
    if not module.check_mode:
        if written:
            files.replace_content(path, after.encode("utf-8", "surrogateescape"))
        ignore = ["-e"] if args["ignoreerrors"] else []
        if live:
            module.run_command(["sysctl"] + ignore + ["-w", "%s=%s" % (name, value)], check=not ignore)
        if written and args["reload"]:
            module.run_command(["sysctl"] + ignore + ["-p", path], check=not ignore)
    result = {"changed": written or live}
    if module.diff:
        result["diff"] = {"before": before, "after": after, "before_header": path, "after_header": path}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
