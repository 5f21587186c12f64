"""The time, as reports write it."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """Give the time now as `2026-01-31T12:00:00.000000Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
