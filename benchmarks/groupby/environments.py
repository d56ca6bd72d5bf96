"""Virtual environments for the peers: `python -m benchmarks.groupby.environments FOLDER`.

They are made where they are missing, and printed as SFUMATO_PEERS wants them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.groupby.task import PACKAGES
from benchmarks.interpreters import version

if TYPE_CHECKING:
    from benchmarks.groupby.task import Package


def made(folder: Path, package: Package) -> str:
    """Return the interpreter of a package's environment, made if it is missing."""
    place = folder / package.name
    interpreter = str(place / "bin" / "python")
    if not place.exists():
        venv.create(place, with_pip=True)
    if version(package.name, interpreter) != package.version:
        command = [interpreter, "-m", "pip", "install", "--quiet", *package.requirements]
        subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603
    return interpreter


def main(folder: str) -> None:
    """Print the interpreters; where pip failed, the benchmark says so of the package."""
    print(os.pathsep.join(made(Path(folder).absolute(), package) for package in PACKAGES))


main(*sys.argv[1:])
