"""`validate_argspec`: the implicit task that checks a play's variables against a specification beside its playbook.

The specification stands in `PLAYBOOK.meta.yml` (`.yaml`, `.json`, none) under `argument_specs`, by the name of the play
or the one that the keyword gives. Source: the Ansible documentation, "Playbook argument validation"; observed with
ansible-core 2.21.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.engine.gather import inherited
from pyplay.source.paths import is_file
from pyplay.source.shapes import is_map
from pyplay.source.text import origin_of
from pyplay.templating.omit import OMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.diagnostics.model import Origin
    from pyplay.engine.context import Loader
    from pyplay.engine.render import Renderer
    from pyplay.playbook.model import Play, Task

_SUFFIXES = (".meta.yml", ".meta.yaml", ".meta.json", ".meta")


def argspec_task(play: Play, renderer: Renderer, loader: Loader, read_file: Callable[[str], Any]) -> Task | None:
    """Give the task that checks the variables of the play's hosts, None where none is asked for.

    `read_file` gives the value of a YAML file. Raises PlaybookError where the keyword is of another kind, or there is
    no such specification.
    """
    name = _spec_name(play, renderer)
    if name is None:
        return None
    path = _meta_file(play)
    context = {"type": "play", "name": name, "argument_spec_name": name, "path": path}
    arguments = {"argument_spec": _options(play, path, name, read_file(path)), "validate_args_context": context}
    fields = inherited(play) | {"name": f"Validating arguments against arg spec {name}"}
    fields["tags"] = tuple(play.tags) or ("always",)
    return loader.make_task(play, "ansible.builtin.validate_argument_spec", arguments, **fields)


def _spec_name(play: Play, renderer: Renderer) -> str | None:
    raw = play.validate_argspec
    value = renderer.keyword(raw, "validate_argspec")
    if value is None or value is False or value is OMIT or value == "":
        return None
    if isinstance(value, str):
        return str(value)
    if value is not True:
        raise _fault(play, f"'validate_argspec' takes true, false or a name, not {value!r}")
    name = renderer.keyword(play.name, "name")
    if name is None or name is OMIT or not str(name).strip():
        mend = "name the play, or write the name of a specification in place of 'true'"
        raise _fault(play, "A play name is required when validate_argspec is True: the specification goes by it", mend)
    return str(name)


def _meta_file(play: Play) -> str:
    candidates = [os.path.splitext(play.path)[0] + end for end in _SUFFIXES]  # noqa: PTH122  # plain text
    found = next((path for path in candidates if is_file(path)), None)
    if found is None:
        listed = ", ".join(candidates)
        raise _fault(play, f"the playbook has no meta file with the specifications: none of {listed} is there")
    return found


def _options(play: Play, path: str, name: str, document: Any) -> Any:
    """Give the options of the specification `name` in `document`, the value of the file at `path`."""
    specs: Any = document.get("argument_specs") if is_map(document) else None
    spec: Any = specs.get(name) if is_map(specs) else None
    options: Any = spec.get("options") if is_map(spec) else None
    if is_map(options):
        return options
    known = [str(key) for key in specs if key != name] if is_map(specs) else []
    mend = did_you_mean(name, known) or f"write 'argument_specs: {{{name}: {{options: …}}}}' in it"
    raise _fault(play, f"No argument spec named '{name}' in {path} that has 'options'", mend)


def _fault(play: Play, message: str, mend: str = "") -> PlaybookError:
    origin: Origin = origin_of(play.validate_argspec) or play.origin
    return PlaybookError.of("validate-argspec", message, origin, help=mend)
