"""The variables that only template files see: where they come from, where they go, when.

Source: the Ansible documentation of the template module; the user's `ansible_managed` wins over the setting, while the
others win over the user's (observed in ansible-core 2.21).
"""

from __future__ import annotations

import datetime as dt
import os
import pwd
from typing import TYPE_CHECKING, Any

from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.templating.scope import Scope


def file_variables(path: str, src: str, dest: str, scope: Scope, settings: Any) -> Mapping[str, Any]:
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
        "template_run_date": dt.datetime.now(),  # noqa: DTZ005  # as above
    }
    if scope.get("ansible_managed") is MISSING:
        found["ansible_managed"] = settings.ansible_managed
    return found
