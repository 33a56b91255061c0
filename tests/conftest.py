"""What all tests share: the device, how thorough the run is, the order of the run, and a fixed hypothesis."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

import hypothesis
import pytest
from xdist.scheduler import LoadFileScheduling

from tests.chromium import started
from tests.coverage_kept import MeasurementKept
from tests.passed.reads_as_said import ReadsAsSaid
from tests.passed.record import PassedFiles
from tests.time_by_file import TimeByFile

# The same examples in every run: a test that fails here fails everywhere. Time limits are pytest's business.
for profile, examples in (("everyday", 20), ("exhaustive", 50)):
    hypothesis.settings.register_profile(profile, derandomize=True, deadline=None, database=None, max_examples=examples)
hypothesis.settings.load_profile("everyday")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--device",
        choices=("cpu", "cuda"),
        default=os.environ.get("COURSE_ATTENTION_DEVICE", "cpu"),
        help="run the tests that take a device on this one (default: COURSE_ATTENTION_DEVICE, else cpu)",
    )
    parser.addoption(
        "--exhaustive",
        action="store_true",
        help="run the tests marked exhaustive or journey too, and the others at more seeds and with more examples",
    )
    parser.addoption(
        "--leave-out-passed",
        action="store_true",
        help="leave out a file that has passed here, if nothing that decides over it has changed (make test)",
    )
    parser.addoption(
        "--seeds",
        type=int,
        help="judge each way of being right or wrong at so many seeds (default: 1, and 3 with --exhaustive)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--exhaustive"):
        hypothesis.settings.load_profile("exhaustive")
    device = config.getoption("--device")
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise pytest.UsageError("--device cuda: torch finds no CUDA device here")
    os.environ["COURSE_ATTENTION_DEVICE"] = device  # for the notebooks' kernels as well
    config.pluginmanager.register(PassedFiles(config))
    if config.getoption("--exhaustive"):
        config.pluginmanager.register(ReadsAsSaid())
    config.pluginmanager.register(MeasurementKept())
    config.pluginmanager.register(TimeByFile())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only an exhaustive run is for. Start what is slow first, so that two workers end together."""
    if not config.getoption("--exhaustive"):
        left_out = [
            item for item in items if item.get_closest_marker("exhaustive") or item.get_closest_marker("journey")
        ]
        config.hook.pytest_deselected(items=left_out)
        gone = {*left_out}
        items[:] = [item for item in items if item not in gone]
    items.sort(key=lambda item: item.path.suffix != ".ipynb" and item.get_closest_marker("slow") is None)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what has been collected: half a million objects that stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Let a worker end at once. Each of IPython's shells that a test made would look for circles among all objects."""
    gc.freeze()


SITE_FILES = ("tests/site/test_site_in_browser.py", "tests/site/test_site_pages.py")


class _Sharing(LoadFileScheduling):
    """Gives a worker a whole file, whose tests share what is costly; of the largest file, the tests of an exercise.

    The two files that look at the built site are one share: a worker that began the second would wait for the site.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if file in SITE_FILES:
            return "the built site"
        exercise = re.search(r"\[(\w+)", test) if file == "tests/exercises/test_answers.py" else None
        return f"{file}[{exercise[1]}]" if exercise else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> _Sharing:
    """Share the tests among the workers."""
    return _Sharing(config, log)


@pytest.fixture(scope="session")
def seeds(request: pytest.FixtureRequest) -> int:
    """At how many seeds an answer is judged."""
    return request.config.getoption("--seeds") or (3 if request.config.getoption("--exhaustive") else 1)


@pytest.fixture(scope="session")
def some_seeds(request: pytest.FixtureRequest, seeds: int) -> Callable[[str], Sequence[int]]:
    """At which seeds an answer is judged that is one of many of its kind: at one, which its name decides.

    So all seeds are drawn, in a third of the time. With --seeds each answer is judged at up to ten.
    """
    if asked := request.config.getoption("--seeds"):
        return lambda name: range(min(asked, 10))
    return lambda name: [crc32(name.encode()) % seeds]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also in what is started; what a shell starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> str:
    """Return the device under test: "cpu" or "cuda"."""
    return request.config.getoption("--device")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Return the Chromium of this worker."""
    with started() as chromium:
        yield chromium
