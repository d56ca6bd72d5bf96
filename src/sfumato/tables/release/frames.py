"""An answer as a frame of pandas, polars or Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.tables.release.answers import Answers

__all__ = ["as_frame"]


def as_frame(answers: Answers, kind: str) -> Any:
    """Return the columns of an answer as a frame.

    Examples
    --------
    >>> from sfumato.tables.release.answers import Answers
    >>> from sfumato.tables.release.frames import as_frame
    >>> as_frame(Answers({"n": [12]}), "arrow").to_pydict()
    {'n': [12]}
    """
    try:
        return _FRAMES[kind](answers.columns)
    except ImportError:
        message = f"{kind} is not installed; pip install {kind}, or take the answer otherwise"
    raise InputError(message)


def _pandas(columns: dict[str, list[Any]]) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def _polars(columns: dict[str, list[Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(columns)


def _arrow(columns: dict[str, list[Any]]) -> Any:
    import pyarrow as pa

    return pa.table(columns)


_FRAMES = {"pandas": _pandas, "polars": _polars, "arrow": _arrow}
