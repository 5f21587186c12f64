"""The lookup that makes passwords and keeps them in files of the controller."""

# ruff: noqa: PTH118, PTH120, PTH100, PTH111  # names as users wrote them

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import string
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.source.splitter import split_args, unquote
from pyplay.templating.filters import passwords
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import is_listlike, shown
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, check_known, integer, text, warn_unknown

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from random import Random

    from pyplay.templating.lookups.base import LookupCall

_DEFAULT_CHARS = ("ascii_letters", "digits", ".,:-_")
_OPTIONS: dict[str, None] = dict.fromkeys(("length", "chars", "encrypt", "ident", "seed"))
_NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True)
class Wish:
    """What kind of password is wanted."""

    length: int = 20
    chars: tuple[str, ...] = _DEFAULT_CHARS
    encrypt: str | None = None
    ident: str | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """What a password file holds: the password, and with what it was hashed. On disk: `password salt=… ident=…`."""

    password: str
    salt: str | None = None
    ident: str | None = None

    @classmethod
    def parse(cls, line: str) -> Kept:
        """Read the line of a password file."""
        line = line.rstrip("\n")
        line, ident = _cut(line, " ident=")
        line, salt = _cut(line, " salt=")
        return cls(line, salt, ident)

    def line(self) -> str:
        """Give the line to write."""
        salt = f" salt={self.salt}" if self.salt else ""
        ident = f" ident={self.ident}" if self.salt and self.ident else ""
        return f"{self.password}{salt}{ident}\n"


def _cut(line: str, mark: str) -> tuple[str, str | None]:
    """Give what is before the last `mark`, and the word after it."""
    head, found, tail = line.rpartition(mark)
    return (head, tail) if found and " " not in tail else (line, None)


def password(terms: Any, call: LookupCall, **options: Any) -> list[str]:
    """Give the password kept in a file, made when the file is not there; `/dev/null` keeps nothing.

    `length` (20) and `chars` (names of Python's string module, such as digits, or characters) say of what it is made;
    `seed` makes it the same every time. `encrypt` gives its hash (sha512_crypt, bcrypt, …, `ident` is bcrypt's variant)
    and keeps the salt beside it. Options may stand in the term, behind the path. Only its owner may read the file.
    """
    warn_unknown(options.keys() - _OPTIONS.keys(), "password", call)
    base = _with(Wish(), {name: value for name, value in options.items() if name in _OPTIONS})
    return [_one(text(term, "password", "a term"), base, call) for term in as_terms(terms)]


def _one(term: str, base: Wish, call: LookupCall) -> str:
    name, own = _parse(term)
    wish = _with(base, own)
    if not name:
        raise LookupFailed("lookup 'password': a term names no file")
    path = os.path.join(call.templar.basedir or os.curdir, os.path.expanduser(name))
    try:
        return _answer(path, wish)
    except OSError as error:
        raise LookupFailed(f"lookup 'password': {path}: {(error.strerror or str(error)).lower()}") from error
    except FilterError as error:
        raise LookupFailed(f"lookup 'password': {error}", help=error.help) from error


def _answer(path: str, wish: Wish) -> str:
    if path == _NOWHERE:
        kept = _completed(Kept(make_password(wish)), wish)
    else:
        os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)  # noqa: PTH103
        with _opened(path) as descriptor:
            kept = _kept(descriptor, wish)
    return _hashed(kept, wish) if wish.encrypt else kept.password


@contextlib.contextmanager
def _opened(path: str) -> Generator[int]:
    """Open the file, made if it is missing, and hold its lock: all who ask at once get the same password."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _kept(descriptor: int, wish: Wish) -> Kept:
    """Give what the file holds, completed by what is wished and missing; what is new is written."""
    with open(descriptor, "r+b", closefd=False) as stream:
        line = stream.read().decode("utf-8", "surrogateescape")
        before = Kept.parse(line) if line.strip("\n") else None
        after = _completed(before or Kept(make_password(wish)), wish)
        if after != before:
            stream.seek(0)
            stream.truncate()
            stream.write(after.line().encode("utf-8", "surrogateescape"))
            stream.flush()
            os.fchmod(descriptor, 0o600)
    return after


def _completed(kept: Kept, wish: Wish) -> Kept:
    if not wish.encrypt:
        return kept
    scheme = passwords.find_scheme(wish.encrypt)
    ident = kept.ident or wish.ident
    if wish.ident and kept.ident and wish.ident != kept.ident:
        raise LookupFailed(f"lookup 'password': ident is {wish.ident}, but the file has {kept.ident}")
    if ident is None and len(scheme.idents) > 1:
        ident = scheme.idents[0]
    return replace(kept, salt=kept.salt or passwords.checked_salt(scheme, None), ident=ident)


def _hashed(kept: Kept, wish: Wish) -> str:
    scheme = passwords.find_scheme(wish.encrypt or "")
    salt = passwords.checked_salt(scheme, kept.salt)
    return passwords.hash_password(kept.password, scheme, salt, scheme.default_rounds, kept.ident)


def make_password(wish: Wish) -> str:
    """Draw a password: by chance, or by the seed, which gives the same one as ansible-core does."""
    characters = _characters(wish.chars)
    source: Random = random.SystemRandom() if wish.seed is None else random.Random(wish.seed)  # noqa: S311
    return "".join(source.choice(characters) for _ in range(wish.length))


def _characters(chars: tuple[str, ...]) -> str:
    """Give the characters of the sets named, each once; an unknown name stands for its own characters."""
    joined = "".join(str(getattr(string, name, name)) if name.isidentifier() else name for name in chars)
    unique = "".join(dict.fromkeys(joined.replace('"', "").replace("'", "")))
    if not unique:
        raise LookupFailed("lookup 'password': there are no characters to choose from")
    return unique


def _parse(term: str) -> tuple[str, dict[str, Any]]:
    """Give the path, which may hold blanks, and the `key=value` words behind it."""
    words = split_args(term)
    first = next(
        (index for index, word in enumerate(words) if word.partition("=")[0] in _OPTIONS and "=" in word), len(words)
    )
    options: dict[str, Any] = {}
    for word in words[first:]:
        key, equals, value = word.partition("=")
        if not equals:
            raise LookupFailed(f"lookup 'password': {shown(word)} is no key=value")
        options[key] = unquote(value)
    name = " ".join(words[:first])
    stray = next((word for word in words[:first] if "=" in word and "/" not in word), None)
    if stray is not None:
        options[stray.partition("=")[0]] = ""
    check_known(options, "password", _OPTIONS)
    return unquote(name), options


def _with(base: Wish, options: Mapping[str, Any]) -> Wish:
    values: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if "length" in values:
        values["length"] = integer(values["length"], "password", "length")
        if values["length"] < 0:
            raise LookupFailed("lookup 'password': length is negative")
    if "chars" in values:
        values["chars"] = _char_sets(values["chars"])
    if "seed" in values:
        values["seed"] = str(values["seed"])
    if "encrypt" in values and not isinstance(values["encrypt"], str):
        raise LookupFailed(
            f"lookup 'password': encrypt must name a hash, not {shown(values['encrypt'])}", help="encrypt=sha512_crypt"
        )
    return replace(base, **values)


def _char_sets(value: Any) -> tuple[str, ...]:
    """Give the names between commas; `,,` stands for the comma itself."""
    if is_listlike(value):
        return tuple(str(item) for item in value)
    line = str(value)
    sets = ["," if ",," in line else ""]
    sets += line.replace(",,", ",").split(",")
    return tuple(part for part in sets if part)
