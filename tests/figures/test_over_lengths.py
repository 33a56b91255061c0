"""Accuracies over lengths: a line of medians for each model, all of its runs, and a grey baseline."""

from __future__ import annotations

import numpy as np

from course_attention.figures.over_lengths import over_lengths

LENGTHS = np.array([32, 64])
RUNS = {
    "none": np.array([[0.3, 0.2]]),
    "rotary": np.array([[1.0, 0.8], [1.0, 0.7], [0.9, 0.6]]),
    "ALiBi": np.array([[0.9, 0.9], [0.8, 0.8], [0.7, 0.7]]),
}


def test_medians_and_runs() -> None:
    """Lines show medians, and every run has its dots in the colour of its line, apart from those of other models."""
    ax = over_lengths(LENGTHS, RUNS, title="last")
    lines = {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}
    assert list(lines) == list(RUNS)
    for name, line in lines.items():
        assert np.allclose(line.get_ydata(), np.median(RUNS[name], axis=0))
        dots = [
            other for other in ax.lines if other.get_linestyle() == "None" and other.get_color() == line.get_color()
        ]
        assert [list(dot.get_ydata()) for dot in dots] == RUNS[name].tolist()
        assert all(np.array_equal(dot.get_xdata(), line.get_xdata()) for dot in dots)
    assert len({float(line.get_xdata()[0]) for line in lines.values()}) == len(RUNS)
    assert lines["none"].get_color() == "0.5"
    assert ax.get_title() == "last" and "training: 32" in ax.get_xlabel()


def test_two_runs() -> None:
    """Between two runs there is no line of medians: each of them is a line, and the legend names both once."""
    two = np.array([[1.0, 0.8], [1.0, 0.2]])
    ax = over_lengths(LENGTHS, {"rotary": two})
    lines = [line for line in ax.lines[1:] if line.get_linestyle() != "None"]
    assert [list(line.get_ydata()) for line in lines] == two.tolist()
    assert all(line.get_markersize() == 6 for line in lines)
    assert ax.get_legend_handles_labels()[1] == ["rotary"]
