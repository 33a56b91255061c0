"""The diagram of the Transformer shows every sublayer."""

from __future__ import annotations

from matplotlib.text import Annotation

from course_attention.figures.transformer import encoder_decoder_blocks


def test_sublayers():
    """Two sublayers in the encoder, three in the decoder, each with its sum and norm, each block so many times."""
    ax = encoder_decoder_blocks(6, title="t")
    words = [text.get_text() for text in ax.texts]
    assert words.count("add, norm") == 5 and words.count("6×") == 2
    assert sum("attention" in word for word in words) == 3 and words.count("feed-forward") == 2


def test_the_memory_leads_into_cross_attention():
    """An arrow ends at the height of the box of cross-attention."""
    ax = encoder_decoder_blocks()
    height = next(text.get_position()[1] for text in ax.texts if text.get_text() == "cross-attention")
    ends = [text.xy for text in ax.texts if isinstance(text, Annotation)]
    assert any(abs(y - height) < 0.2 and 3 < x < 4.2 for x, y in ends)
