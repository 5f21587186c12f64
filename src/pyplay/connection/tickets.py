"""Whether Kerberos could log us in: its library here, and tickets."""

from __future__ import annotations

import glob
import importlib.util
import os
from functools import cache
from pathlib import Path

CONFIG = Path("/etc/krb5.conf")


@cache
def has_gssapi() -> bool:
    """Tell whether asyncssh can do GSSAPI by itself."""
    return importlib.util.find_spec("gssapi") is not None


def may_have_tickets() -> bool:
    """Tell whether there may be tickets. Asks files alone: KEYRING and KCM caches count where krb5.conf names them."""
    if os.environ.get("KRB5CCNAME") or os.environ.get("KRB5_CLIENT_KTNAME"):
        return True
    if glob.glob(f"/tmp/krb5cc_{os.getuid()}*"):  # noqa: PTH207, S108  # Kerberos' own place
        return True
    try:
        return "default_ccache_name" in CONFIG.read_text("utf-8", "replace")
    except OSError:
        return False
