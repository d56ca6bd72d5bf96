"""One example of every drawing, for the laws that all of them keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.application.risk.reconstruction import attack_bits
from sfumato.audit import exposure, extraction, membership
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


_TABLE = sf.information.Joint([[30, 10], [20, 40]], variables=["smoker", "ill"])

#: What is drawn, by a name that says it; the name before the dash is the function's.
PICTURES: dict[str, Callable[[], Chart]] = {
    "budget": lambda: with_ledger(lambda ledger: ledger.plot("patients")),
    "budgets": lambda: with_ledger(lambda ledger: ledger.plot()),
    "canaries": lambda: exposure(len, ["a 1", "a 7"], space="a #", epsilon=1).plot(),
    "exposure-classes": lambda: exposed().plot("classes"),
    "exposure-columns": lambda: exposed().plot("columns"),
    "exposure-information": lambda: exposed().plot("information"),
    "extraction": lambda: extraction(
        lambda _, length: "a" * length, ["a" * 100, "b" * 100], controls=["c" * 100]
    ).plot(),
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
    "guarantee-renyi": lambda: sf.privacy.GaussianDP(mu=1).plot("renyi"),
    "guarantees-renyi": lambda: sf.charts.guarantees(_TWO, of="renyi"),
    "binary_entropy": lambda: sf.charts.binary_entropy(0.25),
    "distributions-one": lambda: sf.charts.distributions({"p": [3, 1]}),
    "distributions-two": lambda: sf.charts.distributions({"p": [3, 1], "q": [1, 1]}),
    "information_content": sf.charts.information_content,
    "joint": lambda: sf.charts.joint(_TABLE),
    "neighbours": lambda: sf.charts.neighbours(["a", "b"], ["a", "c"]),
    "orders-entropy": lambda: sf.charts.orders([4, 2, 1, 1]),
    "orders-divergence": lambda: sf.charts.orders([4, 2, 1, 1], [1, 1, 1, 1]),
    "prefix_code": lambda: sf.information.huffman([5, 2, 2, 1, 1]).plot(),
    "two_events": sf.charts.two_events,
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
    "mechanism-loss": lambda: sf.mechanisms.DiscreteLaplace(epsilon=1).plot(of="loss"),
    "membership": lambda: membership([1, 1, 0], [0, 0, 1], epsilon=1).plot(),
}
