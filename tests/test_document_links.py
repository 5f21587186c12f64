"""Links in the README and the other documents lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(ROOT / name for name in ("README.md", "CHANGELOG.md")) + sorted(ROOT.glob("docs/*.md"))
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"#+ +(.*)")
_CODE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def headings(path: Path) -> set[str]:
    """Give the anchors of a document's headings, as GitHub makes them."""
    found = filter(None, map(_HEADING.fullmatch, path.read_text().splitlines()))
    return {re.sub(r"[^\w\- ]", "", match[1].lower()).replace(" ", "-") for match in found}


def faults(path: Path) -> list[str]:
    """Give the links of a document that lead nowhere."""
    wrong: list[str] = []
    for link in _LINK.findall(_CODE.sub("", path.read_text())):
        name, _, anchor = link.partition("#")
        target = (path.parent / name) if name else path
        if "://" not in link and (not target.exists() or (anchor and anchor not in headings(target))):
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    assert not faults(path)


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("## The `first`, of two\n")
    (tmp_path / "a.md").write_text("[a](b.md#the-first-of-two) [b](b.md#no) [c](no.md) `[d](no.md)` [e](https://x/y)")
    assert faults(tmp_path / "a.md") == ["b.md#no", "no.md"]
