"""The programs that make, change and remove users and groups: shadow-utils, busybox (Alpine), pw(8) (FreeBSD).

A change is a mapping with any of uid, group, groups (the whole set), add_groups and drop_groups (the difference, for
programs that take one at a time), append, comment, home, move_home, shell, seuser, expires (seconds, negative: never),
lock, login_class.
"""

import os
import re
import time

from pyplay.remote.module_utils import files

_SECONDS_PER_DAY = 86400


def choose(module: object) -> "ShadowUtils":
    """Give the programs that this host has."""
    if os.uname().sysname in ("FreeBSD", "DragonFly"):
        return Pw(module)
    if module.find_program("useradd") is None and module.find_program("adduser") is not None:
        return BusyBox(module)
    return ShadowUtils(module)


class ShadowUtils:
    """useradd, usermod, groupadd and so on, of nearly every Linux; libuser's where `local` is asked for."""

    ages = True  # can set the ages of passwords
    login_classes = False

    def __init__(self, module: object) -> None:
        """Take the module; what the programs print is kept."""
        self.module = module
        self.args = module.args
        self.out, self.err = "", ""

    def run(self, program: str, *words: str, **how: object) -> None:
        """Run a program for a change; fails where it says no."""
        local = program.startswith(("user", "group")) and self.args["local"]
        path = self.module.find_program("l" + program) if local else None
        path = path or self.module.find_program(program, required=True)
        rc, out, err = self.module.run_command([path] + list(words), **how)
        if rc != 0:
            reason = (err or out).strip() or "%s ended with status %d" % (path, rc)
            self.module.fail(reason, name=self.args["name"], **self._status(rc))
        self.out += out
        self.err += err

    def _status(self, rc: int) -> dict:
        return {"rc": rc} if "uid" in self.args else {}

    def _number(self, option: str, letter: str) -> list:
        value = self.args[option]
        return [] if value is None else [letter, str(value)] + (["-o"] if self.args["non_unique"] else [])

    def _range(self, least: str, most: str) -> list:
        words = []
        for option in (least, most):
            if self.args[option] is not None:
                words += ["-K", "%s=%d" % (option.upper(), self.args[option])]
        return words

    def add_group(self, name: str) -> None:
        """Make a group."""
        system = ["-r"] if self.args["system"] else []
        self.run("groupadd", *self._number("gid", "-g") + system + self._range("gid_min", "gid_max") + [name])

    def change_group(self, name: str) -> None:
        """Give a group the number that is asked for."""
        self.run("groupmod", *self._number("gid", "-g") + [name])

    def remove_group(self, name: str) -> None:
        """Remove a group."""
        self.run("groupdel", *(["-f"] if self.args["force"] else []) + [name])

    def add_user(self, name: str, change: dict, own_group: bool) -> None:
        """Make a user; `own_group` is true where a group of its name is to be made with it."""
        args = self.args
        words = self._number("uid", "-u")
        if "group" in change:
            words += ["-g", change["group"]]
        elif not own_group:
            words.append("-N")  # useradd would fail to make a group of the user's name
        if change.get("groups"):
            words += ["-G", ",".join(sorted(change["groups"]))]
        for key, letter in (("comment", "-c"), ("home", "-d"), ("shell", "-s"), ("seuser", "-Z")):
            if key in change:
                words += [letter, change[key]]
        if "expires" in change:
            words += ["-e", _date(change["expires"])]
        if args["create_home"]:
            words.append("-m")
            words += ["-k", args["skeleton"]] if args["skeleton"] is not None else []
            words += ["-K", "UMASK=" + args["umask"]] if args["umask"] is not None else []
        else:
            words.append("-M")
        if args["system"]:
            words.append("-r")
        self.run("useradd", *words + self._range("uid_min", "uid_max") + [name])

    def change_user(self, name: str, change: dict) -> None:
        """Change a user."""
        words = self._number("uid", "-u") if "uid" in change else []
        if "group" in change:
            words += ["-g", change["group"]]
        if "groups" in change:
            wanted = change["add_groups"] if change["append"] else change["groups"]
            words += (["-a"] if change["append"] else []) + ["-G", ",".join(sorted(wanted))]
        if "comment" in change:
            words += ["-c", change["comment"]]
        if "home" in change:
            words += ["-d", change["home"]] + (["-m"] if change["move_home"] else [])
        for key, letter in (("shell", "-s"), ("seuser", "-Z")):
            if key in change:
                words += [letter, change[key]]
        if "expires" in change:
            words += ["-e", _date(change["expires"])]
        if "lock" in change:
            words.append("-L" if change["lock"] else "-U")
        self.run("usermod", *words + [name])

    def remove_user(self, name: str) -> None:
        """Remove a user."""
        force = (["-f"] if self.args["force"] else []) + (["-r"] if self.args["remove"] else [])
        self.run("userdel", *force + [name])

    def set_password(self, name: str, hashed: str) -> None:
        """Store a password's hash; it goes through stdin, so that no process list shows it."""
        self.run("chpasswd", "-e", stdin="%s:%s\n" % (name, hashed))

    def set_ages(self, name: str, words: list) -> None:
        """Set ages of the password, given as chage's words."""
        self.run("chage", *words + [name])


class BusyBox(ShadowUtils):
    """adduser, deluser, addgroup, delgroup of busybox, which change little; the rest is written to the files."""

    ages = False

    def add_group(self, name: str) -> None:
        """Make a group."""
        self._refuse("gid_min", "gid_max", "non_unique")
        number = ["-g", str(self.args["gid"])] if self.args["gid"] is not None else []
        self.run("addgroup", *number + (["-S"] if self.args["system"] else []) + [name])

    def change_group(self, name: str) -> None:
        """Give a group the number that is asked for."""
        _edit("/etc/group", name, {2: str(self.args["gid"])})

    def remove_group(self, name: str) -> None:
        """Remove a group."""
        self.run("delgroup", name)

    def add_user(self, name: str, change: dict, own_group: bool) -> None:  # noqa: ARG002  # adduser sees for itself
        """Make a user, then put it into its groups."""
        self._refuse("uid_min", "uid_max", "non_unique", "seuser")
        args = self.args
        words = ["-D"]
        for key, letter in (("comment", "-g"), ("home", "-h"), ("shell", "-s"), ("group", "-G")):
            if key in change:
                words += [letter, change[key]]
        if args["uid"] is not None:
            words += ["-u", str(args["uid"])]
        if not args["create_home"]:
            words.append("-H")
        elif args["skeleton"] is not None:
            words += ["-k", args["skeleton"]]
        if args["system"]:
            words.append("-S")
        self.run("adduser", *words + [name])
        for group in sorted(change.get("groups", ())):
            self.run("adduser", name, group)
        if "expires" in change:
            self._set_expiry(name, change["expires"])

    def change_user(self, name: str, change: dict) -> None:
        """Change a user."""
        if "seuser" in change:
            self._refuse("seuser")
        fields = {"uid": 2, "group": 3, "comment": 4, "home": 5, "shell": 6}
        values = {number: str(change[key]) for key, number in fields.items() if key in change}
        if change.get("move_home") and "home" in change:
            self.module.fail("busybox cannot move a home directory: install the package shadow")
        if values:
            _edit("/etc/passwd", name, values)
        for group in sorted(change.get("add_groups", ())):
            self.run("adduser", name, group)
        for group in sorted(change.get("drop_groups", ())):
            self.run("deluser", name, group)
        if "expires" in change:
            self._set_expiry(name, change["expires"])
        if "lock" in change:
            self.run("passwd", "-l" if change["lock"] else "-u", name)

    def remove_user(self, name: str) -> None:
        """Remove a user."""
        self.run("deluser", *(["--remove-home"] if self.args["remove"] else []) + [name])

    def _set_expiry(self, name: str, seconds: float) -> None:
        _edit("/etc/shadow", name, {7: "" if seconds < 0 else str(int(seconds // _SECONDS_PER_DAY))})

    def _refuse(self, *options: str) -> None:
        given = [name for name in options if self.args[name] not in (None, False)]
        if given:
            self.module.fail("busybox cannot honour %s: install the package shadow" % ", ".join(given))


class Pw(ShadowUtils):
    """pw(8) of FreeBSD."""

    ages = False
    login_classes = True

    def add_group(self, name: str) -> None:
        """Make a group."""
        self.run("pw", "groupadd", name, *self._number("gid", "-g"))

    def change_group(self, name: str) -> None:
        """Give a group the number that is asked for."""
        self.run("pw", "groupmod", name, *self._number("gid", "-g"))

    def remove_group(self, name: str) -> None:
        """Remove a group."""
        self.run("pw", "groupdel", name)

    def add_user(self, name: str, change: dict, own_group: bool) -> None:  # noqa: ARG002  # pw sees for itself
        """Make a user."""
        args = self.args
        words = ["-n", name] + self._number("uid", "-u") + self._words(change)
        if args["create_home"]:
            words.append("-m")
            words += ["-k", args["skeleton"]] if args["skeleton"] is not None else []
            words += ["-M", "%04o" % (0o777 & ~int(args["umask"], 8))] if args["umask"] is not None else []
        self.run("pw", "useradd", *words)

    def change_user(self, name: str, change: dict) -> None:
        """Change a user."""
        words = (self._number("uid", "-u") if "uid" in change else []) + self._words(change)
        if words:
            self.run("pw", "usermod", "-n", name, *words + (["-m"] if change.get("move_home") else []))
        if "lock" in change:
            self.run("pw", "lock" if change["lock"] else "unlock", name)

    def _words(self, change: dict) -> list:
        words = []
        keys = (("comment", "-c"), ("home", "-d"), ("group", "-g"), ("shell", "-s"), ("login_class", "-L"))
        for key, letter in keys:
            if key in change:
                words += [letter, change[key]]
        if "groups" in change:
            wanted = set(change["groups"]) | (set(change["have"]) if change["append"] else set())
            words += ["-G", ",".join(sorted(wanted))]
        if "expires" in change:
            words += ["-e", "0" if change["expires"] < 0 else str(int(change["expires"]))]
        return words

    def remove_user(self, name: str) -> None:
        """Remove a user."""
        self.run("pw", "userdel", "-n", name, *(["-r"] if self.args["remove"] else []))

    def set_password(self, name: str, hashed: str) -> None:
        """Store a password's hash; it goes through stdin, so that no process list shows it."""
        self.run("pw", "usermod", "-n", name, "-H", "0", stdin=hashed + "\n")


def _date(seconds: float) -> str:
    """Give the date for useradd -e, empty for never."""
    return "" if seconds < 0 else time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _edit(path: str, name: str, fields: dict) -> None:
    """Write other fields, {number from 0: text}, into the line of `name` in a file of passwd's form."""
    lines = files.read_bytes(path).decode("utf-8", "surrogateescape").splitlines()
    for index, line in enumerate(lines):
        if re.match(re.escape(name) + ":", line):
            row = line.split(":")
            for number, text in fields.items():
                row[number] = text
            lines[index] = ":".join(row)
    files.replace_content(path, ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
