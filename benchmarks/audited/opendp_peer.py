"""OpenDP: a vector at a time, each entry a number of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.audited.case import DELTA, EPSILON, SIGMA, Case

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = (
    Case("laplace"),
    Case("gaussian", delta=DELTA),
    Case("laplace", is_whole=True),
    Case("gaussian", DELTA, is_whole=True),
)


def sampler(case: Case) -> Callable[[Any, int], list[Any]]:
    """Return a function of a value and a size: so many outputs."""
    package = import_module("opendp.prelude")
    package.enable_features("contrib")
    atoms = package.atom_domain(T=int) if case.is_whole else package.atom_domain(T=float, nan=False)
    metric = {"laplace": package.l1_distance, "gaussian": package.l2_distance}[case.mechanism]
    distance = int if case.is_whole and not case.delta else float
    make = getattr(package.m, f"make_{case.mechanism}")
    scale = SIGMA if case.delta else 1 / EPSILON
    measurement = make(package.vector_domain(atoms), metric(T=distance), scale=scale)
    return lambda value, size: list(measurement([value] * size))
