"""What an attack on a model shows against what its guarantee allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.report import AttackReport, doubt
from sfumato.numeric import digits_above, digits_below
from sfumato.printing import Chart, as_svg, drawn, pictured
from sfumato.privacy import advantage, best_true_positive_rate
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.audit.comparison import Claim
    from sfumato.audit.membership_inference.threshold import RocCurve, Threshold


#: An ε beyond which a float holds no e^ε.
_GREATEST = 700.0
_DIGITS = 4
_CHANCE = 0.5
_SWAPPED = mark(
    "the others score {side} than the members: are members and others swapped? {option} "
    "--smaller (in Python smaller=True) if members score {other}, as with a {kind}"
)
_LABELS = mark(
    "the second list has only 0 and 1: are these labels? write membership(scores[labels "
    "== 1], scores[labels == 0], ...)"
)
_NOTHING = mark("no violation found, which proves no privacy")
_OBSERVED = mark(
    "a rate as observed that is above what is allowed is no evidence of a violation, unless it "
    "still is above with chance allowed for"
)
_ASSUMED = mark(
    "the bound is about the mechanism if each score comes from a training run of its own; "
    "for many people of one run there is sfumato.audit.one_run, in Python"
)


@dataclass(frozen=True)
class LowRate:
    """How many members an attack finds while it is seldom wrong about others.

    Attributes
    ----------
    false_positive_rate
        The share of others it may take for members.
    true_positive_rate
        The share of members it found at no more than that: an estimate.
    allowed
        The greatest that the claim allows.
    low, allowed_at_most
        The same when chance is allowed for: the lower confidence limit of the true positive rate,
        and the greatest that the claim allows at the upper confidence limit of the false one.
    """

    false_positive_rate: float
    true_positive_rate: float
    allowed: float
    low: float
    allowed_at_most: float

    def __str__(self) -> str:
        return tr(
            "at a false positive rate of {false_positive_rate:g} it found "
            "{true_positive_rate:.4g} of the members as observed, where {allowed} is allowed; "
            "with chance allowed for, at least {low}, where {allowed_at_most} is",
            false_positive_rate=self.false_positive_rate,
            true_positive_rate=self.true_positive_rate,
            allowed=digits_above(self.allowed, _DIGITS),
            low=digits_below(self.low, _DIGITS),
            allowed_at_most=digits_above(self.allowed_at_most, _DIGITS),
        )


@dataclass(frozen=True, kw_only=True)
class MembershipReport(AttackReport):
    """An attack's curve against the region that (ε, δ) allows, and what it proves about ε.

    Attributes
    ----------
    claim
        What was claimed of the training.
    tested
        The threshold that proves most, with its counts and bounds.
    alpha
        The probability with which ``epsilon`` may exceed the truth.
    curve
        The rates at every threshold, of all scores.
    low_rates
        What was found at false positive rates of 0.1, 0.01 and 0.001.
    labels
        Whether the second list looks like labels, 0 and 1, beside scores of another kind.

    Examples
    --------
    >>> from sfumato.audit import membership
    >>> report = membership([1] * 200, [0] * 200, epsilon=1)
    >>> report.violated, round(report.epsilon, 3)
    (True, 1.807)
    """

    claim: Claim
    tested: Threshold
    alpha: float
    curve: RocCurve
    low_rates: tuple[LowRate, ...]
    labels: bool = False

    @property
    def epsilon(self) -> float:
        """The least ε that the scores allow at the claimed δ, except with probability alpha.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> membership([0, 1], [0, 1], epsilon=1).epsilon
        0.0
        """
        return self.tested.epsilon

    @property
    def violated(self) -> bool:
        """Whether that is more than was claimed; if not, nothing is proved.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> membership([0, 1], [0, 1], epsilon=1).violated
        False
        """
        return Fraction(self.epsilon) > self.claim.epsilon

    @property
    def area(self) -> float:
        """The area under the curve: how often a member scores above an other.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> membership([0, 1], [0, 1], epsilon=1).area
        0.5
        """
        return self.curve.area

    @property
    def advantage(self) -> float:
        """The greatest difference of true and false positive rate that was observed.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> membership([1, 1], [0, 1], epsilon=1).advantage
        0.5
        """
        return self.curve.advantage

    def lines(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> for line in membership([1] * 200, [0] * 200, epsilon=1).lines()[:2]:
        ...     print(line)
        violated: the attack proves ε ≥ 1.8067, and 1-DP was claimed
        a score of at least 1: 100 of 100 members and 0 of 100 others
        """
        return [self._answer(), *self._proof(), *self._estimates(), tr(_ASSUMED)]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> found = membership([1] * 200, [0] * 200, epsilon=1).as_dict()
        >>> found["violated"], found["threshold"], found["area"]
        (True, '1', 1.0)
        """
        return {
            "claim": str(self.claim),
            "violated": self.violated,
            "epsilon": self.epsilon,
            "alpha": self.alpha,
            "says": self.tested.says,
            "threshold": f"{self.tested.value:.17g}",
            "counts": [self.tested.likelier, self.tested.rarer],
            "of": [self.tested.of_likelier, self.tested.of_rarer],
            "area": self.area,
            "advantage": self.advantage,
            "allowed_advantage": self._most_advantage(),
            "low_rates": [vars(each) for each in self.low_rates],
            "curve": [list(point) for point in self.curve.points()],
        }

    def svg(self) -> str:
        """Return the picture of ``plot`` as SVG.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> membership([1] * 200, [0] * 200, epsilon=1).svg()[:4]
        '<svg'
        """
        return as_svg(self.plot())

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the curve over the region that is allowed (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.audit import membership
        >>> membership([1] * 200, [0] * 200, epsilon=1).plot().to_dict()["title"]["text"]
        ['violated: the attack proves ε ≥ 1.8067, and 1-DP was claimed']
        """
        return drawn("membership", self, to=to)

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.lines())
        return "<br>".join([f"<strong>{first}</strong>", *rest]) + pictured(self.plot)

    def _answer(self) -> str:
        proves = tr(
            "the attack proves ε ≥ {epsilon}, and {claim} was claimed",
            epsilon=_down(self.epsilon),
            claim=self.claim,
        )
        return (
            tr("violated: {proves}", proves=proves)
            if self.violated
            else f"{tr(_NOTHING)}: {proves}"
        )

    def _proof(self) -> list[str]:
        counted = tr("counted on the half of the scores that did not choose the threshold")
        return [str(self.tested), f"{counted}; {doubt(self.alpha)}"]

    def _estimates(self) -> list[str]:
        gained = tr("greatest advantage {advantage:.4g}", advantage=self.advantage)
        allowed = tr(
            "where {most_advantage} is allowed",
            most_advantage=digits_above(self._most_advantage(), _DIGITS),
        )
        area = tr("area under the curve {area:.4g}", area=self.area)
        rates = [tr(_OBSERVED), *map(str, self.low_rates)]
        return [f"{area}; {gained}, {allowed}", *rates, *self._hints()]

    def _hints(self) -> list[str]:
        """Ask whether the scores are what was meant, where they look odd."""
        swapped = [self._swapped()] if self.area < _CHANCE else []
        return swapped + ([tr(_LABELS)] if self.labels else [])

    def _swapped(self) -> str:
        low, high = tr("lower"), tr("higher")
        if self.tested.smaller:
            option, kind = tr("leave out"), tr("confidence")
            return tr(_SWAPPED, side=low, option=option, other=high, kind=kind)
        return tr(_SWAPPED, side=high, option=tr("add"), other=low, kind=tr("loss"))

    def _most_advantage(self) -> float:
        return advantage(epsilon=self.claim.epsilon, delta=self.claim.delta)


def allowed_edge(claim: Claim) -> list[tuple[float, float]]:
    """Return the corners of what a claim allows: straight lines join them, and pass nothing."""
    rest = 1 - claim.delta
    bend = rest / (1 + Fraction(math.exp(min(float(claim.epsilon), _GREATEST))))
    rates = sorted({Fraction(0), bend, rest, Fraction(1)})
    return [(float(rate), allowed_rate(claim, rate)) for rate in rates]


def allowed_rate(claim: Claim, false_positive_rate: Fraction) -> float:
    """Return the greatest true positive rate that a claim allows."""
    return best_true_positive_rate(
        epsilon=claim.epsilon, delta=claim.delta, false_positive_rate=false_positive_rate
    )


def _down(epsilon: float) -> str:
    return f"{math.floor(epsilon * 10_000) / 10_000:g}"
