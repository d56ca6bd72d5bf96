"""What was guaranteed by what was done, and what to do for a guarantee."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.application.accounting_report import AccountReport, CalibrationReport
from sfumato.application.event_files import read_events
from sfumato.application.relations import RELATIONS, named_relation
from sfumato.errors import InputError
from sfumato.privacy import PrivacyProfile, calibrate, compose, meaning
from sfumato.privacy.events import Composed
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.refusal import Argument, Bare, any_of

if TYPE_CHECKING:
    from os import PathLike
    from typing import TextIO

    from sfumato.privacy import Composition, Meaning, Relation
    from sfumato.privacy.events import Event
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["account_events", "calibrate_noise"]

#: At these shares of ε the δ is asked for too, to say what a guarantee means.
_SHARES = (Fraction(0), Fraction(1, 2))


def account_events(
    source: str | PathLike[str] | TextIO,
    *,
    delta: NumberLike | None = None,
    epsilon: EpsilonLike | None = None,
    relation: Relation | str | None = None,
    explain: bool = False,
) -> AccountReport:
    """Return what the events of a document guarantee together.

    Parameters
    ----------
    source
        A JSON file, as :func:`sfumato.privacy.events.to_json` writes it, or an open text file.
    delta, epsilon
        Exactly one of them; the other is found.
    relation
        Which tables are neighbours: "add-remove", "substitute", or a relation.  Where nothing is
        said, the first of the two for which what was done has a meaning.
    explain
        Whether to ask other methods of accounting as well.
    """
    if (delta is None) == (epsilon is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give a delta at which to find epsilon, or an epsilon at which to find delta",
            "write {delta} alone, say",
            delta=Argument("delta", Bare("1e-6")),
        )
    events = read_events(source)
    guarantee = compose(*events, relation=_relation(relation, Composed(*events)))
    bounds = guarantee.bounds(delta=delta, epsilon=epsilon)
    level = bounds.upper if epsilon is None else read_epsilon(epsilon)
    failure = bounds.upper if delta is None else read_delta(delta)
    return AccountReport(
        guarantee=guarantee,
        wanted="epsilon" if epsilon is None else "delta",
        epsilon=float(level),
        delta=float(failure),
        bounds=bounds,
        meaning=_meaning(guarantee, level, failure),
        explanation=guarantee.explain(delta=delta, epsilon=epsilon) if explain else None,
    )


def calibrate_noise(
    kind: str,
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    sensitivity: NumberLike = 1,
    count: int = 1,
    rate: NumberLike | None = None,
    relation: Relation | str | None = None,
) -> CalibrationReport:
    """Find the least noise that keeps a guarantee, and say what the guarantee means.

    The arguments are those of :func:`sfumato.privacy.calibrate`; a relation may be named, as in
    :func:`account_events`.
    """
    found = calibrate(
        kind,
        epsilon=epsilon,
        delta=delta,
        sensitivity=sensitivity,
        count=count,
        rate=rate,
        relation=named_relation(relation),
    )
    return CalibrationReport(
        calibration=found, meaning=_meaning(found.guarantee, found.epsilon, found.delta)
    )


def _meaning(guarantee: Composition, epsilon: EpsilonLike, delta: NumberLike) -> Meaning | None:
    """Return what (ε, δ) means, where it guarantees anything, with two more points of the profile.

    The pair itself bounds what anybody can come to believe; how often a test is right is decided
    by a smaller ε with a greater δ.
    """
    if float(epsilon) == math.inf or float(delta) == 1:
        return None
    levels = [share * Fraction(float(epsilon)) for share in _SHARES]
    points = [(level, guarantee.delta(epsilon=level)) for level in levels]
    known = [(epsilon, delta), *(point for point in points if point[1] < 1)]
    return meaning(PrivacyProfile(known, relation=guarantee.relation), delta=delta)


def _relation(given: Relation | str | None, done: Event) -> Relation | None:
    """Return the relation that was named, or else the first that suits what was done."""
    named, valid = named_relation(given), done.relations
    suitable = {name: each for name, each in RELATIONS.items() if isinstance(each, valid)}
    if named is None:
        return next(iter(suitable.values()), None)
    if suitable and not isinstance(named, valid):
        raise InputError(
            "E-RELATION-OTHER",
            "what was done has no meaning for the relation {given}",
            "name {only}, or none",
            given=given,
            only=any_of(suitable),
        )
    return named
