"""A channel: for every input, the distribution of the output."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.information.distribution import Distribution, DistributionLike
from sfumato.information.frames import Frame, frame_axes, is_frame
from sfumato.refusal import text
from sfumato.translation import mark, tr_n

if TYPE_CHECKING:
    from sfumato.information.intake import Floats

__all__ = ["Channel", "ChannelLike", "as_channel"]

#: A matrix with one row an input, a mapping from inputs to rows, a frame, or a Channel; a row
#: is anything a distribution can be made of: probabilities, exact or not, or counts.
ChannelLike = Iterable[DistributionLike] | Mapping[Any, DistributionLike] | Frame


@dataclass(frozen=True, eq=False, init=False, repr=False, slots=True)
class Channel:
    """For every input, the distribution of the output.

    A randomised mechanism on a finite set of inputs is a channel.  Rows that name their
    outputs may name different ones: an output that a row leaves out has probability 0 there.

    Parameters
    ----------
    rows
        A matrix with one row an input, or a mapping from inputs to rows.  Floats, Fractions
        and Decimals are probabilities; integers are counts.  The labels of a frame name the
        inputs (its index) and the outputs (its columns).

    Examples
    --------
    >>> from sfumato.information import Channel
    >>> survey = Channel({"yes": {"yes": 2, "no": 1}, "no": {"yes": 1, "no": 2}})
    >>> survey
    Channel(2 inputs, 2 outputs)
    >>> survey.rows[0]
    Distribution({'yes': 2/3, 'no': 1/3})
    >>> survey.matrix.round(3)
    array([[0.667, 0.333],
           [0.333, 0.667]])
    """

    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    rows: tuple[Distribution, ...]
    matrix: Floats

    def __init__(self, rows: ChannelLike) -> None:
        named = _named_rows(rows)
        inputs = tuple(named)
        aligned = _aligned([_own_row(row, key) for key, row in named.items()], inputs)
        stacked = np.stack([row.probabilities for row in aligned])
        matrix = stacked / stacked.sum(axis=1, keepdims=True)
        matrix.setflags(write=False)
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "outputs", tuple(aligned[0].labels))
        object.__setattr__(self, "rows", aligned)
        object.__setattr__(self, "matrix", matrix)

    def __reduce__(self) -> tuple[type[Channel], tuple[dict[Hashable, Distribution]]]:
        """Pickle and copy by building anew, so that the arrays stay read-only."""
        return Channel, (dict(zip(self.inputs, self.rows, strict=True)),)

    def __repr__(self) -> str:
        inputs, outputs = len(self.inputs), len(self.outputs)
        return f"Channel({_several(inputs, 'input')}, {_several(outputs, 'output')})"


def _several(number: int, one: str) -> str:
    return f"{number} {one if number == 1 else one + 's'}"


def as_channel(values: ChannelLike | Channel) -> Channel:
    """Return ``values`` as a Channel; a Channel is not copied."""
    return values if isinstance(values, Channel) else Channel(values)


def _named_rows(rows: Any) -> dict[Hashable, DistributionLike]:
    if isinstance(rows, Mapping):
        named = dict(rows)
    elif is_frame(rows):
        named = _frame_rows(rows)
    elif isinstance(rows, Iterable) and not isinstance(rows, str):
        named = dict(enumerate(np.asarray(rows) if hasattr(rows, "__array__") else rows))
    else:
        named = {0: 0}
    if not named:
        raise InputError(
            "E-CHANNEL-FORM", "the channel has no rows", "give one row of probabilities an input"
        )
    if not all(isinstance(row, Iterable) for row in named.values()):
        raise InputError(
            "E-CHANNEL-FORM",
            "a channel is a matrix with one row of probabilities an input, such as [[0.9, "
            "0.1], [0.2, 0.8]]",
            "what was given has no rows",
        )
    return named


def _frame_rows(frame: Any) -> dict[Hashable, DistributionLike]:
    inputs, outputs = frame_axes(frame, mark("the channel"))
    matrix = np.asarray(frame)
    rows = [row if outputs is None else dict(zip(outputs, row, strict=True)) for row in matrix]
    return dict(enumerate(rows) if inputs is None else zip(inputs, rows, strict=True))


def _own_row(row: DistributionLike, key: Hashable) -> Distribution:
    """Return a row as a distribution that shares no array with the caller."""
    if isinstance(row, Distribution):
        return row
    return Distribution(row, name=text("row {key!r} of the channel", key=key))


def _aligned(rows: list[Distribution], inputs: tuple[Hashable, ...]) -> tuple[Distribution, ...]:
    """Return the rows over one list of outputs, or refuse in one sentence."""
    if len({row.is_labelled for row in rows}) > 1:
        raise InputError(
            "E-CHANNEL-FORM",
            "some rows of the channel name their outputs and others do not",
            "give all the same way",
        )
    if not rows[0].is_labelled:
        _check_lengths(rows, inputs)
        return tuple(rows)
    outputs = tuple(dict.fromkeys(label for row in rows for label in row.labels))
    return tuple(row.over(outputs) for row in rows)


def _check_lengths(rows: list[Distribution], inputs: tuple[Hashable, ...]) -> None:
    for key, row in zip(inputs, rows, strict=True):
        if len(row) != len(rows[0]):
            raise InputError(
                "E-LENGTHS-DIFFER",
                "row {key!r} of the channel has {count} and row {inputs!r} has {other_count}",
                "give every row the same outputs, with 0 for one that cannot occur",
                key=key,
                count=tr_n("{count} entry", "{count} entries", len(row), count=len(row)),
                inputs=inputs[0],
                other_count=len(rows[0]),
            )
