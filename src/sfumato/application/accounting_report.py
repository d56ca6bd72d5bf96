"""What events guarantee, and what to use for a guarantee: figures, and sentences for them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.numeric.digits import digits_above, digits_below
from sfumato.printing.layout import wrapped
from sfumato.printing.printed import Printed, for_json
from sfumato.printing.wording import counted, setting
from sfumato.privacy.events import to_json
from sfumato.privacy.parameters import below
from sfumato.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.numeric import Enclosure
    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Calibration, Composition, Explanation, Meaning
    from sfumato.privacy.events import Event

__all__ = ["AccountReport", "CalibrationReport"]

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
            if self.meaning is None:
                return [
                    tr("no ε holds at {delta} {relation}", delta=delta, relation=relation),
                    tr("ask at a greater δ, such as 1e-6"),
                ]
            return [
                tr(
                    "ε = {upper} at {delta} {relation}", upper=upper, delta=delta, relation=relation
                ),
                *self._proof("ε"),
            ]
        if self.meaning is None:
            return [
                tr(
                    "no δ below 1 holds at {epsilon} {relation}", epsilon=epsilon, relation=relation
                ),
                tr("ask at a greater ε"),
            ]
        return [
            tr(
                "δ = {upper} at {epsilon} {relation}",
                upper=upper,
                epsilon=epsilon,
                relation=relation,
            ),
            *self._proof("δ"),
        ]

    def _proof(self, sign: str) -> list[str]:
        low, high = digits_below(self.bounds.lower, _MANY), digits_above(self.bounds.upper, _MANY)
        between = tr("between {low} and {high}", low=low, high=high) if low != high else low
        return [tr("proved: the least {sign} is {between}", sign=sign, between=between)]


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
