"""The wheel and the sdist, built once, and a folder with nothing but the wheel and its needs."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from benchmarks.installed import brought

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what ``python -m build`` makes, by the tools that are installed."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def core_alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of modules: the wheel's own, and those that its core needs and no other."""
    folder = tmp_path_factory.mktemp("core")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    installed = Path(sysconfig.get_path("purelib"))
    for name in brought() - {"sfumato"}:
        tops = {file.parts[0] for file in distribution(name).files or []}
        for top in tops - {"..", "__pycache__"}:
            (folder / top).symlink_to(installed / top)
    return folder
