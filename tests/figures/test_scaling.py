"""Panels of measurements, one line per setting, and a dot for each training."""

from __future__ import annotations

import numpy as np

from course_attention.figures.scaling import against_d_key, steps_against_rate


def test_panels():
    """One panel per quantity, named on its axis, under its title; d_key is on the other, logarithmic where asked."""
    values = {"scaled": np.ones((2, 3)), "not scaled": np.full((2, 3), 4.0)}
    axes = against_d_key(np.array([1, 2, 4]), {"variance": values, "entropy": values}, ("variance",), ("a", "b"))
    assert [ax.get_ylabel() for ax in axes] == ["variance", "entropy"]
    assert [ax.get_title() for ax in axes] == ["a", "b"]
    assert [ax.get_yscale() for ax in axes] == ["log", "linear"]
    assert {ax.get_xlabel() for ax in axes} == {"d_key (median; band: all 2 draws)"}
    (alone,) = against_d_key(np.array([1, 2]), {"variance": {"scaled": np.ones(2)}})
    assert alone.get_xlabel() == "d_key"


def test_every_run_has_a_dot():
    """A run is drawn at its steps, beside other settings; one that never got there is hollow, on the top line."""
    outcomes = {"scaled": np.array([[0.01, 20.0], [0.1, 5.0]]), "not scaled": np.array([[0.01, 300.0], [0.1, np.inf]])}
    ax = steps_against_rate(outcomes, title="d_key = 8", never=5000)
    reached, without = (
        [line for line in ax.lines if (line.get_label() in outcomes) is named] for named in (True, False)
    )
    assert [list(line.get_ydata()[np.isfinite(line.get_ydata())]) for line in reached] == [[20, 5], [300]]
    assert [list(line.get_ydata()[np.isfinite(line.get_ydata())]) for line in without] == [[], [5000]]
    assert without[1].get_markerfacecolor() == "none"
    assert reached[0].get_xdata()[0] < 0.01 < reached[1].get_xdata()[0]
    assert (ax.get_title(), ax.get_xscale(), ax.get_yscale()) == ("d_key = 8", "log", "log")


def test_settings_make_room_only_for_each_other():
    """A setting whose rates no other one has is drawn at them; the axis names 1 and 3 times the powers of ten."""
    runs = np.array([[0.01, 20.0], [0.03, 5.0]])
    ax = steps_against_rate({"scaled": runs, "not scaled": runs, "small": runs * [4.7, 1]}, never=5000)
    drawn = {str(line.get_label()): line.get_xdata() for line in ax.lines}
    assert drawn["scaled"][0] < 0.01 < drawn["not scaled"][0]
    assert drawn["small"].tolist() == (4.7 * runs[:, 0]).tolist()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0.01", "0.03", "0.1"]
    at_their_rates = steps_against_rate({"scaled": runs, "not scaled": runs}, apart=1.0)
    assert all(set(line.get_xdata()) == {0.01, 0.03} for line in at_their_rates.lines)


def test_never_is_written_where_it_happened():
    """Where every run got there, the picture has no line for those that did not."""
    assert not steps_against_rate({"scaled": np.array([[0.01, 20.0]])}).texts
