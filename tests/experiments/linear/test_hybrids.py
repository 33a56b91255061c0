"""The stacks of notebook 12 are the same in the notebook and in the package; the long run is whole."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.common.random_tensors import standard_normal
from course_attention.experiments.linear import assignments, hybrids
from course_attention.mechanisms.linear import gated_delta_rule
from tools.long_runs import hybrids as script
from tools.long_runs import hybrids_beyond as beyond
from tools.long_runs import hybrids_falling as falling
from tools.long_runs.store import Store

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "12_without_the_square.ipynb"


@pytest.mark.parametrize("name", ["gated_in_chunks", "Layer", "Stack"])
def test_is_the_one_of_the_notebook(name: str) -> None:
    """The long run computes what the reader sees in the notebook."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert inspect.getsource(getattr(hybrids, name)).strip() + "\n" in text + "\n"


@pytest.mark.parametrize("size", [1, 7, 20, 64])
def test_chunks_and_sequence(size: int) -> None:
    """Chunks of any size give what the rule gives token by token."""
    query, key = standard_normal(3, 20, 6, seed=1), F.normalize(standard_normal(3, 20, 6, seed=2), dim=-1)
    value = standard_normal(3, 20, 4, seed=3)
    beta, decay = (standard_normal(3, 20, seed=seed).sigmoid() for seed in (4, 5))
    expected = gated_delta_rule(query, key, value, beta, decay)
    torch.testing.assert_close(hybrids.gated_in_chunks(query, key, value, beta, decay, size), expected)


@pytest.mark.parametrize("kind", ["memory", "window", "full", "rotary"])
def test_layers_are_causal(kind: str) -> None:
    """A later line changes no earlier output; a window of 8 tokens does not see the ninth."""
    torch.manual_seed(0)
    layer, x = hybrids.Layer(kind), standard_normal(1, 12, 32, seed=1).float()
    changed = x.clone()
    changed[:, 3] += 1.0
    moved = (layer(changed) - layer(x)).abs().amax(dim=-1)[0] > 1e-7
    assert not moved[:3].any() and moved[3:11].all()
    assert bool(moved[11]) is (kind != "window")


def test_accuracies_tell_groups_apart() -> None:
    """A model that knows variables only is right about variables only."""

    def variables_only(names: torch.Tensor, digits: torch.Tensor) -> torch.Tensor:
        answers = assignments.draw_programs(64, 32, 8, torch.Generator().manual_seed(1))[2]
        told = torch.where(names < assignments.N_VARIABLES, answers, (answers + 1) % assignments.N_DIGITS)
        return F.one_hot(told.clamp(min=0), assignments.N_DIGITS)

    assert hybrids.accuracies(variables_only, 32, 8) == [1.0, 0.0]


def test_every_setting_has_been_run() -> None:
    """The script would find nothing to do, and nothing was run that it does not ask for."""
    store = Store("linear", script.__file__, ("stack", "rate", "seed"))
    asked = list(script.settings())
    assert list(store.missing(asked)) == []
    assert len(store.rows) == len(asked)


def test_every_stack_was_trained_on() -> None:
    """The script that goes beyond would find nothing to do; each of its rows has an entry for each look."""
    store = Store("linear", beyond.__file__, ("stack", "seed"))
    asked = list(beyond.settings())
    assert list(store.missing(asked)) == [] and len(store.rows) == len(asked)
    for row in store.rows:
        assert row["steps"] == list(beyond.LOOKS)
        assert all(len(row[what]) == len(beyond.LOOKS) for what in ("loss", "variables", "constants"))


def test_every_stack_was_trained_at_a_falling_rate() -> None:
    """The script would find nothing to do; each stack was trained for each number of steps with each seed."""
    store = Store("linear", falling.__file__, ("stack", "steps", "seed"))
    asked = list(falling.settings())
    assert list(store.missing(asked)) == [] and len(store.rows) == len(asked)


def test_rate_falls() -> None:
    """The first step is that of a constant rate, later ones are smaller, and after the last the rate is zero."""

    def weights(falls_until: int | None, steps: int) -> torch.Tensor:
        trained = script.training("1 full alone", 0.01, 0, falls_until)
        model = next(model for step, model in trained if step == steps)
        return model.output[1].weight.detach().clone()

    assert torch.equal(weights(None, 1), weights(2, 1))
    assert not torch.equal(weights(None, 2), weights(2, 2))
    assert torch.equal(weights(2, 2), weights(2, 3))


def test_wider_heads() -> None:
    """Keys and values have the size that is asked for."""
    model = next(model for _, model in script.training("4 memories", 0.01, 0, d_head=16))
    assert {layer.w_key.out_features for layer in model.layers} == {16}


def test_training_is_the_same_beyond() -> None:
    """Both scripts train by the same steps, from the same weights and programs of a seed."""
    losses = []
    for _ in range(2):
        model = next(model for step, model in script.training("1 full alone", 0.01, 0) if step == 2)
        with torch.no_grad():
            losses.append(script.loss(model, script.held_out()).item())
    assert losses[0] == losses[1]


def test_what_the_page_of_claims_says_of_the_stops() -> None:
    """The notebook shows the stacks after 8,000 steps; its page of claims says where each training stopped."""
    rows = [row for row in long_run("linear", "hybrids") if row["rate"] == 0.01]
    plateaus = {row["stack"]: row["steps"] for row in rows if row["ended"] == "at a plateau" and row["seed"] == 0}
    assert plateaus == {"4 memories": 2350, "3 windows, 1 full": 2750, "1 full alone": 1350}
    first = {(row["stack"], row["rate"]): row for row in long_run("linear", "hybrids") if row["seed"] == 0}
    better = {stack for stack, rate in first if first[stack, 0.003]["loss"] < first[stack, 0.01]["loss"]}
    assert better == {"1 full alone"} and first["1 full alone", 0.003]["ended"] == "after the last step"
    mix = [row for row in rows if row["stack"] == "3 memories, 1 full"]
    assert [row["steps"] for row in sorted(mix, key=lambda row: row["seed"])] == [300, 500, 600]
    assert min(mix, key=lambda row: row["loss"]) is max(mix, key=lambda row: row["variables"][-1])
