"""Free-form arguments: `key=value` words as users write them behind a module's name.

Words end at white space outside of quotes and of Jinja's braces. Source: observed with ansible-core 2.21.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.text import SourceMap, Trusted, origin_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_SPECIAL = late_pattern(r"[{'\"\\]")
_WORD = late_pattern(r"\S+")
_KEY_VALUE = late_pattern(r"((?:[^=\\]|\\.)*?)=(.*)", re.DOTALL)
_ESCAPE = late_pattern(r"\\(?:U[0-9A-Fa-f]{8}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|N\{[^}]+\}|[\\'\"abfnrtv])")
_CONTINUATIONS = ("\\\n", "\\ ", "\\\t")


class UnbalancedError(ValueError):
    """A quote or brace at `offset` is never closed."""

    def __init__(self, what: str, offset: int) -> None:
        self.what, self.offset = what, offset
        super().__init__(f"{what} is never closed")


def split_spans(text: str) -> list[tuple[int, int]]:
    """Give start and end of every word in `text`. Raises UnbalancedError for an open quote, or open braces."""
    return list(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    if not _SPECIAL.search(text):
        yield from (word.span() for word in _WORD.finditer(text))
        return
    start = -1
    quote = ""
    quote_at = 0
    i, end = 0, len(text)
    while i < end:
        c = text[i]
        if c.isspace() and not quote:
            if start >= 0:
                yield start, i
                start = -1
            i += 1
            continue
        start = i if start < 0 else start
        if c == "{" and text[i : i + 2] in _CLOSERS:
            i = _after_template(text, i)
            continue
        if c == "\\":
            i += 1
        elif quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote, quote_at = c, i
        i += 1
    if quote:
        raise UnbalancedError(f"the quote {quote}", quote_at)
    if start >= 0:
        yield start, end


def _after_template(text: str, start: int) -> int:
    """Give where the text goes on behind the template that opens at `start`. Raises UnbalancedError if it never closes.

    Quotes inside hide braces, as they do for Jinja; where one stands alone (`{{ it's }}`), the first end counts.
    """
    opener = text[start : start + 2]
    closer = _CLOSERS[opener]
    end = -1 if opener == "{#" else _first_close(text, start, closer)
    end = end if end >= 0 else text.find(closer, start + 2)
    if end < 0:
        raise UnbalancedError(f"'{opener}'", start)
    return end + 2


def split_args(text: str) -> list[str]:
    """Give the words of `text`, quotes and escapes kept. Raises UnbalancedError (a ValueError)."""
    return [text[start:end] for start, end in _spans(text)]


def is_one_template(text: str) -> bool:
    """Tell whether `text` is one `{{ … }}` from end to end, not `{{ name }}={{ value }}` or `{{ a }} {{ b }}`."""
    if not (text.startswith("{{") and text.endswith("}}")):
        return False
    return len(text) - 2 == _first_close(text)


def _first_close(text: str, start: int = 0, closer: str = "}}") -> int:
    """Give where the `closer` of the template that opens at `start` stands, -1 if nowhere; quotes inside hide it."""
    at, depth, quote = start + 2, 1, ""
    while at < len(text):
        c = text[at]
        if quote:
            at += c == "\\"
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == "{":
            depth += 1
        elif c == "}" and depth > 1:
            depth -= 1
        elif text.startswith(closer, at):
            return at
        at += 1
    return -1


def unquote(text: str) -> str:
    """Give `text` without the pair of quotes around it, if there is one."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and not text.endswith("\\" + text[0]):
        return text[1:-1]
    return text


def decode_escapes(text: str) -> str:
    r"""Return `text` with escapes such as `\n`, `\x41`, `\u00e9` replaced; others stay, those by octal numbers, too."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: match.group().encode("ascii").decode("unicode_escape"), text)


def parse_kv(text: str, *, raw_options: Collection[str] | None = None) -> SourceMap:
    """Give the options in `text` as a mapping of strings; words that are none stand under `_raw_params`.

    With `raw_options` only these count as options and the rest stays as it was written: so `command` takes
    `echo a=1 chdir=/tmp`. Values are `Trusted` if `text` is, with its origin. Raises PlaybookError for an open quote.
    """
    origin = origin_of(text)
    trusted = isinstance(text, Trusted)

    def make(value: str) -> str:
        return Trusted(value, origin) if trusted else value

    plain = str(text)
    result = SourceMap((), origin)
    if raw_options is not None and "=" not in plain and not _SPECIAL.search(plain):  # most command lines
        if plain.strip():
            result["_raw_params"] = text if trusted else plain
            if origin:
                result.key_origins["_raw_params"] = origin
        return result
    rest: list[tuple[int, int]] = []
    spans = _balanced_spans(plain, text)
    if raw_options is not None:
        spans = list(_without_continuations(plain, spans))
    for start, end in spans:
        match = _KEY_VALUE.fullmatch(decode_escapes(plain[start:end]))  # white space that an escape gives is no value
        key = match.group(1).strip() if match else ""
        if not match or not key or (raw_options is not None and key not in raw_options):
            rest.append((start, end))
            continue
        result[key] = make(unquote(match.group(2).strip()))
        if origin:
            result.key_origins[key] = origin
    if rest:
        result["_raw_params"] = make(_raw(plain, spans, rest).replace("\\=", "="))
        if origin:
            result.key_origins["_raw_params"] = origin
    return result


def _balanced_spans(plain: str, text: str) -> list[tuple[int, int]]:
    try:
        return split_spans(plain)
    except UnbalancedError as error:
        raise PlaybookError.of(
            "unbalanced-quote",
            f"{error.what} in these arguments is never closed",
            origin_of(text),
            length=max(1, len(plain.split("\n", 1)[0])),
            label=f"opened before: {plain[error.offset : error.offset + 30]}",
            help="close it, or write the arguments as a mapping, one option a line",
        ) from error


def _without_continuations(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    r"""Give `spans` without the backslashes that stand alone: `\` at the end of a line goes on with the next one."""
    for begin, end in spans:
        start = begin
        while text.startswith(_CONTINUATIONS, start) and start < end:
            start += 2
        if start < end and text[start:end] != "\\":
            yield start, end


def _raw(text: str, words: list[tuple[int, int]], kept: list[tuple[int, int]]) -> str:
    """Give the text of the words `kept`, with the white space that was around them where no other word was."""
    before, after = text[: kept[0][0]], text[kept[-1][1] :]
    pieces = [before if kept[0] == words[0] and "\\" not in before else ""]
    last = kept[0][0]
    for start, end in kept:
        pieces += [_gap(text[last:start]), text[start:end]]
        last = end
    pieces.append(after if kept[-1] == words[-1] and "\\" not in after else "")
    return "".join(pieces)


def _gap(text: str) -> str:
    r"""Give what stands between two words where `text` stood: white space, options that were taken out, a lone `\`."""
    if not text or text.isspace():
        return text
    if text.replace("\\", "").strip():
        return "\n" if "\n" in text.replace("\\\n", "") else " "
    return text.rpartition("\\")[2][1:] or " "
