"""Distributions on the real line; their divergences are enclosed by valid bounds, or refused."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.information.continuous.adapters import as_continuous, is_continuous
    from sfumato.information.continuous.cauchy import (
        Cauchy,
        cauchy_maximum,
        cauchy_region,
        exact_cauchy_maximum,
    )
    from sfumato.information.continuous.declared import Declared
    from sfumato.information.continuous.declared_pair import refuse_contradictions
    from sfumato.information.continuous.distributions import ContinuousDistribution
    from sfumato.information.continuous.families import (
        Exponential,
        Gaussian,
        Laplace,
        Logistic,
        Symmetric,
        Uniform,
    )
    from sfumato.information.continuous.measures import (
        bits_for,
        exact_maximum,
        exact_renyi,
        excess_of,
        half_line_above,
        half_line_of_maximum,
        pair_of,
    )
    from sfumato.information.continuous.mixture import Mixture
    from sfumato.information.continuous.pairs import Cell, Point, mass
    from sfumato.information.continuous.region import excess_cells, least_level

__all__ = [
    "ContinuousDistribution",
    "Declared",
    "Exponential",
    "Gaussian",
    "Laplace",
    "Logistic",
    "Mixture",
    "Uniform",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "adapters": "as_continuous is_continuous",
            "cauchy": "Cauchy cauchy_maximum cauchy_region exact_cauchy_maximum",
            "declared": "Declared",
            "declared_pair": "refuse_contradictions",
            "distributions": "ContinuousDistribution",
            "families": "Exponential Gaussian Laplace Logistic Symmetric Uniform",
            "measures": (
                "bits_for exact_maximum exact_renyi excess_of half_line_above "
                "half_line_of_maximum pair_of"
            ),
            "mixture": "Mixture",
            "pairs": "Cell Point mass",
            "region": "excess_cells least_level",
        },
    )
