"""Notebook 08 shows the Transformer that the package has."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_attention import (
    DecoderBlock,
    EncoderBlock,
    causal_mask,
    greedy_decode,
    shift_right,
    sinusoidal_encoding,
)
from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.common.pairs import END, START
from course_attention.experiments.transformer import model
from course_attention.experiments.transformer.ablation import PARTS, ablate
from course_attention.experiments.transformer.last_norms import with_last_norms
from tests.notebooks.running import practice_written, read
from tools.notebooks import FOLDER

PAIRS = copy_pairs(n_train=20, n_test=1, shortest=2, longest=5)[0]
SIZES = len(PAIRS.source_vocabulary), len(PAIRS.target_vocabulary)


CELLS = ("transformer", "encoder_pass", "decoder_pass", "write", "cut_residuals", "take_out", "last-norms")


def shown(**names: object) -> dict:
    """Return what the cells of the notebook define that hold the model, the way it writes and its ablation."""
    notebook = practice_written(read(FOLDER / "08_transformer.ipynb"))
    cells = {cell["id"]: cell["source"] for cell in notebook["cells"]}
    given = {"torch": torch, "nn": nn, "START": START, "END": END, "on": "cpu", **names}
    for cell in CELLS:
        exec(cells[cell], given)
    return given


def both() -> tuple[nn.Module, nn.Module, dict]:
    """Return the package's model, the notebook's with the same weights, and what the notebook defines."""
    names = shown(
        causal_mask=causal_mask,
        sinusoidal_encoding=sinusoidal_encoding,
        shift_right=shift_right,
        greedy_decode=greedy_decode,
    )
    sizes = {"d_model": 16, "n_heads": 2, "d_hidden": 32}
    ours = model.Transformer(*SIZES, **sizes, seed=3)
    theirs = names["Transformer"](*SIZES, EncoderBlock, DecoderBlock, **sizes)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs, names


def test_same_transformer() -> None:
    """With the same weights, the class in the notebook gives the same logits and writes the same as the package's."""
    ours, theirs, names = both()
    batch = PAIRS.batch(torch.arange(len(PAIRS)))
    assert torch.allclose(theirs(*batch), ours(*batch), atol=1e-6)
    written, (expected, _) = names["write"](theirs, PAIRS), ours.translate(*batch[:2], 8)
    after_end = (expected == END).cumsum(dim=1).bool()
    assert torch.equal(written, expected.masked_fill(after_end, END)[:, : written.shape[1]])


def test_same_last_norms() -> None:
    """The notebook's class with norms at the ends of its roads is the package's."""
    _, _, names = both()
    sizes = {"d_model": 16, "n_heads": 2, "d_hidden": 32}
    theirs = names["WithLastNorms"](*SIZES, EncoderBlock, DecoderBlock, **sizes)
    ours = with_last_norms(model.Transformer)(*SIZES, **sizes)
    with torch.no_grad():
        for norm in (theirs.memory_norm, theirs.last_norm):
            nn.init.normal_(norm.weight)
    ours.load_state_dict(theirs.state_dict())
    batch = PAIRS.batch(torch.arange(len(PAIRS)))
    assert torch.allclose(theirs(*batch), ours(*batch), atol=1e-6)


def test_one_text_is_written_as_in_a_batch() -> None:
    """The loop for one text in the notebook's core, repaired, writes what `write` does, up to the end token."""
    _, theirs, names = both()
    notebook = read(FOLDER / "08_transformer.ipynb")
    broken = next(cell["source"] for cell in notebook["cells"] if cell["id"] == "write_one")
    exec(broken, names)
    one = PAIRS.batch(torch.tensor([0]))
    assert len(names["write_one"](theirs, *one[:2], longest=6).unique()) == 1  # the first symbol, again and again
    appended = "tokens = torch.cat([tokens, logits[:, :1].argmax(dim=-1)], dim=1)\n"
    assert appended in broken
    ends = "        if tokens[0, -1] == END:\n            break\n"
    exec(broken.replace(appended, appended.replace(":1]", "-1:]") + ends), names)
    rows = names["write"](theirs, PAIRS)
    for i, row in enumerate(rows.tolist()):
        one = PAIRS.batch(torch.tensor([i]))
        came = names["write_one"](theirs, *one[:2], longest=rows.shape[1]).tolist()
        assert came == row[: row.index(END) + 1 if END in row else len(row)]


@pytest.mark.parametrize("part", PARTS)
def test_same_ablation(part: str) -> None:
    """What the notebook's cells take out of a model is what the long run takes out, and another model stays whole."""
    ours, theirs, names = both()
    batch = PAIRS.batch(torch.arange(len(PAIRS)))
    whole = ours(*batch)
    lacking = names["take_out"](part, theirs)
    assert torch.allclose(lacking(*batch), ablate(part, ours)(*batch), atol=1e-5)
    assert not torch.allclose(lacking(*batch), whole, atol=1e-3)
    assert torch.allclose(both()[1](*batch), whole, atol=1e-6)
