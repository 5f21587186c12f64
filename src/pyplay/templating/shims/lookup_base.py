"""`ansible.plugins.lookup`: the base of users' lookups, and calling one as the lookups of ours are called."""

# ruff: noqa: PTH100, PTH110, PTH112, PTH113, PTH118, PTH123  # names as users wrote them

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import yaml

from pyplay.diagnostics.errors import PyplayError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.source.text import Trusted
from pyplay.templating.filters.plain import is_listlike, type_name
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms
from pyplay.templating.lookups.search import find_file
from pyplay.templating.shims.display import display_class
from pyplay.templating.shims.errors import AnsibleError, AnsibleFileNotFound
from pyplay.templating.shims.plugin_options import PluginOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from pyplay.templating.lookups.base import LookupCall, TemplarLike


class DataLoader:
    """`ansible.parsing.dataloader.DataLoader`, as far as lookups use it: reading files beside the playbook."""

    def __init__(self, call: LookupCall | None = None) -> None:
        self._call = call
        self._basedir = call.templar.basedir if call else ""

    def get_basedir(self) -> str:
        """Give the playbook's directory."""
        return self._basedir or os.curdir

    def set_basedir(self, basedir: str) -> None:
        """Change the directory that relative names start from."""
        self._basedir = basedir

    def path_dwim(self, given: str) -> str:
        """Give the absolute path of a name."""
        return os.path.abspath(os.path.join(self.get_basedir(), os.path.expanduser(str(given))))  # noqa: PTH111

    def path_dwim_relative(self, path: str, dirname: str, source: str, is_role: bool = False) -> str:  # noqa: FBT001, FBT002
        """Give the path of `source`, searched in `dirname` below `path`, then in the playbook's directory."""
        del is_role
        return find_file([path], self.get_basedir(), dirname, source) or self.path_dwim(source)

    def path_dwim_relative_stack(self, paths: list[str], dirname: str, source: str, is_role: bool = False) -> str:  # noqa: FBT001, FBT002
        """Give the path of `source`, searched in `dirname` below each of `paths`. Raises AnsibleFileNotFound."""
        del is_role
        found = find_file(paths, self.get_basedir(), dirname, source)
        if found is None:
            raise AnsibleFileNotFound(f"there is no file {source}")
        return found

    def path_exists(self, path: str) -> bool:
        """Tell whether there is something at a path."""
        return os.path.exists(self.path_dwim(path))

    def is_file(self, path: str) -> bool:
        """Tell whether there is a file at a path."""
        return os.path.isfile(self.path_dwim(path))

    def is_directory(self, path: str) -> bool:
        """Tell whether there is a directory at a path."""
        return os.path.isdir(self.path_dwim(path))

    def list_directory(self, path: str) -> list[str]:
        """Give the names in a directory."""
        return sorted(os.listdir(self.path_dwim(path)))  # noqa: PTH208

    def get_text_file_contents(self, file_name: str, encoding: str | None = None) -> str:
        """Give the text of a file, decrypted if it is a vault file."""
        return self._read(file_name).decode(encoding or "utf-8", "surrogateescape")

    def _get_file_contents(self, file_name: str) -> tuple[bytes, bool]:
        """Give the bytes of a file, and whether they may be shown: the pair that plugins take apart."""
        path = self.path_dwim(file_name)
        try:
            with open(path, "rb") as stream:
                sealed = stream.read(14) == b"$ANSIBLE_VAULT"
        except OSError as error:
            raise AnsibleFileNotFound(f"{path}: {error.strerror}") from error
        return self._read(file_name), not sealed

    def load_from_file(self, file_name: str, cache: Any = None, unsafe: bool = False, *_: Any, **__: Any) -> Any:  # noqa: FBT001, FBT002
        """Give the data of a YAML or JSON file."""
        del cache, unsafe
        return self.load(self.get_text_file_contents(file_name))

    def load(self, data: str, *_: Any, **__: Any) -> Any:
        """Give the data of a YAML or JSON text. Raises AnsibleParserError."""
        from pyplay.templating.shims.errors import AnsibleParserError  # noqa: PLC0415

        try:
            return yaml.safe_load(data)
        except yaml.YAMLError as error:
            raise AnsibleParserError(str(error)) from error

    def get_real_file(self, file_path: str, decrypt: bool = True) -> str:  # noqa: FBT001, FBT002
        """Give the path of a file that may be read as it is. Raises AnsibleError for a vault file."""
        path = self.path_dwim(file_path)
        _, shown = self._get_file_contents(path)
        if decrypt and not shown:
            raise AnsibleError(
                f"{path} is encrypted; secrets are not written to disk here",
                help_text="read it with the lookup unvault",
            )
        return path

    def _read(self, file_name: str) -> bytes:
        path = self.path_dwim(file_name)
        try:
            if self._call is not None:
                return self._call.read_file(path)
            with open(path, "rb") as stream:
                return stream.read()
        except (LookupFailed, OSError) as error:
            raise AnsibleFileNotFound(str(error)) from error


class PluginTemplar:
    """`ansible.template.Templar`, as lookups know it: over a templar of ours."""

    def __init__(
        self, loader: Any = None, variables: Mapping[str, Any] | None = None, *, templar: TemplarLike | None = None
    ) -> None:
        self._loader = loader
        self._variables = variables
        self._base = templar
        self._templar = templar

    @property
    def available_variables(self) -> Any:
        """Give the variables set, an empty mapping if none were."""
        return self._variables if self._variables is not None else {}

    @available_variables.setter
    def available_variables(self, variables: Mapping[str, Any]) -> None:
        self._variables = variables
        self._templar = self._base.with_vars(variables) if self._base is not None else None

    @property
    def _available_variables(self) -> Any:
        return self.available_variables

    @contextmanager
    def set_temporary_context(self, **context: Any) -> Generator[None]:
        """See other variables for a while."""
        before = self._variables, self._templar
        if context.get("available_variables") is not None:
            self.available_variables = context["available_variables"]
        try:
            yield
        finally:
            self._variables, self._templar = before

    def copy_with_new_env(self, available_variables: Mapping[str, Any] | None = None, **_: Any) -> PluginTemplar:
        """Give a templar with other variables."""
        copy = PluginTemplar(self._loader, self._variables, templar=self._base)
        if available_variables is not None:
            copy.available_variables = available_variables
        return copy

    def template(self, variable: Any, *_: Any, fail_on_undefined: bool = True, **__: Any) -> Any:
        """Render a value deeply; trusted text is a template. Without `fail_on_undefined` it may stay as it is."""
        if self._templar is None:
            return variable
        try:
            return self._templar.resolve(variable)
        except PyplayError:
            if fail_on_undefined:
                raise
            return variable

    do_template = template

    def evaluate_expression(self, expression: str, **_: Any) -> Any:
        """Give the value of an expression."""
        if self._templar is None:
            raise AnsibleError("this templar has no variables")
        return self._templar.evaluate(str(expression))

    def is_template(self, data: Any) -> bool:
        """Tell whether a value holds a template."""
        if isinstance(data, Trusted):
            return "{{" in data or "{%" in data
        if isinstance(data, dict):
            return any(self.is_template(item) for item in data.values())  # type: ignore[misc]
        return is_listlike(data) and any(self.is_template(item) for item in data)

    is_possibly_template = is_template


class AnsiblePlugin:
    """What all plugins have: options, from their DOCUMENTATION."""

    _load_name = ""
    _options: PluginOptions | None = None
    _display: Any = None

    def set_options(
        self, task_keys: Any = None, var_options: Any = None, direct: Mapping[str, Any] | None = None
    ) -> None:
        """Take options: those given directly go before variables, the environment, the ini file and defaults."""
        del task_keys
        self._table().use(direct or {}, var_options if var_options is not None else {})
        if self._display is not None:
            for said in self._table().deprecations():
                self._display.deprecated(said)

    def get_option(self, option: str, hostvars: Any = None) -> Any:
        """Give the value of an option. Raises KeyError if the plugin's documentation has none of that name."""
        return self._table().get(option, hostvars)[0]

    def get_option_and_origin(self, option: str, hostvars: Any = None) -> tuple[Any, str]:
        """Give the value of an option and where it came from."""
        return self._table().get(option, hostvars)

    def get_options(self, hostvars: Any = None) -> dict[str, Any]:
        """Give all options."""
        return {name: self._table().get(name, hostvars)[0] for name in self._table().names()}

    def set_option(self, option: str, value: Any) -> None:
        """Set one option."""
        self._table().direct[option] = value

    def has_option(self, option: str) -> bool:
        """Tell whether there is an option of that name."""
        return option in self._table().names()

    @property
    def option_definitions(self) -> Any:
        """Give what the documentation says of the options."""
        return self._table().definitions

    def _table(self) -> PluginOptions:
        if self._options is None:
            self._options = PluginOptions({})
        return self._options


class LookupBase(AnsiblePlugin):
    """What users' lookups derive from. They define `run(terms, variables=None, **kwargs)`, which gives a list."""

    def __init__(self, loader: Any = None, templar: Any = None, **_: Any) -> None:
        self._loader = loader
        self._templar = templar
        self._call: LookupCall | None = getattr(loader, "_call", None)
        super().__init__()

    def run(self, terms: Any, variables: Any = None, **kwargs: Any) -> list[Any]:
        """Give the results. Plugins define it."""
        raise NotImplementedError(f"{type(self).__name__} has no run")

    def get_basedir(self, variables: Mapping[str, Any]) -> str:
        """Give the directory that relative names start from: the role's, else the playbook's."""
        return str(variables.get("role_path") or (self._loader.get_basedir() if self._loader else os.curdir))

    def find_file_in_search_path(
        self,
        myvars: Any,
        subdir: str,
        needle: str,
        ignore_missing: Any = False,  # noqa: FBT002
    ) -> str | None:
        """Give the path of a file, searched as tasks do. A missing one is warned about, unless `ignore_missing`."""
        if self._call is not None:
            found = self._call.find_file(subdir, str(needle))
        else:
            paths = myvars.get("ansible_search_path") or [self.get_basedir(myvars)]
            found = find_file(paths, self.get_basedir(myvars), subdir, str(needle))
        if found is None and not ignore_missing and self._call is not None:
            message = f"there is no file {needle} in {subdir}/ of the search path"
            self._call.on_warning(Diagnostic("file-not-found", message, severity=Severity.WARNING))
        return found

    @staticmethod
    def _flatten(terms: Any) -> list[Any]:
        flat: list[Any] = []
        for term in terms:
            flat.extend(term) if is_listlike(term) else flat.append(term)
        return flat

    @staticmethod
    def _combine(a: Any, b: Any) -> list[list[Any]]:
        return [LookupBase._flatten([x, y]) for x in a for y in b]

    @staticmethod
    def _flatten_hash_to_list(terms: Mapping[Any, Any]) -> list[dict[str, Any]]:
        return [{"key": key, "value": value} for key, value in terms.items()]


def as_lookup(module: Any, name: str) -> Callable[..., list[Any]]:
    """Give the lookup of a plugin module as `run(terms, call, **options)`. Raises AnsibleError if it has none."""
    cls = getattr(module, "LookupModule", None)
    if cls is None:
        raise AnsibleError(f"{module.__file__} has no class LookupModule")
    documentation: Any = getattr(module, "DOCUMENTATION", "")

    def run(terms: Any, call: LookupCall, **options: Any) -> list[Any]:
        loader = DataLoader(call)
        plugin = cls(loader=loader, templar=PluginTemplar(loader, call.variables, templar=call.templar))
        plugin._load_name = name  # the names that plugins know
        plugin._call = call
        plugin._display = display_class(call.on_warning)()
        plugin._options = PluginOptions.from_documentation(documentation, call)
        found: Any = plugin.run(as_terms(terms), variables=call.variables, **options)
        if not is_listlike(found):
            raise LookupFailed(f"lookup '{name}' must give a list, not {type_name(found)}")
        return list(found)

    run.__doc__ = str(documentation) or cls.__doc__
    run.__name__ = name
    return run
