"""Private k-means of a table that a file holds, planned or fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.application.learning.kmeans_report import KMeansPlanReport, KMeansReport
from sfumato.application.tables.asking import charging, open_private
from sfumato.application.tables.fitting import fit_of
from sfumato.application.tables.openers import (
    IntendedCharge,
    name_another_book,
    naming_another_book,
)
from sfumato.learning.kmeans.found import found_by
from sfumato.ledger import Price

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.learning import Plan

__all__ = ["fit_kmeans", "plan_kmeans"]


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
        As in ``sf.KMeans``.
    """
    from sfumato.learning import KMeans

    table = open_private(file, declared)
    plan = KMeans(**asked).plan(table=table)
    price = Price(plan.event, plan.guarantee)
    fit = fit_of(table.policy, price, analyst)
    name_another_book(fit.refused, table.policy, _cost(plan))
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

    table = open_private(file, declared)
    model = KMeans(**asked)
    cost = _cost(model.plan(table=table))
    with (
        charging(file, declared, table.policy, notify=notify, progress=progress),
        naming_another_book(table.policy, cost),
    ):
        model.fit(table, analyst=analyst, key=key)
    return KMeansReport(found=found_by(model))


def _cost(plan: Plan) -> IntendedCharge:
    guarantee = plan.guarantee
    return IntendedCharge(
        epsilon=float(guarantee.exact_epsilon), delta=getattr(guarantee, "exact_delta", None)
    )
