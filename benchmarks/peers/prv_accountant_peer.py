"""prv-accountant: both ends of ε, from privacy random variables on a grid."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.peers.method import Answer, Method

if TYPE_CHECKING:
    from benchmarks.peers.cases import Case, Part


def loss(part: Part) -> Any:
    """Return the privacy random variable of one draw of a part."""
    package = import_module("prv_accountant")
    if part.rate < 1:
        return package.PoissonSubsampledGaussianMechanism(part.rate, part.parameter)
    make = {
        "gaussian": package.GaussianMechanism,
        "laplace": lambda scale: package.LaplaceMechanism(mu=1 / scale),
        "randomized response": package.PureDPMechanism,
    }
    return make[part.mechanism](part.parameter)


def answer(case: Case, error: float) -> Answer:
    """Return both ends, for an error in ε and a thousandth of δ."""
    counts = [part.count for part in case.parts]
    accountant = import_module("prv_accountant").PRVAccountant(
        prvs=[loss(part) for part in case.parts],
        max_self_compositions=counts,
        eps_error=error,
        delta_error=case.delta / 1000,
    )
    lower, _, upper = accountant.compute_epsilon(case.delta, counts)
    return Answer(lower=float(lower), upper=float(upper))


METHODS = (
    Method("±0.01", partial(answer, error=0.01)),
    Method("±0.001", partial(answer, error=0.001)),
)
