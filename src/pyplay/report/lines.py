"""The parts of the lines that stand for a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.shown import CENSORED_ITEM

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.workers.messages import ItemResult, TaskResult


def host_and_delegate(result: ItemResult | TaskResult, safe: Callable[[str], str]) -> str:
    """Give `host`, or `host -> delegate(address)`, made fit by `safe` for where it goes."""
    delegate, address = result.delegate, result.delegate_address
    if not delegate or delegate == result.host:
        return safe(result.host)
    shown = f"{delegate}({address})" if address and address != delegate else delegate
    return safe(f"{result.host} -> {shown}")


def item_label(item: ItemResult, safe: Callable[[str], str]) -> str:
    """Give how a loop item is called, by its label, else by its value, made fit by `safe` for where it goes."""
    if item.private:
        return CENSORED_ITEM
    if item.label is not None:
        return safe(str(item.label))
    return safe(str(item.result.get(str(item.result.get("ansible_loop_var", "item")))))


def without_item(result: Mapping[str, Any]) -> dict[str, Any]:
    """Give the result without the loop's variables: a label is set to keep the item out of sight."""
    hidden = {str(result.get("ansible_loop_var", "item")), "ansible_loop", "ansible_loop_var"}
    return {key: value for key, value in result.items() if key not in hidden and key != "invocation"}


def has_failed_items(result: Mapping[str, Any]) -> bool:
    """Tell whether an item of a loop's result failed."""
    return any(item.get("failed") for item in result.get("results") or ())
