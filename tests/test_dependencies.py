"""pyproject.toml, environment.yml, requirements.lock and the package's imports say the same."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
CONDA_NAMES = {"pytorch": "torch"}
# A distribution's other name, and what is a part of another's interface and comes with it.
IMPORTED_AS = {
    "sklearn": "scikit-learn",
    "markupsafe": "jinja2",
    "traitlets": "ipython",
    "sqlalchemy": "nbgrader",
    "jupyter_server": "jupyterlab",
    "yaml": "pyyaml",
}


def ranges(lines: list[str]) -> dict[str, str]:
    requirements = map(Requirement, lines)
    return {canonicalize_name(one.name): str(one.specifier) for one in requirements}


def lock() -> dict[str, list[Requirement]]:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found: dict[str, list[Requirement]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            one = Requirement(line)
            found.setdefault(canonicalize_name(one.name), []).append(one)
    return found


def test_conda_has_the_same():
    """environment.yml asks for what the package and its lab need, in the same ranges, under conda's names."""
    entries = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    conda = ranges(
        [re.sub(r"^[\w-]+", lambda m: CONDA_NAMES.get(m[0], m[0]), e) for e in entries if isinstance(e, str)]
    )
    python = conda.pop("python")
    conda.pop("pip")
    assert conda == ranges(PROJECT["dependencies"] + EXTRAS["lab"])
    assert PROJECT["requires-python"] in python.split(",")
    assert {"pip": ["-e ."]} in entries


@pytest.mark.parametrize("line", PROJECT["dependencies"] + [line for extra in EXTRAS.values() for line in extra])
def test_lock_is_within_the_ranges(line):
    """Each dependency has an exact version in the lock, and it lies in the package's range."""
    wanted = Requirement(line)
    pins = lock()[canonicalize_name(wanted.name)]
    for pin in pins:
        (exact,) = pin.specifier
        assert exact.operator == "=="
        assert wanted.specifier.contains(exact.version), f"{pin} is not in {wanted}"


def test_lock_holds_on_every_system():
    """The lock has exact versions only, torch's without a build's name, and no path of any machine."""
    pins = [pin for entries in lock().values() for pin in entries]
    assert all(pin.url is None and [one.operator for one in pin.specifier] == ["=="] for pin in pins)
    assert [str(pin) for pin in lock()["torch"]] == ["torch==2.13.0"]


def test_pythons_are_the_same_everywhere():
    """CI tests each version of Python that the classifiers and the README name, and the oldest is required."""
    named = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if ":: Python :: 3." in line]
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(workflow)["jobs"].values()
    tried = {version for job in jobs for version in job.get("strategy", {}).get("matrix", {}).get("python", ())}
    assert sorted(tried) == sorted(named)
    *first, last = named
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Python {', '.join(first)} or {last}." in readme
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_imports_are_dependencies():
    """What the package imports from elsewhere is among its dependencies; what extras bring, inside functions."""
    extras = EXTRAS["lab"] + EXTRAS["real"] + EXTRAS["instructor"] + EXTRAS["cluster"]
    names = {canonicalize_name(name) for name in ranges(PROJECT["dependencies"] + extras)}
    names |= {"ipython"}  # comes with ipykernel: whoever displays in a notebook has it
    for path in (ROOT / "course_attention").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module]
            else:
                continue
            for module in modules:
                top = IMPORTED_AS.get(module.split(".")[0], module.split(".")[0])
                if top not in sys.stdlib_module_names and top != "course_attention":
                    assert canonicalize_name(top) in names, f"{path.name} imports {top}"
