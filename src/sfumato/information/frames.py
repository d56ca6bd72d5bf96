"""Frames of other libraries: what their rows and columns are called, if anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from sfumato.errors import InputError
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sfumato.refusal import Given

__all__ = ["Frame", "count_labels", "frame_axes", "is_default_index", "is_frame"]

Labels = tuple["Hashable", ...]


class Frame(Protocol):
    """What has columns, and perhaps an index: a pandas, polars or Arrow frame."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


def is_frame(values: Any) -> bool:
    """Tell whether something is a pandas, polars or Arrow frame, by what it has."""
    return hasattr(values, "columns") or hasattr(values, "column_names")


def is_default_index(index: Any) -> bool:
    """Tell whether the index of a pandas column or frame only numbers its rows from 0."""
    return getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1


def frame_axes(frame: Any, name: Given) -> tuple[Labels | None, Labels | None]:
    """Return the labels of the rows and of the columns; None for those that are only numbered."""
    columns = getattr(frame, "column_names", None) or frame.columns
    return _labels(getattr(frame, "index", None), name), _labels(columns, name)


def count_labels(frame: Any, name: Given) -> tuple[Labels, Labels]:
    """Return the labels of the rows and columns of a table of counts, such as a crosstab.

    A frame that only numbers its rows holds observations, not counts: refused.
    """
    rows, columns = frame_axes(frame, name)
    if rows is None:
        raise InputError(
            "E-TABLE-KIND",
            "{name} is a table of rows, and a table of counts is needed",
            "Joint.from_columns counts them, and a crosstab is a table of counts",
            name=Argument(name),
        )
    return rows, tuple(range(len(frame.columns))) if columns is None else columns


def _labels(axis: Any, name: Given) -> Labels | None:
    if axis is None or is_default_index(axis):
        return None
    labels = tuple(axis)
    if len(set(labels)) < len(labels):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "two rows or two columns of {name} have the same label",
            "label each differently",
            name=name,
        )
    return labels
