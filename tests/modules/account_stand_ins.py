"""Stand-ins for the account programs of three families: run as NAME WORDS…, on the files under $ACCOUNTS/etc.

They know the options of the real ones, refuse others as those do, and note every call in $ACCOUNTS/log.
"""

from __future__ import annotations

import getopt
import os
import sys
from pathlib import Path

TOP = Path(os.environ["ACCOUNTS"])
Options = dict[str, str]


def rows(name: str) -> list[list[str]]:
    return [line.split(":") for line in (TOP / "etc" / name).read_text().splitlines()]


def write(name: str, table: list[list[str]]) -> None:
    (TOP / "etc" / name).write_text("".join(":".join(row) + "\n" for row in table))


def change(name: str, key: str, fields: dict[int, str]) -> None:
    table = rows(name)
    found = [row for row in table if row[0] == key]
    if not found:
        sys.exit(f"{key}: not found")
    for row in found:
        for number, text in fields.items():
            row[number] = text
    write(name, table)


def drop(name: str, key: str) -> None:
    table = rows(name)
    if key not in [row[0] for row in table]:
        sys.exit(f"{key}: not found")
    write(name, [row for row in table if row[0] != key])


def number(name: str, wanted: str | None) -> str:
    taken = {int(row[2]) for row in rows(name)}
    return wanted or str(max({1000, *taken}) + 1)


def group_id(name: str) -> str:
    return next(row[2] for row in rows("group") if name in (row[0], row[2]))


def make_group(name: str, gid: str | None) -> None:
    write("group", [*rows("group"), [name, "x", number("group", gid), ""]])


def members(user: str, wanted: set[str], *, only: bool) -> None:
    table = rows("group")
    for row in table:
        names = [name for name in row[3].split(",") if name and (name != user or not only)]
        row[3] = ",".join(names + ([user] if row[0] in wanted and user not in names else []))
    write("group", table)


def make_user(name: str, uid: str | None, group: str | None, about: tuple[str, str, str]) -> None:
    if group is None:
        make_group(name, None)
    gid = group_id(group or name)
    write("passwd", [*rows("passwd"), [name, "x", number("passwd", uid), gid, *about]])
    if (TOP / "etc/shadow").exists():
        write("shadow", [*rows("shadow"), [name, "!", "19000", "0", "99999", "7", "", "", ""]])
    if (TOP / "etc/master.passwd").exists():
        line = [name, "*", uid or "1001", gid, "", "0", "0", *about]
        write("master.passwd", [*rows("master.passwd"), line])


def adduser(options: Options, words: list[str]) -> None:
    """busybox."""
    if len(words) == 2:
        members(words[0], {words[1]}, only=False)
        return
    about = (options.get("-g", "Linux User,,,"), options.get("-h", "/home/" + words[0]), options.get("-s", "/bin/ash"))
    make_user(words[0], options.get("-u"), options.get("-G"), about)


def deluser(options: Options, words: list[str]) -> None:
    """busybox."""
    if len(words) == 2:
        table = rows("group")
        for row in table:
            if row[0] == words[1]:
                row[3] = ",".join(name for name in row[3].split(",") if name != words[0])
        write("group", table)
    else:
        drop("passwd", words[0])


def addgroup(options: Options, words: list[str]) -> None:
    """busybox."""
    make_group(words[0], options.get("-g"))


def delgroup(options: Options, words: list[str]) -> None:
    """busybox."""
    drop("group", words[0])


def passwd(options: Options, words: list[str]) -> None:
    """busybox."""
    have = next(row[1] for row in rows("shadow") if row[0] == words[0])
    change("shadow", words[0], {1: "!" + have if "-l" in options else have.lstrip("!")})


def chpasswd(options: Options, words: list[str]) -> None:
    """Both Linux families."""
    for line in sys.stdin:
        name, _, hashed = line.rstrip("\n").partition(":")
        change("shadow", name, {1: hashed})


def useradd(options: Options, words: list[str]) -> None:
    """shadow-utils."""
    about = (options.get("-c", ""), options.get("-d", "/home/" + words[0]), options.get("-s", "/bin/sh"))
    make_user(words[0], options.get("-u"), options.get("-g"), about)
    members(words[0], set(options.get("-G", "").split(",")), only=True)


def usermod(options: Options, words: list[str]) -> None:
    """shadow-utils."""
    numbers = {"-u": 2, "-c": 4, "-d": 5, "-s": 6}
    change("passwd", words[0], {at: options[letter] for letter, at in numbers.items() if letter in options})
    if "-G" in options:
        members(words[0], set(options["-G"].split(",")), only="-a" not in options)
    if "-L" in options:
        change("shadow", words[0], {1: "!" + next(row[1] for row in rows("shadow") if row[0] == words[0])})


def userdel(options: Options, words: list[str]) -> None:
    """shadow-utils."""
    drop("passwd", words[0])


def groupadd(options: Options, words: list[str]) -> None:
    """shadow-utils."""
    make_group(words[0], options.get("-g"))


def groupmod(options: Options, words: list[str]) -> None:
    """shadow-utils."""
    change("group", words[0], {2: options["-g"]})


def groupdel(options: Options, words: list[str]) -> None:
    """shadow-utils."""
    drop("group", words[0])


PW = {
    "useradd": "n:u:oc:d:g:s:L:G:e:mk:M:",
    "usermod": "n:u:oc:d:g:s:L:G:e:mH:",
    "userdel": "n:r",
    "groupadd": "g:o",
    "groupmod": "g:o",
    "groupdel": "",
    "lock": "",
    "unlock": "",
}


def pw(verb: str, words: list[str]) -> None:
    """FreeBSD."""
    first = [words.pop(0)] if words and not words[0].startswith("-") else []
    pairs, rest = getopt.getopt(words, PW[verb])
    options = dict(pairs)
    name = options.get("-n", (first + rest + [""])[0])
    if verb == "useradd":
        about = (options.get("-c", "User &"), options.get("-d", "/home/" + name), options.get("-s", "/bin/sh"))
        make_user(name, options.get("-u"), options.get("-g"), about)
    elif verb in ("userdel", "groupdel"):
        drop("passwd" if verb == "userdel" else "group", name)
    elif verb == "groupadd":
        make_group(name, options.get("-g"))
    elif verb == "groupmod":
        change("group", name, {2: options["-g"]})
    elif verb in ("lock", "unlock"):
        have = next(row[1] for row in rows("master.passwd") if row[0] == name).replace("*LOCKED*", "")
        change("master.passwd", name, {1: "*LOCKED*" * (verb == "lock") + have})
    if verb in ("useradd", "usermod"):
        numbers = {"-u": 2, "-c": 4, "-d": 5, "-s": 6}
        change("passwd", name, {at: options[letter] for letter, at in numbers.items() if letter in options})
        if "-G" in options:
            members(name, set(options["-G"].split(",")), only=True)
        more = {"-L": 4, "-e": 6}
        change("master.passwd", name, {at: options[letter] for letter, at in more.items() if letter in options})
        if options.get("-H") == "0":
            change("master.passwd", name, {1: sys.stdin.readline().rstrip("\n")})


KNOWN = {
    adduser: "h:g:s:G:SDHu:k:", deluser: "", addgroup: "g:S", delgroup: "", passwd: "lu", chpasswd: "e",
    useradd: "u:og:NG:c:d:s:Z:e:mk:K:Mr", usermod: "u:og:aG:c:d:ms:Z:e:LU", userdel: "fr",
    groupadd: "g:orK:", groupmod: "g:o", groupdel: "f",
}  # fmt: skip


def main() -> None:
    """Be the program that is named."""
    name, words = sys.argv[1], sys.argv[2:]
    with (TOP / "log").open("a") as log:
        log.write(" ".join([name, *words]) + "\n")
    if name == "pw":
        pw(words[0], words[1:])
        return
    program = next(known for known in KNOWN if known.__name__ == name)
    pairs, rest = getopt.gnu_getopt(words, KNOWN[program], ["remove-home"])
    program(dict(pairs), rest)


if __name__ == "__main__":
    main()
