"""File permissions as users write them: octal digits, numbers, or chmod's symbolic form."""

import os
import stat

_SHIFT = {"u": 6, "g": 3, "o": 0}
_BITS = {"r": 4, "w": 2, "x": 1}


class ModeError(ValueError):
    """A mode is neither octal nor symbolic."""


def current_umask() -> int:
    """Give the umask of this process."""
    mask = os.umask(0o77)
    os.umask(mask)
    return mask


def parse_mode(value: object, current: int, directory: bool, umask: object = None) -> int:
    """Give the permission bits that `value` asks for, on a file that has `current` (st_mode or permission bits).

    Text of digits is octal, a number is taken as it is, all other text is symbolic as chmod(1) takes it: without a
    class (`+w`) the bits in the umask are left alone; X sets x on directories and where somebody has it already.
    Raises ModeError.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        mode = value
    elif isinstance(value, str) and _octal(value.strip()):
        mode = int(_octal(value.strip()), 8)
    elif isinstance(value, str) and value:
        return _symbolic(value.strip(), stat.S_IMODE(current), directory, umask)
    else:
        raise ModeError("%r is no file mode" % (value,))
    if not 0 <= mode <= 0o7777:
        raise ModeError("mode %r is out of range, permissions end at 07777" % (value,))
    return mode


def _octal(text: str) -> str:
    """Give the octal digits that a text consists of, "" where there are others in it."""
    digits = text[2:] if text.startswith("0o") else text
    return "" if digits.strip("01234567") else digits


def _symbolic(text: str, mode: int, directory: bool, umask: object) -> int:
    import re  # noqa: PLC0415  # it takes a host 4 ms to load, and most modes are octal

    for clause in text.split(","):
        clause = clause.strip()  # noqa: PLW2901  # blanks after commas are harmless
        if not re.match(r"[ugoa]*(?:[-+=](?:[ugo]|[rwxXst]*))+$", clause):
            raise ModeError("%r is no file mode: write octal digits ('0644') or symbols ('u=rw,g=r')" % text)
        classes = re.match(r"[ugoa]*", clause).group()
        for operator, permissions in re.findall(r"([-+=])([ugo]|[rwxXst]*)", clause[len(classes) :]):
            mode = _act(mode, classes, operator, permissions, directory, umask)
    return mode


def _act(mode: int, classes: str, operator: str, permissions: str, directory: bool, umask: object) -> int:
    names = "ugo" if not classes or "a" in classes else classes
    bits = _wanted(mode, names, permissions, directory)
    affected = 0
    for name in names:
        affected |= 0o7 << _SHIFT[name]
    if "u" in names:
        affected |= stat.S_ISUID
    if "g" in names:
        affected |= stat.S_ISGID
    if not classes or "o" in names:
        affected |= stat.S_ISVTX
    if not classes:
        bits &= ~(current_umask() if umask is None else umask)
    if operator == "+":
        return mode | bits
    if operator == "-":
        return mode & ~bits
    if directory and not set("st") & set(permissions):
        affected &= ~(stat.S_ISUID | stat.S_ISGID)  # as chmod: a directory keeps them unless they are named
    return (mode & ~affected) | bits


def _wanted(mode: int, names: str, permissions: str, directory: bool) -> int:
    """Give the bits that `permissions` mean for the classes `names`."""
    value = special = 0
    for letter in permissions:
        if letter in _BITS:
            value |= _BITS[letter]
        elif letter in _SHIFT:
            value |= (mode >> _SHIFT[letter]) & 7
        elif letter == "X" and (directory or mode & 0o111):
            value |= 1
        elif letter == "s":
            special |= (stat.S_ISUID if "u" in names else 0) | (stat.S_ISGID if "g" in names else 0)
        elif letter == "t":
            special |= stat.S_ISVTX
    for name in names:
        special |= value << _SHIFT[name]
    return special


def spell_mode(mode: int) -> str:
    """Give permission bits as results show them: '0644', '01777'."""
    return "0%03o" % stat.S_IMODE(mode)
