"""What was promised by what was done, and what to do for a promise."""

from __future__ import annotations

import math
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from sfumato.application.accounting_report import AccountReport, CalibrationReport
from sfumato.data.files import quoted
from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import (
    AddRemove,
    PrivacyProfile,
    Relation,
    Substitute,
    calibrate,
    compose,
    meaning,
)
from sfumato.privacy.events import Composed, from_json
from sfumato.privacy.events.parsing import MOST_CHARACTERS
from sfumato.privacy.parameters import read_delta, read_epsilon

if TYPE_CHECKING:
    from sfumato.privacy import Composition, Meaning
    from sfumato.privacy.events import Event
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["account_events", "calibrate_noise"]

_RELATIONS: dict[str, Relation] = {"add-remove": AddRemove(), "substitute": Substitute()}
#: At these shares of ε the δ is asked for too, to say what a promise means.
_SHARES = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def account_events(
    source: str | PathLike[str] | TextIO,
    *,
    delta: NumberLike | None = None,
    epsilon: EpsilonLike | None = None,
    relation: Relation | str | None = None,
    explain: bool = False,
) -> AccountReport:
    """Account for the events of a JSON document: what do they promise together?

    Parameters
    ----------
    source
        A path, or an open text file.  What the document looks like is said by
        :func:`~sfumato.privacy.events.to_json`.
    delta, epsilon
        Exactly one of them; the other is found.
    relation
        Which tables are neighbours: "add-remove", "substitute", or a relation.  Where nothing is
        said, add-remove, unless the events have a meaning for substitution only.
    explain
        Whether to ask other methods of accounting as well.

    Examples
    --------
    >>> from sfumato.application.accounting import account_events
    >>> round(account_events("examples/events.json", epsilon=1).delta, 6)
    0.00916
    """
    if (delta is None) == (epsilon is None):
        message = "give either a delta, at which to find epsilon, or an epsilon, and not both"
        raise InputError(message)
    events = _read(source)
    promise = compose(*events, relation=_relation(relation, Composed(*events)))
    return _report(promise, delta, epsilon, explain=explain)


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
    """Find the least noise that keeps a promise, and say what it means.

    The arguments are those of :func:`sfumato.calibrate`; a relation may be named, as in
    :func:`account_events`.

    Examples
    --------
    >>> from sfumato.application.accounting import calibrate_noise
    >>> print(calibrate_noise("laplace", epsilon=1))
    use Laplace noise of scale 1 on sensitivity 1
    it keeps 1-DP (add or remove one row), spending all of it
    someone who thought it 50 % likely that a given row is in the data can become \
at most 73.2 % sure of it, and at least 26.8 %
    a test with 1 % false alarms finds at most 2.8 % of the cases it looks for
    a guess at even odds is right at most 69.7 % of the time
    """
    found = calibrate(
        kind,
        epsilon=epsilon,
        delta=delta,
        sensitivity=sensitivity,
        count=count,
        rate=rate,
        relation=_named(relation),
    )
    return CalibrationReport(
        calibration=found, meaning=_meaning(found.guarantee, found.epsilon, found.delta)
    )


def _report(
    promise: Composition,
    delta: NumberLike | None,
    epsilon: EpsilonLike | None,
    *,
    explain: bool,
) -> AccountReport:
    bounds = promise.bounds(delta=delta, epsilon=epsilon)
    level = bounds.upper if epsilon is None else read_epsilon(epsilon)
    failure = bounds.upper if delta is None else read_delta(delta)
    promises = level < math.inf and failure < 1
    return AccountReport(
        guarantee=promise,
        wanted="epsilon" if epsilon is None else "delta",
        epsilon=float(level),
        delta=float(failure),
        bounds=bounds,
        meaning=_meaning(promise, level, failure) if promises else None,
        explanation=promise.explain(delta=delta, epsilon=epsilon) if explain else None,
    )


def _meaning(promise: Composition, epsilon: EpsilonLike, delta: NumberLike) -> Meaning:
    """Return what a promise means, read off a few points of its profile.

    The (ε, δ) asked for bounds what anybody can come to believe; how often a test is right is
    decided by smaller ε with a greater δ.
    """
    levels = [share * Fraction(float(epsilon)) for share in _SHARES]
    points = [(level, promise.delta(epsilon=level)) for level in levels]
    known = [(epsilon, delta), *(point for point in points if point[1] < 1)]
    return meaning(PrivacyProfile(known, relation=promise.relation), delta=delta)


def _relation(given: Relation | str | None, done: Event) -> Relation | None:
    """Return the relation that was named, or else the first that suits what was done."""
    named, valid = _named(given), done.relations
    suitable = {name: each for name, each in _RELATIONS.items() if isinstance(each, valid)}
    if named is None:
        return next(iter(suitable.values()), None)
    if suitable and not isinstance(named, valid):
        message = f"what was done can be accounted for {' and '.join(suitable)} only, not for {given}"
        raise InputError(message)
    return named


def _named(relation: Relation | str | None) -> Relation | None:
    if not isinstance(relation, str):
        return relation
    if relation not in _RELATIONS:
        raise UnknownNameError(kind="relation", name=relation[:60], known=_RELATIONS)
    return _RELATIONS[relation]


def _read(source: str | PathLike[str] | TextIO) -> tuple[Event, ...]:
    """Return the events of a document, and say its name with whatever is wrong with it."""
    name = _name(source)
    try:
        events = from_json(_text(source))
    except InputError as error:
        message = f"{name}: {error}"
        raise InputError(message) from None
    if not events:
        message = f"{name} has no events; write what was done in its list of events"
        raise InputError(message)
    return events


def _name(source: str | PathLike[str] | TextIO) -> str:
    return quoted(Path(source)) if isinstance(source, (str, PathLike)) else "the text"


def _text(source: str | PathLike[str] | TextIO) -> str:
    """Return no more of a text than a document may have, and one character."""
    if not isinstance(source, (str, PathLike)):
        return source.read(MOST_CHARACTERS + 1)
    with Path(source).open(encoding="utf-8-sig") as file:
        return file.read(MOST_CHARACTERS + 1)
