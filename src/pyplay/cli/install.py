"""`pyplay install`: roles and collections for playbooks, from Galaxy servers, git, archives and directories."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.content import installed as there
from pyplay.content.galaxy import GalaxyServer
from pyplay.content.install import Installer, Options, Servers
from pyplay.content.lock import NAME as LOCK
from pyplay.content.lock import read_lock, write_lock
from pyplay.content.metadata import read_collection
from pyplay.content.names import Kind, Wanted
from pyplay.content.pack import pack_collection
from pyplay.content.requirements import checked, collection_of_text, read_requirements, role_of_text
from pyplay.content.signatures import Keys
from pyplay.content.web import HttpWeb
from pyplay.diagnostics.errors import OptionsError
from pyplay.source.catalogue import Catalogue
from pyplay.source.settings import Settings, load_settings
from pyplay.source.shapes import is_map
from pyplay.source.yaml import load_file

if TYPE_CHECKING:
    from collections.abc import Mapping

HELP = {"help_option_names": ["-h", "--help"]}
INSTALL = "add"
_ROLE = o.option("--role", is_flag=True, help="The names are those of roles.")
_PATH = o.option("-p", "--path", metavar="DIR", help="Install below DIR, not below the first place of the settings.")
_NAMES = click.argument("names", nargs=-1, metavar="[NAME]...")
_REFUSED_OPTIONS = ("username", "password", "auth_url", "client_id", "client_secret")


class Group(click.Group):
    """A group whose first word may be a subcommand; without one, the words are what is installed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command that installs before words that name no other."""
        if not args or (args[0] not in self.commands and args[0] not in {"-h", "--help", "--version"}):
            args = [INSTALL, *args]
        return super().parse_args(ctx, args)


class Home:
    """The settings, and the directories and servers that they name."""

    def __init__(self, environ: Mapping[str, str], cwd: str) -> None:
        self.settings: Settings = load_settings(environ, cwd)
        self._catalogue = Catalogue(self.settings, environ, cwd)

    def collections(self, path: str | None = None) -> list[Path]:
        """Return the directories that hold collections, `path` alone if it is named."""
        return [_plain(path)] if path else [Path(each) for each in self.settings.collections_path]

    def roles(self, path: str | None = None) -> list[Path]:
        """Return the directories that hold roles, `path` alone if it is named."""
        return [Path(path).expanduser().absolute()] if path else [Path(each) for each in self.settings.roles_path]

    def roots(self, kind: Kind, path: str | None) -> list[Path]:
        """Return the directories that hold what is of `kind`."""
        return self.collections(path) if kind is Kind.COLLECTION else self.roles(path)

    def web(self) -> HttpWeb:
        """Return what asks servers."""
        timeout = self._catalogue.find("GALAXY_SERVER_TIMEOUT")
        ignore = self._catalogue.find("GALAXY_IGNORE_CERTS")
        return HttpWeb(float(timeout.value) if timeout else 60, verify=not (ignore and ignore.value))

    def servers(self, named: str | None, *, offline: bool) -> Servers:
        """Return the servers: `named` (a URL, or a name of the settings), else those of the settings in order."""
        known = [self._server(name, {e.name: e.value for e in rows}) for name, rows in self._rows().items()]
        if named:
            known = [each for each in known if each.name == named] or [self._other(named)]
        elif not known:
            server = self._catalogue.find("GALAXY_SERVER")
            known = [self._other(str(server.value) if server else "https://galaxy.ansible.com")]
        return Servers(known, make=self._other, offline=offline)

    def keys(self, keyring: str | None, *, disabled: bool) -> Keys:
        """Return what signatures are checked with; `keyring` stands for that of the settings."""

        def value(name: str) -> Any:
            entry = self._catalogue.find(f"GALAXY_{name}")
            return entry.value if entry else None

        path = keyring or value("GPG_KEYRING")
        return Keys(
            Path(str(path)).expanduser().absolute() if path else None,
            str(value("REQUIRED_VALID_SIGNATURE_COUNT") or "1"),
            frozenset(map(str, value("IGNORE_INVALID_SIGNATURE_STATUS_CODES") or ())),
            disabled=disabled or bool(value("DISABLE_GPG_VERIFY")),
        )

    def _rows(self) -> dict[str, Any]:
        return self._catalogue.galaxy_servers()

    def _server(self, name: str, values: dict[str, Any]) -> GalaxyServer:
        refused = [word for word in _REFUSED_OPTIONS if values.get(word)]
        if refused:
            message = f"the server {name} has {', '.join(refused)} in the settings, by which pyplay cannot log in"
            raise OptionsError.of("galaxy-server", message, help=f"give it a `token` in [galaxy_server.{name}]")
        if not values.get("url"):
            message = f"the server {name} of server_list has no url"
            raise OptionsError.of("galaxy-server", message, help=f"add `url =` to [galaxy_server.{name}]")
        web = self.web()
        certs = values.get("validate_certs")
        web = HttpWeb(float(values.get("timeout") or web.timeout), verify=web.verify if certs is None else bool(certs))
        return GalaxyServer(str(values["url"]), web, token=str(values.get("token") or ""), name=name)

    def _other(self, url: str) -> GalaxyServer:
        server = self._catalogue.find("GALAXY_SERVER")
        own = server is not None and url.rstrip("/") == str(server.value).rstrip("/")
        return GalaxyServer(url, self.web(), token=self._token() if own else "")

    def _token(self) -> str:
        """Return the token of the file that `ansible-galaxy` keeps it in, for the server of the settings alone."""
        entry = self._catalogue.find("GALAXY_TOKEN_PATH")
        path = Path(str(entry.value)).expanduser() if entry else None
        if path is None or not path.is_file():
            return ""
        data = load_file(path)
        return str(data.get("token") or "") if is_map(data) else ""


def _plain(path: str) -> Path:
    """Return the directory to install below; who names `ansible_collections` itself means the one that holds it."""
    directory = Path(path).expanduser().absolute()
    return directory.parent if directory.name == there.HOME else directory


def _home() -> Home:
    return Home(os.environ, os.getcwd())  # noqa: PTH109  # plain text


def _say(line: str) -> None:
    click.echo(line)


@click.group(cls=Group, context_settings=HELP)
@version_option
def command() -> None:
    """Install roles and collections: `pyplay install NAME…` or `pyplay install -r requirements.yml`.

    `pyplay install add --help` lists the options; the other commands tell of what is installed.
    """


@command.command(INSTALL, cls=o.Command, context_settings=HELP)
@o.option("-r", "--requirements", metavar="FILE", help="What is wanted: roles and collections.")
@_ROLE
@_PATH
@o.option("-s", "--server", metavar="URL", help="Ask this Galaxy server alone (a URL, or a name of server_list).")
@o.option("-f", "--force", is_flag=True, help="Install anew what is there.")
@o.option("-U", "--upgrade", is_flag=True, help="Take the newest versions that fit.")
@o.option("-n", "--no-deps", is_flag=True, help="Leave out what they depend on.")
@o.option("--pre", is_flag=True, help="Pre-releases count.")
@o.option("--keyring", metavar="FILE", help="Keys that signatures are checked with.")
@o.option("--disable-gpg-verify", is_flag=True, help="Do without signatures.")
@o.option("--offline", is_flag=True, help="Ask no server.")
@o.option("--frozen", is_flag=True, help="Install exactly what the lock says, or fail.")
@o.option("--locked", is_flag=True, help="Fail if requirements and lock disagree.")
@o.option("--no-lock", is_flag=True, help="Neither read nor write the lock.")
@o.shared(o.COMMON)
@_NAMES
def add(names: tuple[str, ...], **given: Any) -> int:
    """Install NAME, NAME:RANGE, a URL, a path; or what the requirements want."""
    home, file = _home(), given["requirements"]
    wanted = _wanted(names, file, role=given["role"])
    if (given["frozen"] or given["locked"]) and (not file or given["no_lock"]):
        raise click.UsageError("--frozen and --locked need -r, and the lock beside that file")
    lock = Path(file).absolute().with_name(LOCK) if file and not given["no_lock"] else None
    strict = given["frozen"] or given["locked"]
    locks = read_lock(lock) if lock and (strict or lock.exists()) else {}
    installer = Installer(
        home.collections(given["path"])[0],
        home.roles(given["path"])[0],
        search=home.collections() if not given["path"] else [],
        servers=home.servers(given["server"], offline=given["offline"]),
        web=home.web(),
        options=Options(
            force=given["force"],
            upgrade=given["upgrade"],
            dependencies=not given["no_deps"],
            pre=given["pre"],
            offline=given["offline"],
            keys=home.keys(given["keyring"], disabled=given["disable_gpg_verify"]),
        ),
        say=_say,
    )
    chosen = installer.install(wanted, locks, frozen=given["frozen"], keep=given["locked"])
    if lock and not strict and write_lock(lock, chosen):
        _say(f"wrote {lock}")
    return 0


def _wanted(names: tuple[str, ...], file: str | None, *, role: bool) -> list[Wanted]:
    if bool(names) == bool(file):
        raise click.UsageError("name what is wanted, or a file with -r FILE; not both")
    if file:
        return read_requirements(Path(file))
    read = role_of_text if role else collection_of_text
    return [checked(read(name, Path())) for name in names]


@command.command("list", cls=o.Command, context_settings=HELP)
@_PATH
@o.shared(o.COMMON)
def list_(path: str | None, **_given: Any) -> int:
    """List what is installed, and where."""
    home = _home()
    for each in (*there.collections(home.collections(path)), *there.roles(home.roles(path))):
        _say(f"{each.kind} {each.name} {each.version or '-'} {each.path}")
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@_ROLE
@_PATH
@o.shared(o.COMMON)
@_NAMES
def info(names: tuple[str, ...], *, role: bool, path: str | None, **_given: Any) -> int:
    """Tell version, place and dependencies."""
    kind = Kind.ROLE if role else Kind.COLLECTION
    for name in names:
        each = there.find(name, kind, _home().roots(kind, path))
        _say(f"{each.name} {each.version or '-'}\n  path: {each.path}")
        if kind is Kind.COLLECTION:
            for other, wanted in sorted(read_collection(each.path).dependencies.items()):
                _say(f"  depends on: {other} {wanted}")
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@_ROLE
@_PATH
@o.shared(o.COMMON)
@_NAMES
def remove(names: tuple[str, ...], *, role: bool, path: str | None, **_given: Any) -> int:
    """Remove what is installed."""
    kind = Kind.ROLE if role else Kind.COLLECTION
    roots = _home().roots(kind, path)
    for each in [there.find(name, kind, roots) for name in names]:
        there.remove(each)
        _say(f"removed {each.name} from {each.path}")
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@_PATH
@o.shared(o.COMMON)
@_NAMES
def verify(names: tuple[str, ...], path: str | None, **_given: Any) -> int:
    """Tell what was changed in collections since they were packed (without names: in all)."""
    roots = _home().collections(path)
    chosen = [there.find(name, Kind.COLLECTION, roots) for name in names] or list(there.collections(roots))
    code = 0
    for each in chosen:
        faults = there.verify(each)
        _say(f"{each.name} {each.version or '-'}: {'as it was packed' if not faults else ''}".rstrip())
        for fault in faults:
            _say(f"  {fault}")
        code = 1 if faults else code
    return code


@command.command(cls=o.Command, context_settings=HELP)
@o.option("--output-path", metavar="DIR", default=".", help="Where the archive goes.")
@o.option("-f", "--force", is_flag=True, help="Replace an archive that is there.")
@o.shared(o.COMMON)
@click.argument("directory", default=".", metavar="[DIRECTORY]")
def build(directory: str, *, output_path: str, force: bool, **_given: Any) -> int:
    """Pack the collection in DIRECTORY: the same files always give the same bytes."""
    archive = pack_collection(Path(directory).absolute(), Path(output_path).absolute(), force=force)
    sys.stdout.write(f"{archive}\n")
    return 0
