"""All tests of ours by name, aliases included. Jinja's own come with the environment."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyplay.templating.tests import files, marks, members, regexes, results, truth, uris, vaults, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TESTS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "abs": files.is_absolute,
        "all": members.all_true,
        "ansible._protomatter.tagged": marks.tagged,
        "ansible._protomatter.tagged_with": marks.tagged_with,
        "any": members.any_true,
        "change": results.changed,
        "changed": results.changed,
        "contains": members.contains,
        "directory": files.is_directory,
        "exists": files.exists,
        "failed": results.failed,
        "failure": results.failed,
        "falsy": truth.falsy,
        "file": files.is_file,
        "finished": results.finished,
        "is_abs": files.is_absolute,
        "is_dir": files.is_directory,
        "is_file": files.is_file,
        "is_link": files.is_link,
        "is_mount": files.is_mount,
        "is_same_file": files.same_file,
        "isnan": members.is_nan,
        "issubset": members.subset,
        "issuperset": members.superset,
        "link": files.is_link,
        "link_exists": files.link_exists,
        "match": regexes.match,
        "mount": files.is_mount,
        "nan": members.is_nan,
        "reachable": results.reachable,
        "regex": regexes.regex,
        "same_file": files.same_file,
        "search": regexes.search,
        "skip": results.skipped,
        "skipped": results.skipped,
        "started": results.started,
        "subset": members.subset,
        "succeeded": results.succeeded,
        "success": results.succeeded,
        "successful": results.succeeded,
        "superset": members.superset,
        "timedout": results.timedout,
        "truthy": truth.truthy,
        "unreachable": results.unreachable,
        "uri": uris.uri,
        "url": uris.url,
        "urn": uris.urn,
        "vault_encrypted": vaults.vault_encrypted,
        "vaulted_file": vaults.vaulted_file,
        "version": versions.version,
        "version_compare": versions.version,
    }
)
"""Test functions by short name; their docstrings are the documentation that `pyplay doc` prints."""
