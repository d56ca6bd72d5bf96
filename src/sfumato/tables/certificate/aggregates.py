"""What is asked of rows, with all of its options, as a document."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy.events.wording import plain
from sfumato.tables.expressions import Expression, document
from sfumato.tables.release.fingerprint import code_digest
from sfumato.tables.run.content import written_value
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Mean,
    People,
    Sum,
    Variance,
)
from sfumato.tables.tree.sampled import Sampled
from sfumato.tables.tree.selections import Histogram, Maximum, Minimum, Quantiles, TopK

if TYPE_CHECKING:
    from sfumato.tables.tree.aggregates import Aggregate

#: The fields of each kind of aggregate, which is the first that it is an instance of.
_KINDS: tuple[tuple[type[Aggregate], str, tuple[str, ...]], ...] = (
    (Count, "count", ("of",)),
    (People, "people", ()),
    (Sum, "sum", ("of", "bounds")),
    (Mean, "mean", ("of", "bounds", "rows")),
    (Variance, "variance", ("of", "bounds")),
    (Deviation, "std", ("of", "bounds")),
    (Covariance, "covariance", ("of", "other", "bounds", "other_bounds")),
    (Quantiles, "quantiles", ("of", "bounds", "ranks", "confidence")),
    (Minimum, "minimum", ("of", "bounds")),
    (Maximum, "maximum", ("of", "bounds")),
    (Histogram, "histogram", ("of", "edges")),
    (TopK, "top_k", ("of", "count", "values", "method")),
    (Sampled, "sample_aggregate", ("columns", "bounds", "blocks", "default")),
)


def aggregate_document(name: str, aggregate: Aggregate) -> dict[str, Any]:
    """Return what is asked under a name."""
    for kind, word, names in _KINDS:
        if isinstance(aggregate, kind):
            given = {each: written(getattr(aggregate, each)) for each in names}
            known = {"name": name, "aggregate": word} | given
            return known | _function(aggregate) if isinstance(aggregate, Sampled) else known
    raise InputError(
        "E-CERTIFICATE-UNABLE",
        "a certificate cannot say what {aggregate} is",
        "leave the certificate out",
        aggregate=aggregate,
    )


def written(value: Any) -> Any:
    """Return an option as JSON can hold it, numbers exactly."""
    if isinstance(value, Expression):
        return document(value)
    if isinstance(value, Fraction):
        return plain(value)
    return [written(each) for each in value] if isinstance(value, tuple) else written_value(value)


def _function(asked: Sampled) -> dict[str, Any]:
    """Return how the answers of blocks are aggregated, and which function gave them."""
    return {"by": asked.aggregate, "code": code_digest(asked)}
