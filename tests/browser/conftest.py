"""JupyterLab and a headless Chromium for the tests in this folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chromium import PATIENCE, missing

# No dialogue of JupyterLab's may cover a cell, and every cell must be in the page, not only those in sight.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "codemirror-extension/plugin": {"defaultConfig": {"autoClosingBrackets": False}},
}
SECONDS_TO_START = 60
TOKEN = "browser-test"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip these tests where something is missing, with the reason."""
    if (reason := missing("jupyterlab")) is None:
        return
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots are kept: outside git, for people to look at."""
    folder = Path(__file__).parents[2] / "artifacts"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def workspace(lab: str, served: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return a workspace for the tests of a file, marked as `start` marks one. Its kernels end with it."""
    folder = served / request.path.stem
    (folder / ".course_attention").mkdir(parents=True)
    yield folder
    sessions = f"{lab.removesuffix('lab')}api/sessions"
    for session in json.loads(_asked(sessions, "GET")):
        _asked(f"{sessions}/{session['id']}", "DELETE")


def _asked(url: str, method: str) -> bytes:
    """Return what JupyterLab's server answers."""
    header = {"Authorization": f"token {TOKEN}"}
    directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with directly.open(urllib.request.Request(url, method=method, headers=header), timeout=60) as answer:
        return answer.read()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that JupyterLab serves. The workspaces stand in it."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def lab(served: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of one JupyterLab for all tests; it knows nothing of the user's own settings."""
    own = tmp_path_factory.mktemp("jupyter")
    for name, values in SETTINGS.items():
        file = own / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(own / "config"),
        "JUPYTER_DATA_DIR": str(own / "data"),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        "IPYTHONDIR": str(own / "ipython"),
        "COURSE_ATTENTION_DEVICE": "cpu",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--ServerApp.root_dir={served}"]
    # Port 0: the system picks a free one, so that two runs at a time never meet.
    command += ["--ServerApp.port=0", "--ServerApp.ip=127.0.0.1", f"--IdentityProvider.token={TOKEN}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    with (own / "jupyterlab.log").open("w") as log:
        server = subprocess.Popen(command, cwd=served, env=environment, stdout=log, stderr=log)
    try:
        yield f"{_address(server, own / 'runtime', Path(log.name))}lab"
    finally:
        server.terminate()  # JupyterLab ends its kernels
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


def _address(server: subprocess.Popen, runtime: Path, log: Path) -> str:
    """Return the server's address, from the file that it writes when it listens."""
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and server.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            try:
                return json.loads(file.read_text())["url"]
            except ValueError:
                pass  # half written
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start in {SECONDS_TO_START} s:\n{log.read_text()[-3000:]}")


@pytest.fixture
def page(browser: object, artifacts: Path, request: pytest.FixtureRequest) -> Iterator[object]:
    """Return a page of its own, large enough for a card; the last that it shows is kept as a screenshot."""
    page = _new_page(browser)
    yield page
    page.screenshot(path=artifacts / f"{request.node.name}.png")
    page.close()


@pytest.fixture(scope="module")
def shared_page(browser: object) -> Iterator[object]:
    """Return a page for the tests of a file: to load JupyterLab and to start a kernel takes longer than most tests."""
    page = _new_page(browser)
    yield page
    page.close()


@pytest.fixture(autouse=True)
def _shared_page_is_shown(artifacts: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep what a shared page shows after each test as a screenshot too."""
    yield
    if "shared_page" in request.fixturenames:
        shown = request.getfixturevalue("shared_page")
        shown.screenshot(path=artifacts / f"{request.node.name}.png")


def _new_page(browser: object) -> object:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(PATIENCE)
    return page
