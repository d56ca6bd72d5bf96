"""autodp: Rényi divergences, characteristic functions, and the analytic Gaussian."""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.peers.method import Answer, Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.peers.cases import Case, Part


def mechanism(part: Part, **described: bool) -> Any:
    """Return one draw of a part, described by Rényi divergences or characteristic functions."""
    zoo = import_module("autodp.mechanism_zoo")
    make: dict[str, Callable[[float], Any]] = {
        "gaussian": lambda sigma: zoo.GaussianMechanism(sigma, approxDP_off=True, **described),
        "laplace": lambda scale: zoo.LaplaceMechanism(scale, **described),
        "randomized response": lambda epsilon: zoo.RandresponseMechanism(
            1 / (1 + math.exp(-epsilon)), **described
        ),
    }
    return make[part.mechanism](part.parameter)


def sampled(part: Part) -> Any:
    """Return one draw on a Poisson sample, by the tighter theorem for Gaussian noise."""
    amplify = import_module("autodp.transformer_zoo").AmplificationBySampling(PoissonSampling=True)
    once = mechanism(part)
    return once if part.rate == 1 else amplify(once, part.rate, improved_bound_flag=True)


def renyi_answer(case: Case) -> Answer:
    """Return the ε of the added Rényi divergences."""
    compose = import_module("autodp.transformer_zoo").Composition()
    total = compose([sampled(part) for part in case.parts], [part.count for part in case.parts])
    return Answer(upper=float(total.get_approxDP(case.delta)))


def fourier_answer(case: Case) -> Answer:
    """Return the ε of the analytical Fourier accountant."""
    compose = import_module("autodp.transformer_zoo").ComposeAFA()
    losses = [mechanism(part, phi_off=False, RDP_off=True) for part in case.parts]
    total = compose(losses, [part.count for part in case.parts])
    return Answer(upper=float(total.get_approxDP(case.delta)))


def closed_form_answer(case: Case) -> Answer:
    """Return the analytic ε of one Gaussian, found to a tolerance."""
    exact = import_module("autodp.mechanism_zoo").ExactGaussianMechanism(case.parts[0].parameter)
    return Answer(upper=float(exact.get_approxDP(case.delta)))


METHODS = (
    Method("RDP", renyi_answer),
    Method(
        "Fourier",
        fourier_answer,
        certified=False,
        covers=lambda case: not case.is_sampled,
    ),
    Method(
        "closed form",
        closed_form_answer,
        certified=False,
        covers=lambda case: case.is_one_gaussian,
    ),
)
