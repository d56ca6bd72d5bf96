"""Canaries ranked by a model among the texts that they were drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.bounds import probability_above, probability_below
from sfumato.audit.comparison import read_claim
from sfumato.audit.memorization.allowance import (
    best_test,
    read_one_relation,
)
from sfumato.audit.memorization.canaries import ExposureReport, RankedCanary
from sfumato.audit.memorization.candidates import CandidateSpace, read_space, read_texts
from sfumato.audit.model_calls import as_number, called
from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.printing import (
    counted,
)
from sfumato.privacy import read_confidence, read_delta
from sfumato.privacy.theorems import read_probability
from sfumato.refusal import Argument, Bare
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.privacy import Relation
    from sfumato.privacy.theorems import EpsilonLike, NumberLike

    Score = Callable[[str], float]
    Progress = Callable[[int, int], None]


#: How many texts are ranked at most where none are drawn from them.
_MOST_RANKED = 1_000_000
_SCORE = mark("the score")


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
