"""`pyplay mirror`: a mirror of Terraform's providers as a static web site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pyplay.cli import options as o
from pyplay.diagnostics.errors import OptionsError
from pyplay.mirror.layout import Layout, mirror_sources, zips_of
from pyplay.mirror.serve import Server, nginx_snippet, tls

_HELP = {"help_option_names": ["-h", "--help"]}


def _say(line: str) -> None:
    click.echo(line)


def _there(directory: str) -> Path:
    path = Path(directory)
    if not path.is_dir():
        raise OptionsError.of("no-directory", f"{directory} is no directory", help="name one that is there")
    return path


@click.group(context_settings=_HELP)
def command() -> None:
    """Keep a mirror of Terraform's providers: a directory that any web server may serve."""


@command.command(cls=o.Command, context_settings=_HELP)
@o.option("--from", "from_", metavar="DIR", required=True, help="Where the zips are, in HOSTNAME/NAMESPACE/TYPE/.")
@o.option("--as", "as_", metavar="HOSTNAME/NAMESPACE", default="", help="Whose the zips are that lie elsewhere.")
@o.shared(o.COMMON)
@click.argument("directory")
def build(directory: str, *, from_: str, as_: str, **_given: Any) -> int:
    """Publish zips in the mirror DIRECTORY, beside what is there; print how nginx serves it."""
    root = Path(directory)
    Layout(root).publish(zips_of(_there(from_), as_), _say)
    _say(f"\nnginx serves it at https://HOST/providers/ (with the slash at the end) by:\n\n{nginx_snippet(root)}")
    return 0


@command.command(cls=o.Command, context_settings=_HELP)
@o.shared(o.COMMON)
@click.argument("directory")
@click.argument("others", nargs=-1, required=True, metavar="OTHER...")
def merge(directory: str, others: tuple[str, ...], **_given: Any) -> int:
    """Publish what the mirrors OTHER hold in the mirror DIRECTORY, each archive checked."""
    sources = [source for other in others for source in mirror_sources(Layout(_there(other)))]
    Layout(Path(directory)).publish(sources, _say)
    return 0


@command.command(cls=o.Command, context_settings=_HELP)
@o.shared(o.COMMON)
@click.argument("directory")
def verify(directory: str, **_given: Any) -> int:
    """Check every document, and every archive against its hashes."""
    faults = Layout(_there(directory)).faults()
    for fault in faults:
        _say(fault)
    return 1 if faults else 0


@command.command("list", cls=o.Command, context_settings=_HELP)
@o.shared(o.COMMON)
@click.argument("directory")
def list_(directory: str, **_given: Any) -> int:
    """List providers, versions and platforms."""
    layout = Layout(_there(directory))
    for address in layout.addresses():
        for version in layout.versions(address):
            _say(f"{address} {version} {' '.join(sorted(layout.packages(address, version)))}")
    return 0


@command.command(cls=o.Command, context_settings=_HELP)
@o.option("--keep", type=click.IntRange(min=1), required=True, metavar="N", help="How many of each provider stay.")
@o.shared(o.COMMON)
@click.argument("directory")
def prune(directory: str, *, keep: int, **_given: Any) -> int:
    """Remove all but the newest versions of each provider."""
    Layout(_there(directory)).prune(keep, _say)
    return 0


@command.command(cls=o.Command, context_settings=_HELP)
@o.option("--bind", metavar="ADDRESS:PORT", default="127.0.0.1:8443", help="Where to listen.")
@o.option("--cert", metavar="FILE", required=True, help="The certificate, with those between it and its CA.")
@o.option("--key", metavar="FILE", required=True, help="Its private key.")
@o.shared(o.COMMON)
@click.argument("directory")
def serve(directory: str, *, bind: str, cert: str, key: str, **_given: Any) -> int:
    """Serve the mirror DIRECTORY over TLS, for tests and small sites, until it is interrupted."""
    host, _, port = bind.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise OptionsError.of("bad-place", f"'{bind}' is no ADDRESS:PORT", help="such as 127.0.0.1:8443")
    context = tls(Path(cert), Path(key))
    try:
        server = Server(_there(directory), (host, int(port)), context, _say)
    except OSError as error:
        raise OptionsError.of("bad-place", f"cannot listen on {bind}: {error.strerror}", help="name another") from error
    with server:
        _say(f"serving https://{host}:{server.server_address[1]}/")
        server.serve_forever()
    return 0
