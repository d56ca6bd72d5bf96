"""What a channel leaks: mutual information under a prior, and maximal leakage."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.information.arrays import nonnegative
from sfumato.information.channels.channel import Channel, ChannelLike, as_channel
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution
from sfumato.information.logarithm import in_base
from sfumato.numeric import check_base
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.information.intake import Floats

__all__ = ["leakage", "maximal_leakage"]


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
