"""The drawings of the Transformer show every sublayer, where the memory goes and where the norms stand."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.text import Annotation

from course_attention.figures.drawing import KEY, VALUE
from course_attention.figures.transformer import post_and_pre_norm, three_stacks


def words(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def places(ax: Axes, word: str) -> list[tuple[float, float]]:
    return [text.get_position() for text in ax.texts if text.get_text() == word]


def test_sublayers() -> None:
    """Two sublayers in the encoder, three in the decoder, two in the third stack, each with its sum and its norm."""
    ax = three_stacks()
    assert words(ax).count("+") == 7 and words(ax).count("norm") == 7 + 1  # one more at the end of the third road
    assert words(ax).count("causal self-attention") == 2 and words(ax).count("self-attention") == 1
    assert words(ax).count("feed-forward") == 3 and words(ax).count("cross-attention") == 1


def test_the_memory_leads_into_cross_attention() -> None:
    """Keys and values end at the edge of its box, and at no other."""
    ax = three_stacks()
    ((x, y),) = places(ax, "cross-attention")
    ends = [
        text.xy
        for text in ax.texts
        if isinstance(text, Annotation) and text.arrow_patch.get_edgecolor() in (to_rgba(KEY.fill), to_rgba(VALUE.fill))
    ]
    assert len(ends) == 2 and all(abs(end[1] - y) < 0.5 and 2 < x - end[0] < 2.6 for end in ends)


def test_decoder_only_is_pre_norm() -> None:
    """In the first two stacks each norm is on the road, above a sum. In the third all are on branches but the last."""
    ax = three_stacks()
    sums, norms = places(ax, "+"), places(ax, "norm")
    roads = {x for x, _ in sums}
    third = max(roads)
    assert len([x for x, _ in norms if x in roads - {third}]) == 5
    (last,) = [y for x, y in norms if x == third]
    assert last > max(y for x, y in sums if x == third)
    assert len([x for x, _ in norms if x > third]) == 2


def test_output_layers() -> None:
    """The stacks that write have an output layer above their road, and the logits above it."""
    ax = three_stacks()
    layers, logits = places(ax, "output layer"), places(ax, "logits of the\nnext token")
    assert len(layers) == len(logits) == 2
    assert all(one[0] == other[0] and one[1] < other[1] for one, other in zip(layers, logits, strict=True))


def test_where_the_norms_stand() -> None:
    """Post-norm: on the road, above the sum. Pre-norm: beside the road, below the sublayer."""
    ax = post_and_pre_norm()
    (on_road, on_branch), (post_sum, pre_sum) = places(ax, "norm"), places(ax, "+")
    assert on_road[0] == post_sum[0] and on_road[1] > post_sum[1]
    assert on_branch[0] > pre_sum[0] + 1 and on_branch[1] < places(ax, "sublayer")[1][1] < pre_sum[1]
