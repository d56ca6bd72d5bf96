"""The loss of shuffled reports, each of them locally private."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from sfumato.numeric import Disc, as_ball, nearest_float
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.responses import response
from sfumato.privacy.loss.tabulated import Bracket, Cells, halves, lattice_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.parameters import Epsilon

    Reals = NDArray[np.float64]

__all__ = ["shuffled_loss"]

_UNIT = 2.0**-53
#: What may lie outside the ranges of the counts: four tails, each of e^-RARE.
_LOST = Fraction(1, 10**30)
_RARE = math.log(4e30)
#: How many pairs of counts are gone through, in pieces of how many.
_MOST_PAIRS, _PIECE = 1 << 26, 1 << 16
_MOST_PEOPLE = 10**12
#: The epsilons for which a table is made.
_LEAST, _GREATEST = Fraction(1, 10**100), Fraction(300)


def shuffled_loss(
    epsilon: Epsilon, population: int, *, binary: bool, cells: int = 1 << 17
) -> Bracket:
    """Return laws around the loss of many shuffled reports when one person's data is substituted.

    Each report is ``epsilon``-differentially private by itself.  Of the others, C of
    Bin(population - 1, p) are clones, which look like one of the person's two possible reports or
    the other with probability 1/2 each, where p = e^-epsilon for any randomizer
    :cite:p:`feldman2021hiding`, and p = 2/(e^epsilon + 1), exactly, for randomized response
    between two answers.  With m = C + 1, of which a look like the first, the loss is

        ln((a + E (m - a)) / (E a + m - a)),   E = e^-epsilon,

    and the P-mass is 2 (a + E (m - a)) / (m (1 + E)) times the probability of a fair count a of m.
    Swapping the two swaps P and Q, so that half of the table gives the other half.

    Counts outside the ranges used have a probability of at most 1e-30 (Bernstein's and
    Hoeffding's inequalities).  They are lost in the upper law.  In the lower one they count as one
    outcome, whose loss is 0 by symmetry.

    One more fair report is post-processing, and turns m into m + 1.  So where there are too many
    values of m, neighbours count as the least of them in the upper law, and as the greatest in
    the lower one.

    Parameters
    ----------
    epsilon
        What each report promises by itself.
    population
        How many people report.
    binary
        Whether each report is randomized response between two answers.
    cells
        How many cells to sort the losses above 0 into.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.inversion import LossProfile
    >>> from sfumato.privacy.loss.shuffled import shuffled_loss
    >>> from sfumato.privacy.loss.tabulated_losses import TabulatedLosses
    >>> loss = shuffled_loss(Fraction(1), 10_000, binary=False)
    >>> found = LossProfile(TabulatedLosses(loss.upper, 1)).epsilon(1e-6, 1e-9)
    >>> round(found.upper, 8)
    0.05300532
    """
    if epsilon <= _LEAST:
        return Bracket(_certain(float(_LEAST)), _certain(0.0))
    few = population <= _MOST_PEOPLE
    if epsilon > _GREATEST:
        # With all but e^-250 the report is the right one, and nobody else's looks like it.
        return Bracket(response(epsilon), response(Fraction(250)) if few else _certain(0.0))
    crowd = _Crowd.of(_Shares(epsilon, binary=binary), min(population, _MOST_PEOPLE))
    step = lattice_step(crowd.greatest, cells)
    upper = crowd.cells(crowd.least, step, cells)
    lower = upper if crowd.least is crowd.most else crowd.cells(crowd.most, step, cells)
    return Bracket(upper.upper(crowd.lost), lower.lower() if few else _certain(0.0))


def _certain(loss: float) -> FiniteLoss:
    return FiniteLoss(Disc(np.array([loss])), Disc(np.ones(1)))


class _Shares:
    """The numbers that a randomizer sets: E, and how many of the others are clones."""

    def __init__(self, epsilon: Epsilon, *, binary: bool) -> None:
        self._epsilon, self._binary = epsilon, binary
        self.e = nearest_float((-as_ball(epsilon)).exp)
        self.less_e = nearest_float(lambda: -(-as_ball(epsilon)).expm1())

    def clone(self) -> arb:
        """Return the probability that another report is a clone."""
        e = (-as_ball(self._epsilon)).exp()
        return 2 * e / (1 + e) if self._binary else e

    def other(self) -> arb:
        """Return the probability that it is not."""
        apart = -(-as_ball(self._epsilon)).expm1()
        return apart / (2 - apart) if self._binary else apart

    def loss(self, a: Reals, rest: Reals) -> Reals:
        """Return the loss of a reports of the one kind and ``rest`` of the other, a >= rest."""
        return np.log1p(self.less_e * (a - rest) / (self.e * a + rest))

    def tilt(self, a: Reals, rest: Reals) -> Reals:
        """Return what the P-mass is of that of a fair count."""
        return (a + self.e * rest) * (2 / ((a + rest) * (1 + self.e)))


@dataclass(frozen=True)
class _Crowd:
    """How many reports look like one of the two, in groups from ``least`` to ``most``."""

    shares: _Shares
    least: Reals
    most: Reals
    weights: Reals
    #: How many values of a are taken, from m/2 up.
    steps: int
    lost: Fraction
    #: How wrong masses may be, as a share.
    error: float

    @classmethod
    def of(cls, shares: _Shares, population: int) -> _Crowd:
        """Group the values of m so that there are not too many pairs with a."""
        first, masses = _clones(shares, population - 1)
        m = first + 1 + np.arange(float(masses.size))
        reach = math.ceil(math.sqrt(m[-1] * _RARE / 2)) + 1
        steps = min(reach, int(m[-1]) // 2 + 1)
        group = math.ceil(m.size * steps / _MOST_PAIRS)
        starts = np.arange(0, m.size, group)
        least = m[starts]
        most = least if group == 1 else m[np.minimum(starts + group, m.size) - 1]
        lost = _LOST if masses.size < population or steps == reach else Fraction(0)
        error = (8 * m.size + 4 * steps + 2 * max(_PIECE, steps) + 64) * _UNIT
        return cls(shares, least, most, np.add.reduceat(masses, starts), steps, lost, error)

    @property
    def greatest(self) -> float:
        """Above every loss."""
        m = self.least[:1]
        a = np.minimum(m / 2 + self.steps, m)
        return float(self.shares.loss(a, m - a)[0]) * (1 + 64 * _UNIT)

    def cells(self, m: Reals, step: Fraction, count: int) -> Cells:
        """Sort all losses above 0 into cells, and mirror them."""
        left, right, width = np.zeros(count), np.zeros(count), float(step)
        rows = max(1, _PIECE // self.steps)
        anchors = _fair(m) * self.weights
        for start in range(0, m.size, rows):
            block = slice(start, start + rows)
            parts = halves(*self._losses(m[block, None], anchors[block, None]), width, count)
            left, right = left + parts[0], right + parts[1]
        slack = 64 * _UNIT * width * count
        return _mirrored(step, self._known(left), self._known(right), slack)

    def _losses(self, m: Reals, anchors: Reals) -> tuple[Reals, Reals]:
        """Return the losses and P-masses for counts from m/2 up, a row for each m."""
        a = np.ceil(m / 2) + np.arange(float(self.steps))
        rest = np.maximum(m - a, 0.0)
        fair = np.cumprod(np.hstack([anchors, rest[:, :-1] / a[:, 1:]]), axis=1)
        # The mirror image of an even split is itself.
        fair[:, 0] *= np.where(m[:, 0] % 2 == 0, 0.5, 1.0)
        a = m - rest
        return self.shares.loss(a, rest).ravel(), (fair * self.shares.tilt(a, rest)).ravel()

    def _known(self, masses: Reals) -> Disc:
        return Disc(masses, masses * self.error)


def _mirrored(step: Fraction, left: Disc, right: Disc, slack: float) -> Cells:
    """Add the losses below 0: the P-mass at -x is e^-x times that at x."""
    edges = float(step) * np.arange(left.mid.size + 1.0)
    shrunk = Disc(-edges, slack).exp()
    below = (right * shrunk[1:])[::-1], (left * shrunk[:-1])[::-1]
    both = Disc.joined([below[0], left]), Disc.joined([below[1], right])
    return Cells(step, -left.mid.size, *both, slack=Fraction(slack))


def _clones(shares: _Shares, trials: int) -> tuple[int, Reals]:
    """Return the least number of clones that matters, and the probabilities from there on."""
    clone, other = nearest_float(shares.clone), nearest_float(shares.other)
    mean = trials * clone
    reach = _RARE / 3 + math.sqrt(_RARE**2 / 9 + 2 * _RARE * mean * other) + 1
    first, last = max(math.floor(mean - reach), 0), min(math.ceil(mean + reach), trials)
    mode = min(max(round(mean), first), last)
    odds = nearest_float(lambda: shares.clone() / shares.other())
    c = np.arange(float(first), last + 1.0)
    rise = (trials - c[:-1]) / c[1:] * odds
    up = np.cumprod(rise[mode - first :])
    down = np.cumprod(1 / rise[: mode - first][::-1])[::-1]
    at_mode = nearest_float(lambda: _binomial_at(mode, trials, shares))
    return first, at_mode * np.concatenate([down, [1.0], up])


def _binomial_at(count: int, trials: int, shares: _Shares) -> arb:
    """Return the probability of so many clones."""
    ways = arb(trials + 1).lgamma() - arb(count + 1).lgamma() - arb(trials - count + 1).lgamma()
    logs = count * shares.clone().log() + (trials - count) * shares.other().log()
    return (ways + logs).exp()


def _fair(m: Reals) -> Reals:
    """Return the probability of an even split of m, rounded up: equal for 2j - 1 and 2j."""
    j = np.ceil(m / 2)
    first = int(j[0])
    start = nearest_float(lambda: _even_split(first))
    ahead = np.arange(float(first), j[-1])
    every = start * np.cumprod(np.append(1.0, (2 * ahead + 1) / (2 * ahead + 2)))
    return every[(j - first).astype(np.int64)]


def _even_split(j: int) -> arb:
    """Return the probability of j heads in 2j: gamma(j + 1/2) / (sqrt(pi) j!)."""
    return ((arb(j) + arb(0.5)).lgamma() - arb(j + 1).lgamma()).exp() / arb.pi().sqrt()
