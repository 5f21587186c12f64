"""Compiling templates: Jinja's compiler with native values and with templates in constants.

Native: an expression alone gives its object, not its text. Constants stay unfolded, for filters that run at compile
time would give the same random password for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, has_safe_repr
from jinja2.parser import Parser

from pyplay.templating.syntax import has_template
from pyplay.templating.values import concat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2.compiler import Frame

LOOKUP_FUNCTIONS = frozenset({"lookup", "query", "q"})
EMBEDDED = "__render_constant__"
"""Name of the function that renders a constant string which is a template; no variable can have it."""


class NativeCodeGenerator(CodeGenerator):
    """Writes code that gives native values."""

    @staticmethod
    def _default_finalize(value: Any) -> Any:
        return value

    def _output_const_repr(self, group: Iterable[Any]) -> str:
        return repr(concat(group))

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> Any:
        del finalize
        if not isinstance(node, (nodes.TemplateData, nodes.Const)):
            raise nodes.Impossible
        const = node.as_const(frame.eval_ctx)
        if not has_safe_repr(const):
            raise nodes.Impossible
        return const

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002  # Jinja's
        """Write what goes before a value: in template files the check that fails on its line if it is undefined."""
        if getattr(self.environment, "checks_output", False):
            self.write("environment.checked(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002  # Jinja's
        """Write what goes behind a value."""
        if getattr(self.environment, "checks_output", False):
            self.write(")")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802  # Jinja's name
        """Write `a if b`, which without an else is our own kind of Jinja's lenient undefined value."""
        frame = frame.soft()
        self.write("(")
        self.visit(node.expr1, frame)
        self.write(" if ")
        self.visit(node.test, frame)
        self.write(" else ")
        if node.expr2 is not None:
            self.visit(node.expr2, frame)
        else:
            self.write("environment.unchosen()")
        self.write(")")


def embed(tree: nodes.Template, *, everywhere: bool) -> nodes.Template:
    """Make constant strings that are templates render themselves, changing `tree`.

    As in core, this is so for the arguments of lookups, and `everywhere` in conditionals.
    """
    roots: Iterable[nodes.Node] = [tree] if everywhere else _lookup_calls(tree)
    for root in roots:
        _replace_constants(root)
    return tree


def _lookup_calls(tree: nodes.Node) -> list[nodes.Node]:
    return [
        call
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in LOOKUP_FUNCTIONS
    ]


def _replace_constants(node: nodes.Node) -> None:
    for name, value in list(node.iter_fields()):
        if isinstance(value, list):
            members = cast("list[Any]", value)
            members[:] = [_replaced(member) if isinstance(member, nodes.Node) else member for member in members]
        elif isinstance(value, nodes.Node):
            setattr(node, name, _replaced(value))


def _replaced(node: nodes.Node) -> nodes.Node:
    if isinstance(node, nodes.Const) and isinstance(node.value, str) and has_template(node.value):
        line = node.lineno
        function = nodes.Name(EMBEDDED, "load", lineno=line)
        return nodes.Call(function, [node], [], None, None, lineno=line)
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == EMBEDDED:
        return node
    _replace_constants(node)
    return node


def parse_expression(environment: jinja2.Environment, text: str) -> nodes.Template:
    """Give the tree of a template that is the expression `text` alone. Raises jinja2.TemplateSyntaxError."""
    parser = Parser(environment, text, state="variable")
    expression = parser.parse_expression()
    if not parser.stream.eos:
        token = parser.stream.current
        raise jinja2.TemplateSyntaxError(f"'{token.value}' after the end of the expression", token.lineno)
    tree = nodes.Template([nodes.Output([expression], lineno=1)], lineno=1)
    tree.set_environment(environment)
    return tree
