"""vars_prompt: values that a person gives when a play begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.text import Trusted, as_written

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.engine.render import Renderer
    from pyplay.workers.terminal import Terminal


def ask(
    prompt: Mapping[str, Any], terminal: Terminal, renderer: Renderer, encrypt: Callable[[str, Mapping[str, Any]], str]
) -> Any:
    """Ask one prompt and give its value; without a terminal, or for an empty answer, its default.

    `encrypt` hashes an answer as the prompt's `encrypt`, `salt` and `salt_size` say. The answer may hold templates
    unless the prompt is `unsafe`.
    """
    options = {key: renderer.value(value) for key, value in prompt.items()}
    value = _answer(options, terminal)
    if value is None:
        return None
    if options.get("encrypt"):
        return encrypt(str(value), options)
    if isinstance(value, str):
        return as_written(str(value)) if options.get("unsafe") else Trusted(value)
    return value


def _answer(options: Mapping[str, Any], terminal: Terminal) -> Any:
    default = options.get("default")
    if not terminal.interactive:
        return default
    text = str(options.get("prompt") or options["name"])
    question = f"{text} [{default}]: " if default is not None else f"{text}: "
    echo = not options.get("private", True)
    while True:
        answer = terminal.ask(question, echo=echo)
        if options.get("confirm") and answer != terminal.ask(f"confirm {question}", echo=echo):
            terminal.show("the two answers differ; please give both again")
            continue
        return answer or default
