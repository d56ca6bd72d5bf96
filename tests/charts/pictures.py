"""One example of every drawing, for the laws that all of them keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.application.risk.reconstruction import attack_bits
from sfumato.audit import membership
from tests.charts.accounts import exposed, matched, with_ledger
from tests.charts.answered import answers_to, centres_of, estimates

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit import AuditReport
    from sfumato.printing.page import Chart

__all__ = ["PICTURES"]

_TWO = {"pure": sf.PureDP(epsilon=1), "gaussian": sf.privacy.GaussianDP(mu=0.5)}


def _audited() -> AuditReport:
    return sf.audit(lambda x: x, "a", "b", epsilon=1, samples=1000)


#: What is drawn, by a name that says it; the name before the dash is the function's.
PICTURES: dict[str, Callable[[], Chart]] = {
    "budget": lambda: with_ledger(lambda ledger: ledger.plot("patients")),
    "budgets": lambda: with_ledger(lambda ledger: ledger.plot()),
    "exposure-classes": lambda: exposed().plot("classes"),
    "exposure-columns": lambda: exposed().plot("columns"),
    "exposure-information": lambda: exposed().plot("information"),
    "kmeans-centres": lambda: centres_of(2).plot(),
    "kmeans-cost": lambda: centres_of(2).plot("cost"),
    "reconstruction": lambda: attack_bits([0, 1] * 20, epsilons=[1]).plot(),
    "release-groups": lambda: answers_to("sex", n=sf.count(), age=sf.mean("age")).plot(),
    "release-line": lambda: answers_to("year", n=sf.count()).plot(),
    "release-table": lambda: answers_to("ward.[x]", "sex", n=sf.count()).plot(),
    "scoreboard": lambda: matched().plot(),
    "survey": lambda: estimates().plot(),
    "audit-epsilon": lambda: _audited().plot(),
    "audit-rates": lambda: _audited().plot("rates"),
    "guarantee-posterior": lambda: sf.privacy.GaussianDP(mu=1).plot("posterior"),
    "guarantee-profile": lambda: sf.privacy.GaussianDP(mu=1).plot(),
    "guarantee-trade-off": lambda: sf.privacy.GaussianDP(mu=1).plot("trade-off"),
    "guarantees-posterior": lambda: sf.charts.guarantees(_TWO, of="posterior"),
    "guarantees-profile": lambda: sf.charts.guarantees(_TWO),
    "guarantees-trade-off": lambda: sf.charts.guarantees(_TWO, of="trade-off"),
    "channel-beside": lambda: sf.charts.channel(
        sf.information.private_channel(range(5), epsilon=1)
    ),
    "channel-named": lambda: sf.charts.channel(
        sf.information.private_channel("ab", loss="wrong", leakage="1/2")
    ),
    "laplace_densities": sf.charts.laplace_densities,
    "mechanism-choice": lambda: sf.mechanisms.Exponential(epsilon=1, sensitivity=1).plot(
        {"a": 3, "b": 1}
    ),
    "mechanism-answers": lambda: sf.mechanisms.RandomizedResponse(truth="2/3").plot(),
    "mechanism-counts": lambda: sf.mechanisms.DiscreteLaplace(epsilon=1).plot(),
    "mechanism-reals": lambda: sf.mechanisms.Laplace(epsilon=1, sensitivity=1).plot(),
    "membership": lambda: membership([1, 1, 0], [0, 0, 1], epsilon=1).plot(),
}
