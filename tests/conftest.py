"""What all tests share: the device under test, the order of the run, and a fixed hypothesis."""

from __future__ import annotations

import os

import hypothesis
import pytest

# The same examples in every run: a test that fails here fails everywhere. Time limits are pytest's business.
hypothesis.settings.register_profile(
    "course", derandomize=True, deadline=None, database=None, max_examples=50
)
hypothesis.settings.load_profile("course")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--device",
        choices=("cpu", "cuda"),
        default=os.environ.get("COURSE_ATTENTION_DEVICE", "cpu"),
        help="run the tests that take a device on this one (default: COURSE_ATTENTION_DEVICE, else cpu)",
    )
    parser.addoption(
        "--seeds",
        type=int,
        default=20,
        help="judge each way of being right or wrong at so many seeds (default: 20; 100 before a release)",
    )


def pytest_configure(config: pytest.Config) -> None:
    device = config.getoption("--device")
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise pytest.UsageError("--device cuda: torch finds no CUDA device here")
    os.environ["COURSE_ATTENTION_DEVICE"] = device  # for the notebooks' kernels as well


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start what is slow first, notebooks among it: two workers then end at about the same time."""
    items.sort(key=lambda item: item.path.suffix != ".ipynb" and item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> str:
    """The device under test: "cpu" or "cuda"."""
    return request.config.getoption("--device")
