"""The prior under which a channel tells most: Blahut–Arimoto, then Newton where that is slow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, arb_mat

from sfumato.information.arrays import nonnegative
from sfumato.information.channels.channel import Channel, ChannelLike, as_channel
from sfumato.information.distribution import Distribution
from sfumato.numeric import (
    as_ball,
    check_base,
    check_tolerance,
    float_above,
    float_below,
    working_precision,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.information.validate import Floats


_BLAHUT_ARIMOTO_STEPS = 200
_NEWTON_STEPS = 200
#: A Newton step solves a dense system with one unknown an input.
_NEWTON_INPUTS = 4000
#: Where Newton cannot be used, Blahut–Arimoto goes on for this many steps.
_LONGEST_STEPS = 5000
_SMALLEST_WEIGHT = 1e-12
_TO_THE_WALL = 0.99
_CENTRING = 0.1
#: Below this complementarity the floats have no more to give.
_LEAST_PROGRESS = 1e-16
#: Keeps the system regular where rows repeat; relative to its mean diagonal.
_RIDGE = 1e-14
#: An output that no input reaches with more than this tells nothing that a float could show,
#: and might leave its total probability at zero.
_NEGLIGIBLE = 1e-250
_BITS = 128


@dataclass(frozen=True)
class PriorSearch:
    """The best prior seen, the gap in nats between its bounds, and the steps taken."""

    prior: Floats
    gap: float
    iterations: int


@dataclass(frozen=True)
class _Objective:
    """A channel as the solver sees it: outputs that matter, and the negative entropy of each row.

    What is left out here is not left out of the bounds, which are proved on the whole channel.
    """

    matrix: Floats
    self_terms: Floats

    @classmethod
    def of(cls, matrix: Floats) -> _Objective:
        used = matrix[:, matrix.max(axis=0) > _NEGLIGIBLE]
        logs = np.log(used, out=np.zeros_like(used), where=used > 0)
        return cls(used, (used * logs).sum(axis=1))

    def output(self, prior: Floats) -> Floats:
        output: Floats = prior @ self.matrix
        return output

    def divergences(self, prior: Floats) -> Floats:
        """Return D(row || output) of every row: its maximum bounds the capacity from above."""
        values: Floats = self.self_terms - self.matrix @ np.log(self.output(prior))
        return values


def search_prior(matrix: Floats, tolerance: float) -> PriorSearch:
    """Return a prior whose bounds differ by at most ``tolerance`` nats, or the best one seen."""
    objective = _Objective.of(matrix)
    newton = len(matrix) <= _NEWTON_INPUTS
    steps = _BLAHUT_ARIMOTO_STEPS if newton else _LONGEST_STEPS
    first = _best(objective, _blahut_arimoto(objective, steps), tolerance)
    if first.gap <= tolerance or not newton:
        return first
    second = _best(objective, _interior_newton(objective, first.prior), tolerance)
    best = min(first, second, key=lambda each: each.gap)
    return PriorSearch(best.prior, best.gap, first.iterations + second.iterations)


def _best(objective: _Objective, priors: Iterator[Floats], tolerance: float) -> PriorSearch:
    """Follow the priors until one is good enough; return the best."""
    best, iterations = PriorSearch(np.array([]), np.inf, 0), 0
    for prior in priors:
        iterations += 1
        divergences = objective.divergences(prior)
        gap = float(divergences.max() - prior @ divergences)
        if gap < best.gap:
            best = PriorSearch(prior, gap, iterations)
        if gap <= tolerance:
            break
    return PriorSearch(best.prior, best.gap, iterations)


def _blahut_arimoto(objective: _Objective, steps: int) -> Iterator[Floats]:
    """Weigh every input by the exponential of what it tells: Blahut and Arimoto's iteration."""
    prior = np.full(len(objective.matrix), 1 / len(objective.matrix))
    yield prior
    for _ in range(steps):
        divergences = objective.divergences(prior)
        prior = _positive(prior * np.exp(divergences - divergences.max()))
        yield prior


def _interior_newton(objective: _Objective, start: Floats) -> Iterator[Floats]:
    """Follow the central path D_x + s_x = C, π_x·s_x = μ by Newton steps as μ goes to zero."""
    prior = _positive(np.maximum(start, 1e-3 / len(start)))
    divergences = objective.divergences(prior)
    level = divergences.max() + 1e-3
    slack = level - divergences
    for _ in range(_NEWTON_STEPS):
        if prior @ slack < _LEAST_PROGRESS:
            return
        target = _CENTRING * float(prior @ slack) / len(prior)
        change, level_change = _newton_step(objective, prior, slack, target, level)
        slack_change = target / prior - slack - slack / prior * change
        step = min(_room(prior, change), _room(slack, slack_change), 1.0)
        prior = _positive(prior + step * change)
        slack, level = slack + step * slack_change, level + step * level_change
        yield prior


def _newton_step(
    objective: _Objective, prior: Floats, slack: Floats, target: float, level: float
) -> tuple[Floats, float]:
    scaled = objective.matrix / np.sqrt(objective.output(prior))
    system = scaled @ scaled.T
    system += np.diag(slack / prior + _RIDGE * np.trace(system) / len(prior))
    right = np.stack(
        [objective.divergences(prior) - level + target / prior, np.ones_like(prior)], axis=1
    )
    solved = np.linalg.solve(system, right)
    level_change = float(solved[:, 0].sum() / solved[:, 1].sum())
    return solved[:, 0] - level_change * solved[:, 1], level_change


def _room(values: Floats, change: Floats) -> float:
    """Return how far one may go along ``change`` so that the values stay positive."""
    falling = change < 0
    return _TO_THE_WALL * float(np.min(-values[falling] / change[falling], initial=np.inf))


def _positive(prior: Floats) -> Floats:
    lifted = np.maximum(prior, _SMALLEST_WEIGHT / len(prior) * prior.max())
    weights: Floats = lifted / lifted.sum()
    return weights


@dataclass(frozen=True)
class Capacity:
    """The capacity of a channel lies between ``lower`` and ``upper``.

    Attributes
    ----------
    lower, upper
        The bounds, rounded down and up.
    prior
        The distribution of inputs that leaks at least ``lower``.
    iterations
        How many steps the search for the prior took.
    converged
        Whether the bounds are as close as was asked; they are true bounds either way.

    Examples
    --------
    >>> from sfumato.information import capacity
    >>> found = capacity([[2, 1], [1, 2]])
    >>> found.gap <= 1e-9, found.converged
    (True, True)
    >>> print(found)
    capacity between 0.08170416595 and 0.08170416595
    """

    lower: float
    upper: float
    prior: Distribution
    iterations: int
    converged: bool

    @property
    def gap(self) -> float:
        """How far apart the bounds are.

        Examples
        --------
        >>> from sfumato.information import capacity
        >>> capacity([[1, 0], [0, 1]]).gap < 1e-15
        True
        """
        return self.upper - self.lower

    def __str__(self) -> str:
        note = "" if self.converged else tr(" (wider than asked)")
        return tr(
            "capacity between {lower:.10g} and {upper:.10g}{note}",
            lower=self.lower,
            upper=self.upper,
            note=note,
        )


def capacity(
    channel: ChannelLike | Channel, *, base: float = 2, tolerance: float = 1e-9
) -> Capacity:
    """Return the capacity of a channel: the most its output can tell about its input.

    A prior is sought by the Blahut–Arimoto iteration :cite:p:`blahut1972,arimoto1972` and,
    where that is slow, by Newton steps inside the simplex.  For any prior with output q,

        I(prior) ≤ capacity ≤ greatest D(row || q) over the inputs,

    so the search need not be trusted: both sides are evaluated at the prior that is returned,
    in ball arithmetic, on the rationals that the given numbers denote (a row of floats is
    divided by its exact sum), and rounded outwards.

    Parameters
    ----------
    channel
        A matrix with one row of probabilities (or counts) an input, or a mapping to rows.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.
    tolerance
        How close to bring the bounds, in units of the base.  Where that is not reached,
        ``converged`` is False and the bounds are those that were.

    Examples
    --------
    >>> from sfumato.information import capacity
    >>> z_channel = capacity([[1.0, 0.0], [0.5, 0.5]])
    >>> round(z_channel.lower, 6), z_channel.prior.probabilities.round(6)
    (0.321928, array([0.6, 0.4]))
    """
    known, unit, asked = as_channel(channel), check_base(base), check_tolerance(tolerance)
    # Half of it is left to the difference between the float bounds and the proved ones.
    found = search_prior(known.matrix, asked * math.log(unit) / 2)
    prior = Distribution(dict(zip(known.inputs, found.prior.tolist(), strict=True)))
    lower, upper = _bounds(known, prior, unit)
    return Capacity(lower, upper, prior, found.iterations, upper - lower <= asked)


def _bounds(channel: Channel, prior: Distribution, base: float) -> tuple[float, float]:
    """Return I(prior) rounded down and the greatest D(row || output) rounded up."""
    with working_precision(_BITS):
        weights = _unit_sum(prior)
        divergences = _divergences(channel, weights)
        unit = arb(base).log()
        mean = sum((w * d for w, d in zip(weights, divergences, strict=True)), arb(0))
        upper = max(float_above(each / unit) for each in divergences)
        return nonnegative(float_below(mean / unit)), nonnegative(upper)


def _divergences(channel: Channel, weights: Sequence[arb]) -> list[arb]:
    rows = [_unit_sum(row) for row in channel.rows]
    matrix = arb_mat(len(rows), len(channel.outputs), [entry for row in rows for entry in row])
    output = (arb_mat(1, len(rows), list(weights)) * matrix).entries()
    logs = arb_mat(len(output), 1, [_log_or_zero(each) for each in output])
    cross = (matrix * logs).entries()
    own = [sum((each * _log_or_zero(each) for each in row), arb(0)) for row in rows]
    return [a - b for a, b in zip(own, cross, strict=True)]


def _unit_sum(distribution: Distribution) -> list[arb]:
    """Return balls around probabilities that sum to one."""
    if distribution.is_exact:
        return [as_ball(each) for each in distribution.fractions]
    held = [arb(each) for each in distribution.probabilities.tolist()]
    total = sum(held, arb(0))
    return [each / total for each in held]


def _log_or_zero(value: arb) -> arb:
    """Return the logarithm; 0 for the exact zero of an entry, or of an output never reached."""
    return arb(0) if value.is_zero() else value.log()
