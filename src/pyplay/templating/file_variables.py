"""The variables that only template files see: where they come from, where they go, when.

Source: the Ansible documentation of the template module; the user's `ansible_managed` wins over the setting, while the
others win over the user's (observed in ansible-core 2.21).
"""

from __future__ import annotations

import datetime as dt
import os
import pwd
import time
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import TemplateError
from pyplay.source.text import Trusted
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.templating.scope import Scope

RUN_DATE = "template_run_date"


def file_variables(path: str, src: str, dest: str | None, scope: Scope, settings: Any) -> Mapping[str, Any]:
    """Give the variables for the template file at `path`, which the task calls `src`; `dest` is where its text goes.

    `scope` are the variables so far, `settings` has `ansible_managed`. Raises OSError.
    """
    status = os.stat(path)  # noqa: PTH116  # a plain string from a user
    try:
        owner = pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        owner = str(status.st_uid)
    found: dict[str, Any] = {
        "template_host": os.uname().nodename,
        "template_path": src,
        "template_fullpath": path,
        "template_destpath": dest,
        "template_mtime": dt.datetime.fromtimestamp(status.st_mtime),  # noqa: DTZ006  # local time, as documented
        "template_uid": owner,
        RUN_DATE: dt.datetime.now(),  # noqa: DTZ005  # as above
    }
    if scope.get("ansible_managed") is MISSING:
        found["ansible_managed"] = _managed(settings.ansible_managed, status.st_mtime)
    return found


def _managed(text: str, changed: float) -> str:
    """Give what the setting `ansible_managed` says of a file last changed at `changed`, as a template.

    It may hold the fields `{host}`, `{uid}` and `{file}`, codes of strftime, and templates with their braces doubled.
    The fields become templates too, so that a file's name is never taken for one. Raises TemplateError.
    """
    if "{" not in text and "}" not in text and "%" not in text:
        return text
    fields = {"host": "template_host", "uid": "template_uid", "file": "template_path"}
    try:
        filled = text.format(**{field: f"{{{{ {name} }}}}" for field, name in fields.items()})
    except (KeyError, IndexError, ValueError) as error:
        mend = "its fields are {host}, {uid} and {file}; double all other braces"
        raise TemplateError.of(
            "bad-setting", f"the setting ansible_managed cannot be read: {error}", help=mend
        ) from error
    return Trusted(time.strftime(filled, time.localtime(changed)))
