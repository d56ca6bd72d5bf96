"""The question whether a guarantee is kept on every pair of neighbouring inputs of a mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.audit.comparison import Claim, Comparison, read_claim
from sfumato.audit.enclosed import compare_distributions, is_distribution
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.distribution import (
    distribution_of_table,
    is_finite_distribution,
    read_finite_distribution,
)
from sfumato.audit.exact.finite import EFFORT, compare_finite
from sfumato.audit.exact.independent import Each, Independent
from sfumato.audit.exact.neighbours import (
    Pairs,
    hardest_pairs,
    neighbouring_pairs,
    neighbours_need_inputs,
    rowwise_pairs,
)
from sfumato.audit.exact.outcomes import column_of, has_columns, input_key, is_data
from sfumato.audit.exact.product import PlacedComparison, compare_products
from sfumato.audit.verdict import Verdict, Worst
from sfumato.errors import InputError
from sfumato.information import Channel, frame_axes
from sfumato.numeric import read_count, shown
from sfumato.privacy import Substitute
from sfumato.refusal import Argument, text


@dataclass(frozen=True)
class Subject:
    """A mechanism as a verdict sees it.

    Attributes
    ----------
    distribution
        The function from an input to the output distribution.
    inputs
        The inputs that it knows; None where any can be given.
    itself
        The object that was given, with its own guarantee, relation and neighbours, if any; None
        for a table.
    """

    distribution: Callable[[Any], Any]
    inputs: tuple[Any, ...] | None
    itself: Any

    def claim(self, epsilon: Any, delta: Any, order: Any) -> Claim:
        """Return what is claimed: what was given, else the mechanism's own guarantee."""
        if epsilon is not None:
            return read_claim(epsilon, delta, order)
        guarantee: Any = getattr(self.itself, "guarantee", None)
        if hasattr(guarantee, "exact_epsilon") and order is None and not delta:
            return read_claim(guarantee.exact_epsilon, getattr(guarantee, "exact_delta", 0))
        guaranteed = getattr(guarantee, "epsilon", None)
        if (
            order is None
            and callable(guaranteed)
            and math.isfinite(found := guaranteed(delta=delta))
        ):
            return read_claim(found, delta)
        raise InputError(
            "E-ARGUMENT-MISSING",
            "say what is claimed: write {epsilon}, say, or {example} for ln 2 exactly",
            epsilon=Argument("epsilon", 1),
            example=Argument("epsilon", "ln(2)"),
        )

    def pairs(self, inputs: Any, neighbours: Any) -> Pairs:
        """Return the pairs of inputs to examine."""
        if neighbours is None and inputs is None and self.inputs is None:
            own = getattr(self.itself, "neighbours", None)
            if callable(own):
                return hardest_pairs(own())
        if neighbours is None:
            neighbours = getattr(self.itself, "relation", None) or Substitute()
        domain = self.inputs if inputs is None else inputs
        if domain is None and neighbours_need_inputs(neighbours):
            raise InputError(
                "E-ARGUMENT-MISSING",
                "say on which inputs: write inputs=[0, 1], or neighbours=[(0, 1)] for pairs",
            )
        rowwise = isinstance(self.itself, Each) and isinstance(neighbours, Substitute)
        if rowwise and isinstance(domain, Datasets) and domain.ordered:
            return rowwise_pairs(domain, neighbours)
        return neighbouring_pairs(domain, neighbours)


def read_subject(mechanism: Any) -> Subject:
    """Read a mechanism by its signature: table, function, or an object with ``distribution``."""
    if isinstance(mechanism, type):
        raise InputError(
            "E-ARGUMENT-IS-CLASS",
            "{kind} is a class",
            "give a mechanism that is made of it",
            kind=mechanism.__name__,
        )
    if not is_data(mechanism) and callable(getattr(mechanism, "distribution", None)):
        return Subject(mechanism.distribution, None, mechanism)
    table = _table(mechanism)
    if table is not None:
        return Subject(distribution_of_table(table), tuple(table), None)
    if callable(mechanism):
        return Subject(mechanism, None, mechanism)
    refused = InputError(
        "E-ARGUMENT-TYPE",
        "a mechanism is a table of output probabilities for each input, a function that "
        "returns them for an input, or an object with a method distribution",
        "{mechanism} is none of these",
        mechanism=shown(mechanism),
    )
    if isinstance(mechanism, str):
        refused.refusal = refused.refusal.adding("a file is verified by sfumato verify FILE")
    raise refused


def _table(mechanism: Any) -> dict[Hashable, Any] | None:
    """Return the rows of a table by input; None for what is no table."""
    if isinstance(mechanism, Channel):
        rows = zip(mechanism.inputs, mechanism.rows, strict=True)
        return dict(rows)
    if isinstance(mechanism, Mapping):
        return _checked(dict(mechanism))
    if has_columns(mechanism):
        return _frame_rows(mechanism)
    if hasattr(mechanism, "__array__") and np.ndim(mechanism):
        return _checked(_labelled(*column_of(mechanism)))
    if isinstance(mechanism, (list, tuple)):
        return _checked(dict(enumerate(mechanism)))
    return None


def _labelled(labels: tuple[Hashable, ...], rows: list[Any]) -> dict[Hashable, Any]:
    found = dict(zip(labels, rows, strict=True))
    if len(found) < len(rows):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "two rows of the table have the same label",
            "label each differently",
        )
    return found


def _frame_rows(frame: Any) -> dict[Hashable, Any]:
    inputs, outputs = frame_axes(frame, "the table")
    matrix = np.asarray(frame).tolist()
    rows = [row if outputs is None else dict(zip(outputs, row, strict=True)) for row in matrix]
    return _checked(dict(enumerate(rows) if inputs is None else zip(inputs, rows, strict=True)))


def _checked(rows: dict[Hashable, Any]) -> dict[Hashable, Any]:
    """Refuse a table whose rows are none, or are lists of different lengths."""
    if not rows:
        raise InputError(
            "E-TABLE-EMPTY", "the table has no rows", "give one row of probabilities for each input"
        )
    sizes = {key: len(row) for key, row in rows.items() if _is_listed(row)}
    if len(set(sizes.values())) > 1:
        few, many = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the row of the input {few} has {sizes} entries and that of {many} has {other_sizes}",
            "give every row the same outcomes, with 0 for an impossible one",
            few=shown(few),
            sizes=sizes[few],
            many=shown(many),
            other_sizes=sizes[many],
        )
    return rows


def _is_listed(row: Any) -> bool:
    """Tell whether the outcomes of a row are only numbered."""
    return isinstance(row, (list, tuple)) or (isinstance(row, np.ndarray) and row.ndim == 1)


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


def verify(
    mechanism: Any,
    *,
    epsilon: Any = None,
    delta: Any = 0,
    order: Any = None,
    inputs: Any = None,
    neighbours: Any = None,
    effort: int = EFFORT,
) -> Verdict:
    """Decide whether a mechanism keeps a guarantee on every pair of neighbouring inputs.

    Parameters
    ----------
    mechanism
        A table: a mapping from inputs to distributions, a matrix, a data frame, a ``Channel``; or
        a function that returns the output distribution for an input; or an object with a method
        ``distribution``.  A distribution gives each outcome its probability: Fractions, floats as
        the decimals that were written, text such as "2/3", integers as counts, ``Exponentials`` as
        weights.  A column with an index has its labels for outcomes, and a frame of one row its
        columns.  Outcomes that Python holds equal are one outcome: 1, 1.0 and True, or 0.0 and
        -0.0; and one NaN is like another.
    epsilon, delta
        The guarantee; where no ε is given, the mechanism's own ``guarantee``.
    order
        The order of a Rényi guarantee.
    inputs
        A list of inputs, or ``Datasets``; a table of distributions knows its inputs.
    neighbours
        A relation, pairs of inputs, a function of two inputs, or "all"; the mechanism's own
        ``neighbours()`` or ``relation`` where nothing is given, else ``Substitute()``.  An input
        that is no tuple or list is a table of one row.
    effort
        Up to how many bits distributions that are known by enclosures only are refined.

    Returns
    -------
    Verdict
        Proved, refuted with a witness, or undecided; the least ε and δ that hold.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = {"yes": {"yes": "2/3", "no": "1/3"}, "no": {"yes": "1/3", "no": "2/3"}}
    >>> print(sf.verify(survey, epsilon="ln(2)"))
    proved: ln(2)-DP holds on the one pair of neighbouring inputs
    the least ε is ln(2) = 0.69314718056
    between the inputs 'yes' and 'no'
    the output 'yes' has probability 2/3 on the first and 1/3 on the second
    """
    subject = read_subject(mechanism)
    worst = Worst(subject.claim(epsilon, delta, order))
    examiner = Examiner(subject.distribution, worst, read_count(effort, "effort"))
    pairs = subject.pairs(inputs, neighbours)
    listed = 0
    for first, second in pairs.pairs:
        examiner.examine(first, second)
        listed += 1
    if not listed:
        raise InputError(
            "E-NEIGHBOURS-NONE",
            "no two of the inputs are neighbours",
            "give inputs or neighbours that make a pair",
        )
    covered = pairs.covered or listed
    return worst.verdict(pairs=covered, scope=pairs.words(covered))
