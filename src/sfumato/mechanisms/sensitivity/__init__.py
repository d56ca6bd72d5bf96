"""How far one change of a table moves a query: declared, derived from it, and tested."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.mechanisms.sensitivity.additive import clipped_sum, clipped_vector_sum, row_count
    from sfumato.mechanisms.sensitivity.declared import Sensitivity, plain_sensitivity
    from sfumato.mechanisms.sensitivity.moments import (
        clipped_covariance,
        clipped_mean,
        clipped_variance,
    )
    from sfumato.mechanisms.sensitivity.queries import histogram, linear_queries
    from sfumato.mechanisms.sensitivity.report import SensitivityReport
    from sfumato.mechanisms.sensitivity.search import check_sensitivity
    from sfumato.mechanisms.sensitivity.statistic import Statistic
    from sfumato.mechanisms.sensitivity.witness import Witness

__all__ = [
    "Sensitivity",
    "SensitivityReport",
    "Statistic",
    "Witness",
    "check_sensitivity",
    "clipped_covariance",
    "clipped_mean",
    "clipped_sum",
    "clipped_variance",
    "clipped_vector_sum",
    "histogram",
    "linear_queries",
    "plain_sensitivity",
    "row_count",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "additive": "clipped_sum clipped_vector_sum row_count",
            "declared": "Sensitivity plain_sensitivity",
            "moments": "clipped_covariance clipped_mean clipped_variance",
            "queries": "histogram linear_queries",
            "search": "check_sensitivity",
            "statistic": "Statistic",
            "report": "SensitivityReport",
            "witness": "Witness",
        },
    )
