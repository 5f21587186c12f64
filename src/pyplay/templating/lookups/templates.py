"""The lookup that renders template files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.templating.file_variables import file_variables
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, text, warn_unknown

if TYPE_CHECKING:
    from pyplay.templating.lookups.base import LookupCall

_STRINGS = (
    "variable_start_string",
    "variable_end_string",
    "comment_start_string",
    "comment_end_string",
    "block_start_string",
    "block_end_string",
)


def template(
    terms: Any, call: LookupCall, *, template_vars: Any = None, trim_blocks: Any = True, **options: Any
) -> list[Any]:
    """Give what template files, searched in `templates/`, render to; one that is a single expression gives its value.

    `template_vars` are more variables. `variable_start_string` and its kin set the marks, `trim_blocks` (true) takes
    off the newline after a block. `convert_data` and `jinja2_native` have no meaning any more.
    """
    if template_vars is not None and not isinstance(template_vars, dict):
        raise LookupFailed("lookup 'template': template_vars must be a mapping")
    warn_unknown(options.keys() - {*_STRINGS, "convert_data", "jinja2_native"}, "template", call)
    for option in ("convert_data", "jinja2_native"):
        if option in options:
            call.deprecate("template-lookup-option", option=option)
    marks = {name: options[name] for name in _STRINGS if options.get(name) is not None}
    found: list[Any] = []
    for term in as_terms(terms):
        name = text(term, "template", "a file name")
        path = call.require_file("templates", name, "template")
        seen = file_variables(path, name, "", call.templar.scope, call.settings)
        templar = call.templar.with_vars({**seen, **(template_vars or {})})
        source = call.read_file(path).decode("utf-8", "surrogateescape")
        trim = boolean(trim_blocks, "template", "trim_blocks")
        found.append(templar.resolve(templar.render_native(source, path=path, trim_blocks=trim, **marks)))
    return found
