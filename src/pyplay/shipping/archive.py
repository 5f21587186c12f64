"""Zips that are the same bytes whenever and wherever they are made from the same files."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name


def make_zip(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Give a zip of these (path, content) pairs, ordered by path, without times or owners."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in sorted(files):
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, content, compresslevel=9)
    return buffer.getvalue()
