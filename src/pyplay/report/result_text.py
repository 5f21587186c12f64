"""The values of a result as the lines about it show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.dump import dump
from pyplay.report.shown import clean, is_verbose

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.report.look import ResultFormat


def result_text(
    result: Mapping[str, Any], action: str, form: ResultFormat, *, verbosity: int, pretty: bool | None = None
) -> str:
    """Give what is shown of `result`, in the form that the settings say; what a host sent is in it as it came.

    `pretty` is whether JSON goes over several lines where the settings leave that open; None asks the result.
    """
    shown = clean(result, verbosity=verbosity, action=action)
    if form.sections:
        from pyplay.report.sections import with_sections  # noqa: PLC0415  # only where it is wanted

        return with_sections(shown, form.indent)
    if form.yaml:
        from pyplay.report.yaml_dump import dump_yaml  # noqa: PLC0415  # as above

        return dump_yaml(shown, form)
    if form.pretty is not None:
        pretty = form.pretty
    elif pretty is None:
        pretty = is_verbose(result)
    several = pretty or (verbosity > 2 and form.pretty is None)
    return dump(shown, indent=form.indent if several else None)
