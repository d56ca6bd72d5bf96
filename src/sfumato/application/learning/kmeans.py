"""Private k-means of a table that a file holds: planned, fitted, told and drawn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sfumato.application.tables.policy_book import (
    IntendedCharge,
    fit_of,
    name_another_book,
    naming_another_book,
)
from sfumato.application.tables.questions import charging, open_private
from sfumato.learning import DEVIATIONS, NoGuarantee, found_by, with_errors
from sfumato.ledger import left_in_words
from sfumato.printing import (
    STYLE,
    Printed,
    as_svg,
    as_text,
    counted,
    fitted,
    listed,
    paragraph,
    pictured,
    table,
    table_of,
    whole_page,
)
from sfumato.privacy import Person, guarantee_to_document, meaning
from sfumato.privacy.events import to_json
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sfumato.application.tables.policy_book import Fit
    from sfumato.learning import FittedModel, Plan
    from sfumato.printing import Chart
    from sfumato.tables import PrivateTable


#: The columns before those of the data.
LEADING = (mark("centre"), mark("points"), mark("share"))
_UNSEEN = "–"
_MOST_NAMED = 12


def cells(found: FittedModel) -> list[list[str]]:
    """Return the centres as the cells of a table, the header first."""
    columns = [
        [str(number) for number in range(1, len(found.shares) + 1)],
        [f"{count:,.0f}" for count in found.model.counts_.tolist()],
        list(map(_share, found.shares.tolist(), found.seen)),
        *map(with_errors, found.model.cluster_centers_.T, found.errors.T),
    ]
    return [[*LEADING, *found.names], *map(list, zip(*columns, strict=True))]


def notes(found: FittedModel) -> list[str]:
    """Return what must be said with the table."""
    bars = (
        f"± is {DEVIATIONS} standard deviations of the noise of the last step in a centre, about: "
        "neither how spread points are nor what earlier steps missed is in it"
    )
    return [*_unseen(found), bars, _counted(found), _cost(found)]


def _share(share: float, seen: bool) -> str:  # noqa: FBT001, since it is mapped over columns
    return f"{100 * share:.0f} %" if seen else _UNSEEN


def _unseen(found: FittedModel) -> list[str]:
    """Return which centres drown in the noise, and what to do about it."""
    drowned = [str(number) for number, seen in enumerate(found.seen, start=1) if not seen]
    if not drowned:
        return []
    many = len(drowned) > _MOST_NAMED
    one = len(drowned) == 1
    each = f"centre {drowned[0]}" if one else f"centres {listed(drowned)}"
    named = f"{len(drowned)} of {len(found.seen)} centres" if many else each
    have, they = ("has", "it") if one else ("have", "they")
    said = (
        f"{_UNSEEN} {named} {have} too few points to be distinguished from noise, and "
        f"{they} may stand where nobody is; raise ε, or ask for fewer centres"
    )
    return [said]


def _counted(found: FittedModel) -> str:
    change = found.model.plan_.change
    if not isinstance(change.relation.unit, Person):
        return tr("points and shares are noisy counts")
    most = counted(change.weight, "point")
    return tr(
        "points and shares are noisy counts; contributions above {most} of one {noun} are "
        "scaled down, not dropped (contribution bounding)",
        most=most,
        noun=change.relation.unit.noun,
    )


def _cost(found: FittedModel) -> str:
    if found.untold:
        return f"no mean square distance from the centres: {found.untold}"
    return (
        f"mean square distance from the centres {found.cost:.3g}, estimated from noisy cells, each "
        "coordinate scaled to [-1, 1]"
    )


def warnings(found: FittedModel) -> list[str]:
    """Return that nothing is private where noise came from a seed, and there was some."""
    seeded = found.model.seeded_ and found.is_private
    return [tr("NOT PRIVATE: drawn from a seed")] if seeded else []


def meant(found: FittedModel) -> list[str]:
    """Return the guarantee, and what it means for a person; or that there is none."""
    guarantee = found.model.guarantee_
    if not found.is_private:
        return [str(guarantee)]
    return meaning(guarantee, delta=getattr(guarantee, "exact_delta", 0)).lines()


def receipt_line(model: Any) -> str:
    """Return whether it was charged, and the receipt."""
    receipt = model.receipt_
    if receipt is None:
        return tr("charged to no ledger")
    return tr("charged to the ledger: receipt {id}", id=receipt.id)


def kmeans_page(model: Any, names: Sequence[str] | None = None) -> str:
    """Return what a fitted model found as a whole page: sentences, a table, pictures.

    It refers to nothing outside itself, and holds nothing but what was released.

    Parameters
    ----------
    model
        An ``sf.KMeans`` that is fitted.
    names
        What its coordinates are called, where the points that it was fitted to had no names.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.application.learning import kmeans_page
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 2)))
    >>> page = kmeans_page(model, ["age", "height"])
    >>> page[:15], page.count("<table")
    ('<!doctype html>', 1)
    """
    found = found_by(model, names)
    answer, *how = str(model.plan_).splitlines()
    parts = [
        f"<h1>{as_text(tr('Centres of {names}', names=listed(found.names)))}</h1>",
        f"<p><strong>{as_text(answer)}.</strong></p>",
        paragraph([*warnings(found), str(model.guarantee_)]),
        table_of(cells(found)),
        paragraph(notes(found)),
        f"<h2>{tr('Where the centres are')}</h2>",
        pictured(lambda: model.plot(names=found.names)),
        f"<p>{tr('No point of the data is drawn.')}</p>",
        *_at_other_epsilons(found),
        f"<h2>{tr('What was done')}</h2>",
        paragraph([*how, receipt_line(model)]),
        f"<h2>{tr('What is guaranteed')}</h2>",
        paragraph(meant(found)),
    ]
    return whole_page(
        tr("centres of {names}", names=listed(found.names)), "".join(parts), style=STYLE
    )


def _at_other_epsilons(found: FittedModel) -> list[str]:
    """Return what another ε would cost, where there was one."""
    if not found.is_private:
        return []
    return [
        f"<h2>{tr('What another ε would cost')}</h2>",
        pictured(lambda: found.model.plot("cost")),
    ]


def centres_svg(model: Any, names: Sequence[str] | None = None) -> list[str]:
    """Return the picture of the centres, as ``model.plot()`` draws it, as SVG.

    Parameters
    ----------
    model
        An ``sf.KMeans`` that is fitted.
    names
        What its coordinates are called, where the points that it was fitted to had no names.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.application.learning import centres_svg
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 3)))
    >>> [drawing[:4] for drawing in centres_svg(model, ["age", "height", "weight"])]
    ['<svg']
    """
    return [as_svg(model.plot(names=names))]


def cost_svg(model: Any) -> str:
    """Return what another ε would cost, as ``model.plot("cost")`` draws it, as SVG.

    Parameters
    ----------
    model
        An ``sf.KMeans`` that is fitted.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.application.learning import cost_svg
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 3)))
    >>> cost_svg(model)[:4]
    '<svg'
    """
    return as_svg(model.plot("cost"))


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
            **self.fit.as_dict(),
        }


@dataclass(frozen=True, kw_only=True)
class KMeansReport(Printed):
    """The centres, with how far noise moves them.

    Attributes
    ----------
    found
        What was released.
    """

    found: FittedModel

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
            "private": self.found.is_private and not model.seeded_,
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
    guarantee = plan.guarantee
    kept = None if isinstance(guarantee, NoGuarantee) else guarantee
    return {
        "method": plan.method,
        "plan": str(plan).splitlines(),
        "domain": None if plan.domain is None else plan.domain.as_dict(),
        "guarantee_in_words": str(guarantee),
        "guarantee": None if kept is None else guarantee_to_document(kept),
        "event": None if kept is None else json.loads(to_json(plan.event)),
    }


def plan_kmeans(
    file: str, declared: Mapping[str, Any], *, analyst: str | None = None, **asked: Any
) -> KMeansPlanReport:
    """Return what would be done and what it would cost; no row is read.

    Parameters
    ----------
    file
        A CSV or Parquet file, a policy (.toml), or the address of a database.
    declared
        What is declared about the table, as in ``sf.table``; over what a policy says.
    analyst
        Who would get the answer, for what is left of the budgets.
    asked
        As in ``sf.KMeans``; ``l1_ball`` is the radius of a ball around 0 that is the domain.
    """
    from sfumato.learning import KMeans

    table = _opened(file, declared, asked)
    plan = KMeans(**_in_domain(asked)).plan(table=table)
    fit = fit_of(table.policy, plan.price, analyst)
    name_another_book(fit.refused, table.policy, _cost_of_fit(plan))
    return KMeansPlanReport(plan=plan, fit=fit)


def fit_kmeans(
    file: str,
    declared: Mapping[str, Any],
    *,
    analyst: str | None = None,
    key: str | None = None,
    notify: Callable[[str], None] = print,
    progress: Callable[[int, int], None] | None = None,
    **asked: Any,
) -> KMeansReport:
    """Charge for centres, then find them, with noise.

    Parameters
    ----------
    file, declared, asked
        As in ``plan_kmeans``.
    analyst, key
        Who gets the answer, and the idempotency key, for the ledger.
    notify
        Told that a signing key was made for the ledger's receipt, and that the book keeps another
        budget than the policy declares.
    progress
        Called now and then with how much of a long scan is done, and of how much.
    """
    from sfumato.learning import KMeans

    table = _opened(file, declared, asked)
    model = KMeans(**_in_domain(asked))
    cost = _cost_of_fit(model.plan(table=table))
    with (
        charging(file, declared, table.policy, notify=notify, progress=progress),
        naming_another_book(table.policy, cost),
    ):
        model.fit(table, analyst=analyst, key=key)
    return KMeansReport(found=found_by(model))


def _opened(file: str, declared: Mapping[str, Any], asked: Mapping[str, Any]) -> PrivateTable:
    """Return the private table; columns of a CSV file that lie in a ball hold numbers.

    Bounds say so of a column, and a ball is there instead of them.
    """
    table = open_private(file, declared)
    if asked.get("l1_ball") is None or not table.source.is_text:
        return table
    named = [each for each in asked.get("columns") or () if each in table.columns]
    untold = {each: "number" for each in named if table.policy.column(each).implied_type is None}
    types = {**untold, **(declared.get("types") or {})}
    return open_private(file, {**declared, "types": types}) if types else table


def _in_domain(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``sf.KMeans``: the radius of a ball around 0 becomes its domain."""
    from sfumato.learning import L1Ball

    rest = {name: each for name, each in asked.items() if name != "l1_ball"}
    radius = asked.get("l1_ball")
    return rest if radius is None else {**rest, "domain": L1Ball(radius=radius)}


def _cost_of_fit(plan: Plan) -> IntendedCharge:
    """Return what the guarantee of a plan costs; of a table there always is one."""
    guarantee: Any = plan.guarantee
    return IntendedCharge(
        epsilon=float(guarantee.exact_epsilon), delta=getattr(guarantee, "exact_delta", None)
    )
