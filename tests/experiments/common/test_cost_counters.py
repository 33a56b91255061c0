"""Steps that wait and bytes that are alive, on computations that can be followed by hand."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

from course_attention import attention
from course_attention.experiments.common.cost_counters import peak_bytes, sequential_steps
from course_attention.experiments.complexity import layers


@pytest.mark.parametrize("place", ["here", "meta"])
def test_steps_of_layers(place: str, device: str) -> None:
    """Self-attention takes three steps, convolution and dense layer one, a recurrent layer one for each token."""
    where = device if place == "here" else "meta"
    expected = {layers.self_attention: 3, layers.attention_alone: 2, layers.convolution: 1, layers.dense: 1}
    for layer, steps in expected.items():
        assert sequential_steps(layer(9, device=where)) == steps
    for n_tokens in (1, 9, 30):
        assert sequential_steps(layers.recurrent(n_tokens, device="meta")) == n_tokens


def test_steps_follow_views():
    """A product waits for one before it through views, in-place operations and whatever else has no product in it."""
    a = torch.ones(4, 4)

    def compute() -> torch.Tensor:
        b = (a @ a).mT[:2].contiguous().tanh_()
        return torch.cat([b, b]) @ a

    assert sequential_steps(compute) == 2
    assert sequential_steps(lambda: a + a) == 0


def test_bytes_die():
    """What has died is not counted any more, and a view is not counted at all."""

    def one_after_another() -> None:
        for _ in range(5):
            torch.zeros(100)

    assert peak_bytes(one_after_another) == 400
    assert peak_bytes(lambda: [torch.zeros(100) for _ in range(5)]) == 2000
    assert peak_bytes(lambda: torch.zeros(100).view(10, 10).mT) == 400


def test_gradients_are_not_kept():
    """No graph is built, so that nothing is held for a backward pass."""
    layer = nn.Linear(10, 10, bias=False)

    def chain() -> None:
        x = torch.ones(10, 10)
        for _ in range(5):
            x = layer(x)

    assert peak_bytes(chain) == 2 * 400


def test_as_the_allocator_says():
    """For attention the tally is what torch's allocator on the CPU hands out, by torch's profiler."""
    query = torch.ones(200, 8)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled, torch.no_grad():
        attention(query, query, query)
    now = most = 0
    for event in profiled.profiler.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            most = max(most, now)
    assert peak_bytes(lambda: attention(query, query, query)) == pytest.approx(most, rel=0.01)
    assert most >= 2 * 200 * 200 * 4


def test_meta_takes_the_same():
    """Memory can be foreseen on the device "meta"."""
    for layer in (layers.self_attention, layers.convolution, layers.dense):
        here, there = (
            peak_bytes(lambda layer=layer, where=where: layer(30, device=where)())
            for where in ("cpu", "meta")
        )
        assert here == there
