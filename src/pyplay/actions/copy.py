"""copy: bring a file, a directory or a text to the host. Content travels only where its checksum differs."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.files import Content, preserved_mode, read_content, search, with_mode
from pyplay.actions.options import boolean, text
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from pyplay.actions.base import ActionCall

OPTIONS = {
    "extends": "copy",
    "options": {
        "src": {
            "type": "path",
            "blank_unset": True,
            "doc": "The file or directory to copy, here, or on the host with `remote_src`.",
        },
    },
    "required_one_of": [["src", "content"]],
}

_SIDE_BY_SIDE = 8
_OURS = ("content", "decrypt", "local_follow")  # options that are settled here
_ATTRIBUTES = (
    "owner",
    "group",
    "attributes",
    "attr",
    "selevel",
    "serole",
    "setype",
    "seuser",
    "unsafe_writes",
    "follow",
)


async def run(call: ActionCall) -> dict[str, Any]:
    """Copy what `src` or `content` names to `dest`."""
    args = call.args
    if boolean(args, "remote_src"):
        return await call.remote.module("copy", args)
    _check(args)
    if "content" in args:
        return await _put(call, Content.of(_text_of(args["content"])), name="", source="")
    src = str(args["src"])
    path = search(call, "files", src)
    if os.path.isdir(path):  # noqa: ASYNC240, PTH112  # one look at a local file
        return await _Tree(call, path, src).copy()
    content = await call.render(_read, call, path, boolean(args, "decrypt", default=True))
    return await _put(call, content, name=os.path.basename(path), source=path)  # noqa: PTH119  # as above


def _check(args: dict[str, Any]) -> None:
    if args.get("content") is None:
        args.pop("content", None)
    if not args.get("src") and "content" not in args:
        raise ActionFailed("src (or content) is required")
    if not args.get("dest"):
        raise ActionFailed("dest is required")
    if args.get("src") and "content" in args:
        raise ActionFailed("src and content are mutually exclusive")
    if "content" in args and str(args["dest"]).endswith("/"):
        raise ActionFailed("can not use content with a dir as dest")


def _read(call: ActionCall, path: str, decrypt: bool) -> Content:  # noqa: FBT001  # goes through render
    return read_content(call, path, decrypt=decrypt)


def _text_of(content: Any) -> bytes:
    """Give the bytes of `content`: mappings and lists as JSON in ASCII, anything else as text, as core writes them."""
    if isinstance(content, bytes):
        return content
    shown = json.dumps(content) if isinstance(content, (dict, list, tuple)) else str(content)
    return shown.encode("utf-8", "surrogateescape")


async def _put(call: ActionCall, content: Content, *, name: str, source: str) -> dict[str, Any]:
    """Have the host compare, and fetch the content if it differs."""
    args = with_mode({key: value for key, value in call.args.items() if key not in _OURS}, source)
    return await put_content(call, args, content, name=name, source=source)


async def put_content(
    call: ActionCall, args: dict[str, Any], content: Content, *, name: str, source: str
) -> dict[str, Any]:
    """Run the copy module with `content` on offer. `name` is for a directory as `dest`, `source` for the diff.

    A `checksum` that the task demands is compared here. Raises ActionFailed if it differs.
    """
    wanted = text(args, "checksum")
    if wanted and wanted != content.checksum:
        raise ActionFailed(
            f"the source has the checksum {content.checksum}, not {wanted}",
            checksum=content.checksum,
            expected_checksum=wanted,
            diff=[],
        )
    limit = call.settings.max_diff_size or None
    given = {**args, "checksum": content.checksum, "_size": content.size, "_diff_limit": limit}
    if name:
        given["_name"] = name
    if source:
        given.update(src=source, _source=source)
    result = await call.remote.module("copy", given, blobs={"src": content.source})
    if result.get("failed") or (result.get("changed") and "path" not in result):  # not for attributes alone
        result.setdefault("diff", [])
    if result.get("failed"):
        result.setdefault("checksum", content.checksum)
    return result


@dataclass(slots=True)
class _Entry:
    """Something in the local tree: where it is, and its path below `dest`."""

    path: str
    below: str


class _Tree:
    """A local directory on its way to the host. With `/` at its end its contents go into `dest`, else itself."""

    def __init__(self, call: ActionCall, path: str, src: str) -> None:
        self._call, self._path, self._src = call, path, src
        args = call.args
        dest = str(args["dest"])
        self._dest = dest
        self._root = dest if src.endswith("/") else os.path.join(dest, os.path.basename(path))  # noqa: PTH118, PTH119  # text for another host
        self._follow = boolean(args, "local_follow", default=True)
        self._decrypt = boolean(args, "decrypt", default=True)
        self._gate = asyncio.Semaphore(_SIDE_BY_SIDE)
        self._files: list[_Entry] = []
        self._links: list[_Entry] = []
        self._directories: list[_Entry] = []

    async def copy(self) -> dict[str, Any]:
        """Copy the tree; directories first, then files side by side."""
        self._walk()
        results = [await self._directory(entry) for entry in self._directories]
        results += await self._all(self._file(entry) for entry in self._files)
        results += await self._all(self._link(entry) for entry in self._links)
        failed = next((result for result in results if result.get("failed")), None)
        if failed is not None:
            return failed
        done: dict[str, Any] = {
            "changed": any(result.get("changed") for result in results),
            "dest": os.path.join(self._dest, "") if self._src.endswith("/") else self._dest,  # noqa: PTH118  # text for another host
            "src": self._path + ("/" if self._src.endswith("/") else ""),
        }
        diffs = [diff for result in results if result.get("changed") for diff in _diffs(result)]
        return {**done, "diff": diffs} if diffs else done

    def _walk(self) -> None:
        for base, directories, names in os.walk(self._path, followlinks=self._follow):
            directories.sort()
            relative = os.path.relpath(base, self._path)
            below = "" if relative == "." else relative
            self._directories.append(_Entry(base, below))
            for name in sorted(names) + [name for name in directories if self._is_link(base, name)]:
                entry = _Entry(os.path.join(base, name), os.path.join(below, name))  # noqa: PTH118  # text for another host
                (self._links if self._is_link(base, name) else self._files).append(entry)
            directories[:] = [name for name in directories if not self._is_link(base, name)]

    def _is_link(self, base: str, name: str) -> bool:
        return not self._follow and os.path.islink(os.path.join(base, name))  # noqa: PTH114, PTH118  # as above

    def _below(self, entry: _Entry) -> str:
        return os.path.join(self._root, entry.below) if entry.below else self._root.rstrip("/") or "/"  # noqa: PTH118  # text for another host

    async def _directory(self, entry: _Entry) -> dict[str, Any]:
        args = self._attributes()
        mode = self._call.args.get("directory_mode")
        if mode is not None:
            args["mode"] = preserved_mode(entry.path) if mode == "preserve" else mode
        result = await self._call.remote.module("file", {**args, "path": self._below(entry), "state": "directory"})
        return {key: value for key, value in result.items() if key != "diff"}

    async def _file(self, entry: _Entry) -> dict[str, Any]:
        async with self._gate:
            content = await self._call.render(_read, self._call, entry.path, self._decrypt)
            left_out = (*_OURS, "checksum", "directory_mode")
            args = {key: value for key, value in self._call.args.items() if key not in left_out}
            args = with_mode({**args, "dest": self._below(entry)}, entry.path)
            return await put_content(self._call, args, content, name="", source=entry.path)

    async def _link(self, entry: _Entry) -> dict[str, Any]:
        async with self._gate:
            args = {**self._attributes(), "src": os.readlink(entry.path), "path": self._below(entry)}  # noqa: PTH115  # the text of the link
            return await self._call.remote.module("file", {**args, "state": "link", "force": True, "follow": False})

    def _attributes(self) -> dict[str, Any]:
        return {key: self._call.args[key] for key in _ATTRIBUTES if key in self._call.args}

    async def _all(self, calls: Iterable[Awaitable[dict[str, Any]]]) -> list[dict[str, Any]]:
        return list(await asyncio.gather(*calls))


def _diffs(result: dict[str, Any]) -> list[Any]:
    diff = result.get("diff")
    if not diff:
        return []
    return diff if isinstance(diff, list) else [diff]  # pyright: ignore[reportUnknownVariableType]  # JSON
