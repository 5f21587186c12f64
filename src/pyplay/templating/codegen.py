"""Compiling templates: Jinja's compiler with native values and with templates in constants.

Native: an expression alone gives its object, not its text. Constants stay unfolded, for filters that run at compile
time would give the same random password for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, DependencyFinderVisitor, Frame, has_safe_repr
from jinja2.nodes import EvalContext
from jinja2.parser import Parser

from pyplay.templating.syntax import has_template
from pyplay.templating.values import concat

if TYPE_CHECKING:
    from collections.abc import Iterable

LOOKUP_FUNCTIONS = frozenset({"lookup", "query", "q"})
_LOADERS = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
EMBEDDED = "__render_constant__"
"""Name of the function that renders a constant string which is a template; no variable can have it."""


class NativeCodeGenerator(CodeGenerator):
    """Writes code that gives native values."""

    _plain = False
    """Whether this is a template without statements: nothing in it is assigned, so each name is looked up once."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  # Jinja's name
        """Write the module of a template, for one without statements in a few lines: most of the time is Python's.

        What Jinja writes in every module is in the namespace that `ScopedTemplate` gives them all.
        """
        root = Frame(EvalContext(self.environment, self.name))
        if not _only_puts_out(node) or self.environment.extensions or not self._knows(node):
            super().visit_Template(node, frame)
            return
        root.symbols.analyze_node(node)
        if "self" in root.symbols.refs:
            super().visit_Template(node, frame)
            return
        self._plain = root.toplevel = root.rootlevel = True
        self.writeline("def root(context):")
        self.indent()
        if root.symbols.loads:
            self.writeline("resolve = context.resolve_or_undefined")
        self.enter_frame(root)
        for kind, names in (("filters", self.filters), ("tests", self.tests)):
            for name, own in names.items():
                self.writeline(f"{own} = environment.{kind}[{name!r}]")
        for part in node.body:
            self.visit(part, root)
        self.outdent()
        if self.name is not None:  # that of a file, whose lines are told
            self.writeline(f"name = {self.name!r}")
            lines = "&".join(f"{written}={line}" for written, line in self.debug_info)
            self.writeline(f"debug_info = {lines!r}")

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802  # Jinja's name
        """Write a name, which in a plain template has been looked up."""
        if self._plain:
            self.write(frame.symbols.ref(node.name))
        else:
            super().visit_Name(node, frame)

    def _knows(self, node: nodes.Template) -> bool:
        """Name the filters and tests of a template; tell whether there are all of them."""
        known, found = cast("Any", self.environment), DependencyFinderVisitor()
        for part in node.body:
            found.visit(part)
        for names, table in ((found.filters, known.filters), (found.tests, known.tests)):
            if not all(name in table for name in names):
                return False
        self.filters.update((name, self.temporary_identifier()) for name in sorted(found.filters))
        self.tests.update((name, self.temporary_identifier()) for name in sorted(found.tests))
        return True

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


def _only_puts_out(node: nodes.Template) -> bool:
    """Tell whether a template has no statements: it is text and expressions."""
    return bool(node.body) and all(isinstance(part, nodes.Output) and part.nodes for part in node.body)


def may_load(tree: nodes.Template) -> bool:
    """Tell whether a template may load others."""
    return not _only_puts_out(tree) and next(tree.find_all(_LOADERS), None) is not None


def embed(tree: nodes.Template, text: str, *, everywhere: bool) -> nodes.Template:
    """Make constant strings that are templates render themselves, changing `tree`, which is that of `text`.

    As in core, this is so for the arguments of lookups, and `everywhere` in conditionals.
    """
    if not everywhere and "lookup" not in text and "q" not in text:
        return tree
    if "{{" not in text and "{%" not in text and "\\" not in text:  # `{` may be written by its number
        return tree
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
