"""What a person gets who installs this project is what the repository holds.

Builds the wheel from a clean clone, as `pip install .` would, and compares: hatchling leaves out, without a word,
whatever `.gitignore` names, and a file that only exists here is in nobody's wheel.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("engine", "p2p", "cli")


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The last commit and nothing else: no untracked, no ignored file."""
    folder = tmp_path_factory.mktemp("packaging")
    trust = folder / "gitconfig"  # git would refuse to clone a checkout of another user
    trust.write_text("[safe]\n\tdirectory = *\n")
    run("git", "clone", "-q", "--no-hardlinks", ROOT, folder / "clone", cwd=folder, GIT_CONFIG_GLOBAL=str(trust))
    return folder / "clone"


@pytest.fixture(scope="module")
def wheel(clone: Path) -> Path:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", clone.parent / "dist", clone, cwd=clone)
    (built,) = (clone.parent / "dist").glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_packages(clone: Path, wheel: Path) -> None:
    """Every tracked file below our packages is in the wheel, byte for byte; besides them only its own description."""
    tracked = {path for path in run("git", "ls-files", cwd=clone).splitlines() if path.startswith(OURS)}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if not name.endswith("/")}
        described = {name for name in packed if name.split("/")[0].endswith(".dist-info")}
        assert packed - described == tracked
        for name in tracked:
            assert archive.read(name) == (clone / name).read_bytes(), name
        assert any(name.endswith("/LICENSE") for name in described)


def test_nothing_in_our_packages_is_ignored_by_git() -> None:
    """A file that `.gitignore` names would work here and be missing everywhere else."""
    listed = run("git", "-c", "safe.directory=*", "status", "--porcelain", "--ignored", "-z", "--", *OURS, cwd=ROOT)
    ignored = [entry[3:] for entry in listed.split("\0") if entry.startswith("!!")]
    assert [path for path in ignored if "__pycache__" not in path] == []


def test_the_wheel_works_away_from_the_source(wheel: Path, tmp_path: Path) -> None:
    """Installed elsewhere, every module imports from the wheel itself and `nodealer` answers."""
    target = tmp_path / "installed"
    run(
        sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel, cwd=tmp_path
    )
    modules = sorted(
        ".".join(path.relative_to(target).with_suffix("").parts).removesuffix(".__init__")
        for folder in OURS
        for path in (target / folder).rglob("*.py")
        if path.name != "__main__.py"
    )
    check = "import importlib, sys\nfor m in sys.argv[1:]: print(importlib.import_module(m).__file__)"
    found = run(sys.executable, "-c", check, *modules, cwd=tmp_path, PYTHONPATH=str(target)).splitlines()
    assert len(found) == len(modules)
    assert all(Path(file).is_relative_to(target) for file in found)
    version = run(sys.executable, "-m", "cli", "--version", cwd=tmp_path, PYTHONPATH=str(target))
    assert version.split()[1] == wheel.name.split("-")[1]


def readme_commands() -> list[str]:
    text = (ROOT / "README.md").read_text()
    setup = text[text.index("## Set up") :].split("\n## ")[0]
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", setup, re.DOTALL)]


def test_the_readme_sets_up_with_two_commands() -> None:
    """Exactly two, one line each, complete: own environment, this project and nothing else installed, then run."""
    play, tests = readme_commands()
    for command, installs, runs in ((play, ".", "nodealer"), (tests, "'.[dev]'", "pytest")):
        steps = [step.split() for step in command.split(" && ")]
        assert steps[0] == ["python3", "-m", "venv", ".venv"]
        assert steps[1] == [".venv/bin/pip", "install", "-q", installs]
        assert steps[2][0] == f".venv/bin/{runs}"
        assert len(steps) == 3


def test_what_the_readme_calls_is_installed_by_the_project() -> None:
    """`nodealer` is the project's own script, and the tools that tests and checks use are in its `dev` extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["name"] == "nodealer"
    assert project["scripts"] == {"nodealer": "cli.main:main"}
    dev = {re.split(r"[^\w-]", line)[0] for line in project["optional-dependencies"]["dev"]}
    assert {"pytest", "pytest-xdist", "coverage", "mypy", "ruff", "build", "hatchling"} <= dev


def test_ci_runs_the_readmes_own_test_command() -> None:
    """The command CI takes out of the README is the one a reader sees there."""
    script = (ROOT / ".ci" / "run").read_text()
    (extract,) = re.findall(r"command=\$\((sed .*)\)", script)
    assert run("bash", "-c", extract, cwd=ROOT).strip() == readme_commands()[1]
