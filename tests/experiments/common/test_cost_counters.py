"""Products, steps that wait and bytes that are alive, on computations that can be followed by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile

from course_attention import attention
from course_attention.experiments.common.cost_counters import peak_bytes, products, sequential_steps


def layers(n_tokens: int, device: str) -> dict[str, Callable[[], object]]:
    """Layers over so many tokens of four channels, ready to run."""
    x, square = torch.ones(n_tokens, 4, device=device), torch.ones(4, 4, device=device)
    kernel = torch.ones(4, 4, 3, device=device)
    weight = torch.ones(4 * n_tokens, 4 * n_tokens, device=device)
    return {
        "self-attention": lambda: attention(x @ square, x @ square, x @ square),
        "attention": lambda: attention(x, x, x),
        "convolution": lambda: F.conv1d(x.mT, kernel, padding=1),
        "dense": lambda: x.reshape(1, -1) @ weight,
    }


@pytest.mark.parametrize("place", ["here", "meta"])
def test_steps_of_layers(place: str, device: str) -> None:
    """Self-attention takes three steps, convolution and dense layer one, a recurrent layer one for each token."""
    where = device if place == "here" else "meta"
    steps = {name: sequential_steps(layer) for name, layer in layers(9, where).items()}
    assert steps == {"self-attention": 3, "attention": 2, "convolution": 1, "dense": 1}
    recurrent = nn.RNN(4, 4, bias=False, device="meta")
    for n_tokens in (1, 9, 30):
        x = torch.ones(n_tokens, 4, device="meta")
        assert sequential_steps(lambda x=x: recurrent(x)) == n_tokens


@pytest.mark.parametrize("place", ["here", "meta"])
def test_products_of_layers(place: str, device: str) -> None:
    """Each projection is a product, and attention has two, in a batch as well."""
    where = device if place == "here" else "meta"
    numbers = {name: products(layer) for name, layer in layers(9, where).items()}
    assert numbers == {"self-attention": 5, "attention": 2, "convolution": 1, "dense": 1}
    batch = torch.ones(6, 9, 4, device=where)
    assert products(lambda: attention(batch, batch, batch)) == 2
    assert products(lambda: [attention(x, x, x) for x in batch]) == 12
    assert products(lambda: batch + batch) == 0


def test_steps_follow_views():
    """A product waits for one before it through views, in-place operations and whatever else has no product in it."""
    a = torch.ones(4, 4)

    def compute() -> torch.Tensor:
        b = (a @ a).mT[:2].contiguous().tanh_()
        return torch.cat([b, b]) @ a

    assert sequential_steps(compute) == 2
    assert sequential_steps(lambda: a + a) == 0


@pytest.mark.parametrize("place", ["here", "meta"])
def test_steps_follow_rows(place: str, device: str) -> None:
    """A row that is read waits for the products that were written into it, whichever view wrote them."""
    a = torch.ones(4, 4, device=device if place == "here" else "meta")

    def row_after_row() -> torch.Tensor:
        states = a.new_zeros(9, 4)
        for t in range(9):
            states[t] = a[0] @ a + states[t - 1] @ a
        return states

    def row_beside_row() -> torch.Tensor:
        states = a.new_zeros(9, 4)
        for t in range(9):
            states[t] = a[0] @ a
        return states

    def added() -> torch.Tensor:
        states = a.clone()
        for _ in range(3):
            states[1:] += states[:-1] @ a
        return states

    assert sequential_steps(row_after_row) == 9
    assert sequential_steps(row_beside_row) == 1
    assert sequential_steps(added) == 3


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
    here, there = ({name: peak_bytes(layer) for name, layer in layers(30, where).items()} for where in ("cpu", "meta"))
    assert here == there and min(here.values()) > 0
