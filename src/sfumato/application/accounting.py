"""What was guaranteed by what was done, and what to do for a guarantee."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.relations import RELATIONS, named_relation
from sfumato.data import quoted
from sfumato.documents import read_text
from sfumato.errors import InputError, at
from sfumato.numeric import digits_above, digits_below, shown
from sfumato.printing import Printed, counted, for_json, setting, wrapped
from sfumato.privacy import (
    PrivacyProfile,
    below,
    calibrate,
    compose,
    meaning,
    read_delta,
    read_epsilon,
)
from sfumato.privacy.events import Composed, from_json, to_json
from sfumato.refusal import Argument, Bare, any_of
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from typing import TextIO

    from sfumato.numeric import Enclosure
    from sfumato.printing import Chart
    from sfumato.privacy import Calibration, Composition, Explanation, Meaning, Relation
    from sfumato.privacy.events import Event
    from sfumato.privacy.theorems import EpsilonLike, NumberLike


_MOST_LISTED = 12
_FEW, _MANY = 7, 12


@dataclass(frozen=True, kw_only=True)
class AccountReport(Printed):
    """What events guarantee together: ε at a δ, or δ at an ε.

    Attributes
    ----------
    guarantee
        The events together, with the relation for which they were accounted.
    wanted
        Which of the two was asked for: "epsilon" or "delta".
    epsilon, delta
        The guarantee: one as it was given, the other rounded up.
    bounds
        Two figures between which the least value of what was wanted certainly lies.
    meaning
        The guarantee in a person's terms; None where nothing is guaranteed.
    explanation
        What other methods of accounting say; None unless they were asked.
    """

    guarantee: Composition
    wanted: str
    epsilon: float
    delta: float
    bounds: Enclosure
    meaning: Meaning | None
    explanation: Explanation | None = None

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the report as sentences, the answer first and rounded up.

        Parameters
        ----------
        width
            How wide a line may be; None for lines as long as they come.
        """
        explained = self.explanation.lines(width=width) if self.explanation else []
        return [
            *_fitted(self._answer(), width),
            *_listed(_merged(self.guarantee.event), width),
            *_fitted(_sentences(self.meaning), width),
            *([""] if explained else []),
            *explained,
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON; an infinity becomes the text "Infinity"."""
        steps = _merged(self.guarantee.event)
        return {
            "wanted": self.wanted,
            "epsilon": for_json(self.epsilon),
            "delta": self.delta,
            "bounds": [for_json(self.bounds.lower), for_json(self.bounds.upper)],
            "relation": str(self.guarantee.relation),
            "steps": [{"count": n, "step": event.describe()} for event, n in steps.items()],
            "meaning": _figures(self.meaning),
            "explanation": None if self.explanation is None else self.explanation.as_dict(),
        }

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw δ at each ε, with the figure that was asked for marked.

        Parameters
        ----------
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.
        """
        return self.guarantee.plot(delta=self.delta if self.delta < 1 else None, to=to)

    def _answer(self) -> list[str]:
        epsilon, delta = f"ε = {setting(self.epsilon)}", f"δ = {setting(self.delta)}"
        relation, upper = f"({self.guarantee.relation})", digits_above(self.bounds.upper, _FEW)
        if self.wanted == "epsilon":
            none = tr("no ε holds at {delta} {relation}", delta=delta, relation=relation)
            answer = tr(
                "ε = {upper} at {delta} {relation}", upper=upper, delta=delta, relation=relation
            )
            greater, sign = tr("ask at a greater δ, such as 1e-6"), "ε"
        else:
            none = tr(
                "no δ below 1 holds at {epsilon} {relation}", epsilon=epsilon, relation=relation
            )
            answer = tr(
                "δ = {upper} at {epsilon} {relation}",
                upper=upper,
                epsilon=epsilon,
                relation=relation,
            )
            greater, sign = tr("ask at a greater ε"), "δ"
        return [none, greater] if self.meaning is None else [answer, self._proof(sign)]

    def _proof(self, sign: str) -> str:
        low, high = digits_below(self.bounds.lower, _MANY), digits_above(self.bounds.upper, _MANY)
        between = tr("between {low} and {high}", low=low, high=high) if low != high else low
        return tr("proved: the least {sign} is {between}", sign=sign, between=between)


@dataclass(frozen=True, kw_only=True)
class CalibrationReport(Printed):
    """What to use so that a guarantee is kept.

    Attributes
    ----------
    calibration
        The noise, and what it guarantees.
    meaning
        The guarantee in a person's terms.
    """

    calibration: Calibration
    meaning: Meaning | None

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the report as sentences, the answer first.

        Parameters
        ----------
        width
            How wide a line may be; None for lines as long as they come.
        """
        return _fitted([*self.calibration.lines(), *_sentences(self.meaning)], width)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON, with a document of events that can be accounted."""
        found = self.calibration
        return {
            "parameter": found.parameter,
            "value": below(found.value) if found.parameter == "epsilon" else found.scale,
            "count": found.count,
            "epsilon": float(found.epsilon),
            "delta": float(found.delta),
            "spent": found.spent,
            "relation": str(found.guarantee.relation),
            "meaning": _figures(self.meaning),
            "document": json.loads(to_json(found.guarantee.event)),
        }

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw what it guarantees, beside what was asked for.

        Parameters
        ----------
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.
        """
        return self.calibration.plot(to=to)


def _fitted(lines: list[str], width: int | None, *, later: str | None = None) -> list[str]:
    if width is None:
        return lines
    return [part for line in lines for part in wrapped(line, width, later=later)]


def _merged(event: Event) -> Counter[Event]:
    """Return equal steps together, with how often each was taken, in order."""
    steps: Counter[Event] = Counter()
    for step, count in event.parts():
        steps[step] += count
    return steps


def _listed(steps: Counter[Event], width: int | None) -> list[str]:
    """Return what was done, one kind of step a line."""
    total = counted(sum(steps.values()), "step")
    shown = list(steps.items())[:_MOST_LISTED]
    most = max(len(f"{count:,}") for _, count in shown)
    lines = [f"  {count:>{most},} × {step.describe()}" for step, count in shown]
    left = len(steps) - len(shown)
    return [
        f"{total}:",
        *_fitted(lines, width, later=" " * (most + len("   × "))),
        *([tr("  and {kinds}", kinds=counted(left, "other kind"))] if left else []),
    ]


def _sentences(meaning: Meaning | None) -> list[str]:
    """Return the sentences without the guarantee that they are about, which was said before."""
    return [] if meaning is None else meaning.lines()[1:]


def _figures(meaning: Meaning | None) -> dict[str, float] | None:
    if meaning is None:
        return None
    return {
        "prior": float(meaning.prior),
        "least_posterior": meaning.posterior.least,
        "greatest_posterior": meaning.posterior.greatest,
        "failure": meaning.posterior.failure,
        "false_positive_rate": float(meaning.false_positive_rate),
        "true_positive_rate": meaning.true_positive_rate,
        "advantage": meaning.advantage,
    }


def read_events(source: Any) -> tuple[Event, ...]:
    """Return the events of a JSON document, of which there is at least one.

    Parameters
    ----------
    source
        A path, or an open text file such as standard input.
    """
    name = _name(source)
    text = read_text(source, name, mend=mark("name a JSON file of events"))
    with at(name):
        events = from_json(text)
    if not events:
        raise InputError(
            "E-ARGUMENT-EMPTY", "{name} lists no events", "write at least one", name=name
        )
    return events


def _name(source: Any) -> str:
    if isinstance(source, (str, PathLike)):
        return quoted(Path(source))
    if not hasattr(source, "read"):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "events are read from a path or an open text file, not from {source}",
            source=shown(source),
        )
    is_piped = getattr(source, "name", "") == "<stdin>"
    return mark("standard input") if is_piped else mark("the document")


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
