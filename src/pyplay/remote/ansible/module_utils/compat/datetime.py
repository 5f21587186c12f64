"""The time in UTC, as aware objects."""

import datetime as dt

UTC = dt.timezone.utc
HAS_TZINFO = True


def utcnow():
    """Give now."""
    return dt.datetime.now(UTC)


def utcfromtimestamp(timestamp):
    """Give the time that a number of seconds since 1970 means."""
    return dt.datetime.fromtimestamp(timestamp, UTC)
