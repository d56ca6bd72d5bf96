"""The scores of an attack, their curve, and what a threshold chosen on one half of them proves.

Given the first half the thresholds are fixed, so on the second half the counts of members and of
others are binomial, and the bounds of :cite:p:`clopper1934` hold for each of them with the
probability asked for.  Two thresholds are tested with two bounds each, every one at a quarter of
alpha: by the union bound all four hold except with probability alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.bounds import epsilon_below, probability_above, probability_below
from sfumato.errors import InputError
from sfumato.numeric import beta_above, beta_below, float_below
from sfumato.refusal import Argument
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray


_LEAST = 2
_SIDES = ("member", "other")
_WORDS = {
    ("member", False): mark("of at least {value}"),
    ("other", False): mark("below {value}"),
    ("member", True): mark("of at most {value}"),
    ("other", True): mark("above {value}"),
}
_BOUNDS = 2 * len(_SIDES)
_MOST_THRESHOLDS = 2000


def read_scores(scores: Any, name: str) -> NDArray[np.float64]:
    """Return scores as a row of floats; infinities are allowed, missing scores are not."""
    row = _as_floats(scores, name)
    if row.ndim != 1 or row.size < _LEAST:
        raise InputError(
            "E-SCORES-FORM",
            "{name} must be a list of at least {least} numbers, one for each trial",
            name=Argument(name),
            least=_LEAST,
        )
    if np.isnan(row).any():
        raise InputError(
            "E-SCORES-FORM",
            "{name} has a score that is no number",
            "give every trial a number, or leave the trial out",
            name=Argument(name),
        )
    return row


def are_labels(scores: NDArray[np.float64]) -> bool:
    """Tell whether scores look like labels: both 0 and 1, and nothing else."""
    return set(np.unique(scores).tolist()) == {0.0, 1.0}


def halves(
    scores: NDArray[np.float64], seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two halves of the scores, divided at random: one chooses, the other tests."""
    order = np.random.default_rng(seed).permutation(scores.size)
    middle = scores.size // 2
    return scores[order[:middle]], scores[order[middle:]]


def _as_floats(scores: Any, name: str) -> NDArray[np.float64]:
    try:
        row = np.asarray(scores)
        if row.dtype.kind in "iufb" or (row.dtype.kind == "O" and _are_numbers(row)):
            return row.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(
        "E-SCORES-FORM",
        "{name} must be a list of numbers, such as [0.9, 0.2]",
        "a greater one says 'member'",
        name=Argument(name),
    )


def _are_numbers(row: NDArray[Any]) -> bool:
    return not any(isinstance(each, (str, bytes)) for each in row.flat)


@dataclass(frozen=True, eq=False)
class RocCurve:
    """The attack "score of at least t: a member" for every threshold t that makes a difference.

    Where a smaller score says "member" it is "score of at most t".

    Attributes
    ----------
    thresholds
        Every score that occurs, the one that says "member" most first.
    members, others
        How many members, and how many others, each threshold takes for members.
    member_count, other_count
        How many of them there are.
    """

    thresholds: NDArray[np.float64]
    members: NDArray[np.int64]
    others: NDArray[np.int64]
    member_count: int
    other_count: int

    @property
    def true_positive_rates(self) -> NDArray[np.float64]:
        """The share of members found, from "no one" on."""
        return np.concatenate([[0.0], self.members / self.member_count])

    @property
    def false_positive_rates(self) -> NDArray[np.float64]:
        """The share of others taken for members, from "no one" on."""
        return np.concatenate([[0.0], self.others / self.other_count])

    @property
    def area(self) -> float:
        """The probability that a member scores above an other, ties counted half."""
        return float(np.trapezoid(self.true_positive_rates, self.false_positive_rates))

    @property
    def advantage(self) -> float:
        """The greatest difference of the two rates."""
        return float(np.max(self.true_positive_rates - self.false_positive_rates))

    def count_at(self, false_positive_rate: float) -> int:
        """Return how many members are found at no more than a false positive rate, at most."""
        within = self.others / self.other_count <= false_positive_rate
        return int(self.members[within].max(initial=0))

    def points(self, most: int = 200) -> list[tuple[float, float]]:
        """Return (false positive rate, true positive rate), at most so many of them."""
        kept = spread(self.thresholds.size + 1, most)
        rates = (self.false_positive_rates[kept], self.true_positive_rates[kept])
        return list(zip(*(each.tolist() for each in rates), strict=True))


def roc_curve(members: NDArray[np.float64], others: NDArray[np.float64]) -> RocCurve:
    """Return the curve of an attack from the scores it gave."""
    thresholds = np.unique(np.concatenate([members, others]))[::-1]
    return RocCurve(
        thresholds,
        _at_least(members, thresholds),
        _at_least(others, thresholds),
        members.size,
        others.size,
    )


def spread(count: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the first ``count`` places: evenly, and densely at both ends."""
    if count <= most:
        return np.arange(count, dtype=np.int64)
    ends = np.geomspace(1, count, most // 4).astype(np.int64) - 1
    evenly = np.linspace(0, count - 1, most // 2).astype(np.int64)
    return np.unique(np.concatenate([evenly, ends, count - 1 - ends]))


def _at_least(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.int64]:
    below = np.searchsorted(np.sort(scores), thresholds, side="left")
    return (scores.size - below).astype(np.int64)


@dataclass(frozen=True)
class Threshold:
    """What a threshold on the scores proves about ε, on scores that did not choose it.

    Attributes
    ----------
    says
        "member": scores of at least the threshold; "other": scores below it.  Where a smaller
        score says "member": of at most the threshold, and above it.
    value
        The threshold.
    likelier, of_likelier
        How many scores are on that side, of the people of whom it is said.
    rarer, of_rarer
        How many are on that side of the rest.
    low, high
        Bounds on the two probabilities: of the first from below, of the second from above.
    epsilon
        ln((low - δ)/high), rounded down; 0 where that is negative.
    smaller
        Whether a smaller score says "member".
    """

    says: str
    value: float
    likelier: int
    of_likelier: int
    rarer: int
    of_rarer: int
    low: float
    high: float
    epsilon: float
    smaller: bool = False

    def __str__(self) -> str:
        side = tr(_WORDS[self.says, self.smaller], value=f"{self.value:g}")
        names = (
            (mark("members"), mark("others"))
            if self.says == "member"
            else (mark("others"), mark("members"))
        )
        return tr(
            "a score {side}: {likelier:,} of {of_likelier:,} {likely} and "
            "{rarer:,} of {of_rarer:,} {rare}",
            side=side,
            likelier=self.likelier,
            of_likelier=self.of_likelier,
            likely=names[0],
            rarer=self.rarer,
            of_rarer=self.of_rarer,
            rare=names[1],
        )


def best_threshold(
    members: NDArray[np.float64],
    others: NDArray[np.float64],
    *,
    delta: Fraction,
    alpha: Fraction,
    seed: int,
) -> Threshold:
    """Return the better of two thresholds, one for each thing an attack can say."""
    level = float_below(alpha / _BOUNDS)
    members_choose, members_test = halves(members, seed)
    others_choose, others_test = halves(others, seed + 1)
    chosen = roc_curve(members_choose, others_choose)
    tests = [
        _tested(says, _choose(chosen, says, delta, level), members_test, others_test, delta, level)
        for says in _SIDES
    ]
    return max(tests, key=lambda test: test.epsilon)


def _choose(curve: RocCurve, says: str, delta: Fraction, level: float) -> float:
    """Return the threshold with the greatest bound on its own half; it need not be certified."""
    kept = spread(curve.thresholds.size, _MOST_THRESHOLDS)
    (hits, size), (alarms, of) = _sides(
        says, curve.members[kept], curve.member_count, curve.others[kept], curve.other_count
    )
    low = np.where(hits == 0, 0.0, beta_below(np.maximum(hits, 1), size - hits + 1, level))
    high = np.where(alarms == of, 1.0, beta_above(alarms + 1, np.maximum(of - alarms, 1), level))
    return float(curve.thresholds[kept[np.argmax((low - float(delta)) / high)]])


def _tested(
    says: str,
    threshold: float,
    members: NDArray[np.float64],
    others: NDArray[np.float64],
    delta: Fraction,
    level: float,
) -> Threshold:
    """Return what the half that did not choose a threshold proves with it."""
    found, wrong = int(np.sum(members >= threshold)), int(np.sum(others >= threshold))
    (hits, size), (alarms, of) = _sides(says, found, members.size, wrong, others.size)
    low, high = probability_below(hits, size, level), probability_above(alarms, of, level)
    epsilon = epsilon_below(low, high, delta)
    return Threshold(says, threshold, hits, size, alarms, of, low, high, epsilon)


def _sides(says: str, found: Any, members: int, wrong: Any, others: int) -> Any:
    """Return (count, total) of those of whom it is said, and of the rest."""
    if says == "member":
        return (found, members), (wrong, others)
    return (others - wrong, others), (members - found, members)
