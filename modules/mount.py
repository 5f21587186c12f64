"""Keep mounts, and the lines of fstab that make them."""

import os
import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["name"], "doc": "The mount point."},
        "src": {"type": "path", "doc": "What is mounted: device, remote file system or directory."},
        "fstype": {"type": "str", "doc": "Type of the file system."},
        "opts": {"type": "str", "doc": "Mount options, parted by commas."},
        "opts_no_log": {"type": "bool", "default": False, "doc": "Hide the mount options, which may hold a password."},
        "dump": {"type": "str", "doc": "Whether dump(8) saves it; 0 if unset."},
        "passno": {"type": "str", "doc": "Order in which fsck(8) checks it; 0 if unset."},
        "state": {
            "type": "str",
            "required": True,
            "choices": [
                "absent",
                "absent_from_fstab",
                "mounted",
                "present",
                "unmounted",
                "remounted",
                "ephemeral",
            ],
            "doc": "mounted: mounted and in fstab; present: only in fstab; ephemeral: only mounted; absent: neither.",
        },
        "fstab": {"type": "str", "doc": "Another file than /etc/fstab."},
        "boot": {"type": "bool", "default": True, "doc": "Mount it at boot; noauto is added otherwise."},
        "backup": {"type": "bool", "default": False, "doc": "Keep the file as it was before a change."},
    },
    "required_if": [
        ["state", "mounted", ["src", "fstype"]],
        ["state", "present", ["src", "fstype"]],
        ["state", "ephemeral", ["src", "fstype"]],
    ],
    "check_mode": "full",
    "diff": True,
    "identity": ["path", "fstab"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {"name": "The mount point.", "backup_file": "The kept file.", "fstab": "The file with the line."},
}

FIELDS = ("src", "name", "fstype", "opts", "dump", "passno")


def escape(text):
    r"""Give a field as fstab holds it: blanks as \040. Source: fstab(5)."""
    return text.replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011") if text else text


def unescape(text):
    r"""Give a field without its \040."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), text)


def wanted_line(args):
    """Give the fields of the line."""
    opts = args["opts"] or "defaults"
    if not args["boot"] and "noauto" not in opts.split(","):
        opts += ",noauto"
    found = {"src": args["src"], "name": args["path"], "fstype": args["fstype"], "opts": opts}
    return dict(found, dump=args["dump"] or "0", passno=args["passno"] or "0")


def parse(line):
    """Give the fields of a line of fstab, None for what is no entry."""
    words = line.split()
    if len(words) not in (4, 5, 6) or line.lstrip().startswith("#"):
        return None
    words += ["0"] * (6 - len(words))
    return dict(zip(FIELDS, [unescape(word) for word in words]))


def is_ours(fields, wanted):
    """Tell whether a line is about the wanted mount; swap and none have no mount point that tells them apart."""
    if fields is None or fields["name"] != wanted["name"]:
        return False
    return wanted["name"] not in ("none", "swap") or wanted["src"] is None or fields["src"] == wanted["src"]


def edit(lines, wanted, present):
    """Give the lines of fstab with the entry set or without it; fields that the task leaves open stay."""
    kept, done = [], False
    for line in lines:
        fields = parse(line)
        if not is_ours(fields, wanted):
            kept.append(line)
        elif present:
            kept.append(line if fields == wanted else " ".join(escape(wanted[name]) for name in FIELDS))
            done = True
    if present and not done:
        kept.append(" ".join(escape(wanted[name]) for name in FIELDS))
    return kept


class Mounts:
    """What the kernel has mounted. Source: proc(5), /proc/self/mountinfo."""

    def __init__(self):
        """Read the list."""
        self.points = {}
        with open("/proc/self/mountinfo") as stream:
            for line in stream:
                words = line.split()
                rest = words[words.index("-") + 1 :]
                self.points[unescape(words[4])] = {
                    "root": unescape(words[3]),
                    "opts": set(words[5].split(",")) | set(rest[2].split(",")),
                    "fstype": rest[0],
                    "src": unescape(rest[1]),
                }

    def at(self, path):
        """Give what is mounted at a path, None for nothing."""
        return self.points.get(os.path.realpath(path))


def is_bind(args):
    """Tell whether the options ask for a bind mount."""
    return bool({"bind", "rbind"} & set((args["opts"] or "").split(",")))


def same_source(args, mounted):
    """Tell whether what is mounted is what the task names."""
    if is_bind(args):
        there, here = os.stat(args["src"]), os.stat(args["path"])
        return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
    src = args["src"]
    match = re.match(r"(UUID|LABEL|PARTUUID|PARTLABEL)=\"?([^\"]*)", src)
    if match:
        src = "/dev/disk/by-%s/%s" % (match.group(1).lower(), match.group(2))
    if os.path.isfile(src) or mounted["src"].startswith("/dev/loop"):
        return True  # a loop device stands for the file; its name says nothing
    return os.path.realpath(src) == os.path.realpath(mounted["src"]) or src.rstrip("/") == mounted["src"].rstrip("/")


def call(module, words):
    """Run mount or umount; a failure ends the module."""
    program = module.find_program(words[0], required=True)
    rc, out, err = module.run_command([program] + words[1:])
    if rc != 0:
        module.fail("%s failed for %s: %s" % (words[0], module.args["path"], (err or out).strip()), rc=rc)


def mount(module, direct):
    """Mount, by the line of fstab or with all that the task says."""
    args = module.args
    if direct:
        words = ["mount", "-t", args["fstype"], args["src"], args["path"]]
        if args["opts"]:
            words[1:1] = ["-o", args["opts"]]
        if is_bind(args):
            words = ["mount", "-o", args["opts"], args["src"], args["path"]]
    else:
        words = ["mount", args["path"]]
        if args["fstab"] not in (None, "/etc/fstab"):
            words[1:1] = ["-T", args["fstab"]]
    call(module, words)


def remount(module):
    """Mount again with new options, or unmount and mount where that is not possible."""
    args = module.args
    opts = "remount" + ("," + args["opts"] if args["opts"] else "")
    words = ["mount", "-o", opts, args["path"]]
    if args["fstab"] not in (None, "/etc/fstab") and not args["opts"]:
        words[1:1] = ["-T", args["fstab"]]
    program = module.find_program("mount", required=True)
    if module.run_command([program] + words[1:])[0] != 0:
        call(module, ["umount", args["path"]])
        mount(module, args["src"] is not None and args["fstype"] is not None)


class Task:
    """What a run finds and does: fstab, the mount, the directory."""

    def __init__(self, module):
        """Read fstab and the list of mounts."""
        self.module, self.args = module, module.args
        self.fstab = self.args["fstab"] or "/etc/fstab"
        self.mounted = Mounts().at(self.args["path"])
        self.result = {"changed": False, "name": self.args["path"], "fstab": self.fstab, "backup_file": ""}
        self.line_changed = False

    def write(self, present):
        """Set or remove the line; tells whether that changes the file."""
        args, path = self.args, self.fstab
        before = files.read_bytes(path).decode("utf-8", "surrogateescape") if os.path.exists(path) else ""
        wanted = wanted_line(args)
        lines = edit(before.splitlines(), wanted, present)
        after = "".join(line + "\n" for line in lines)
        if self.module.diff:
            header = {"before_header": path, "after_header": path}
            self.result["diff"] = dict(header, before=before, after=after if lines != before.splitlines() else before)
        if lines == before.splitlines():
            return False
        if not self.module.check_mode:
            if args["backup"] and os.path.exists(path):
                self.result["backup_file"] = files.backup(path)
            files.make_directories(os.path.dirname(path))
            files.replace_content(path, after.encode("utf-8", "surrogateescape"))
        self.line_changed = self.result["changed"] = True
        return True

    def directory(self):
        """Make the mount point; tells whether it was missing."""
        if os.path.isdir(self.args["path"]):
            return False
        self.result["changed"] = True
        if not self.module.check_mode:
            try:
                files.make_directories(self.args["path"])
            except OSError as error:
                self.module.fail("cannot make %s: %s" % (self.args["path"], error.strerror or error))
        return True

    def attach(self, direct):
        """Mount what is not mounted yet; remount where the options of fstab changed."""
        made = self.directory()
        right = self.mounted is not None and (made or same_source(self.args, self.mounted))
        if right and not (direct and self.options_differ()) and not self.line_changed:
            return
        self.result["changed"] = True
        if self.module.check_mode:
            return
        try:
            if self.mounted is None:
                mount(self.module, direct)
            elif right:
                remount(self.module)
            elif direct:
                self.module.fail("%s is mounted already, from %s" % (self.args["path"], self.mounted["src"]))
            else:
                call(self.module, ["umount", self.args["path"]])
                mount(self.module, direct)
        except BaseException:
            if made and not os.path.ismount(self.args["path"]):
                os.rmdir(self.args["path"])
            raise

    def options_differ(self):
        """Tell whether a mount that is not in fstab lacks an option that the kernel shows."""
        shown = {"ro", "rw", "nosuid", "nodev", "noexec", "noatime", "relatime", "sync"}
        wanted = set((self.args["opts"] or "").split(",")) & shown
        return self.mounted is not None and not wanted <= self.mounted["opts"]

    def detach(self):
        """Unmount."""
        if self.mounted is not None:
            self.result["changed"] = True
            if not self.module.check_mode:
                call(self.module, ["umount", self.args["path"]])

    def leave(self):
        """Remove line, mount and directory."""
        self.write(False)
        self.detach()
        path = self.args["path"]
        if os.path.isdir(path) and not os.path.islink(path):
            self.result["changed"] = True
            if not self.module.check_mode:
                try:
                    os.rmdir(path)
                except OSError as error:
                    self.module.fail("cannot remove %s: %s" % (path, error.strerror or error))


def run(module):
    """Bring line and mount into the wanted state."""
    args = module.args
    state = args["state"]
    if args["opts_no_log"] and args["opts"]:
        for option in args["opts"].split(","):
            module.hide(option.partition("=")[2])
    task = Task(module)
    if state in ("mounted", "present"):
        task.write(True)
    if state in ("mounted", "ephemeral"):
        task.attach(state == "ephemeral")
    elif state == "absent":
        task.leave()
    elif state == "absent_from_fstab":
        task.write(False)
    elif state == "unmounted":
        task.detach()
    elif state == "remounted":
        if task.mounted is None:
            module.fail("%s is not mounted" % args["path"])
        task.result["changed"] = True
        if not module.check_mode:
            remount(module)
    shown = wanted_line(args)
    told = ("src", "fstype", "opts", "dump", "passno")
    task.result.update({name: shown[name] for name in told if shown[name] is not None})
    task.result["boot"] = "yes" if args["boot"] else "no"
    return task.result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
