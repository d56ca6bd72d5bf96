"""A threshold chosen on one half of the scores, and what the other half proves with it.

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
from sfumato.audit.membership_inference.curve import RocCurve, roc_curve, spread
from sfumato.audit.membership_inference.scores import halves
from sfumato.numeric import float_below
from sfumato.numeric.beta import beta_above, beta_below
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

__all__ = ["Threshold", "best_threshold"]

_SIDES = ("member", "other")
_WORDS = {
    ("member", False): mark("of at least {value}"),
    ("other", False): mark("below {value}"),
    ("member", True): mark("of at most {value}"),
    ("other", True): mark("above {value}"),
}
_BOUNDS = 2 * len(_SIDES)
_MOST_THRESHOLDS = 2000


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
