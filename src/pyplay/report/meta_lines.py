"""The lines that tell what meta actions did. Source: observed with ansible-core 2.21 at -vv."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DID: Mapping[str, str] = {
    "clear_facts": "facts cleared",
    "clear_host_errors": "cleared host errors",
    "end_batch": "ending batch",
    "end_host": "ending play for {host}",
    "end_play": "ending play",
    "end_role": "ending role for {host}",
    "flush_handlers": "triggered running handlers for {host}",
    "noop": "noop",
    "refresh_inventory": "inventory successfully refreshed",
    "reset_connection": "reset connection",
}
"""What each action did; those that happen for each host are told once for each."""


def meta_lines(action: str, hosts: Sequence[str]) -> list[str]:
    """Give the lines of `action`, done for `hosts`, or once for all where there are none."""
    return [f"META: {_DID[action].format(host=host)}" for host in hosts or ("",)]
