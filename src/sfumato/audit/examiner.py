"""Examining pairs of inputs both ways, each pair of distributions once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.audit.enclosed import compare_distributions, is_distribution
from sfumato.audit.exact.distribution import is_finite_distribution, read_finite_distribution
from sfumato.audit.exact.finite import compare_finite
from sfumato.audit.exact.independent import Independent
from sfumato.audit.exact.placed import PlacedComparison
from sfumato.audit.exact.product import compare_products
from sfumato.audit.exact.tables import input_key
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.refusal import text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sfumato.audit.comparison import Comparison
    from sfumato.audit.worst import Worst

__all__ = ["Examiner"]


class Examiner:
    """Compares the output distributions of neighbouring inputs, equal pairs of them once."""

    def __init__(self, distribution: Callable[[Any], Any], worst: Worst, effort: int) -> None:
        self._distribution, self._worst, self._effort = distribution, worst, effort
        self._numbers: dict[Hashable, int] = {}
        self._distributions: list[Any] = []
        self._of_input: dict[Hashable, int] = {}
        self._seen: set[tuple[int, int]] = set()

    def examine(self, first: Any, second: Any) -> None:
        """Compare the distributions of two inputs, both ways."""
        p, q = self._number_of(first), self._number_of(second)
        for left, right, inputs in ((p, q, (first, second)), (q, p, (second, first))):
            if (left, right) not in self._seen:
                self._seen.add((left, right))
                self._worst.add(
                    self._compare(self._distributions[left], self._distributions[right]), inputs
                )

    def _number_of(self, value: Any) -> int:
        """Return the number of an input's output distribution; equal ones have one number."""
        try:
            key = input_key(value)
        except TypeError:
            return self._numbered(value)
        if key not in self._of_input:
            self._of_input[key] = self._numbered(value)
        return self._of_input[key]

    def _numbered(self, value: Any) -> int:
        distribution = self._read(value)
        key = _key(distribution)
        if key not in self._numbers:
            self._numbers[key] = len(self._distributions)
            self._distributions.append(distribution)
        return self._numbers[key]

    def _read(self, value: Any) -> Any:
        distribution = self._distribution(value)
        where = text("the input {value}", value=shown(value))
        parts = Independent.of(distribution)
        if parts is not None:
            return parts.read(where)
        if is_finite_distribution(distribution):
            return read_finite_distribution(distribution, where)
        if not is_distribution(distribution):
            raise InputError(
                "E-DISTRIBUTION-FORM",
                "the distribution for {where} must give outcomes their probabilities, not be "
                "{distribution}",
                "return {{'yes': '2/3', 'no': '1/3'}}, say, or a density",
                where=where,
                distribution=shown(distribution),
            )
        return distribution

    def _compare(self, p: Any, q: Any) -> Comparison:
        if is_finite_distribution(p) and is_finite_distribution(q):
            return compare_finite(p, q, effort=self._effort)
        if isinstance(p, Independent) and isinstance(q, Independent):
            return self._compare_parts(p, q)
        return compare_distributions(p, q, effort=self._effort)

    def _compare_parts(self, p: Independent, q: Independent) -> Comparison:
        """Compare distributions of independent parts, exactly if those that differ are exact."""
        found = compare_products(p, q)
        if found is not None:
            return found
        parts = enumerate(zip(p.factors, q.factors, strict=True))
        differing = [(place, pair) for place, pair in parts if pair[0] != pair[1]]
        if len(differing) > 1:
            return compare_distributions(p, q, effort=self._effort)
        ((place, pair),) = differing
        return PlacedComparison(place, self._compare(*pair))


def _key(distribution: Any) -> Hashable:
    """Return what equal distributions share; where that is not known, the identity."""
    try:
        hash(distribution)
    except TypeError:
        return id(distribution)
    found: Hashable = distribution
    return found
