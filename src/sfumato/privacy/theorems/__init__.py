"""Theorems about privacy as functions of numbers: composition, groups, conversions, exact curves.

Each function is one theorem, with its conditions.  Parameters are exact: a float is read as the
decimal that was written.  Results are on the safe side: an upper bound is rounded up, both as the
float it is and as the decimal it prints, so it can be handed on; where a quantity is known exactly
the floats around it are given, as an ``Enclosure``.
"""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.theorems.azuma import azuma_tail, azuma_threshold
    from sfumato.privacy.theorems.bounded_range import (
        bounded_range_delta,
        bounded_range_epsilon,
        bounded_range_zcdp,
    )
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike, read_probability
    from sfumato.privacy.theorems.composition import (
        Bound,
        advanced_composition,
        basic_composition,
        tight_advanced_composition,
    )
    from sfumato.privacy.theorems.conversion import (
        pure_to_gaussian,
        pure_to_zcdp,
        renyi_to_delta,
        renyi_to_epsilon,
        zcdp_to_delta,
        zcdp_to_epsilon,
    )
    from sfumato.privacy.theorems.gaussian import (
        analytic_sigma,
        classical_sigma,
        gaussian_delta,
        gaussian_epsilon,
    )
    from sfumato.privacy.theorems.group import (
        RenyiBound,
        approximate_group,
        gaussian_group,
        pure_group,
        renyi_group,
        zcdp_group,
    )
    from sfumato.privacy.theorems.laplace import (
        laplace_delta,
        laplace_epsilon,
        randomized_response_delta,
        randomized_response_epsilon,
    )
    from sfumato.privacy.theorems.optimal import optimal_delta, optimal_epsilon

__all__ = [
    "Bound",
    "RenyiBound",
    "advanced_composition",
    "analytic_sigma",
    "approximate_group",
    "azuma_tail",
    "azuma_threshold",
    "basic_composition",
    "bounded_range_delta",
    "bounded_range_epsilon",
    "bounded_range_zcdp",
    "classical_sigma",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_group",
    "laplace_delta",
    "laplace_epsilon",
    "optimal_delta",
    "optimal_epsilon",
    "pure_group",
    "pure_to_gaussian",
    "pure_to_zcdp",
    "randomized_response_delta",
    "randomized_response_epsilon",
    "renyi_group",
    "renyi_to_delta",
    "renyi_to_epsilon",
    "tight_advanced_composition",
    "zcdp_group",
    "zcdp_to_delta",
    "zcdp_to_epsilon",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "azuma": "azuma_tail azuma_threshold",
            "bounded_range": "bounded_range_delta bounded_range_epsilon bounded_range_zcdp",
            "certified": "EpsilonLike NumberLike read_probability",
            "composition": (
                "Bound advanced_composition basic_composition tight_advanced_composition"
            ),
            "conversion": (
                "pure_to_gaussian pure_to_zcdp renyi_to_delta renyi_to_epsilon zcdp_to_delta "
                "zcdp_to_epsilon"
            ),
            "gaussian": "analytic_sigma classical_sigma gaussian_delta gaussian_epsilon",
            "group": (
                "RenyiBound approximate_group gaussian_group pure_group renyi_group zcdp_group"
            ),
            "laplace": (
                "laplace_delta laplace_epsilon randomized_response_delta "
                "randomized_response_epsilon"
            ),
            "optimal": "optimal_delta optimal_epsilon",
        },
    )
