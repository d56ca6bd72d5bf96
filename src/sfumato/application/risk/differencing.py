"""Subtracting published figures, as a front end asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.risk import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk import Differencing

__all__ = ["subtract_tables"]


def subtract_tables(
    data: str,
    *,
    publish: Sequence[Sequence[str]] = (),
    where: Sequence[str] = (),
    total: bool = False,
    value: str | None = None,
    hide_below: int = 0,
    at_least: int | None = None,
) -> Differencing:
    """Find which small groups of a file are given away by tables that are to be published.

    Parameters
    ----------
    data
        The path of a file.
    publish
        The columns of each table.
    total
        Whether the figure of everybody is published as well.
    where, value, hide_below, at_least
        Those of :func:`sfumato.risk.difference`.
    """
    if not all(publish):
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "a table without columns is named",
            "write --publish sex, or --total for all",
        )
    tables: list[Sequence[str]] = [*([()] if total else []), *publish]
    return difference(
        data, publish=tables, where=where, value=value, hide_below=hide_below, at_least=at_least
    )
