"""What an installation of sfumato brings with it: which distributions, and how large they are."""

from __future__ import annotations

from importlib.metadata import Distribution, distribution, metadata
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import sfumato
from benchmarks.measure import markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: The parts that a user chooses among; ``dev`` and ``docs`` are for those who change it.
FOR_USERS = ("duckdb", "pandas", "plots", "learn", "optimize", "postgres", "spark", "torch")


def extras() -> list[str]:
    """Return the names of all optional parts."""
    return metadata("sfumato").get_all("Provides-Extra") or []


def brought(extra: str = "") -> set[str]:
    """Return the names of the distributions that sfumato needs, with or without a part."""
    found: set[tuple[str, str]] = set()
    waiting = [("sfumato", extra), ("sfumato", "")]
    while waiting:
        wanted = waiting.pop()
        if wanted not in found:
            found.add(wanted)
            waiting += _needs(*wanted)
    return {name for name, _ in found}


def _needs(name: str, extra: str) -> Iterator[tuple[str, str]]:
    for line in distribution(name).requires or []:
        need = Requirement(line)
        if need.marker is None or need.marker.evaluate({"extra": extra}):
            for each in ("", *need.extras):
                yield canonicalize_name(need.name), each


def files(name: str) -> Iterator[Path]:
    """Return the files of a distribution, without the bytecode that Python writes beside them."""
    found = _own_files() if name == "sfumato" else _recorded(distribution(name))
    return (file for file in found if "__pycache__" not in file.parts and file.is_file())


def _own_files() -> Iterable[Path]:
    return Path(sfumato.__file__).parent.rglob("*")


def _recorded(of: Distribution) -> Iterable[Path]:
    return (Path(str(file.locate())) for file in of.files or [])


def megabytes(names: Iterable[str]) -> float:
    """Return the size of distributions on the disk."""
    return sum(file.stat().st_size for name in names for file in files(name)) / 1e6


def table() -> str:
    """Return a Markdown table of what the core weighs, and what each optional part adds."""
    core = brought()
    rows = [("core, of which", core), ("sfumato itself", {"sfumato"})]
    rows += [(f"+ {extra}", brought(extra) - core) for extra in FOR_USERS]
    lines = [["installed", "distributions", "MB"]]
    lines += [[name, str(len(names)), f"{megabytes(names):,.0f}"] for name, names in rows]
    return markdown(lines)
