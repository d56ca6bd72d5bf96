"""How exposed a file of people is, for the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.risk import risk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from sfumato.risk import Exposure

__all__ = ["assess_file"]


def assess_file(
    path: str | PathLike[str],
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    ordered: Sequence[str] = (),
    population: int | None = None,
    public: str | PathLike[str] | None = None,
    at_least: int | None = None,
    combinations: int = 3,
    rows: int = 10,
) -> Exposure:
    """Measure how exposed the people of a file are; no names mean none, or the usual ones."""
    return risk(
        path,
        quasi=quasi,
        sensitive=sensitive,
        ordered=ordered or None,
        population=population,
        public=public,
        at_least=at_least,
        combinations=combinations,
        rows=rows,
    )
