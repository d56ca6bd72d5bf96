"""A channel: for every input, the distribution of the output."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.information.arrays import in_base, nonnegative
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution
from sfumato.information.validate import Floats, Frame, frame_axes, is_frame
from sfumato.numeric import check_base
from sfumato.refusal import text
from sfumato.translation import mark, tr_n

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


def leakage(
    channel: ChannelLike | Channel, prior: DistributionLike | None = None, *, base: float = 2
) -> float:
    """Return the mutual information between input and output, for inputs drawn from a prior.

    It is how many bits one output gives away, on average, about the input.

    Parameters
    ----------
    channel
        A matrix with one row of probabilities (or counts) an input, or a mapping to rows.
    prior
        The distribution of the input; uniform by default.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.

    Examples
    --------
    >>> from sfumato.information import leakage
    >>> leakage([[1, 0], [0, 1]])
    1.0
    >>> round(leakage([[2, 1], [1, 2]], [0.9, 0.1]), 6)
    0.029782
    """
    known = as_channel(channel)
    weights = prior_weights(known, prior)
    output = weights @ known.matrix
    nats = float(weights @ _divergences(known.matrix, output))
    return in_base(nats, check_base(base))


def maximal_leakage(channel: ChannelLike | Channel, *, base: float = 2) -> float:
    """Return the maximal leakage: the log of the sum over outputs of the greatest probability.

    It is the most by which seeing the output can multiply the probability of guessing any
    function of the input, whatever the prior :cite:p:`issa2020`.  It is never below the capacity.

    Parameters
    ----------
    channel
        A matrix with one row of probabilities (or counts) an input, or a mapping to rows.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.

    Examples
    --------
    >>> from sfumato.information import maximal_leakage
    >>> round(maximal_leakage([[2, 1], [1, 2]]), 6)  # log2(4/3)
    0.415037
    """
    excess = math.fsum((*as_channel(channel).matrix.max(axis=0), -1.0))
    return in_base(math.log1p(nonnegative(excess)), check_base(base))


def prior_weights(channel: Channel, prior: DistributionLike | None) -> Floats:
    """Return the prior as probabilities in the order of the inputs; uniform where None."""
    count = len(channel.inputs)
    if prior is None:
        return np.full(count, 1 / count)
    given = as_distribution(prior, mark("the prior"))
    if given.is_labelled:
        return _in_order(given, channel)
    if len(given) != count:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the prior has {count} entries and the channel {other_count} inputs",
            "give one probability an input",
            count=len(given),
            other_count=count,
        )
    return _unit_sum(given)


def _unit_sum(prior: Distribution) -> Floats:
    weights: Floats = prior.probabilities / prior.probabilities.sum()
    return weights


def _in_order(prior: Distribution, channel: Channel) -> Floats:
    known = dict(zip(prior.labels, _unit_sum(prior).tolist(), strict=True))
    if not set(known) <= set(channel.inputs):
        raise InputError(
            "E-INPUT-UNKNOWN",
            "the prior names an input that the channel does not have",
            "name the channel's inputs",
        )
    return np.array([known.get(each, 0.0) for each in channel.inputs])


def _divergences(matrix: Floats, output: Floats) -> Floats:
    """Return D(row || output) of every row, in nats, as a sum of terms that are 0 or more.

    With d = w/q - 1 a term is q·((1 + d)·log(1 + d) - d), so that rows close to the output
    lose no digits to terms that cancel.  Where w/q is large, and perhaps beyond the floats, it
    is w·(log w - log q) - (w - q).
    """
    reached = output > 0
    w, q = np.broadcast_arrays(matrix[:, reached], output[reached])
    far = w > 2 * q
    change = np.divide(w - q, q, out=np.zeros_like(w), where=~far)
    logs = np.log1p(change, out=np.zeros_like(w), where=change > -1)
    terms = q * np.maximum((1 + change) * logs - change, 0.0)
    terms[far] = w[far] * (np.log(w[far]) - np.log(q[far])) - (w[far] - q[far])
    divergences: Floats = terms.sum(axis=1)
    return divergences
