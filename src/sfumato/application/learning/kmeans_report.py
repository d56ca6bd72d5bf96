"""What the shell says of private k-means: what would be done, or the centres."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sfumato.application.learning.kmeans_wording import (
    LEADING,
    cells,
    meant,
    notes,
    receipt_line,
    warnings,
)
from sfumato.application.learning.page import kmeans_page
from sfumato.application.ledger.wording import standing_figures
from sfumato.ledger import left_in_words
from sfumato.printing.layout import fitted, table
from sfumato.printing.printed import Printed
from sfumato.privacy import guarantee_to_document
from sfumato.privacy.events import to_json
from sfumato.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.application.tables.fitting import Fit
    from sfumato.learning import Plan
    from sfumato.learning.kmeans.found import Found
    from sfumato.printing.plotting import Chart

__all__ = ["KMeansPlanReport", "KMeansReport"]

_WIDTH = 120
#: What a command begins with, which is copied and not to be folded.
_COMMAND = ": sfumato "


@dataclass(frozen=True, kw_only=True)
class KMeansPlanReport(Printed):
    """What would be done, and what it would cost.

    Attributes
    ----------
    plan
        The plan; no row was read for it.
    fit
        How it goes together with the book that it would be charged to.
    """

    plan: Plan
    fit: Fit

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return the plan, and what is left of the budgets, or why it is refused.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped, but for what may hold a command.
        """
        left = [
            f"{each}, {left_in_words(each.rule.budget, each.remaining)}"
            for each in self.fit.standing
        ]
        refused = (
            [tr("this would be refused: {refused}", refused=self.fit.refused)]
            if self.fit.refused
            else []
        )
        foldable = not any(_COMMAND in each for each in refused)
        return [
            *fitted(str(self.plan).splitlines(), width),
            *filter(None, [self.fit.warning]),
            *(fitted(refused or left, width) if foldable else refused),
            tr("no row was read, and nothing was charged"),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan ready for JSON."""
        return {
            **_planned(self.plan),
            "budgets": [standing_figures(each) for each in self.fit.standing],
            "refused": None if self.fit.refused is None else str(self.fit.refused),
            "warning": self.fit.warning or None,
        }


@dataclass(frozen=True, kw_only=True)
class KMeansReport(Printed):
    """The centres, with how far noise moves them.

    Attributes
    ----------
    found
        What was released.
    """

    found: Found

    def done(self) -> str:
        """Say that the centres are charged, for where nothing else can be said."""
        receipt = self.found.model.receipt_
        return (
            "" if receipt is None else tr("the centres are charged (receipt {id})", id=receipt.id)
        )

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return what was done, the centres as a table, and what is guaranteed.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped, and columns are left out.
        """
        found = self.found
        rows = cells(found)
        numbers = set(rows[0])
        dispensable = [LEADING[-1], *reversed(found.names[1:])]
        said = [*notes(found), *meant(found)[1:], receipt_line(found.model)]
        return [
            *fitted([*str(found.model.plan_).splitlines(), *warnings(found)], width),
            *table(rows, width, numbers=numbers, dispensable=dispensable),
            *fitted(said, width),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return what was released, ready for JSON."""
        model, receipt = self.found.model, self.found.model.receipt_
        return {
            "private": not model.seeded_,
            **_planned(model.plan_),
            "columns": list(self.found.names),
            "bounds": [list(pair) for pair in zip(*self.found.bounds, strict=True)],
            "centres": model.cluster_centers_.tolist(),
            "counts": model.counts_.tolist(),
            "seen": self.found.seen,
            "noise": model.noise_.tolist(),
            "cost": self.found.cost,
            "receipt": None if receipt is None else json.loads(receipt.to_json()),
        }

    def plot(
        self, of: Literal["centres", "cost"] = "centres", *, to: str | Path | None = None
    ) -> Chart:
        """Draw the centres, or what another ε would cost; see ``sf.KMeans.plot``."""
        chart: Chart = self.found.model.plot(of, names=self.found.names, to=to)
        return chart

    def to_html(self) -> str:
        """Return the report as a page of its own, with pictures; it needs nothing else."""
        return kmeans_page(self.found.model, self.found.names)


def _planned(plan: Plan) -> dict[str, Any]:
    return {
        "method": plan.method,
        "plan": str(plan).splitlines(),
        "guarantee_in_words": str(plan.guarantee),
        "guarantee": guarantee_to_document(plan.guarantee),
        "event": json.loads(to_json(plan.event)),
    }
