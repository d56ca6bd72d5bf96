"""Arithmetic that would make sense in a book without the word privacy."""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.numeric.exact import Ln, as_fmpq, exact, is_exact, shown

if TYPE_CHECKING:
    from sfumato.numeric.ball import Enclosure, as_ball
    from sfumato.numeric.beta import beta_above, beta_below, beta_quantile, reciprocal_sum
    from sfumato.numeric.cached import cached_property
    from sfumato.numeric.checks import (
        check_base,
        check_epsilon,
        check_order,
        check_probability,
        check_tolerance,
        read_count,
    )
    from sfumato.numeric.disc import Disc, complex_expm1
    from sfumato.numeric.exact import meant, rational, rational_exponential, whole
    from sfumato.numeric.exponentials import Exponentials
    from sfumato.numeric.logspace import log_mean_exp, log_sum_exp, weighted_sum
    from sfumato.numeric.precision import decide_sign, nearest_float, working_precision
    from sfumato.numeric.rounding import (
        any_float,
        digits_above,
        digits_below,
        float_above,
        float_below,
        fraction_below,
    )
    from sfumato.numeric.search import Bracket, bracket_root, bracket_threshold

__all__ = [
    "Bracket",
    "Disc",
    "Enclosure",
    "Exponentials",
    "Ln",
    "any_float",
    "as_ball",
    "as_fmpq",
    "bracket_root",
    "bracket_threshold",
    "check_base",
    "check_epsilon",
    "check_order",
    "check_probability",
    "check_tolerance",
    "complex_expm1",
    "decide_sign",
    "exact",
    "float_above",
    "float_below",
    "fraction_below",
    "is_exact",
    "log_mean_exp",
    "log_sum_exp",
    "nearest_float",
    "read_count",
    "shown",
    "weighted_sum",
    "working_precision",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "ball": "Enclosure as_ball",
            "beta": "beta_above beta_below beta_quantile reciprocal_sum",
            "cached": "cached_property",
            "checks": (
                "check_base check_epsilon check_order check_probability check_tolerance read_count"
            ),
            "disc": "Disc complex_expm1",
            "exact": "meant rational rational_exponential whole",
            "exponentials": "Exponentials",
            "logspace": "log_mean_exp log_sum_exp weighted_sum",
            "precision": "decide_sign nearest_float working_precision",
            "rounding": (
                "any_float digits_above digits_below float_above float_below fraction_below"
            ),
            "search": "Bracket bracket_root bracket_threshold",
        },
    )
