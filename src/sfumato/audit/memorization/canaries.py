"""The exposure of canaries: how far up a model ranks made-up texts that it was trained on.

A canary is drawn at random from many texts, and put into the training data.  Its *rank* is how many
of those texts the model finds as likely as it, or likelier, itself included; its *exposure* is
log₂ of how many texts there are, minus log₂ of the rank :cite:p:`carlini2019secret`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.report import AttackReport, doubt
from sfumato.audit.memorization.allowance import (
    RankTest,
    mean_allowed,
)
from sfumato.numeric import digits_above, digits_below
from sfumato.printing import (
    Chart,
    NotPrivate,
    aligned,
    counted,
    cut,
    drawn,
    pictured,
    setting,
    share,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.audit.comparison import Claim
    from sfumato.privacy import Relation

#: How many canaries are listed, and how much of each.
_MOST_LISTED, _MOST_OF_A_TEXT = 10, 50
_DIGITS = 4
_NOTHING = mark("no violation found, which proves no privacy")
_TOGETHER = mark(
    "the bound holds if each canary was drawn from the space at random, and was once in the "
    "training data of this model"
)
_ANEW = mark(
    "the bound holds if each canary was drawn from the space at random, and was once in the "
    "training data of a model that was trained anew, independently of the others"
)


@dataclass(frozen=True)
class RankedCanary:
    """One canary, and how far up a model ranks it.

    Attributes
    ----------
    text
        The canary.
    rank, size
        How many texts are as likely as it or likelier, itself included, and of how many: of all
        that it may have been, or of it and those that were drawn to rank it among.
    lower, upper
        Between what its exposure lies: the same where all texts were ranked, else with the
        confidence of the report.

    Examples
    --------
    >>> from sfumato.audit import RankedCanary
    >>> RankedCanary("the code is 4821", rank=2, size=64, lower=5, upper=5).exposure
    5.0
    """

    text: str
    rank: int
    size: int
    lower: float
    upper: float

    @property
    def exposure(self) -> float:
        """Log₂ of how many texts there are, minus log₂ of the rank: in bits.

        Examples
        --------
        >>> from sfumato.audit import RankedCanary
        >>> RankedCanary("the code is 4821", rank=64, size=64, lower=0, upper=0).exposure
        0.0
        """
        return math.log2(self.size / self.rank)


@dataclass(frozen=True, kw_only=True)
class ExposureReport(NotPrivate, AttackReport):
    """The exposure of canaries, which ε it proves, and what was claimed.

    The figures are of the model as it is, for its owner.

    Attributes
    ----------
    canaries
        Each canary with its rank, in the order in which they were given.
    space
        How many texts each was drawn from.
    samples
        How many of them each was ranked among; None for all.
    claim
        What was claimed of the training, if anything was.
    delta, relation
        What the ε is proved for.
    tested
        The test that proves most.
    together
        Whether all canaries were in the training data of one model.
    alpha
        The probability with which ``epsilon`` may exceed the truth.
    confidence
        Of the interval of each exposure, where ranks are among texts that were drawn.

    Examples
    --------
    >>> from sfumato.audit import exposure
    >>> report = exposure(lambda text: text != "the code is 4821", ["the code is 4821"],
    ...                   space="the code is ####")
    >>> report.canaries[0].rank, round(report.mean, 2), report.violated
    (1, 13.29, False)
    """

    canaries: tuple[RankedCanary, ...]
    space: int
    samples: int | None
    claim: Claim | None
    delta: Fraction
    relation: Relation
    tested: RankTest
    together: bool
    alpha: float
    confidence: float

    @property
    def epsilon(self) -> float:
        """The least ε that the ranks allow, except with probability alpha.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> exposure(len, ["a code: 1"], space="a code: #").epsilon
        0.0
        """
        return self.tested.epsilon

    @property
    def violated(self) -> bool:
        """Whether that is more than was claimed; if not, nothing is proved.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> exposure(len, ["a code: 1"], space="a code: #", epsilon=1).violated
        False
        """
        return self.claim is not None and self.claim.epsilon < Fraction(self.epsilon)

    @property
    def mean(self) -> float:
        """The mean exposure of the canaries, in bits.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> exposure(len, ["a code: 1"], space="a code: #").mean
        0.0
        """
        return math.fsum(each.exposure for each in self.canaries) / len(self.canaries)

    @property
    def size(self) -> int:
        """How many texts each canary was ranked among, itself included.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> exposure(len, ["a code: 1"], space="a code: #").size
        10
        """
        return self.canaries[0].size

    @property
    def allowed(self) -> float | None:
        """The greatest mean exposure that the claim allows; None where nothing was claimed.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> exposure(len, ["a code: 1"], space="a code: #").allowed
        """
        return None if self.claim is None else mean_allowed(self.claim, self.relation, self.size)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> print(exposure(len, ["a code: 1"], space="a code: #", epsilon=1).findings()[1])
        mean exposure 0 of at most 3.322 bits, where 2.029 are allowed
        """
        return [self._answer(), self._mean(), *self._proof(), *self._each(), self._assumed()]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> exposure(len, ["a code: 1"], space="a code: #").figures()["canaries"][0]["rank"]
        10
        """
        return {
            "claim": None if self.claim is None else str(self.claim),
            "relation": str(self.relation),
            "violated": self.violated,
            "epsilon": self.epsilon,
            "delta": float(self.delta),
            "alpha": self.alpha,
            "mean_exposure": self.mean,
            "allowed_mean_exposure": self.allowed,
            "space": self.space,
            "samples": self.samples,
            "confidence": self.confidence,
            "one_model": self.together,
            "test": vars(self.tested).copy(),
            "canaries": [{**vars(each), "exposure": each.exposure} for each in self.canaries],
        }

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw how many canaries have which exposure (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.audit import exposure
        >>> chart = exposure(len, ["a code: 1"], space="a code: #").plot()
        >>> chart.to_dict()["title"]["text"]
        ['the ranks prove ε ≥ 0 (add or remove one row)']
        """
        return drawn("canaries", self, to=to)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + pictured(self.plot)

    def _answer(self) -> str:
        proves = tr("the ranks prove ε ≥ {epsilon}", epsilon=digits_below(self.epsilon, _DIGITS))
        if self.claim is None:
            at = tr(" at δ = {delta}", delta=setting(float(self.delta))) if self.delta else ""
            return f"{proves}{at} ({self.relation})"
        said = tr(
            "{proves}, and {claim} ({relation}) was claimed",
            proves=proves,
            claim=self.claim,
            relation=self.relation,
        )
        return tr("violated: {proves}", proves=said) if self.violated else f"{tr(_NOTHING)}: {said}"

    def _mean(self) -> str:
        mean = tr(
            "mean exposure {mean} of at most {most} bits",
            mean=_bits(self.mean),
            most=_bits(math.log2(self.size)),
        )
        if (allowed := self.allowed) is None:
            return mean
        most = digits_above(allowed, _DIGITS)
        return tr("{mean}, where {most} are allowed", mean=mean, most=most)

    def _proof(self) -> list[str]:
        if not self.tested.epsilon:
            return [doubt(self.alpha)]
        return [tr("{tested}; {doubt}", tested=self.tested, doubt=doubt(self.alpha))]

    def _each(self) -> list[str]:
        """Return the canaries of the greatest exposure as a table."""
        ranked = sorted(self.canaries, key=lambda each: each.rank)[:_MOST_LISTED]
        head = [tr("exposure"), tr("rank"), tr("canary")]
        if self.samples is not None:
            head.insert(1, tr("{confidence} interval", confidence=share(self.confidence)))
        lines = aligned([head, *map(self._row, ranked)])
        if (more := len(self.canaries) - len(ranked)) > 0:
            lines.append(tr("{others} not shown", others=counted(more, "other")))
        return lines

    def _row(self, each: RankedCanary) -> list[str]:
        rank = tr("{rank:,} of {size:,}", rank=each.rank, size=each.size)
        cells = [_bits(each.exposure), rank, cut(each.text, _MOST_OF_A_TEXT)]
        if self.samples is not None:
            low, high = digits_below(each.lower, _DIGITS), digits_above(each.upper, _DIGITS)
            cells.insert(1, tr("{low} to {high}", low=low, high=high))
        return cells

    def _assumed(self) -> str:
        return tr(_TOGETHER if self.together else _ANEW)


def _bits(value: float) -> str:
    return f"{value:.{_DIGITS}g}"
