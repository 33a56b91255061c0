"""The time in what an LMS or nbgrader says about when a notebook was handed in."""

import re
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

# nbgrader ends its timestamps in the name of a zone. A student may have written it, so it must not be a path.
_NAMED_ZONE = re.compile(r"(?P<time>.*\d) (?P<zone>[A-Za-z]+(?:/[A-Za-z_]+){0,2})", re.ASCII)


def hand_in_time(submitted: str, zone: tzinfo | None) -> datetime | None:
    """Read a time; None where there is none, or where it cannot be read.

    Args:
        submitted: an ISO 8601 time, with an offset from UTC or not, or nbgrader's form with the name of a zone.
        zone: of a time that names none.

    Example:
        >>> hand_in_time("2026-10-01 23:00:00.5 UTC", None)
        datetime.datetime(2026, 10, 1, 23, 0, 0, 500000, tzinfo=datetime.timezone.utc)
        >>> hand_in_time("late", UTC) is None
        True
    """
    try:
        if match := _NAMED_ZONE.fullmatch(submitted):
            named = UTC if match["zone"].upper() in ("UTC", "GMT") else ZoneInfo(match["zone"])
            return _exact(match["time"]).replace(tzinfo=named)
        time = _exact(submitted)
    except (ValueError, KeyError, OSError):  # of a zone that is not known, or is a folder of zones
        return None
    return time if time.utcoffset() is not None else time.replace(tzinfo=zone)


def _exact(text: str) -> datetime:
    """Python reads three or six digits of a second, and nbgrader's form may have any number."""
    return datetime.fromisoformat(re.sub(r"\.(\d{1,6})\d*", lambda digits: f".{digits[1]:0<6}", text, count=1))
