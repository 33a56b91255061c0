"""The long form of the rivals: nothing is missing, and its readers compute what their names say."""

from __future__ import annotations

from itertools import product

import torch

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.self_attention.word_senses import draw_sentences
from tools.long_runs import rivals

SENTENCES = draw_sentences(5, 3)
ASKED = rivals.asked(SENTENCES, torch.arange(5))
ROW, PLACE = (SENTENCES.senses >= 0).nonzero().unbind(dim=1)


def drawn(name: str) -> dict[str, torch.Tensor]:
    """Return the initial weights of one model, with an axis for the models."""
    torch.manual_seed(0)
    return {part: value[None] for part, value in rivals.READERS[name][0]().items()}


def test_every_setting_has_been_run() -> None:
    """Each reader has a row for every rate and every seed, so the script would find nothing to do."""
    found = sorted((row["reader"], row["rate"], row["seed"]) for row in long_run("self_attention", "rivals"))
    assert found == sorted(product(rivals.READERS, rivals.RATES, rivals.SEEDS))


def test_ambiguous_words_are_asked_for() -> None:
    """Each ambiguous word is asked for once, with its own sentence and sense."""
    assert torch.equal(ASKED.own, SENTENCES.tokens[ROW, PLACE]) and torch.equal(ASKED.sentence, SENTENCES.tokens[ROW])
    assert torch.equal(ASKED.sense, SENTENCES.senses[ROW, PLACE])
    assert torch.equal(ASKED.has_clue, SENTENCES.distances[ROW, PLACE] > 0)


def test_average_by_counts_is_the_mean_of_the_vectors() -> None:
    """The network gets the word's own vector, and then the mean of all vectors of its sentence."""
    weights = drawn("average, network of 8")
    parts = {part: value[0] for part, value in weights.items()}
    x = parts["words"][SENTENCES.tokens]
    both = torch.cat([x, x.mean(dim=1, keepdim=True).expand_as(x)], dim=-1)
    hidden = (both @ parts["hidden"][:-1] + parts["hidden"][-1]).relu()
    expected = hidden @ parts["output"][:-1] + parts["output"][-1]
    assert torch.allclose(rivals.network(weights, ASKED)[0], expected[ROW, PLACE], atol=1e-5)
