"""Copy trees with rsync. The controller's half says which side is remote."""

import re
import shlex

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "doc": "What to copy; with a slash at its end, what is in it."},
        "dest": {"type": "path", "required": True, "doc": "Where to."},
        "mode": {"type": "str", "default": "push", "choices": ["pull", "push"], "doc": "To the host, or from it."},
        "archive": {"type": "bool", "default": True, "doc": "Copy trees with links, modes, times, owners and devices."},
        "recursive": {"type": "bool", "doc": "Go into directories; as archive if unset."},
        "links": {"type": "bool", "doc": "Copy links as links; as archive if unset."},
        "perms": {"type": "bool", "doc": "Keep modes; as archive if unset."},
        "times": {"type": "bool", "doc": "Keep times; as archive if unset."},
        "owner": {"type": "bool", "doc": "Keep owners; as archive if unset."},
        "group": {"type": "bool", "doc": "Keep groups; as archive if unset."},
        "copy_links": {"type": "bool", "default": False, "doc": "Copy what links point to."},
        "dirs": {"type": "bool", "default": False, "doc": "Copy directories without going into them."},
        "checksum": {"type": "bool", "default": False, "doc": "Compare contents, not times and sizes."},
        "compress": {"type": "bool", "default": True, "doc": "Compress on the way."},
        "existing_only": {"type": "bool", "default": False, "doc": "Make no new files."},
        "delete": {"type": "bool", "default": False, "doc": "Remove what the source has not."},
        "partial": {"type": "bool", "default": False, "doc": "Keep files that were cut off."},
        "delay_updates": {"type": "bool", "default": True, "doc": "Put files in place at the end."},
        "dest_port": {"type": "int", "doc": "SSH port of the host."},
        "private_key": {"type": "path", "no_log": False, "doc": "SSH key to log in with."},
        "verify_host": {"type": "bool", "default": False, "doc": "Insist on a known host key."},
        "rsync_path": {"type": "str", "doc": "The rsync program on the host."},
        "rsync_timeout": {"type": "int", "default": 0, "doc": "Seconds without data after which to give up; 0: never."},
        "rsync_opts": {"type": "list", "elements": "str", "default": [], "doc": "Further words for rsync."},
        "link_dest": {"type": "list", "elements": "str", "doc": "Directories whose equal files are linked to."},
        "quiet": {"type": "bool", "default": False, "doc": "Do not list what was copied."},
        "set_remote_user": {"type": "bool", "default": True, "doc": "Log in as the user of the connection."},
        "use_ssh_args": {"type": "bool", "default": False, "doc": "Use the SSH arguments of the configuration."},
        "ssh_connection_multiplexing": {"type": "bool", "default": False, "doc": "Share SSH's control connections."},
        "ssh_args": {"type": "str", "doc": "Further words for SSH, set by use_ssh_args."},
        "_local_rsync_path": {"type": "path", "default": "rsync", "doc": "The rsync program that is started."},
    },
    "check_mode": "full",
    "diff": True,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "msg": "What rsync listed.",
        "rc": "The exit status.",
        "cmd": "The command.",
        "stdout_lines": "As msg.",
    },
}

MARK = "<<CHANGED>>"


def is_remote(path):
    """Tell whether rsync reaches a path over SSH."""
    head = path.split("/", 1)[0]
    return ":" in head and not path.startswith("rsync://") and "::" not in re.sub(r"\[.*\]", "", head)


def ssh_words(args):
    """Give the command line of SSH."""
    words = ["ssh"]
    if not args["ssh_connection_multiplexing"]:
        words += ["-S", "none"]
    if args["private_key"] is not None:
        words += ["-i", args["private_key"]]
    if args["dest_port"] is not None:
        words += ["-o", "Port=%d" % args["dest_port"]]
    if not args["verify_host"]:
        words += ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
    line = " ".join(shlex.quote(word) for word in words)
    return line + (" " + args["ssh_args"] if args["ssh_args"] else "")


def attributes(args):
    """Give the words that say what of a file is kept."""
    words = ["--archive"] if args["archive"] else []
    for name in ("recursive", "links", "perms", "times", "owner", "group"):
        if args["archive"] and args[name] is False:
            words.append("--no-" + name)
        elif not args["archive"] and args[name]:
            words.append("--" + name)
    return words


def command(args, program, check):
    """Give the words for rsync."""
    words = [program]
    if args["delay_updates"]:
        words.append("--delay-updates")
    words.append("-F")
    words += ["--compress"] if args["compress"] else []
    words += ["--dry-run"] if check else []
    flags = (
        ("delete", "--delete-after"),
        ("existing_only", "--existing"),
        ("checksum", "--checksum"),
        ("copy_links", "--copy-links"),
        ("dirs", "--dirs"),
        ("partial", "--partial"),
    )
    words += [word for name, word in flags if args[name]]
    if args["rsync_timeout"]:
        words.append("--timeout=%d" % args["rsync_timeout"])
    words += attributes(args)
    if is_remote(args["src"]) or is_remote(args["dest"]):
        words.append("--rsh=" + ssh_words(args))
    if args["rsync_path"]:
        words.append("--rsync-path=" + args["rsync_path"])
    words += ["--link-dest=" + path for path in args["link_dest"] or ()]
    words += args["rsync_opts"]
    if args["quiet"]:
        words.append("--quiet")
    return words + ["--out-format=" + MARK + "%i %n%L", args["src"], args["dest"]]


def spell(word):
    """Give a word as it stands in a shell line, the value of an option quoted by itself."""
    name, equals, value = word.partition("=")
    return name + equals + shlex.quote(value) if word.startswith("--") and equals else shlex.quote(word)


def run(module):
    """Copy, and tell from rsync's list whether anything changed."""
    args = module.args
    if any(map(is_remote, args["link_dest"] or ())):
        module.fail("link_dest names directories of the receiving side, without host")
    program = module.find_program(args["_local_rsync_path"], required=True)
    words = command(args, program, module.check_mode)
    shown = " ".join(spell(word) for word in words)
    rc, out, err = module.run_command(words)
    if rc != 0:
        module.fail((err or out).strip(), rc=rc, cmd=shown, stdout=out, stderr=err)
    clean = out.replace(MARK, "")
    result = {"changed": MARK in out, "msg": clean, "rc": rc, "cmd": shown}
    result["stdout_lines"] = [line for line in clean.splitlines() if line]
    if module.diff:
        result["diff"] = {"prepared": clean}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
