"""The exposure of canaries: how far up a model ranks made-up texts that it was trained on.

A canary is drawn at random from many texts, and put into the training data.  Its *rank* is how many
of those texts the model finds as likely as it, or likelier, itself included; its *exposure* is
log₂ of how many texts there are, minus log₂ of the rank :cite:p:`carlini2019secret`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.bounds import probability_above, probability_below
from sfumato.audit.blackbox.report import AttackReport, doubt
from sfumato.audit.comparison import Claim, read_claim
from sfumato.audit.memorization.allowance import (
    RankTest,
    best_test,
    mean_allowed,
    read_one_relation,
)
from sfumato.audit.memorization.candidates import CandidateSpace, read_space, read_texts
from sfumato.audit.model_calls import as_number, called
from sfumato.errors import InputError
from sfumato.numeric import digits_above, digits_below, read_count
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
from sfumato.privacy import read_confidence, read_delta
from sfumato.privacy.theorems import read_probability
from sfumato.refusal import Argument, Bare
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sfumato.privacy import Relation
    from sfumato.privacy.theorems import EpsilonLike, NumberLike

    Score = Callable[[str], float]
    Progress = Callable[[int, int], None]


#: How many texts are ranked at most where none are drawn from them.
_MOST_RANKED = 1_000_000
#: How many canaries are listed, and how much of each.
_MOST_LISTED, _MOST_OF_A_TEXT = 10, 50
_DIGITS = 4
_SCORE = mark("the score")
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


def exposure(
    score: Score | Sequence[Score],
    canaries: Iterable[str],
    *,
    space: Any,
    samples: int | None = None,
    epsilon: EpsilonLike | None = None,
    delta: NumberLike = 0,
    relation: Relation | None = None,
    alpha: NumberLike = 1e-6,
    confidence: NumberLike = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> ExposureReport:
    """Measure the exposure of canaries in a model, and which ε of its training that proves.

    Draw canaries from a space with :func:`canaries`, put them into the training data, one record
    each, and train.  The exposure of a canary is log₂ of how many texts the space has, minus log₂
    of its rank among them :cite:p:`carlini2019secret`: 0 to 1.4 bits on average in a model that
    does not know it.  What ε allows is derived in :func:`allowed_exposure`.

    Where too many texts are in the space to rank them all, each canary is ranked among some that
    are drawn for it, and its exposure has an interval, of :cite:t:`clopper1934`.  No distribution
    is fitted to the scores: beyond what was drawn it would say what is believed of their tail.

    Parameters
    ----------
    score
        Takes a text and returns a number, the smaller, the likelier the model finds it: a loss or a
        log-perplexity.  Or a list of such functions, one for each canary, of models that were
        trained anew with that canary alone.
    canaries
        The texts that were put into the training data.
    space
        What they were drawn from: a pattern in which each ``#`` stands for a digit, or a list of
        different texts.
    samples
        Among how many texts, drawn for it, each canary is ranked; all texts are ranked without it.
    epsilon, delta
        What is claimed of the training, if anything is.  With one model for all canaries δ must
        be 0.
    relation
        What the guarantee is about; adding or removing one record unless told.
    alpha
        The probability with which the bound on ε may exceed the truth.
    confidence
        Of the interval of each exposure, where ``samples`` is given.
    seed
        Draws the texts that canaries are ranked among, so that a report can be repeated.
    progress
        Called with how many texts are scored, and of how many.

    Examples
    --------
    A model that has kept a text finds it likelier than any other.

    >>> from sfumato.audit import canaries, exposure
    >>> secrets = canaries("the code is ####", 50)
    >>> kept = set(secrets)
    >>> report = exposure(lambda text: text not in kept, secrets, space="the code is ####",
    ...                   epsilon=1)
    >>> print(report.findings()[0])
    violated: the ranks prove ε ≥ 2.896, and 1-DP (add or remove one row) was claimed
    """
    texts, candidates = read_texts(canaries, "canaries"), read_space(space)
    claim = None if epsilon is None else read_claim(epsilon, delta)
    slip, kind, together = read_delta(delta), read_one_relation(relation), callable(score)
    chance, sure = read_probability(alpha, "alpha"), read_confidence(confidence)
    count = _read_samples(samples, candidates)
    ranking = Ranking(
        _read_scores(score, len(texts), slip), texts, candidates, count or candidates.size, progress
    )
    found = (
        ranking.in_all()
        if count is None
        else ranking.in_some(read_count(seed, "seed", least=0), sure)
    )
    ranks, size = [each.rank for each in found], found[0].size
    return ExposureReport(
        canaries=tuple(found),
        space=candidates.size,
        samples=count,
        claim=claim,
        delta=slip,
        relation=kind,
        tested=best_test(ranks, size, delta=slip, relation=kind, together=together, alpha=chance),
        together=together,
        alpha=float(chance),
        confidence=float(sure),
    )


class Ranking:
    """Canaries that are ranked among texts by one model, or each by a model of its own.

    Parameters
    ----------
    models
        One function of a text for all canaries, or one for each.
    texts
        The canaries.
    candidates
        What they were drawn from.
    among
        How many other texts a model scores, for all canaries or for its own.
    progress
        Called with how many texts are scored, and of how many.
    """

    def __init__(
        self,
        models: Sequence[Score],
        texts: Sequence[str],
        candidates: CandidateSpace,
        among: int,
        progress: Progress | None,
    ) -> None:
        self._models, self._texts, self._candidates = models, texts, candidates
        self._numbers = [_number_of(text, candidates) for text in texts]
        self._among, self._progress = among, progress
        self._done, self._total = 0, among * len(models)

    def in_all(self) -> list[RankedCanary]:
        """Return each canary with its rank among all texts."""
        found = []
        values = ordered = np.empty(0)
        for place, (text, number) in enumerate(zip(self._texts, self._numbers, strict=True)):
            if place < len(self._models):
                every = map(self._candidates.text, range(self._candidates.size))
                values = self._scores(self._models[place], every)
                ordered = np.sort(values)
            rank = int(np.searchsorted(ordered, values[number], side="right"))
            bits = math.log2(values.size / rank)
            found.append(RankedCanary(text, rank, values.size, bits, bits))
        return found

    def in_some(self, seed: int, confidence: Fraction) -> list[RankedCanary]:
        """Return each canary with its rank among texts that are drawn for it."""
        self._total = self._among * len(self._texts)
        found = []
        for place, text in enumerate(self._texts):
            model = self._models[min(place, len(self._models) - 1)]
            own = as_number(called(model, text, name=_SCORE), _SCORE)
            others = self._scores(model, self._candidates.others(self._among, seed, place))
            before = int(np.count_nonzero(others <= own))
            ends = exposure_ends(before, self._among, self._candidates.size, confidence)
            found.append(RankedCanary(text, before + 1, self._among + 1, *ends))
        return found

    def _scores(self, model: Score, texts: Iterable[str]) -> NDArray[np.float64]:
        return np.array([self._score(model, text) for text in texts])

    def _score(self, model: Score, text: str) -> float:
        number = as_number(called(model, text, name=_SCORE), _SCORE)
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)
        return number


def exposure_ends(before: int, drawn: int, size: int, confidence: Fraction) -> tuple[float, float]:
    """Return between what an exposure lies, by how many texts that were drawn come before.

    The share of all texts that do, the canary included, is the probability that one that is drawn
    does; the exposure is minus its logarithm.

    Parameters
    ----------
    before, drawn
        How many of the texts that were drawn are as likely as the canary or likelier, of how many.
    size
        How many texts there are.
    confidence
        Of the interval.
    """
    most = math.log2(size)
    miss = (1 - confidence) / 2
    least_share = probability_below(before, drawn, miss)
    low = -math.log2(probability_above(before, drawn, miss))
    high = -math.log2(least_share) if least_share else most
    return max(0.0, math.nextafter(low, 0.0)), min(most, math.nextafter(high, math.inf))


def _number_of(text: str, candidates: CandidateSpace) -> int:
    number = candidates.number(text)
    if number is None:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{canaries} has a text that is not in {space}",
            "draw them by sf.audit.canaries(space, 50)",
            canaries=Argument("canaries"),
            space=Argument("space"),
        )
    return number


def _read_scores(score: Any, count: int, delta: Fraction) -> list[Score]:
    """Return the functions that score texts: one, or as many as there are canaries."""
    if callable(score):
        if delta:
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "one model for all canaries proves an ε at delta = 0 only",
                "leave {delta} out, or give a list of scores, one for each canary, of models that "
                "were trained anew with it",
                delta=Argument("delta"),
            )
        return [score]
    listed = list(score) if isinstance(score, Iterable) and not isinstance(score, str) else []
    if len(listed) != count or not all(map(callable, listed)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{score} must be a function of a text, or a list of one for each of {count}",
            "write model.loss, say",
            score=Argument("score"),
            count=counted(count, "canary"),
        )
    return listed


def _read_samples(samples: Any, candidates: CandidateSpace) -> int | None:
    """Return how many texts are drawn for each canary; None where all of them are ranked."""
    if samples is not None:
        return read_count(samples, "samples", most=candidates.size - 1, write=1)
    if candidates.size <= _MOST_RANKED:
        return None
    raise InputError(
        "E-ARGUMENT-MISSING",
        "{space} has {size:,} texts, which are too many to score them all",
        "write {example}, to rank each canary among so many that are drawn for it",
        space=Argument("space"),
        size=candidates.size,
        example=Argument("samples", Bare("1000")),
    )
