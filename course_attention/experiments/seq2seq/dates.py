"""Dates as people write them in eight languages, paired with the same dates in ISO 8601.

Each text means one date, whatever its language. Years have four digits. Dates in numbers alone are left out of American
English, since it is the only language here that puts the month before the day in them.
"""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from babel import Locale
from babel.dates import DateTimePattern, get_date_format, match_skeleton

from course_attention.experiments.common.pairs import Pairs, Vocabulary

LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pl": "Polish",
    "hu": "Hungarian",
    "tr": "Turkish",
}
FORMS = ("numbers", "abbreviated", "abbreviated with weekday", "long", "full")
_SKELETONS = {"numbers": "yMd", "abbreviated": "yMMMd", "abbreviated with weekday": "yMMMEd"}
FIRST, LAST = date(1900, 1, 1), date(2099, 12, 31)


def write_date(day: date, language: str, form: str) -> str:
    """Return a date as it is written in a language ("en", "de", …) in one of the FORMS.

    Example:
        >>> write_date(date(2024, 4, 3), "hu", "long")
        '2024. április 3.'
    """
    locale, pattern = _pattern(language, form)
    return pattern.apply(day, locale)


@cache  # Babel looks for the pattern anew in each call of `format_date`, which takes most of its time
def _pattern(language: str, form: str) -> tuple[Locale, DateTimePattern]:
    locale = Locale.parse(language)
    if form not in _SKELETONS:
        return locale, get_date_format(form, locale)
    known = locale.datetime_skeletons
    return locale, known[match_skeleton(_SKELETONS[form], known)]


def ways_to_write(language: str) -> tuple[str, ...]:
    """Return the forms of a language in which a date is unambiguous."""
    return tuple(form for form in FORMS if (language, form) != ("en", "numbers"))


def date_pairs(n_train: int = 20_000, n_test: int = 2_000, seed: int = 0) -> tuple[Pairs, Pairs]:
    """Pairs to train on and pairs to test on, of days from 1900 to 2099.

    The calendar is split first, so that a day of the test pairs occurs in no training pair of any language. No day is
    tested twice.
    """
    chance = random.Random(seed)
    days = [FIRST + timedelta(days=i) for i in range((LAST - FIRST).days + 1)]
    chance.shuffle(days)
    test_days, train_days = days[:n_test], days[n_test:]
    train = list(_write(chance.choices(train_days, k=n_train), chance))
    test = list(_write(test_days, chance))
    vocabularies = date_vocabularies()
    return _pairs(train, vocabularies), _pairs(test, vocabularies)


def same_day_pairs(day: date, form: str = "full") -> Pairs:
    """One day written in each language, in the order of LANGUAGES, for pictures of alignments."""
    written = [(write_date(day, language, form), day.isoformat(), language) for language in LANGUAGES]
    return _pairs(written, date_vocabularies())


def date_vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """Return the vocabularies of the sources and of ISO dates; they hold the characters of every month and weekday."""
    days = [date(2000, month, day) for month in range(1, 13) for day in range(1, 8)]
    ways = [(language, form) for language in LANGUAGES for form in ways_to_write(language)]
    texts = [write_date(day, language, form) for language, form in ways for day in days]
    return Vocabulary.of([*texts, "0123456789"]), Vocabulary.of(["0123456789-"])


def _write(days: list[date], chance: random.Random) -> Iterator[tuple[str, str, str]]:
    for day in days:
        language = chance.choice(list(LANGUAGES))
        yield write_date(day, language, chance.choice(ways_to_write(language))), day.isoformat(), language


def _pairs(written: list[tuple[str, str, str]], vocabularies: tuple[Vocabulary, Vocabulary]) -> Pairs:
    sources, targets, languages = zip(*written, strict=True)
    return Pairs.of(sources, targets, languages, *vocabularies)
