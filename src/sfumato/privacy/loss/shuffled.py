"""The loss of shuffled reports, each of them locally private."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from sfumato.numeric import Disc, as_ball, working_precision
from sfumato.privacy.loss.base import UNIT, LossLattice
from sfumato.privacy.loss.finite import FiniteLoss
from sfumato.privacy.loss.responses import response
from sfumato.privacy.loss.tabulated import LossBracket, LossCells, halves, lattice_step
from sfumato.privacy.parameters import above

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.privacy.parameters import Epsilon

    Reals = NDArray[np.float64]


#: Ln of one over the probability of a tail that is left out: a quarter of 1e-30.
RARE = math.log(4e30)
_BITS = 256


def near(ball: Callable[[], arb]) -> float:
    """Return a float within one unit in the last place of a number, given as a fine ball."""
    with working_precision(_BITS):
        return float(ball().mid())


def binomial(trials: int, share: Callable[[], arb], other: Callable[[], arb]) -> tuple[int, Reals]:
    """Return the least count that matters and the probabilities from there on.

    Each of the two tails left out has at most e^-RARE, by Bernstein's inequality.  From an exact
    value at the mode the others follow by products of ratios: each is wrong by at most 8 units in
    the last place for every step from there.

    Parameters
    ----------
    trials
        How many trials.
    share, other
        The probability of success, and of failure, as balls at the precision in force.
    """
    success, odds = near(share), near(lambda: share() / other())
    mean, variance = trials * success, trials * success * near(other)
    reach = RARE / 3 + math.sqrt(RARE**2 / 9 + 2 * RARE * variance) + 1
    first, last = max(math.floor(mean - reach), 0), min(math.ceil(mean + reach), trials)
    mode = min(max(round(mean), first), last)
    counts = np.arange(float(first), last + 1.0)
    rise = (trials - counts[:-1]) / counts[1:] * odds
    down = np.cumprod(1 / rise[: mode - first][::-1])[::-1]
    up = np.cumprod(rise[mode - first :])
    at_mode = near(lambda: _probability(mode, trials, share(), other()))
    return first, at_mode * np.concatenate([down, [1.0], up])


def _probability(count: int, trials: int, share: arb, other: arb) -> arb:
    ways = arb(trials + 1).lgamma() - arb(count + 1).lgamma() - arb(trials - count + 1).lgamma()
    return (ways + count * share.log() + (trials - count) * other.log()).exp()


def even_splits(counts: Reals) -> Reals:
    """Return how likely fair coins fall as evenly as they can, heads ahead if they must.

    It is the same for 2j - 1 and 2j coins.  The numbers of coins go up; each result is wrong by
    at most 2 units in the last place for every two coins more than the first.
    """
    pairs = np.ceil(counts / 2)
    first = int(pairs[0])
    ahead = np.arange(float(first), pairs[-1])
    falls = np.cumprod(np.append(1.0, (2 * ahead + 1) / (2 * ahead + 2)))
    return near(lambda: _even_split(first)) * falls[(pairs - first).astype(np.int64)]


def _even_split(pairs: int) -> arb:
    """Return gamma(j + 1/2) / (sqrt(pi) j!)."""
    return ((arb(pairs) + arb(0.5)).lgamma() - arb(pairs + 1).lgamma()).exp() / arb.pi().sqrt()


#: Above the probability of four tails that are left out.
_LOST = Fraction(1, 10**30)
#: How many pairs of counts are gone through, in pieces of how many.
_MOST_PAIRS, _PIECE = 1 << 26, 1 << 16
_MOST_PEOPLE = 10**10
#: The epsilons for which a table is made.
_LEAST, _GREATEST = Fraction(1, 10**100), Fraction(300)
_TINY = 1e-200


def shuffled_loss(
    epsilon: Epsilon, population: int, *, binary: bool, cells: int = 1 << 17
) -> LossBracket:
    """Return bounds on the loss that hiding among clones leaves, for substituting one person.

    Each report is ``epsilon``-differentially private by itself.  Of the others, C of
    Bin(population - 1, p) are clones, which look like one of the person's two possible reports or
    the other with probability 1/2 each: p is e^-epsilon for any randomizer
    :cite:p:`feldman2021hiding`, and 2/(e^epsilon + 1) for randomized response between two
    answers, where clones are those who answer by a fair coin.  With m = C + 1, of which a look
    like the first, the loss is

        ln((a + E (m - a)) / (E a + m - a)),   E = e^-epsilon,

    and the P-mass is 2 (a + E (m - a)) / (m (1 + E)) times the probability of a fair count a of m.
    Swapping the two swaps P and Q, so that half of the table gives the other half.
    Proof: :doc:`/proofs/shuffling`.

    This loss dominates that of the shuffled reports, which do not tell who is a clone: both bounds
    here bracket it, and :func:`unanimous_loss` bounds what the reports themselves lose from below.

    Masses come from products of ratios.  For a population of millions they are right up to a share
    of 1e-11, and losses up to a few units in the last place; the bounds say so.  Counts outside the
    ranges used have a probability of at most 1e-30 (Bernstein's and Hoeffding's inequalities).
    They are lost in the upper bound.  In the lower one they count as one outcome, whose loss is 0
    by symmetry.

    One more fair report is post-processing, and turns m into m + 1.  So where there are too many
    values of m, neighbours count as the least of them in the upper bound, and as the greatest in
    the lower one.

    Parameters
    ----------
    epsilon
        What each report guarantees by itself.
    population
        How many people report.
    binary
        Whether each report is randomized response between two answers.
    cells
        How many cells to sort the losses above 0 into.
    """
    few = population <= _MOST_PEOPLE
    if not _LEAST < epsilon <= _GREATEST:
        return LossBracket(_certain(above(epsilon)), _told(epsilon) if few else _certain(0.0))
    crowd = _Crowd.of(_Shares(epsilon, binary=binary), min(population, _MOST_PEOPLE))
    step = lattice_step(crowd.greatest, cells)
    table = crowd.cells(crowd.least, step, cells)
    upper = table.upper(crowd.lost)
    if not few:
        return LossBracket(upper, _certain(0.0))
    same = crowd.most is crowd.least
    return LossBracket(upper, (table if same else crowd.cells(crowd.most, step, cells)).lower())


def unanimous_loss(
    epsilon: Epsilon, population: int, *, categories: int = 2, cells: int = 1 << 17
) -> FiniteLoss:
    """Return a distribution below the loss of shuffled randomized response.

    The worst case is no better than that in which all n people have the same answer, one person's
    is substituted, and only the reports of the new answer are counted.  Before, there are
    Bin(n, r) of them, r = E/(1 + (k-1) E) for k categories and E = e^-epsilon.  At a of them the
    loss is the logarithm of n E over (k-1) E^2 (n-a)/(1 + (k-2) E) + a.

    Parameters
    ----------
    epsilon
        What each report guarantees by itself.
    population
        How many people report, n.
    categories
        How many answers there are, k.
    cells
        How many cells to sort the losses into.
    """
    if not _LEAST < epsilon <= _GREATEST or population > _MOST_PEOPLE:
        return _certain(0.0)
    answers = _Answers(epsilon, categories)
    first, masses = binomial(population, answers.other, answers.not_other)
    losses = answers.loss(first + np.arange(float(masses.size)), population)
    step = lattice_step(float(np.ptp(losses)), cells)
    start = math.floor(losses[-1] / step)
    sorted_to = halves(losses - start * float(step), masses, float(step), cells + 1)
    left, right = (Disc(each, each * (9 * masses.size + 64) * UNIT) for each in sorted_to)
    slack = Fraction(64 * UNIT * (float(np.abs(losses).max()) + float(epsilon)))
    return LossCells(step, start, left, right, slack).lower()


def _certain(loss: float) -> FiniteLoss:
    """Return the distribution of a loss that is always the same."""
    lattice = LossLattice(step=Fraction(1), offset=Fraction(loss))
    return FiniteLoss(Disc(np.array([loss])), Disc(np.ones(1)), lattice=lattice)


def _told(epsilon: Epsilon) -> FiniteLoss:
    """Return a distribution below the loss outside the table.

    Above it, with all but e^-250 the report is the right one, and nobody else's looks like it.
    """
    return response(_GREATEST - 50) if epsilon > _GREATEST else _certain(0.0)


class _Randomizer:
    """What a report guarantees by itself, as E = e^-epsilon and 1 - E."""

    def __init__(self, epsilon: Epsilon) -> None:
        self._epsilon = epsilon
        self.e, self.less_e = near(self._e), near(self._less_e)

    def _e(self) -> arb:
        return (-as_ball(self._epsilon)).exp()

    def _less_e(self) -> arb:
        return -(-as_ball(self._epsilon)).expm1()


class _Answers(_Randomizer):
    """Randomized response where everybody has the same answer."""

    def __init__(self, epsilon: Epsilon, categories: int) -> None:
        super().__init__(epsilon)
        self._categories = categories

    def other(self) -> arb:
        """Return the probability of a certain other answer."""
        return self._e() / (1 + (self._categories - 1) * self._e())

    def not_other(self) -> arb:
        """Return the probability of any answer but that."""
        return 1 - self.other()

    def loss(self, others: Reals, population: int) -> Reals:
        """Return the loss when so many people gave the other answer."""
        rest = self.e * (population - others) / (1 + (self._categories - 2) * self.e)
        p, q = self.e * population, (self._categories - 1) * self.e * rest + others
        ahead = self.less_e * (rest - others)
        return np.sign(ahead) * np.log1p(np.abs(ahead) / np.minimum(p, q))


class _Shares(_Randomizer):
    """The probability that a report is a clone, and what follows from that."""

    def __init__(self, epsilon: Epsilon, *, binary: bool) -> None:
        super().__init__(epsilon)
        self._binary = binary

    def clone(self) -> arb:
        """Return the probability that another report is a clone."""
        return 2 * self._e() / (1 + self._e()) if self._binary else self._e()

    def other(self) -> arb:
        """Return the probability that it is not."""
        return self._less_e() / (1 + self._e()) if self._binary else self._less_e()

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
        first, masses = binomial(population - 1, shares.clone, shares.other)
        m = first + 1 + np.arange(float(masses.size))
        reach = math.ceil(math.sqrt(m[-1] * RARE / 2)) + 1
        steps = min(reach, int(m[-1]) // 2 + 1)
        group = math.ceil(m.size * steps / _MOST_PAIRS)
        starts = np.arange(0, m.size, group)
        least = m[starts]
        most = least if group == 1 else m[np.minimum(starts + group, m.size) - 1]
        whole = masses.size == population and steps < reach and masses.min() > _TINY
        error = (8 * m.size + 4 * steps + 2 * max(_PIECE, steps) + 64) * UNIT
        weights, lost = np.add.reduceat(masses, starts), Fraction(0) if whole else _LOST
        return cls(shares, least, most, weights, steps, lost, error)

    @property
    def greatest(self) -> float:
        """Above every loss."""
        m = self.least[:1]
        a = np.minimum(m / 2 + self.steps, m)
        return float(self.shares.loss(a, m - a)[0]) * (1 + 64 * UNIT)

    def cells(self, m: Reals, step: Fraction, count: int) -> LossCells:
        """Sort all losses above 0 into cells, and mirror them."""
        left, right, width = np.zeros(count), np.zeros(count), float(step)
        rows = max(1, _PIECE // self.steps)
        anchors = even_splits(m) * self.weights
        for start in range(0, m.size, rows):
            block = slice(start, start + rows)
            parts = halves(*self._losses(m[block, None], anchors[block, None]), width, count)
            left, right = left + parts[0], right + parts[1]
        slack = 64 * UNIT * width * count
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


def _mirrored(step: Fraction, left: Disc, right: Disc, slack: float) -> LossCells:
    """Add the losses below 0: the P-mass at -x is e^-x times that at x."""
    edges = float(step) * np.arange(left.mid.size + 1.0)
    shrunk = Disc(-edges, slack).exp()
    below = (right * shrunk[1:])[::-1], (left * shrunk[:-1])[::-1]
    both = Disc.joined([below[0], left]), Disc.joined([below[1], right])
    return LossCells(step, -left.mid.size, *both, slack=Fraction(slack))
