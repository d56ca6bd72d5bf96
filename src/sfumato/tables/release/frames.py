"""An answer as a frame of pandas, polars or Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, MissingExtraError
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.tables.release.answers import AnswerColumns


def as_frame(answers: AnswerColumns, kind: str) -> Any:
    """Return the columns of an answer as a frame."""
    try:
        return _FRAMES[kind](answers.columns)
    except ImportError:
        if kind == "pandas":
            raise MissingExtraError(
                purpose=mark("an answer as a pandas frame"), extra=kind
            ) from None
    raise InputError(
        "E-FRAME-MISSING",
        "{kind} is not installed",
        "pip install {kind}, or take the answer otherwise",
        kind=kind,
    )


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
