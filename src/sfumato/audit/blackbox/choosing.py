"""Choosing the few events worth testing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.audit.blackbox.aim import Aim
from sfumato.audit.blackbox.candidates import candidates
from sfumato.audit.blackbox.fitted import fit_score
from sfumato.audit.blackbox.joint import conjunctions
from sfumato.audit.blackbox.looking import features_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.audit.blackbox.candidates import Candidates
    from sfumato.audit.blackbox.features import Feature
    from sfumato.audit.blackbox.joint import Part
    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.pool import Pool
    from sfumato.audit.blackbox.regions import Region

__all__ = ["MOST_CHOSEN", "Chosen", "choose"]

#: How many events are tested for the claim, each way, and at which other δ one each.
_BEST = 4
_OTHER_DELTAS = (0.0, 0.01, 0.05, 0.2)
_PER_FEATURE = 2
#: The δ at which an event must have much mass, and how many parts a joint event is made of.
_MASS, _MOST_PARTS = 0.2, 30
#: By how much more an event of a score must seem to prove.
_OF_SCORE = 0.05
MOST_CHOSEN = _BEST + len(_OTHER_DELTAS)


@dataclass(frozen=True, eq=False)
class Chosen:
    """An event to test: a feature, a region of it, and on which dataset it seems likelier.

    Examples
    --------
    >>> from sfumato.audit.blackbox.choosing import Chosen
    >>> from sfumato.audit.blackbox.features import Feature
    >>> from sfumato.audit.blackbox.outcomes import read_outputs
    >>> from sfumato.audit.blackbox.regions import Between
    >>> sample = read_outputs([0.5, 1.5])
    >>> feature = Feature("the output", lambda sample: sample.field("the output").numbers)
    >>> event = Chosen(feature, Between(0.0, 1.0), likelier=0)
    >>> event.count(sample), event.said
    (1, 'the output is above 0 and at most 1')
    """

    feature: Feature
    region: Region
    likelier: int

    @property
    def said(self) -> str:
        """The event in words.

        Examples
        --------
        >>> from sfumato.audit.blackbox.choosing import Chosen
        >>> from sfumato.audit.blackbox.features import Feature
        >>> from sfumato.audit.blackbox.regions import Between
        >>> feature = Feature("the sum", lambda sample: sample.field("the sum").numbers)
        >>> Chosen(feature, Between(0, 1), 0).said
        'the sum is above 0 and at most 1'
        """
        return self.feature.said(self.region)

    def count(self, sample: Sample) -> int:
        """Return how many outputs of a sample are in the event.

        Examples
        --------
        >>> from sfumato.audit.blackbox.choosing import Chosen
        >>> from sfumato.audit.blackbox.features import Feature
        >>> from sfumato.audit.blackbox.outcomes import read_outputs
        >>> from sfumato.audit.blackbox.regions import Between
        >>> feature = Feature("the output", lambda sample: sample.field("the output").numbers)
        >>> Chosen(feature, Between(1.0, 2.0), 0).count(read_outputs([0.5, 1.5]))
        1
        """
        return int(np.count_nonzero(self.region.holds(self.feature.column(sample))))


@dataclass(frozen=True, eq=False)
class _Scored:
    score: float
    family: Candidates
    index: int
    likelier: int

    def chosen(self) -> Chosen:
        return Chosen(self.family.feature, self.family.region(self.index), self.likelier)


def choose(
    made_on: Pool,
    counted_on: Pool,
    extra: Iterable[Feature],
    *,
    alpha: float,
    delta: float,
    seed: int = 0,
) -> list[Chosen]:
    """Return the events that seem to prove most, at the claimed δ and at a few others.

    Examples
    --------
    >>> from sfumato.audit.blackbox.pool import Pool
    >>> from sfumato.audit.blackbox.choosing import choose
    >>> from sfumato.audit.blackbox.outcomes import read_outputs
    >>> pool = Pool(read_outputs(["a"] * 99 + ["b"] * 99), 99)
    >>> choose(pool, pool, [], alpha=0.01, delta=0)[0].said
    "the output is 'a'"
    """
    features = [*extra, *features_of(made_on, seed=seed)]
    families = [each for feature in features for each in candidates(feature, made_on, counted_on)]
    families += _of_score(features, made_on, counted_on)
    aims = [Aim(side, delta, counted_on.first, alpha) for side in (0, 1)]
    if len(made_on.sample.fields) > 1:
        families += conjunctions(_parts(families, aims), counted_on, aims)
    return _picked(families, aims)


def _of_score(features: list[Feature], made_on: Pool, counted_on: Pool) -> list[Candidates]:
    """Return the events of a score fitted to all features, at a handicap: they say little."""
    score = fit_score(features, made_on)
    if score is None:
        return []
    return [replace(each, handicap=_OF_SCORE) for each in candidates(score, made_on, counted_on)]


def _picked(families: list[Candidates], aims: list[Aim]) -> list[Chosen]:
    """Return the best events for each aim, and the best one for it at each of a few other δ."""
    found: dict[tuple[int, int, int], _Scored] = {}
    for aim in aims:
        others = [replace(aim, delta=each) for each in _OTHER_DELTAS if each != aim.delta]
        for each, most in [(aim, _BEST), *((other, 1) for other in others)]:
            for one in _best(families, each, most):
                found.setdefault((id(one.family), one.index, aim.likelier), one)
    return [each.chosen() for each in found.values()]


def _parts(families: list[Candidates], aims: list[Aim]) -> list[Part]:
    """Return what joint events are made of: good ones at the claimed δ, and ones of much mass."""
    wider = [*aims, *(replace(aim, delta=_MASS) for aim in aims)]
    found = {
        (id(each.family), each.index): each
        for aim in wider
        for each in _tops_of_all(families, aim)[:_MOST_PARTS]
    }
    return [(each.family.feature, each.family.region(each.index)) for each in found.values()]


def _tops_of_all(families: list[Candidates], aim: Aim) -> list[_Scored]:
    tops = [each for family in families for each in _tops(family, aim, 1)]
    return sorted(tops, key=lambda each: -each.score)


def _best(families: list[Candidates], aim: Aim, most: int) -> list[_Scored]:
    """Return the best events, at most so many, and at most two of one feature."""
    scored = [
        each
        for family in families
        for each in _tops(family, aim, _PER_FEATURE)
        if each.score + family.handicap > 0
    ]
    taken: dict[int, list[_Scored]] = {}
    for each in sorted(scored, key=lambda each: -each.score):
        of_feature = taken.setdefault(id(each.family.feature), [])
        if len(of_feature) < _PER_FEATURE and sum(map(len, taken.values())) < most:
            of_feature.append(each)
    return [each for group in taken.values() for each in group]


def _tops(family: Candidates, aim: Aim, most: int) -> list[_Scored]:
    """Return the best events of a family."""
    scores = aim.scores(family.seen) - family.handicap
    near = np.argpartition(-scores, most - 1)[:most] if len(scores) > most else range(len(scores))
    return [_Scored(float(scores[i]), family, int(i), aim.likelier) for i in near]
