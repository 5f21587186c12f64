"""What templates and modules stand on in one process; the controller and the zygote each make their own."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Origin
from pyplay.source.collections import Collections
from pyplay.source.vault import VaultText, is_vault_text
from pyplay.templating.user_plugins import UserPlugins

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.inventory.model import Inventory
    from pyplay.shipping.search import ModuleSearch
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.templating.secrets import SecretTexts


class Ground:
    """Collections, users' plugins, the template environment, where modules are: each made when first asked for.

    `directories` are those of the playbooks. `inventory` gives the inventory that lookups ask; `secrets` takes what is
    decrypted, `warn` what is found wrong.
    """

    def __init__(
        self,
        options: RunOptions,
        settings: Settings,
        directories: Sequence[str],
        *,
        inventory: Callable[[], Inventory],
        vault: VaultSecrets | None,
        secrets: SecretTexts,
        warn: Callable[[Diagnostic], None],
    ) -> None:
        self._options, self._settings, self._directories = options, settings, directories
        self._inventory, self._vault, self._secrets, self._warn = inventory, vault, secrets, warn

    @cached_property
    def collections(self) -> Collections:
        """The collections beside the playbooks, and those that are installed."""
        return Collections.of(self._settings, self._directories, self._warn)

    @cached_property
    def plugins(self) -> UserPlugins:
        """Users' filters, tests and lookups: beside the playbooks, then where the settings say; roles add theirs."""
        found = UserPlugins(
            self._settings, on_warning=self._warn, verbosity=self._options.verbosity, collections=self.collections
        )
        for directory in self._directories:
            found.add_beside(directory)
        found.add_configured()
        return found

    @cached_property
    def lookups(self) -> Mapping[str, Callable[..., Any]]:
        """Every lookup, users' own and ours; the template engine is not needed to look for one."""
        from pyplay.templating.layered import all_lookups  # noqa: PLC0415  # few playbooks name one outside of templates

        return all_lookups(self.plugins.lookups, self.plugins.elsewhere["lookup"])

    @cached_property
    def search(self) -> ModuleSearch:
        """Where modules are found."""
        from pyplay.shipping.search import ModuleSearch  # noqa: PLC0415  # only for names that are not built in

        return ModuleSearch(
            self._settings, self._directories, module_path=self._options.module_path, collections=self.collections
        )

    def add_role(self, directory: str) -> None:
        """Take the plugins and modules that the role in `directory` brings."""
        self.plugins.add_beside(directory)
        self.search.add_role(directory)

    @cached_property
    def environment(self) -> TemplateEnvironment:
        """The template environment."""
        from pyplay.templating.plugins import standard_environment  # noqa: PLC0415  # Jinja: half of what a listing takes

        plugins = self.plugins
        return standard_environment(
            self._settings,
            filters=plugins.filters,
            tests=plugins.tests,
            lookups=plugins.lookups,
            elsewhere=plugins.elsewhere,
            secrets=self._secrets,
            inventory_hostnames=self._inventory_hostnames,
            read_bytes=self._read_bytes,
        )

    def _inventory_hostnames(self, pattern: str) -> list[str]:
        from pyplay.inventory.patterns import select  # noqa: PLC0415  # few templates ask

        return [host.name for host in select(self._inventory(), pattern)]

    def _read_bytes(self, path: str) -> bytes:
        """Give the contents of a file, decrypted if it is vaulted."""
        with open(path, "rb") as stream:  # noqa: PTH123  # plain text paths
            data = stream.read()
        if not is_vault_text(data):
            return data
        plain = VaultText(data.decode(), Origin(path), self._vault).reveal_bytes()
        self._secrets.add(plain.decode("utf-8", "replace"))
        return plain
