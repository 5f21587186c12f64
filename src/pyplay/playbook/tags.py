"""Which tasks `--tags` and `--skip-tags` choose.

Source: the Ansible documentation, "Tags": `always` runs unless skipped, `never` only if asked for, `all`, `tagged`,
`untagged` are groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

ALL, ALWAYS, NEVER, TAGGED, UNTAGGED = "all", "always", "never", "tagged", "untagged"


def split_tags(values: Iterable[object]) -> list[str]:
    """Give the single tags in `values`, in which commas separate, too."""
    return [part for value in values for part in (word.strip() for word in str(value).split(",")) if part]


def matches(tags: Iterable[object], only: Collection[str], skip: Collection[str]) -> bool:
    """Tell whether a task with `tags` runs under `--tags only --skip-tags skip`; an empty `only` means all."""
    own = set(map(str, tags)) or {UNTAGGED}
    return _chosen(own, only) and not _skipped(own, skip)


def _chosen(own: set[str], only: Collection[str]) -> bool:
    if not only:
        only = (ALL,)
    if ALWAYS in own or not own.isdisjoint(only):
        return True
    if ALL in only and NEVER not in own:
        return True
    return TAGGED in only and own != {UNTAGGED} and NEVER not in own


def _skipped(own: set[str], skip: Collection[str]) -> bool:
    if not skip:
        return False
    if ALL in skip:
        return ALWAYS not in own or ALWAYS in skip
    return not own.isdisjoint(skip) or (TAGGED in skip and own != {UNTAGGED})
