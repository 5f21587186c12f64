"""The lookup that fetches what stands at a URL."""

from __future__ import annotations

import configparser
import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pyplay.templating.context import option_variable
from pyplay.templating.filters.plain import shown, type_name
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, items, number, text, warn_unknown

if TYPE_CHECKING:
    from pyplay.templating.lookups.base import LookupCall
    from pyplay.templating.lookups.http import Request

_PLACES = {"http_agent": "agent", "unredirected_headers": "unredir_headers"}
"""Options whose names in the environment and in ini files differ from their own."""

_NO_PLACES = ("headers", "username", "password", "use_proxy", "validate_certs", "split_lines")
_KINDS = {
    "force": boolean, "force_basic_auth": boolean, "use_proxy": boolean, "use_gssapi": boolean, "use_netrc": boolean,
    "validate_certs": boolean, "timeout": number, "ciphers": items, "unredirected_headers": items,
}  # fmt: skip


def url(terms: Any, call: LookupCall, *, split_lines: Any = True, **options: Any) -> list[str]:
    """Give the lines of what stands at URLs, or, with `split_lines=false`, each as one text.

    How it is fetched: `validate_certs` (true), `ca_path`, `ciphers`, `use_proxy` (true), `username` and `password`,
    `force_basic_auth`, `use_netrc` (true), `headers`, `unredirected_headers`, `http_agent`, `force` (no caches),
    `timeout` (10 s), `follow_redirects` (all, safe, none, urllib2), `unix_socket`. Most may also come from the
    environment (`ANSIBLE_LOOKUP_URL_*`), variables `ansible_lookup_url_*` and the section [url_lookup] of ansible.cfg.
    `use_gssapi` is not available.
    """
    from pyplay.templating.lookups.http import fetch  # noqa: PLC0415  # heavy, and few playbooks need it

    request = _request(options, call)
    found: list[str] = []
    for term in as_terms(terms):
        body = fetch(text(term, "url", "a URL"), request)
        contents = body.decode("utf-8", "surrogateescape")
        found.extend(contents.splitlines()) if boolean(split_lines, "url", "split_lines") else found.append(contents)
    return found


_OLD_FOLLOWS = {"yes": "all", "no": "none"}


def _request(options: dict[str, Any], call: LookupCall) -> Request:
    from pyplay.templating.lookups.http import Request  # noqa: PLC0415  # as above

    warn_unknown(options.keys() - {field.name for field in fields(Request)}, "url", call)
    section: dict[str, str] | None = None
    values: dict[str, Any] = {}
    for field in fields(Request):
        name = field.name
        value = options.get(name)
        if value is None and name not in _NO_PLACES:
            place = _PLACES.get(name, name)
            value = option_variable(call.variables, f"ansible_lookup_url_{place}")
            if value is None:
                value = os.environ.get(f"ANSIBLE_LOOKUP_URL_{place.upper()}")
            if value is None:
                section = _ini_section(call) if section is None else section
                value = section.get(place)
        if value is not None:
            values[name] = _KINDS[name](value, "url", name) if name in _KINDS else value
    if values.pop("use_gssapi", False):
        raise LookupFailed(
            "lookup 'url': use_gssapi is not available here", help="take username and password, or a netrc file"
        )
    if str(values.get("follow_redirects")) in _OLD_FOLLOWS:
        old = str(values["follow_redirects"])
        call.deprecate("follow-redirects", value=old, instead=_OLD_FOLLOWS[old])
    headers = values.get("headers", {})
    if not isinstance(headers, dict):
        raise LookupFailed(f"lookup 'url': headers must be a mapping, not {type_name(headers)}: {shown(headers)}")
    return Request(**values)


def _ini_section(call: LookupCall) -> dict[str, str]:
    path = getattr(call.settings, "config_file", None)
    if not path:
        return {}
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(path, "utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return {}  # what is wrong in it was said when the settings were read
    return dict(parser["url_lookup"]) if parser.has_section("url_lookup") else {}
