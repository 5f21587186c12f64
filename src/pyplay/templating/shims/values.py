"""Small helpers of `ansible.module_utils` and `ansible.utils`: sequences, booleans, merging, digests, trust."""

from __future__ import annotations

import hashlib
import keyword
import os
import shlex
import shutil
import subprocess
from collections.abc import Hashable, Iterable, Mapping, MutableMapping, Sequence
from typing import Any

from pyplay.source.text import Trusted
from pyplay.templating.filters.merging import merge

BOOLEANS_TRUE = frozenset(("y", "yes", "on", "1", "true", "t", 1, 1.0, True))
BOOLEANS_FALSE = frozenset(("n", "no", "off", "0", "false", "f", 0, 0.0, False))
BOOLEANS = BOOLEANS_TRUE | BOOLEANS_FALSE


def boolean(value: Any, strict: bool = True) -> bool:  # noqa: FBT001, FBT002  # its known signature
    """Tell what a word or number means as a boolean. Raises TypeError for others, unless not `strict`."""
    plain = value.lower().strip() if isinstance(value, str) else value
    if isinstance(plain, Hashable):
        if plain in BOOLEANS_TRUE:
            return True
        if plain in BOOLEANS_FALSE or not strict:
            return False
    elif not strict:
        return False
    raise TypeError(f"{value!r} is no boolean")


def is_string(seq: object) -> bool:
    """Tell whether a value is text or bytes."""
    return isinstance(seq, (str, bytes))


def is_iterable(seq: object, include_strings: bool = False) -> bool:  # noqa: FBT001, FBT002
    """Tell whether a value has items; text only if `include_strings`."""
    return isinstance(seq, Iterable) and (include_strings or not isinstance(seq, (str, bytes)))


def is_sequence(seq: object, include_strings: bool = False) -> bool:  # noqa: FBT001, FBT002
    """Tell whether a value is a list or tuple; text only if `include_strings`."""
    return isinstance(seq, Sequence) and (include_strings or not isinstance(seq, (str, bytes)))


def count(seq: Any) -> dict[Any, int]:
    """Count how often each item is there."""
    counters: dict[Any, int] = {}
    for item in seq:
        counters[item] = counters.get(item, 0) + 1
    return counters


class ImmutableDict(dict[Any, Any]):
    """A mapping that may be a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def union(self, overriding: Mapping[Any, Any]) -> ImmutableDict:
        """Give this overlaid with another mapping."""
        return ImmutableDict({**self, **overriding})

    def difference(self, subtractive: Iterable[Any]) -> ImmutableDict:
        """Give this without some keys."""
        gone = frozenset(subtractive)
        return ImmutableDict({key: value for key, value in self.items() if key not in gone})


def merge_hash(x: Any, y: Any, recursive: bool = True, list_merge: str = "replace") -> dict[str, Any]:  # noqa: FBT001, FBT002
    """Give one mapping overlaid with another."""
    return merge(x, y, recursive=recursive, list_merge=list_merge)


def combine_vars(a: Any, b: Any, merge: bool | None = None) -> dict[str, Any]:  # noqa: FBT001
    """Give variables overlaid with others."""
    return merge_hash(a, b, recursive=bool(merge))


def isidentifier(ident: object) -> bool:
    """Tell whether a text may name a variable."""
    return isinstance(ident, str) and ident.isascii() and ident.isidentifier() and not keyword.iskeyword(ident)


def dict_merge(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Give one mapping overlaid with another, mappings inside too."""
    return merge(base, other, recursive=True)


def recursive_diff(dict1: Mapping[Any, Any], dict2: Mapping[Any, Any]) -> tuple[dict[Any, Any], dict[Any, Any]] | None:
    """Give what is only in each of two mappings, or differs; None if they are equal."""
    left = {key: value for key, value in dict1.items() if key not in dict2}
    right = {key: value for key, value in dict2.items() if key not in dict1}
    for key in dict1.keys() & dict2.keys():
        one, two = dict1[key], dict2[key]
        if isinstance(one, Mapping) and isinstance(two, Mapping):
            inner = recursive_diff(one, two)  # type: ignore[arg-type]
            if inner:
                left[key], right[key] = inner
        elif one != two:
            left[key], right[key] = one, two
    return (left, right) if left or right else None


def secure_hash_s(data: Any, hash_func: Any = hashlib.sha1) -> str:
    """Give the digest of a text."""
    return hash_func(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data).hexdigest()


def secure_hash(filename: Any, hash_func: Any = hashlib.sha1) -> str | None:
    """Give the digest of a file, None if there is none."""
    if not os.path.isfile(filename):  # noqa: PTH113
        return None
    with open(filename, "rb") as stream:  # noqa: PTH123
        return hash_func(stream.read()).hexdigest()


def md5s(data: Any) -> str:
    """Give the MD5 digest of a text."""
    return secure_hash_s(data, hashlib.md5)


def md5(filename: Any) -> str | None:
    """Give the MD5 digest of a file."""
    return secure_hash(filename, hashlib.md5)


def unfrackpath(path: Any, follow: bool = True, basedir: Any = None) -> str:  # noqa: FBT001, FBT002
    """Give a path absolute, with ~ and variables replaced, links followed."""
    text = os.path.expanduser(os.path.expandvars(os.fsdecode(path)))  # noqa: PTH111
    if not os.path.isabs(text):  # noqa: PTH117
        text = os.path.join(str(basedir or os.getcwd()), text)  # noqa: PTH109, PTH118
    return os.path.realpath(text) if follow else os.path.normpath(text)


def makedirs_safe(path: Any, mode: int | None = None) -> None:
    """Make a directory and those above it, if they are missing."""
    os.makedirs(unfrackpath(path), mode=0o777 if mode is None else mode, exist_ok=True)  # noqa: PTH103


def get_bin_path(arg: str, opt_dirs: Sequence[str] | None = None, required: Any = None) -> str:
    """Give the path of a program. Raises ValueError if there is none."""
    del required
    path = os.pathsep.join([*(opt_dirs or ()), os.environ.get("PATH", ""), "/sbin", "/usr/sbin", "/usr/local/sbin"])
    found = shutil.which(arg, path=path)
    if found is None:
        raise ValueError(f"there is no program {arg} in {path}")
    return found


def missing_required_lib(library: str, reason: str | None = None, url: str | None = None) -> str:
    """Give what to say when a Python library is missing."""
    why = f" {reason}" if reason else ""
    where = f" See {url}." if url else ""
    return f"the Python library {library} is missing on the controller; it is needed{why}.{where}"


def trust_as_template(value: Any) -> Any:
    """Mark a text as a template."""
    return Trusted(value) if isinstance(value, str) else value


def is_trusted_as_template(value: Any) -> bool:
    """Tell whether a text may be a template."""
    return isinstance(value, Trusted)


def wrap_var(value: Any) -> Any:
    """Give a value whose texts are no templates."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, MutableMapping):
        return {key: wrap_var(item) for key, item in value.items()}  # type: ignore[misc]
    if isinstance(value, (list, tuple)):
        return type(value)(wrap_var(item) for item in value)  # type: ignore[misc]
    return value


def listify_lookup_plugin_terms(terms: Any, templar: Any = None, *_: Any, **__: Any) -> list[Any]:
    """Give terms rendered, as a list."""
    value = templar.template(terms) if templar is not None else terms
    return list(value) if isinstance(value, (list, tuple)) else [value]  # type: ignore[arg-type]


def run_cmd(cmd: str | Sequence[str], live: bool = False, readsize: int = 10) -> tuple[int, bytes, bytes]:  # noqa: FBT001, FBT002
    """Run a command here; gives its status, output and errors."""
    del live, readsize
    done = subprocess.run(shlex.split(cmd) if isinstance(cmd, str) else list(cmd), capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr
