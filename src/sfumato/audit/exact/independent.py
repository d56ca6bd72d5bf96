"""Distributions of several parts drawn independently: what does not differ cancels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.audit.comparison import Interval
from sfumato.audit.exact.distribution import (
    distribution_of_table,
    is_finite_distribution,
    read_finite_distribution,
)
from sfumato.audit.exact.outcomes import has_columns, input_key, is_data, rows_of
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.refusal import Given, text
from sfumato.translation import mark, tr


@dataclass(frozen=True)
class Independent:
    """Several distributions drawn independently of one another; an outcome is the tuple of theirs.

    Parameters
    ----------
    factors
        The distributions of the parts, in order.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.audit.exact.independent import Independent
    >>> coin = {"heads": 1, "tails": 1}
    >>> bent = {"heads": 2, "tails": 1}
    >>> twice = {"fair": Independent([coin, coin]), "bent": Independent([bent, bent])}
    >>> sf.verify(twice, epsilon=1).epsilon.exact
    Ln(9/4)
    """

    factors: tuple[Any, ...]

    def __init__(self, factors: Iterable[Any]) -> None:
        object.__setattr__(self, "factors", tuple(factors))

    @classmethod
    def of(cls, distribution: Any) -> Independent | None:
        """Return a distribution that has ``factors`` as one of this class; None for any other.

        Examples
        --------
        >>> from sfumato.audit.exact.independent import Independent
        >>> Independent.of({"yes": 1}) is None
        True
        """
        if isinstance(distribution, Independent):
            return distribution
        factors = None if is_data(distribution) else getattr(distribution, "factors", None)
        return None if factors is None else cls(factors)

    def read(self, where: Given) -> Independent:
        """Return the same with every finite distribution read; ``where`` names it in an error.

        Examples
        --------
        >>> from sfumato.audit.exact.independent import Independent
        >>> Independent([[1, 1]]).read("the input 0").factors[0].total
        2
        """
        return Independent(
            _read_part(part, text("part {place} of {where}", place=place, where=where))
            for place, part in enumerate(self.factors)
        )

    def __repr__(self) -> str:
        return f"<Independent distribution {in_parts(len(self.factors))}>"


def _read_part(distribution: Any, where: Given) -> Any:
    within = Independent.of(distribution)
    if within is not None:
        return within.read(where)
    finite = is_finite_distribution(distribution)
    return read_finite_distribution(distribution, where) if finite else distribution


def in_parts(count: int) -> str:
    """Return of how many parts something is, in words."""
    return mark("of one part") if count == 1 else tr("of {count:,} parts", count=count)


@dataclass(frozen=True, init=False)
class Parts:
    """The outputs that have certain outcomes at certain places, and anything elsewhere.

    Examples
    --------
    >>> from sfumato.audit.exact.independent import Parts
    >>> found = Parts({3: ["yes"]})
    >>> found
    with 'yes' at index 3
    >>> ("no", "no", "no", "yes") in found
    True
    """

    allowed: tuple[tuple[int, tuple[Hashable, ...]], ...]

    def __init__(self, allowed: Mapping[int, Sequence[Hashable]]) -> None:
        held = tuple((place, tuple(found)) for place, found in sorted(allowed.items()))
        object.__setattr__(self, "allowed", held)

    def together(self, other: Parts) -> Parts:
        """Return the outputs that are in both, for other places.

        Examples
        --------
        >>> from sfumato.audit.exact.independent import Parts
        >>> Parts({0: ["yes"]}).together(Parts({1: ["no"]}))
        with 'yes' at index 0 and 'no' at index 1
        """
        return Parts(dict((*self.allowed, *other.allowed)))

    def __contains__(self, output: object) -> bool:
        return isinstance(output, tuple) and all(
            place < len(output) and any(_is_among(output[place], each) for each in found)
            for place, found in self.allowed
        )

    def __repr__(self) -> str:
        listed = [
            f"{' or '.join(map(_said, found))} at index {place}" for place, found in self.allowed
        ]
        return f"with {' and '.join(listed)}"


def _is_among(outcome: Any, allowed: Any) -> bool:
    """Tell whether an outcome is the one allowed, or one of those."""
    if isinstance(allowed, Parts):
        return outcome in allowed
    if not isinstance(allowed, Interval):
        return bool(outcome == allowed)
    low, high = allowed.low, allowed.high
    return (low is None or low <= outcome) and (high is None or outcome <= high)


def _said(outcome: Hashable) -> str:
    if isinstance(outcome, Parts):
        return f"({outcome})"
    return str(outcome) if isinstance(outcome, Interval) else shown(outcome)


class Each:
    """A mechanism that treats every row of a table by itself; see `each`."""

    def __init__(self, row_distribution: Callable[[Any], Any]) -> None:
        self._row_distribution = row_distribution
        self._known: dict[Any, Any] = {}

    def distribution(self, table: Any) -> Any:
        """Return the output distribution for a table: its rows are independent."""
        if has_columns(table):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "each takes a table as a list of its rows, not as a frame",
                "write [row, ...]",
            )
        rows = table if isinstance(table, (tuple, list)) else rows_of(table)
        return self._of_row(table) if rows is None else Independent(map(self._of_row, rows))

    def _of_row(self, row: Any) -> Any:
        try:
            key = input_key(row)
        except TypeError:
            return self._read(row)
        if key not in self._known:
            self._known[key] = self._read(row)
        return self._known[key]

    def _read(self, row: Any) -> Any:
        distribution = self._row_distribution(row)
        return (
            read_finite_distribution(distribution, text("the row {row}", row=shown(row)))
            if is_finite_distribution(distribution)
            else distribution
        )


def each(row_distribution: Any) -> Each:
    """Return the mechanism that gives out something for every row by itself, as a survey does.

    Neighbours that differ in one row then differ in one part of the output only, and all others
    cancel: a survey of many people is judged by the pairs of answers of one.

    Parameters
    ----------
    row_distribution
        The output distribution for one row: a function, a table from rows to distributions, or an
        object with a method ``distribution``.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.audit.exact.datasets import Datasets
    >>> from sfumato.audit.exact.independent import each
    >>> survey = each({0: {0: 2, 1: 1}, 1: {0: 1, 1: 2}})
    >>> verdict = sf.verify(survey, epsilon="ln(2)", inputs=Datasets([0, 1], size=20))
    >>> verdict.lines()[0]
    'proved: ln(2)-DP holds on all 10,485,760 pairs of neighbouring tables of 20 rows'
    """
    if isinstance(row_distribution, Mapping):
        return Each(distribution_of_table(row_distribution))
    found = getattr(row_distribution, "distribution", row_distribution)
    if not callable(found):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "each takes the distribution of one row, a function of a row, not {row_distribution}",
            row_distribution=shown(row_distribution),
        )
    return Each(found)
