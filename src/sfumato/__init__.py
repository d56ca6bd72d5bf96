"""Sfumato: the picture stays, the person blurs.

For people who hold a table about people: see how exposed it is, answer questions about it under
differential privacy, and let anyone re-check the guarantee.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.printing.plotting import draw_in

if TYPE_CHECKING:
    from sfumato import (
        charts,
        information,
        learning,
        ledger,
        mechanisms,
        privacy,
        risk,
        sampling,
        survey,
        tables,
    )
    from sfumato.application import measure_divergence, measure_entropy
    from sfumato.audit import audit, verify
    from sfumato.errors import (
        BudgetError,
        InputError,
        InternalError,
        RefusedError,
        SfumatoError,
        StoreError,
    )
    from sfumato.learning import KMeans
    from sfumato.ledger import Ledger
    from sfumato.mechanisms import (
        DiscreteGaussian,
        DiscreteLaplace,
        Exponential,
        Gaussian,
        Laplace,
        PermuteAndFlip,
        RandomizedResponse,
        SampleAndAggregate,
        SparseVector,
    )
    from sfumato.numeric import Enclosure, Ln
    from sfumato.privacy import (
        AddRemove,
        ApproxDP,
        GaussianDP,
        Person,
        PureDP,
        RenyiDP,
        Row,
        Substitute,
        ZeroConcentratedDP,
        calibrate,
        compose,
        events,
    )
    from sfumato.risk import anonymize
    from sfumato.survey import Survey
    from sfumato.tables import (
        Expression,
        Plan,
        PrivateTable,
        PublicTable,
        Query,
        Release,
        coalesce,
        col,
        count,
        covariance,
        greatest,
        histogram,
        least,
        lit,
        maximum,
        mean,
        median,
        minimum,
        mode,
        open,  # noqa: A004
        people,
        public,
        quantile,
        quantiles,
        sample_aggregate,
        std,
        sum,  # noqa: A004
        table,
        top_k,
        variance,
        when,
    )

__version__ = "0.1.0"

__all__ = [
    "AddRemove",
    "ApproxDP",
    "BudgetError",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Enclosure",
    "Exponential",
    "Expression",
    "Gaussian",
    "GaussianDP",
    "InputError",
    "InternalError",
    "KMeans",
    "Laplace",
    "Ledger",
    "Ln",
    "PermuteAndFlip",
    "Person",
    "Plan",
    "PrivateTable",
    "PublicTable",
    "PureDP",
    "Query",
    "RandomizedResponse",
    "RefusedError",
    "Release",
    "RenyiDP",
    "Row",
    "SampleAndAggregate",
    "SfumatoError",
    "SparseVector",
    "StoreError",
    "Substitute",
    "Survey",
    "ZeroConcentratedDP",
    "__version__",
    "anonymize",
    "audit",
    "calibrate",
    "charts",
    "coalesce",
    "col",
    "compose",
    "count",
    "covariance",
    "events",
    "greatest",
    "histogram",
    "information",
    "learning",
    "least",
    "ledger",
    "lit",
    "maximum",
    "mean",
    "measure_divergence",
    "measure_entropy",
    "mechanisms",
    "median",
    "minimum",
    "mode",
    "open",
    "people",
    "privacy",
    "public",
    "quantile",
    "quantiles",
    "risk",
    "sample_aggregate",
    "sampling",
    "std",
    "sum",
    "survey",
    "table",
    "tables",
    "top_k",
    "variance",
    "verify",
    "when",
]

#: Where each name lives; its room is loaded when the name is first used.
_HOMES = {
    **dict.fromkeys(
        (
            "AddRemove",
            "ApproxDP",
            "GaussianDP",
            "Person",
            "PureDP",
            "RenyiDP",
            "Row",
            "Substitute",
            "ZeroConcentratedDP",
            "calibrate",
            "compose",
            "events",
        ),
        "sfumato.privacy",
    ),
    **dict.fromkeys(
        (
            "DiscreteGaussian",
            "DiscreteLaplace",
            "Exponential",
            "Gaussian",
            "Laplace",
            "PermuteAndFlip",
            "RandomizedResponse",
            "SampleAndAggregate",
            "SparseVector",
        ),
        "sfumato.mechanisms",
    ),
    **dict.fromkeys(
        (
            "Expression",
            "Plan",
            "PrivateTable",
            "PublicTable",
            "Query",
            "Release",
            "coalesce",
            "col",
            "count",
            "covariance",
            "greatest",
            "histogram",
            "least",
            "lit",
            "maximum",
            "mean",
            "median",
            "minimum",
            "mode",
            "open",
            "people",
            "public",
            "quantile",
            "quantiles",
            "sample_aggregate",
            "std",
            "sum",
            "table",
            "top_k",
            "variance",
            "when",
        ),
        "sfumato.tables",
    ),
    "BudgetError": "sfumato.errors",
    "Enclosure": "sfumato.numeric",
    "InputError": "sfumato.errors",
    "InternalError": "sfumato.errors",
    "KMeans": "sfumato.learning",
    "Ledger": "sfumato.ledger",
    "Ln": "sfumato.numeric",
    "RefusedError": "sfumato.errors",
    "SfumatoError": "sfumato.errors",
    "StoreError": "sfumato.errors",
    "Survey": "sfumato.survey",
    "anonymize": "sfumato.risk",
    "measure_divergence": "sfumato.application",
    "measure_entropy": "sfumato.application",
    "verify": "sfumato.audit",
}

draw_in("sfumato.charts")


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in __all__:
        return import_module(f"sfumato.{name}")
    message = f"module 'sfumato' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
