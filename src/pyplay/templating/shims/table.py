"""Which modules of Ansible plugins may import, and what is in each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import yaml

from pyplay.source.settings import Settings
from pyplay.source.vault import VaultText
from pyplay.templating.file_variables import file_variables
from pyplay.templating.filters import passwords
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.filters.yaml_dump import Dumper
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.marks import lazy
from pyplay.templating.scope import MapScope
from pyplay.templating.shims import errors, inventory_base, lookup_base, six, text, urls, values
from pyplay.templating.shims.constants import constants
from pyplay.templating.shims.display import display_class
from pyplay.templating.shims.versions import LooseVersion, StrictVersion
from pyplay.templating.tests.registry import TESTS

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic

Contents = Callable[[], Mapping[str, Any]]


def _public(module: Any) -> Mapping[str, Any]:
    return {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}


def _pick(module: Any, *names: str) -> Mapping[str, Any]:
    return {name: getattr(module, name) for name in names}


class FilterModule:
    """All filters of ours, as the filter plugins of core offer them."""

    def filters(self) -> dict[str, Any]:
        """Give the filters by name."""
        return dict(FILTERS)


class TestModule:
    """All tests of ours, as the test plugins of core offer them."""

    __test__ = False

    def tests(self) -> dict[str, Any]:
        """Give the tests by name."""
        return dict(TESTS)


def _filters() -> Mapping[str, Any]:
    return {
        **FILTERS,
        "FilterModule": FilterModule,
        "get_hash": FILTERS["hash"],
        "get_encrypted_password": FILTERS["password_hash"],
    }


def _tests() -> Mapping[str, Any]:
    return {**TESTS, "TestModule": TestModule, "version_compare": TESTS["version"]}


class _PluginLoader:
    """`ansible.plugins.loader`: gives lookups, filters and tests of ours by name."""

    def __init__(self, table: Mapping[str, Any], *, lookups: bool = False) -> None:
        self._table, self._lookups = table, lookups

    def get(self, name: str, *_: Any, loader: Any = None, templar: Any = None, **__: Any) -> Any:
        """Give a plugin object, None if there is none of that name."""
        function = self._table.get(name.rpartition(".")[2])
        if function is None:
            return None
        if not self._lookups:
            return SimpleNamespace(j2_function=function)
        call = getattr(loader, "_call", None)
        if call is None:
            raise errors.AnsibleError(f"the lookup {name} needs the loader of the plugin that calls it")
        del templar

        def run(terms: Any, variables: Any = None, **options: Any) -> Any:
            del variables  # those of the call are seen
            return function(terms, call, **options)

        return SimpleNamespace(run=run)


class _TextDumper(Dumper):
    """`AnsibleDumper`."""


def _template_vars(settings: Any, path: str, fullpath: str | None = None, dest_path: str | None = None) -> Any:
    """`generate_ansible_template_vars`: the variables that a template file sees."""
    return dict(file_variables(fullpath or path, path, dest_path, MapScope({}), settings or Settings()))


def contents_table(
    settings: Any = None, on_warning: Callable[[Diagnostic], None] | None = None, verbosity: int = 0
) -> dict[str, Contents]:
    """Give, by name of module, the functions that make its contents."""
    Display = display_class(on_warning or (lambda _: None), verbosity)  # noqa: N806  # a class

    def just(**contents: Any) -> Contents:
        return lambda: contents

    sequences = partial(_pick, values, "is_string", "is_iterable", "is_sequence", "ImmutableDict", "count")
    booleans = partial(_pick, values, "boolean", "BOOLEANS", "BOOLEANS_TRUE", "BOOLEANS_FALSE")
    digests = partial(_pick, values, "secure_hash", "secure_hash_s", "md5", "md5s")
    converters = partial(_public, text)
    unsafe = just(wrap_var=values.wrap_var, AnsibleUnsafe=str, AnsibleUnsafeText=str, AnsibleUnsafeBytes=bytes)
    dumper = just(AnsibleDumper=_TextDumper)
    templates = just(
        Templar=lookup_base.PluginTemplar,
        generate_ansible_template_vars=partial(_template_vars, settings),
        trust_as_template=values.trust_as_template,
        is_trusted_as_template=values.is_trusted_as_template,
        accept_args_markers=lazy,
        accept_lazy_markers=lazy,
        AnsibleUndefined=_undefined(),
    )
    loaders = just(
        lookup_loader=_PluginLoader(LOOKUPS, lookups=True),
        filter_loader=_PluginLoader(FILTERS),
        test_loader=_PluginLoader(TESTS),
    )

    def release() -> Mapping[str, Any]:
        return {"__version__": (settings or Settings()).compatible_version}

    return {
        "ansible.constants": lambda: constants(settings),
        "ansible.errors": partial(_public, errors),
        "ansible.module_utils._text": converters,
        "ansible.module_utils.ansible_release": release,
        "ansible.module_utils.basic": lambda: {
            **_pick(values, "missing_required_lib", "boolean", "is_iterable", "get_bin_path"),
            **converters(),
        },
        "ansible.module_utils.common._collections_compat": lambda: _public(__import__("collections.abc").abc),
        "ansible.module_utils.common.collections": lambda: {
            **sequences(),
            **_public(__import__("collections.abc").abc),
        },
        "ansible.module_utils.common.dict_transformations": partial(_pick, values, "dict_merge", "recursive_diff"),
        "ansible.module_utils.common.json": lambda: {"json_dump": FILTERS["to_json"]},
        "ansible.module_utils.common.process": partial(_pick, values, "get_bin_path"),
        "ansible.module_utils.common.text.converters": converters,
        "ansible.module_utils.common.text.formatters": just(
            bytes_to_human=FILTERS["human_readable"], human_to_bytes=FILTERS["human_to_bytes"]
        ),
        "ansible.module_utils.common.yaml": just(
            HAS_YAML=True,
            yaml_load=yaml.safe_load,
            yaml_load_all=yaml.safe_load_all,
            yaml_dump=yaml.safe_dump,  # pyright: ignore[reportUnknownMemberType]  # its stub knows no width
        ),
        "ansible.module_utils.compat.version": just(LooseVersion=LooseVersion, StrictVersion=StrictVersion),
        "ansible.module_utils.parsing.convert_bool": booleans,
        "ansible.module_utils.six": partial(_public, six),
        "ansible.module_utils.six.moves": six.moves,
        "ansible.module_utils.six.moves.urllib": just(),
        "ansible.module_utils.six.moves.urllib.error": lambda: _public(__import__("urllib.error").error),
        "ansible.module_utils.six.moves.urllib.parse": lambda: _public(__import__("urllib.parse").parse),
        "ansible.module_utils.six.moves.urllib.request": lambda: _public(__import__("urllib.request").request),
        "ansible.module_utils.urls": partial(_public, urls),
        "ansible.parsing.ajson": just(
            AnsibleJSONEncoder=__import__("json").JSONEncoder, AnsibleJSONDecoder=__import__("json").JSONDecoder
        ),
        "ansible.parsing.dataloader": just(DataLoader=lookup_base.DataLoader),
        "ansible.parsing.splitter": _splitter,
        "ansible.parsing.utils.addresses": lambda: {"parse_address": inventory_base.parse_address},
        "ansible.parsing.yaml.dumper": dumper,
        "ansible.parsing.yaml.objects": just(
            AnsibleUnicode=str, AnsibleSequence=list, AnsibleMapping=dict, AnsibleVaultEncryptedUnicode=VaultText
        ),
        "ansible.plugins": just(AnsiblePlugin=lookup_base.AnsiblePlugin),
        "ansible.plugins.filter": just(),
        "ansible.plugins.filter.core": _filters,
        "ansible.plugins.filter.encryption": _filters,
        "ansible.plugins.filter.mathstuff": _filters,
        "ansible.plugins.filter.urls": _filters,
        "ansible.plugins.filter.urlsplit": _filters,
        "ansible.inventory": just(),
        "ansible.inventory.data": lambda: {"InventoryData": inventory_base.InventoryData},
        "ansible.inventory.group": lambda: {"to_safe_group_name": inventory_base.to_safe_group_name},
        "ansible.inventory.helpers": just(),
        "ansible.inventory.manager": lambda: {"InventoryData": inventory_base.InventoryData},
        "ansible.plugins.inventory": inventory_base.contents,
        "ansible.plugins.loader": loaders,
        "ansible.plugins.lookup": just(
            LookupBase=lookup_base.LookupBase, AnsiblePlugin=lookup_base.AnsiblePlugin, Display=Display
        ),
        "ansible.plugins.test": just(),
        "ansible.plugins.test.core": _tests,
        "ansible.plugins.test.files": _tests,
        "ansible.plugins.test.mathstuff": _tests,
        "ansible.plugins.test.uri": _tests,
        "ansible.release": release,
        "ansible.template": templates,
        "ansible.utils.cmd_functions": just(run_cmd=values.run_cmd),
        "ansible.utils.collection_loader": just(),
        "ansible.utils.display": just(Display=Display),
        "ansible.utils.encrypt": just(
            random_salt=lambda length=8: passwords.new_salt(length),
            do_encrypt=_do_encrypt,
            random_password=_random_password,
        ),
        "ansible.utils.hashing": lambda: {
            **digests(),
            "checksum": values.secure_hash,
            "checksum_s": values.secure_hash_s,
        },
        "ansible.utils.listify": partial(_pick, values, "listify_lookup_plugin_terms"),
        "ansible.utils.path": lambda: {**_pick(values, "unfrackpath", "makedirs_safe"), "basedir": os.path.dirname},
        "ansible.utils.unsafe_proxy": unsafe,
        "ansible.utils.vars": partial(_pick, values, "merge_hash", "combine_vars", "isidentifier"),
    }


def _undefined() -> type:
    from pyplay.templating.undefined import Undefined  # noqa: PLC0415

    return Undefined


def _splitter() -> Mapping[str, Any]:
    from pyplay.source import splitter  # noqa: PLC0415

    return _pick(splitter, "split_args", "parse_kv", "unquote")


def _do_encrypt(
    result: str, encrypt: str, salt_size: int | None = None, salt: str | None = None, ident: str | None = None
) -> str:
    return passwords.password_hash(result, encrypt, salt, salt_size, ident=ident)


def _random_password(length: int = 20, chars: str | None = None, seed: Any = None) -> str:
    from pyplay.templating.lookups.password import Wish, make_password  # noqa: PLC0415

    wish = Wish(length, seed=None if seed is None else str(seed))
    return make_password(wish if chars is None else Wish(length, (chars,), seed=wish.seed))
