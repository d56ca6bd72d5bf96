"""What the shell says about a question to a private table: its plan, or its answer."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from sfumato.application.tables.fitting import Fit
from sfumato.printing.layout import fitted, rows_of_two
from sfumato.printing.printed import Printed, for_json
from sfumato.privacy import guarantee_to_document
from sfumato.privacy.events import to_json
from sfumato.refusal import PYTHON
from sfumato.tables.explain.explanation import PlanExplanation
from sfumato.tables.plan.expected import expected_errors
from sfumato.translation import tr

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Guarantee
    from sfumato.refusal import Surface
    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.release.release import Release


@dataclass(frozen=True, kw_only=True)
class PlanReport(Printed):
    """What an answer would cost and how exact it would be.

    Attributes
    ----------
    plan
        The plan; no row was read for it.
    fit
        How it goes together with the book that it would be charged to.
    surface
        How notes write their hints.
    """

    plan: Plan
    fit: Fit = field(default_factory=Fit)
    surface: Surface = PYTHON

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the plan as a tree, and what is left of the budgets, or why it is refused.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped, but for what may hold a command.
        """
        from sfumato.ledger import left_in_words

        left = [
            f"{each}, {left_in_words(each.rule.budget, each.remaining)}"
            for each in self.fit.standing
        ]
        refused = (
            [tr("query would refuse this: {refused}", refused=self.fit.refused)]
            if self.fit.refused
            else []
        )
        beside = [*filter(None, [self.fit.warning]), *(refused or fitted(left, width))]
        return [*self.plan.lines(surface=self.surface, width=width), *beside]

    def explained(self, *, nodes: bool, statements: bool, width: int = 120) -> list[str]:
        """Return how far one person moves each part, and what the engine would be told.

        Parameters
        ----------
        nodes, statements
            Which of the two.
        width
            How wide a line may be; longer ones are wrapped, but for those of a statement.
        """
        explanation = PlanExplanation(self.plan)
        parts = fitted([explanation.headline], width) if nodes else []
        parts += rows_of_two(explanation.rows, width) if nodes else []
        told = explanation.sql.splitlines() if statements else []
        return [*parts, *([""] if parts and told else []), *told]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan ready for JSON."""
        from sfumato.application.ledger.wording import standing_figures

        return {
            "query": str(self.plan.query),
            **_guaranteed(self.plan.guarantee),
            "event": json.loads(to_json(self.plan.event)),
            "steps": [str(each) for each in self.plan.steps],
            "groups": self.plan.keys.count,
            "errors": expected_errors(self.plan),
            "parts": [asdict(each) for each in PlanExplanation(self.plan).nodes],
            "statements": [asdict(each) for each in PlanExplanation(self.plan).statements],
            "notes": [each.as_dict(self.surface) for each in self.plan.notes],
            "budgets": [standing_figures(each) for each in self.fit.standing],
            "refused": None if self.fit.refused is None else str(self.fit.refused),
            "warning": self.fit.warning or None,
        }


@dataclass(frozen=True, kw_only=True)
class AnswerReport(Printed):
    """An answer, with confidence intervals.

    Attributes
    ----------
    release
        What was released.
    confidence
        That of the intervals.
    every
        Whether all notes are printed, and not the first three alone.
    surface
        How notes write their hints.
    """

    release: Release
    confidence: Fraction
    every: bool = False
    surface: Surface = PYTHON

    def done(self) -> str:
        """Say that the answer is charged, for where nothing else can be said."""
        receipt = self.release.receipt
        return "" if receipt is None else tr("the answer is charged (receipt {id})", id=receipt.id)

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the answer as a table, and what is guaranteed.

        Parameters
        ----------
        width
            How wide a sentence may be; longer ones are wrapped, the table never. None for any.
        """
        below = self.release.footer(
            confidence=self.confidence, every=self.every, surface=self.surface
        )
        shown = below if width is None else fitted(below, width)
        return [*self.release.table(confidence=self.confidence), *shown]

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the answer with its intervals; see ``Release.plot``."""
        return self.release.plot(confidence=self.confidence, to=to)

    def as_dict(self) -> dict[str, Any]:
        """Return the answer ready for JSON: one object a row, with both ends of each interval."""
        answers = self.release.answers(confidence=self.confidence)
        names, receipt = list(answers.columns), self.release.receipt
        return {
            "private": not self.release.seeded,
            "query": str(self.release.plan.query),
            **_guaranteed(self.release.guarantee),
            "confidence": float(self.confidence),
            "columns": names,
            "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in answers.rows()],
            "notes": [each.as_dict(self.surface) for each in self.release.notes],
            "receipt": None if receipt is None else json.loads(receipt.to_json()),
        }


def _guaranteed(guarantee: Guarantee) -> dict[str, Any]:
    return {"guarantee_in_words": str(guarantee), "guarantee": guarantee_to_document(guarantee)}


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, float):
        return for_json(value)
    return value.isoformat() if isinstance(value, date) else value
