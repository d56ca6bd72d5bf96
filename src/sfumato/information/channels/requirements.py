"""What a channel has to keep: a likelihood ratio, a maximal leakage, a mutual information.

Each requirement answers in the arithmetic it is asked in: floats where an optimum is sought,
rationals where a channel is judged, balls where a bound is proved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from flint import arb, fmpq

from sfumato.numeric import (
    Ln,
    as_ball,
    as_fmpq,
    cached_property,
    fraction_below,
    working_precision,
)
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.information.validate import Floats

    Pair = tuple[int, int]
    #: A column up to its scale, as powers of the ratio: 0 at its greatest entry, None for zero.
    Ray = tuple[int | None, ...]
    #: A matrix with one row an input.
    Exact = Sequence[Sequence[fmpq]]


_BITS = 256
#: A rational this much below e^ε or 2^L, relatively, stands for it: it has few digits.
_NEAR = Fraction(1, 10**12)


class Requirement(ABC):
    """What is asked of a channel besides that its rows are distributions."""

    #: What it is called in a document.
    kind: ClassVar[str]

    @abstractmethod
    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:
        """Tell whether a channel keeps it; where it is decided by a bound, no is the safe side."""

    @abstractmethod
    def said(self) -> str:
        """Return it in words."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""

    def floor(self, weights: Sequence[Sequence[Any]], ratio: Any) -> Any:  # noqa: ARG002
        """Return a lower bound of Σ p(y|x)·weights[x][y] over all channels that keep it."""
        return 0


@dataclass(frozen=True)
class NoRequirement(Requirement):
    """Any channel will do."""

    kind = "none"

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:  # noqa: ARG002
        """Tell that it is kept."""
        return True

    def said(self) -> str:
        """Return it in words."""
        return tr("no privacy is asked for")

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class InformationBound(Requirement):
    """The mutual information between input and output is at most so many bits."""

    bits: Fraction

    kind = "information"

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:
        """Tell whether a channel is proved to keep it."""
        with working_precision(_BITS):
            return bool(information_of(rows, prior) <= self.nats())

    def nats(self) -> arb:
        """Return the bound in nats, at the precision in force."""
        return as_ball(self.bits) * arb(2).log()

    def said(self) -> str:
        """Return it in words."""
        return tr("I(X;Y) is at most {bits:.6g}, in bits", bits=float(self.bits))

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"kind": self.kind, "bits": str(self.bits)}


class LinearRequirement(Requirement):
    """A requirement under which the columns of a channel are mixtures of finitely many rays."""

    #: Bounds the sum of the greatest entries of all columns.
    cap: Fraction | None = None

    @property
    @abstractmethod
    def ratio(self) -> Fraction:
        """The ratio whose powers the entries of a ray are."""

    @abstractmethod
    def cheapest(self, weights: Sequence[Any], ratio: Any) -> list[tuple[Any, Ray]]:
        """Return rays for which the sum of weights is least, each with that sum.

        Every column that keeps the requirement has a sum of weights that is a mixture, with
        weights of 0 or more, of those of the rays, and none is below the least.
        """

    @abstractmethod
    def first_rays(self) -> Iterator[Ray]:
        """Return rays to begin with: one that is constant is among them."""

    @property
    def has_levels(self) -> bool:
        """Whether the entries of a ray are of two kinds: then a column is a mixture by levels."""
        return False

    def levels(self, column: Floats) -> Iterator[Ray]:
        """Return the rays of which a column is a mixture, where they have two kinds of entries."""
        near = np.unique(np.round(column, 9))
        low = self.cap is not None
        for level in near[near > 0] if low else near[1:]:
            high = column > level - 1e-9
            yield tuple(0 if each else (None if low else -1) for each in high)

    @abstractmethod
    def cone(self) -> Floats:
        """Return rows whose product with a column and its extra number is at most 0."""

    def beside(self, column: Floats) -> Floats:  # noqa: ARG002
        """Return the extra number that goes with a column, well within the cone, if it has one."""
        return np.zeros(0)

    def values(self, ray: Ray) -> list[fmpq]:
        """Return the entries of a ray."""
        powers = self._powers
        return [fmpq(0) if each is None else powers[-each] for each in ray]

    @cached_property
    def _powers(self) -> list[fmpq]:
        step, found = 1 / as_fmpq(self.ratio), [fmpq(1)]
        for _ in range(self.longest):
            found.append(found[-1] * step)
        return found

    @property
    def longest(self) -> int:
        """The greatest power of the ratio in a ray."""
        return 1


@dataclass(frozen=True)
class LeakageBound(LinearRequirement):
    """The maximal leakage is at most so many bits: Σ_y max_x p(y|x) ≤ 2^bits."""

    inputs: int
    bits: Fraction

    kind = "leakage"

    @property
    def ratio(self) -> Fraction:
        """Return 1: entries of a ray are 1 or 0."""
        return Fraction(1)

    @property
    def has_levels(self) -> bool:
        """Entries are 1 or 0."""
        return True

    @cached_property
    def cap(self) -> Fraction:  # type: ignore[override]
        """A rational that is at most 2^bits."""
        return simple_below(lambda: arb(2) ** as_ball(self.bits))

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:  # noqa: ARG002
        """Tell whether a channel is proved to keep it."""
        total = sum((max(column) for column in zip(*rows, strict=True)), fmpq(0))
        with working_precision(_BITS):
            return total <= as_fmpq(self.cap) or bool(arb(total) <= arb(2) ** as_ball(self.bits))

    def cheapest(self, weights: Sequence[Any], ratio: Any) -> list[tuple[Any, Ray]]:  # noqa: ARG002
        """Return the inputs of negative weight, or the one of least weight."""
        least = min(weights)
        chosen = [each < 0 or (least >= 0 and each == least) for each in weights]
        value = sum((w for w, c in zip(weights, chosen, strict=True) if c), 0 * least)
        return [(value, tuple(0 if each else None for each in chosen))]

    def first_rays(self) -> Iterator[Ray]:
        """Return all inputs, and each by itself."""
        yield (0,) * self.inputs
        for own in range(self.inputs):
            yield tuple(0 if each == own else None for each in range(self.inputs))

    def floor(self, weights: Sequence[Sequence[Any]], ratio: Any) -> Any:  # noqa: ARG002
        """Return the cap times the least sum of negative weights of a column."""
        zero = 0 * weights[0][0]
        sums = (
            sum((lesser(each, zero) for each in column), zero)
            for column in zip(*weights, strict=True)
        )
        least = zero
        for each in sums:
            least = lesser(least, each)
        if isinstance(zero, arb):
            return least * arb(2) ** as_ball(self.bits)
        if isinstance(zero, float):
            return least * float(self.cap)
        return least * as_fmpq(self.cap)

    def cone(self) -> Floats:
        """Return p(y|x) - m_y for every input, where m_y is the extra number of a column."""
        return np.hstack([np.eye(self.inputs), -np.ones((self.inputs, 1))])

    def beside(self, column: Floats) -> Floats:
        """Return a little more than the greatest entry: the sum of all stays below the cap."""
        return np.array([column.max()])

    def said(self) -> str:
        """Return it in words."""
        return tr("the maximal leakage is at most {bits:.6g}, in bits", bits=float(self.bits))

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"kind": self.kind, "bits": str(self.bits)}


@dataclass(frozen=True)
class RatioBound(LinearRequirement):
    """No output is more than e^ε times as likely on one of two neighbouring inputs.

    Attributes
    ----------
    inputs
        How many inputs there are.
    epsilon
        ε: a rational, or the logarithm of one.
    pairs
        The inputs that are neighbours, by their places; None where any two are.
    """

    inputs: int
    epsilon: Fraction | Ln
    pairs: tuple[Pair, ...] | None

    kind = "epsilon"

    @cached_property
    def ratio(self) -> Fraction:
        """A rational that is at most e^ε: e^ε itself where that is one."""
        if isinstance(self.epsilon, Ln):
            return self.epsilon.argument
        return simple_below(lambda: as_ball(self.epsilon).exp())

    def exponential(self) -> arb:
        """Return e^ε at the precision in force."""
        if isinstance(self.epsilon, Ln):
            return as_ball(self.epsilon.argument)
        return as_ball(self.epsilon).exp()

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of every input."""
        found: list[list[int]] = [[] for _ in range(self.inputs)]
        for one, other in self.listed_pairs():
            found[one].append(other)
            found[other].append(one)
        return found

    def listed_pairs(self) -> list[Pair]:
        """Return all pairs of neighbours, each once."""
        if self.pairs is not None:
            return list(self.pairs)
        return [(a, b) for a in range(self.inputs) for b in range(a + 1, self.inputs)]

    @cached_property
    def trees(self) -> list[list[Pair]]:
        """A tree in every connected part: its inputs with their parents, the root first."""
        seen: set[int] = set()
        return [self._tree(root, seen) for root in range(self.inputs) if root not in seen]

    def _tree(self, root: int, seen: set[int]) -> list[Pair]:
        found = [(root, root)]
        seen.add(root)
        for here, _ in found:
            for other in self.neighbours[here]:
                if other not in seen:
                    seen.add(other)
                    found.append((other, here))
        return found

    @property
    def longest(self) -> int:
        """The greatest power of the ratio in a ray."""
        return self.inputs

    @property
    def has_levels(self) -> bool:
        """Where any two inputs are neighbours entries are 1 or 1/r."""
        return self.pairs is None

    @property
    def is_closed(self) -> bool:
        """Whether a least sum of weights has a closed form: no cycles, or any two neighbours."""
        return self.pairs is None or len(self.pairs) == self.inputs - len(self.trees)

    def greatest_ratio(self, rows: Exact) -> fmpq | None:
        """Return how much likelier an output is on a neighbour at most; None for infinitely."""
        found = fmpq(1)
        for column in zip(*rows, strict=True):
            for low, high in self._extremes(column):
                if low == 0 and high > 0:
                    return None
                if high > found * low:
                    found = high / low
        return found

    def _extremes(self, column: Sequence[fmpq]) -> Iterator[tuple[fmpq, fmpq]]:
        if self.pairs is None:
            yield min(column), max(column)
            return
        for one, other in self.pairs:
            yield min(column[one], column[other]), max(column[one], column[other])

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:  # noqa: ARG002
        """Tell whether a channel keeps it, decided exactly."""
        found = self.greatest_ratio(rows)
        return found is not None and Ln(Fraction(int(found.p), int(found.q))) <= self.epsilon

    def cheapest(self, weights: Sequence[Any], ratio: Any) -> list[tuple[Any, Ray]]:
        """Return the rays of least sum: one for each tree, or one for all inputs."""
        if self.pairs is None:
            low = tuple(0 if each < 0 else -1 for each in weights)
            ray = low if 0 in low else (0,) * self.inputs
            return [(_all_pairs(weights, ratio), ray)]
        return [self._cheapest_in(tree, weights, ratio) for tree in self.trees]

    def _cheapest_in(self, tree: list[Pair], weights: Sequence[Any], ratio: Any) -> tuple[Any, Ray]:
        sums = _tree_sums(tree, weights, ratio)
        steps: list[int | None] = [None] * self.inputs
        for here, parent in tree:
            before = steps[parent]
            steps[here] = 0 if before is None else before + (1 if sums[here] < 0 else -1)
        most = max(each for each in steps if each is not None)
        return sums[tree[0][0]], tuple(None if each is None else each - most for each in steps)

    def first_rays(self) -> Iterator[Ray]:
        """Return what is constant, and what falls off from every input as fast as it may."""
        yield (0,) * self.inputs
        for own in range(self.inputs):
            far = self._distances(own)
            yield tuple(None if each is None else -each for each in far)

    def _distances(self, own: int) -> list[int | None]:
        if self.pairs is None:
            return [int(each != own) for each in range(self.inputs)]
        far: list[int | None] = [None] * self.inputs
        far[own] = 0
        for here, parent in self._tree(own, set()):
            if here != own:
                far[here] = (far[parent] or 0) + 1
        return far

    def floor(self, weights: Sequence[Sequence[Any]], ratio: Any) -> Any:
        """Return the least sum of a column that is 1 at a root, added up over the parts.

        The entries of a root's row sum to 1, and so do the scales of all columns.
        """
        columns = list(zip(*weights, strict=True))
        if self.pairs is None:
            least = 0 * ratio
            for column in columns:
                least = lesser(least, _all_pairs(column, ratio))
            return least
        total = 0 * ratio
        for tree in self.trees:
            sums = [_tree_sums(tree, column, ratio)[tree[0][0]] for column in columns]
            least = sums[0]
            for each in sums[1:]:
                least = lesser(least, each)
            total += least
        return total

    def cone(self) -> Floats:
        """Return p_a - r·p_b for neighbours; for all pairs m - p and p - r·m with a number m."""
        ratio, eye = float(self.ratio), np.eye(self.inputs)
        if self.pairs is None:
            one = np.ones((self.inputs, 1))
            return np.vstack([np.hstack([-eye, one]), np.hstack([eye, -ratio * one])])
        both = [*self.pairs, *((b, a) for a, b in self.pairs)]
        return np.array([eye[a] - ratio * eye[b] for a, b in both])

    def beside(self, column: Floats) -> Floats:
        """Return a number between the greatest entry over the ratio and the least entry."""
        if self.pairs is not None:
            return np.zeros(0)
        return np.array([(column.max() / float(self.ratio) + column.min()) / 2])

    def exact_floor(self, weights: Exact) -> arb:
        """Return the floor for e^ε itself, from that for the rational ratio below it.

        Of a column c that keeps e^ε, c + κ·max(c) keeps the ratio r, where κ = (e^ε - r)/(r - 1);
        the greatest entries of all columns sum to the number of inputs at most.
        """
        ratio = as_fmpq(self.ratio)
        floor = arb(min(fmpq(0), self.floor(weights, ratio)))
        excess = (self.exponential() - arb(ratio)) / arb(ratio - 1) * self.inputs
        most = max(sum(column, fmpq(0)) for column in zip(*weights, strict=True))
        return floor * (1 + excess) - excess * arb(max(fmpq(0), most))

    def spread(self, flows: Sequence[Sequence[Any]], ratio: Any) -> list[list[Any]]:
        """Return weights whose sum is 0 or more for every private channel, from numbers ≥ 0.

        ``flows`` has one row for each pair, both ways, and one entry an output: so many times is
        r·p(y|b) - p(y|a) taken, which is never negative.
        """
        pairs = self.listed_pairs()
        outputs = len(flows[0])
        found = [[0 * ratio] * outputs for _ in range(self.inputs)]
        for (one, other), row in zip([*pairs, *((b, a) for a, b in pairs)], flows, strict=True):
            for y, each in enumerate(row):
                found[one][y] -= each
                found[other][y] += ratio * each
        return found

    def said(self) -> str:
        """Return it in words."""
        pairs = self.listed_pairs()
        who = tr("any two inputs") if self.pairs is None else tr("neighbouring inputs")
        return tr(
            "ε = {epsilon} for {who} ({pairs})",
            epsilon=plain_epsilon(self.epsilon),
            who=who,
            pairs=tr_n("{count} pair", "{count:,} pairs", len(pairs), count=len(pairs)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        pairs: Any = "all" if self.pairs is None else [list(each) for each in self.pairs]
        return {"kind": self.kind, "epsilon": plain_epsilon(self.epsilon), "neighbours": pairs}


def plain_epsilon(epsilon: Fraction | Ln) -> str:
    """Return ε as it is written in documents: "1/2", or "ln(2)"."""
    return f"ln({epsilon.argument})" if isinstance(epsilon, Ln) else str(epsilon)


def _all_pairs(weights: Sequence[Any], ratio: Any) -> Any:
    """Return the least Σ w·c over columns c with 1 ≤ c ≤ r: r where the weight is negative."""
    zero = 0 * ratio
    return sum((each + (ratio - 1) * lesser(each, zero) for each in weights), zero)


def _tree_sums(tree: list[Pair], weights: Sequence[Any], ratio: Any) -> dict[int, Any]:
    """Return for every input the least Σ w·c of all below it, where it has 1 itself."""
    sums = {here: weights[here] for here, _ in tree}
    for here, parent in reversed(tree[1:]):
        sums[parent] += lesser(sums[here] * ratio, sums[here] / ratio)
    return sums


def lesser(one: Any, other: Any) -> Any:
    """Return the lesser of two numbers; of balls, a ball around it."""
    return one.min(other) if isinstance(one, arb) else min(one, other)


def simple_below(ball: Callable[[], arb]) -> Fraction:
    """Return a rational of few digits that is at most a number above 1, and very near it."""
    with working_precision(_BITS):
        high = fraction_below(ball())
    low = high * (1 - _NEAR * min(Fraction(1), high - 1))
    return _simplest(low, high)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the rational of the least denominator from ``low`` to ``high``, both positive."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = whole - 1
    return floor + 1 / _simplest(1 / (high - floor), 1 / (low - floor))


def information_of(rows: Exact, prior: Sequence[fmpq]) -> arb:
    """Return I(X;Y) in nats, at the precision in force."""
    outputs = [
        sum((w * p for w, p in zip(prior, column, strict=True)), fmpq(0))
        for column in zip(*rows, strict=True)
    ]
    return _plogp(outputs, fmpq(1)) * -1 + sum(
        (_plogp(row, weight) for row, weight in zip(rows, prior, strict=True)), arb(0)
    )


def conditional_entropy_of(rows: Exact, prior: Sequence[fmpq]) -> arb:
    """Return H(Y|X) in nats, at the precision in force."""
    return -sum((_plogp(row, weight) for row, weight in zip(rows, prior, strict=True)), arb(0))


def _plogp(values: Sequence[fmpq], weight: fmpq) -> arb:
    """Return weight·Σ v·ln v."""
    balls = (arb(each) for each in values if each > 0)
    return arb(weight) * sum((each * each.log() for each in balls), arb(0))
