"""What notebook 01 says about its rivals is what the script gets: what each decoder reads, and the shipped runs."""

from __future__ import annotations

import torch

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.seq2seq.translator import Translator
from tools.long_runs import date_contexts as script

ALLOWED = torch.tensor([[True, True, False], [True, True, True]])


def test_last_states_are_those_of_the_encoder():
    """They come from the memory, and are what a `Translator` starts its decoder from, whatever the padding."""
    torch.manual_seed(0)
    model = Translator(9, 7)
    source = torch.tensor([[3, 4, 0], [5, 6, 7]])
    memory, last = model.encode(source, ALLOWED)
    assert torch.equal(script.last_states(memory, ALLOWED), last)
    whole, last = model.encode(source[1:], ALLOWED[1:])
    assert torch.equal(script.last_states(whole, None), last)


def test_what_each_hands_to_the_output_layers():
    """The last states or the decoder's own state come first, and then the decoder's state unchanged."""
    memory, state = torch.randn(2, 3, 4), torch.randn(2, 4)
    joined, _ = script.last_at_every_step(state, memory, ALLOWED)
    assert torch.equal(joined, torch.cat([script.last_states(memory, ALLOWED), state], dim=-1))
    assert torch.equal(script.state_twice(state, memory, ALLOWED)[0], torch.cat([state, state], dim=-1))


def test_cho_reads_the_text_at_every_step():
    """With the same symbol and the same state, another text gives the decoder another state."""
    torch.manual_seed(0)
    model = script.Cho(9, 7, script.last_at_every_step)
    source = torch.tensor([[3, 4, 0], [5, 6, 7]])
    memory, _ = model.encode(source, ALLOWED)
    _, state, _ = model.step(torch.tensor([1, 1]), torch.zeros(2, 64), memory, ALLOWED)
    assert not torch.allclose(state[0], state[1])
    assert model(source, ALLOWED, torch.tensor([[3, 2], [4, 2]])).shape == (2, 2, 7)


def test_places_are_chosen_by_their_number_alone():
    """At the start all weights are equal; then they follow the step and the place from both ends, and not the text."""
    torch.manual_seed(0)
    model = script.Places(9, 7, script.attend_and_concat)
    source = torch.tensor([[3, 4, 0], [5, 6, 7]])
    symbol, target = torch.tensor([1, 1]), torch.tensor([[3, 2], [4, 2]])

    def weights(source: torch.Tensor) -> list[torch.Tensor]:
        memory, state = model.encode(source, ALLOWED)
        return [model.step(symbol, state, memory, ALLOWED)[2] for _ in range(2)]

    assert torch.allclose(weights(source)[0], torch.tensor([[1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]))
    model.from_end.data[0, 0] = model.from_start.data[1, 0] = 3.0  # at the first step the last place, then the first
    first, second = weights(source)
    assert first.argmax(dim=1).tolist() == [1, 2]
    assert second.argmax(dim=1).tolist() == [0, 0]
    assert all(torch.equal(one, other) for one, other in zip(weights(source.flip(1)), (first, second), strict=True))
    assert model(source, ALLOWED, target).shape == (2, 2, 7)


def test_saved():
    """Every run that the script names is there, once, with its steps."""
    rows = long_run("seq2seq", "date_contexts")
    assert sorted((row["kind"], row["rate"], row["seed"]) for row in rows) == sorted(script.RUNS)
    for row in rows:
        assert tuple(row["steps"]) == script.looks(row["kind"], row["rate"], row["seed"])
        assert len(row["accuracy"]) == len(row["steps"])
        assert all(0 <= share <= 1 for share in row["accuracy"])
