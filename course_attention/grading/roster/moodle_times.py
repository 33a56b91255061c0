"""The times in Moodle's grading worksheet, which Moodle writes for people and in the language of its user."""

import re
from datetime import datetime

COLUMN = "Last modified (submission)"
NEVER = "-"
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_TIME = re.compile(
    rf"(?:(?P<weekday>{'|'.join(_DAYS)}), )?"
    rf"(?:(?P<day>\d\d?) (?P<month>{'|'.join(_MONTHS)})|(?P<us_month>{'|'.join(_MONTHS)}) (?P<us_day>\d\d?),)"
    r" (?P<year>\d{4}), (?P<hour>\d\d?):(?P<minute>\d\d)(?: (?P<half>[AP]M))?",
    re.ASCII,
)


def moodle_time(text: str) -> datetime | None:
    """Read a time as Moodle writes it in English; None where it is not a time, or is in another language.

    It has no zone: Moodle shows it in that of whoever downloads the worksheet.

    Example:
        >>> moodle_time("Sunday, 22 November 2026, 8:40 PM")
        datetime.datetime(2026, 11, 22, 20, 40)
        >>> moodle_time("Sonntag, 22. November 2026, 20:40") is None
        True
    """
    match = _TIME.fullmatch(" ".join(text.split()))
    if match is None:
        return None
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    month = _MONTHS.index(match["month"] or match["us_month"]) + 1
    try:
        time = datetime(int(match["year"]), month, int(match["day"] or match["us_day"]), hour, int(match["minute"]))
    except ValueError:
        return None
    # A day of the week that is another one shows that this was not understood.
    return time if match["weekday"] in (None, _DAYS[time.weekday()]) else None
