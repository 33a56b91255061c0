"""The figures of the long race: nothing is missing, and they are read as they were chosen."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.positions import log_book, long_race
from tools.long_runs import race
from tools.long_runs.store import Store


def test_every_setting_has_been_run() -> None:
    """The script would find nothing to do."""
    store = Store("positions", race.__file__, ("question", "reader", "variant", "rate", "table_factor", "seed"))
    assert list(store.missing(race.settings(store))) == []


@pytest.mark.parametrize("question", log_book.QUESTIONS)
def test_each_reader_has_every_seed_at_its_best_rate(question: str) -> None:
    """The rate that the notebook shows is the one with the lowest loss of the first seed, and all seeds have it."""
    shown = long_race.at_best_rates(question)
    assert {name: found.shape for name, found in shown.items()} == dict.fromkeys(
        race.READERS, (len(race.SEEDS), len(race.LENGTHS))
    )
    rows = [row for row in long_run("positions", "race") if row["question"] == question and not row["variant"]]
    for name, found in shown.items():
        first = min((row for row in rows if row["reader"] == name and row["seed"] == 0), key=lambda row: row["loss"])
        assert found[0].tolist() == first["accuracy"]


def test_first_seeds_are_told_apart_by_both_rates() -> None:
    """A reader with a table has six pairs of rates, and the accuracies of one length each."""
    found = long_race.first_seeds("third back", "relative")
    assert len(found) == len(race.RATES) * len(race.TABLE_FACTORS["relative"])
    assert np.shape(list(found.values())) == (len(found), len(long_race.LENGTHS))
