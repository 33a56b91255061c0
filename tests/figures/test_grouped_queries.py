"""Each query head has one line, to the keys and values that it reads."""

from __future__ import annotations

from course_attention.figures.grouped_queries import compare, head_groups


def test_lines_meet():
    """Heads of one group end at the same place, those of another at another."""
    ax = head_groups([0, 0, 1, 1])
    starts, ends = zip(*(line.get_xdata() for line in ax.lines), strict=True)
    assert list(starts) == [0, 1, 2, 3]
    assert ends[0] == ends[1] != ends[2] == ends[3]


def test_groups_are_centred():
    """Keys and values stand below the middle of the heads that share them."""
    ends = [line.get_xdata()[1] for line in head_groups([0, 0, 0, 1, 1, 1]).lines]
    assert ends == [1, 1, 1, 4, 4, 4]


def test_boxes():
    """A numbered box for each query head and each group."""
    ax = head_groups([0, 0, 0], title="one for all")
    assert [text.get_text() for text in ax.texts] == ["0", "1", "2", "0"]
    assert ax.get_title() == "one for all" and len(ax.patches) == 4


def test_compare():
    """A panel for each way, under its name."""
    axes = compare({"own": [0, 1], "shared": [0, 0]})
    assert [ax.get_title() for ax in axes] == ["own", "shared"]
    assert [len(ax.patches) for ax in axes] == [4, 3]
