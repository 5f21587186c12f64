"""The host side's checking of arguments against a table, with types: one rule book for host and controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

import pyplay.remote.module_utils.options as host_code
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_host_side = cast("Any", host_code)  # code for hosts has no full types


class Fault(Protocol):
    """One thing wrong with arguments: `option` is the dotted name, as in `rules[0].port`."""

    @property
    def code(self) -> str:
        """A stable word such as `unknown-option`."""
        ...

    @property
    def option(self) -> str:
        """The dotted name of the option, "" for the call as a whole."""
        ...

    @property
    def message(self) -> str:
        """One sentence."""
        ...

    @property
    def help(self) -> str:
        """What would mend it, "" where that is not known."""
        ...


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking gives: `args` complete and converted, and the faults."""

    args: dict[str, Any]
    faults: list[Fault]


def options_in(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give the options of a table by name, those common to files included where it asks for them."""
    return _host_side.options_of(table)


def validated(
    table: Mapping[str, Any], given: Mapping[str, Any], dynamic: Callable[[Any], bool] | None = None
) -> Checked:
    """Check `given` against a table.

    `dynamic(value)` tells that a value is not known yet, so that it is not judged; no defaults are filled in then.
    """
    validate = _host_side.validate
    found = validate(table, given) if dynamic is None else validate(table, given, dynamic, complete=False)
    return Checked(found.args, found.faults)


def names_in(options: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Give the option that each name means, aliases included."""
    return {alias: own for own, option in options.items() for alias in (own, *option.get("aliases", ()))}


def is_unset(value: Any, option: Mapping[str, Any]) -> bool:
    """Tell whether `value` says that `option` is not given."""
    return bool(_host_side.is_unset(value, option))
