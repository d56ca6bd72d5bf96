"""A bound on ratios of probabilities: ε for neighbouring inputs, in rationals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpq

from sfumato.information.channels.requirements import LinearRequirement, lesser, simple_below
from sfumato.numeric import (
    Ln,
    as_ball,
    as_fmpq,
    cached_property,
)
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.information.channels.requirements import Exact, Ray
    from sfumato.information.validate import Floats

    Pair = tuple[int, int]


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
