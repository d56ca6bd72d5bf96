"""dp-accounting: privacy loss distributions on grids, Rényi divergences, a closed form.

The distributions are built by its functions, not by its events: those refuse randomized response
beside additive noise.
"""

from __future__ import annotations

import math
from functools import partial, reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.peers.method import Answer, Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.peers.cases import Case, Part


def loss(part: Part, interval: float) -> Any:
    """Return the distribution of the privacy loss of a part, repeated."""
    losses = import_module("dp_accounting.pld.privacy_loss_distribution")
    grid = {"value_discretization_interval": interval}
    if part.mechanism == "gaussian" and part.rate == 1:
        return losses.from_gaussian_mechanism(part.parameter / math.sqrt(part.count), **grid)
    make: dict[str, Callable[..., Any]] = {
        "gaussian": partial(losses.from_gaussian_mechanism, sampling_prob=part.rate),
        "laplace": partial(losses.from_laplace_mechanism, sampling_prob=part.rate),
        "randomized response": lambda epsilon, **grid: losses.from_randomized_response(
            2 / (1 + math.exp(epsilon)), 2, **grid
        ),
    }
    return make[part.mechanism](part.parameter, **grid).self_compose(part.count)


def grid_answer(case: Case, interval: float) -> Answer:
    """Return the pessimistic ε of the composed distributions."""
    total = reduce(lambda left, right: left.compose(right), (loss(p, interval) for p in case.parts))
    return Answer(upper=float(total.get_epsilon_for_delta(case.delta)))


def event(part: Part) -> Any:
    """Return a part as an event of the package."""
    package = import_module("dp_accounting")
    make = {
        "gaussian": package.GaussianDpEvent,
        "laplace": package.LaplaceDpEvent,
        "randomized response": lambda epsilon: package.RandomizedResponseDpEvent(
            2 / (1 + math.exp(epsilon)), 2
        ),
    }
    once = make[part.mechanism](part.parameter)
    sampled = once if part.rate == 1 else package.PoissonSampledDpEvent(part.rate, once)
    return package.SelfComposedDpEvent(sampled, part.count)


def renyi_answer(case: Case) -> Answer:
    """Return the ε of the Rényi accountant with its own orders."""
    accountant = import_module("dp_accounting.rdp").RdpAccountant()
    for part in case.parts:
        accountant.compose(event(part))
    return Answer(upper=float(accountant.get_epsilon(case.delta)))


def closed_form_answer(case: Case) -> Answer:
    """Return the analytic ε of one Gaussian, found to a tolerance."""
    package = import_module("dp_accounting")
    return Answer(upper=float(package.get_epsilon_gaussian(case.parts[0].parameter, case.delta)))


METHODS = (
    Method("PLD 1e-3", partial(grid_answer, interval=1e-3)),
    Method("PLD 1e-4 (default)", partial(grid_answer, interval=1e-4)),
    Method("PLD 1e-5", partial(grid_answer, interval=1e-5)),
    Method("RDP", renyi_answer),
    Method(
        "closed form",
        closed_form_answer,
        certified=False,
        covers=lambda case: case.is_one_gaussian,
    ),
)
