"""What was measured, under which limit, and with which noise, as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.mechanisms import DiscreteLaplace
from sfumato.privacy.events.wording import plain
from sfumato.tables.expressions import document

if TYPE_CHECKING:
    from sfumato.mechanisms import DiscreteGaussian
    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.factors import Factor
    from sfumato.tables.plan.measurements import Measurement


def measured_document(measurement: Measurement) -> dict[str, Any]:
    """Return what a row adds to a sum."""
    if measurement.weighing == "people":
        return {"measured": "people"}
    present = [document(each) for each in measurement.needed]
    if not measurement.factors:
        return {"measured": "absent" if measurement.absent else "rows", "present": present}
    return {
        "measured": "sum",
        "factors": [factor_document(each) for each in measurement.factors],
        "centre": plain(measurement.centre),
        "grid": plain(measurement.step),
        "most": measurement.most,
        "turned": measurement.turned,
        "present": present,
    }


def factor_document(factor: Factor) -> dict[str, Any]:
    """Return a column of numbers as it is added up."""
    return {
        "of": document(factor.of),
        "low": plain(factor.low),
        "high": plain(factor.high),
        "shift": plain(factor.shift),
        "complete": factor.complete,
        "whole": factor.whole,
    }


def limit_document(contribution: Contribution, name: str) -> dict[str, Any] | None:
    """Return how much of a person counts; None where each row is protected by itself."""
    if contribution.column is None:
        return None
    limit = contribution.limits[name]
    most = None if limit.most is None else plain(limit.most)
    return {"name": name, "weighing": limit.weighing, "norm": limit.norm, "most": most}


def noise_document(noise: DiscreteLaplace | DiscreteGaussian) -> dict[str, Any]:
    """Return what was added to each number, in fine steps."""
    if isinstance(noise, DiscreteLaplace):
        return {"noise": "discrete_laplace", "scale": plain(noise.scale)}
    return {"noise": "discrete_gaussian", "sigma": plain(noise.sigma)}
