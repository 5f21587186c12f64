"""Users and groups as the host knows them: through NSS, or from the files in /etc alone."""

import grp
import os
import pwd


def _rows(path: str) -> list:
    try:
        with open(path, "rb") as stream:
            text = stream.read().decode("utf-8", "surrogateescape")
    except OSError:
        return []
    return [line.split(":") for line in text.splitlines() if line and not line.startswith(("#", "+", "-"))]


def find_user(name: str, local: bool = False) -> object:
    """Give a user's entry (as pwd gives it), None where there is none; `local` looks at /etc/passwd alone."""
    if not local:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            return None
    for row in _rows("/etc/passwd"):
        if row[0] == name and len(row) > 6:
            return pwd.struct_passwd((row[0], row[1], int(row[2]), int(row[3]), row[4], row[5], row[6]))
    return None


def all_groups(local: bool = False) -> list:
    """Give every group (as grp gives it); `local` looks at /etc/group alone."""
    if not local:
        return grp.getgrall()
    return [
        grp.struct_group((row[0], row[1], int(row[2]), [name for name in row[3].split(",") if name]))
        for row in _rows("/etc/group")
        if len(row) > 3
    ]


def find_group(name: str, local: bool = False) -> object:
    """Give a group by name or number, None where there is none."""
    text = str(name)
    if not local:
        try:
            return grp.getgrnam(text)
        except KeyError:
            pass
        if text.isdigit():
            try:
                return grp.getgrgid(int(text))
            except KeyError:
                pass
        return None
    for group in all_groups(True):
        if group.gr_name == text or (text.isdigit() and group.gr_gid == int(text)):
            return group
    return None


def groups_of(name: str, primary: int, local: bool = False) -> list:
    """Give the names of the groups that list `name` as a member, in their order, its primary group left out."""
    return [group.gr_name for group in all_groups(local) if name in group.gr_mem and group.gr_gid != primary]


class Shadow:
    """A user's line in /etc/shadow: `hashed` password, whether it is `locked`, the ages in days (None: not set)."""

    login_class = None

    def __init__(self, row: list) -> None:
        """Take the fields of the line. Source: shadow(5)."""
        row = row + [""] * (9 - len(row))
        self.locked = row[1].startswith("!")
        self.hashed = row[1].lstrip("!")
        numbers = [int(field) if field.lstrip("-").isdigit() else None for field in row[3:8]]
        self.minimum, self.maximum, self.warn, self.inactive, self.expires = numbers


class MasterPasswd(Shadow):
    """A user's line in /etc/master.passwd of BSD, which has no ages but the day of expiry."""

    def __init__(self, row: list) -> None:
        """Take the fields of the line. Source: FreeBSD's passwd(5)."""
        Shadow.__init__(self, ["", ""])
        self.locked = row[1].startswith("*LOCKED*")
        self.hashed = row[1][len("*LOCKED*") :] if self.locked else row[1]
        self.login_class = row[4]
        self.expires = int(row[6]) // 86400 if row[6].isdigit() and row[6] != "0" else None


def find_shadow(name: str) -> object:
    """Give a user's Shadow, None where there is none or this user may not read it."""
    for path, kind in (("/etc/shadow", Shadow), ("/etc/master.passwd", MasterPasswd)):
        for row in _rows(path):
            if row[0] == name:
                return kind(row)
    return None


def may_read_shadow() -> bool:
    """Tell whether passwords can be compared at all."""
    return os.access("/etc/shadow", os.R_OK) or os.access("/etc/master.passwd", os.R_OK)
