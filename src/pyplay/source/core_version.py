"""The release of ansible-core whose behaviour pyplay has."""

from __future__ import annotations

COMPATIBLE = "2.21.5"
