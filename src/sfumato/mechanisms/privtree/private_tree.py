"""Which cells of a public hierarchy are split, level by level: PrivTree, exactly accounted."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.mechanisms.base import (
    ONE_ROW,
    GuaranteedMechanism,
    read_usable_epsilon,
)
from sfumato.mechanisms.choices.selection import rational_below
from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.mechanisms.distributions.output import FiniteDistribution
from sfumato.mechanisms.privtree.noise import SplitNoise, TreeCost, calibrated
from sfumato.mechanisms.values import as_array, is_whole
from sfumato.numeric import Enclosure, float_above, shown, working_precision
from sfumato.privacy import AddRemove, Epsilon, Relation, read_confidence, read_relation, written
from sfumato.privacy.events import fields
from sfumato.refusal import Argument
from sfumato.sampling import BitSource, discrete_laplace, read_size, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Cell = tuple[int, int]
    Tree = tuple[Cell, ...]
    Decision = tuple[int, int, bool]


#: Counts up to here, and twice as far, are added and compared without wrapping around.
WORDS = 1 << 61
_BITS = 128
#: A distribution is computed for trees of up to so many levels; the hardest neighbours have fewer.
_MOST_LEVELS, _SMALL = 4, 3


def read_counts(value: Any) -> NDArray[np.int64]:
    """Return private counts of any shape, cut at 0 and 2^61; type and shape alone are looked at."""
    array = _as_array(value)
    if array.dtype.kind not in "iu" and not all(map(is_whole, array.flat)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "the counts of cells must be whole numbers",
            "give a list or an array of integers, [12, 0, 5, 3], say",
        )
    exact = array.astype(np.int64 if np.can_cast(array.dtype, np.int64) else object)
    return np.asarray(np.clip(exact, 0, WORDS), dtype=np.int64)


def _as_array(value: Any) -> NDArray[Any]:
    if isinstance(value, (list, tuple)) or hasattr(value, "__array__"):
        return as_array(value, whole=True)
    return np.array(value if is_whole(value) else None, dtype=object)


def level_counts(value: Any, depth: int) -> list[NDArray[np.int64]]:
    """Return the counts of the cells of every level, the root first, from those of the finest."""
    finest = read_counts(value)
    if finest.ndim != 1 or finest.size.bit_count() != 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a tree is grown over a list of counts whose length is a power of two, not over "
            "counts of shape {shape}",
            "put zeros in the place of missing cells",
            shape=finest.shape,
        )
    within = np.minimum(finest, WORDS // finest.size)
    levels = min(finest.size.bit_length() - 1, depth)
    return [within.reshape(1 << level, -1).sum(axis=1) for level in range(levels + 1)]


def left_to_right(leaves: Iterable[Cell]) -> Tree:
    """Return the leaves of a tree, each a level and a place in it, from left to right."""
    found = list(leaves)
    deepest = max(level for level, _ in found)
    return tuple(sorted(found, key=lambda leaf: leaf[1] << (deepest - leaf[0])))


def trees(deepest: int, level: int = 0, place: int = 0) -> Iterator[tuple[Tree, list[Decision]]]:
    """Yield every tree below a cell, and which cells are split, and which are not, for it.

    Cells of the deepest level are not split, and nothing is decided about them.
    """
    if level == deepest:
        yield ((level, place),), []
        return
    yield ((level, place),), [(level, place, False)]
    for left, first in trees(deepest, level + 1, 2 * place):
        for right, second in trees(deepest, level + 1, 2 * place + 1):
            yield left + right, [(level, place, True), *first, *second]


def tree_distribution(
    leads: Sequence[Sequence[int]], noise: SplitNoise
) -> FiniteDistribution[Tree]:
    """Return the distribution of a tree, by how far above its bar each cell of each level lies."""
    grown = list(trees(len(leads) - 1))
    chances = [partial(_chance, leads, decisions, noise) for _, decisions in grown]
    return FiniteDistribution([tree for tree, _ in grown], chances)


def _chance(
    leads: Sequence[Sequence[int]], decisions: Sequence[Decision], noise: SplitNoise
) -> arb:
    each = (
        (noise.split if split else noise.unsplit)(leads[level][place])
        for level, place, split in decisions
    )
    return math.prod(each, start=arb(1))


@dataclass(frozen=True, init=False, repr=False)
class PrivateTree(GuaranteedMechanism[Any, Any]):
    """Split crowded cells in two, again and again, where the cells are public and the counts not.

    A box is halved, and its halves are halved where many points lie in them: in the end cells are
    small where the data is dense.  However deep the tree, it costs ε once.

    Parameters
    ----------
    epsilon
        What the whole tree costs, from 1e-12 to 10^6.
    depth
        How many times a cell is halved at most.  It may be great: it hardly costs anything.
    sensitivity
        W, the most weight that one unit has in all cells together; a whole number, and so is its
        weight in each cell.
    threshold
        θ, the bar of the first level: a whole number.
    relation
        What one change is, of units that weigh up to W each.  Where one unit is substituted for
        another, up to W is taken away and up to W added, and there is more noise.

    Attributes
    ----------
    scale
        λ of the noise, as a Fraction.
    step
        By how much the bar rises from a level to the next: about λ ln 2.
    clamp
        κ: cells that are farther below their bar count as if they were so far: about λ ln 2 / 2.

    Notes
    -----
    Proof: :doc:`/proofs/private-tree`.

    A cell of the level i, 0 for the first, with the count c is split if
    max(c - i·step, θ - κ) + N > θ, with discrete Laplace noise N of its own.  This is PrivTree
    :cite:p:`zhang2016privtree`, where κ is the step.  A cell whose count lies κ or more below its
    bar, θ + i·step, is split with a probability below √2 - 1, which is below 1/2: so the tree ends.
    Where θ is 0 or more, that holds of all empty cells but the first.

    The cost is that of the worst path: a weight of 1 that is added to a cell raises the counts
    along one path, where those of split cells lie a step apart, so a tree becomes likelier by at
    most ε₁, a sum that is enclosed by ball arithmetic, and less likely by 1/λ at most.  A weight of
    W costs W·ε₁, and W·(ε₁ + 1/λ) where one unit is substituted for another.  ε₁ is 1.95/λ for
    great scales, where the first proof of PrivTree needs 3/λ.

    ε₁ is attained where all the weight, θ - κ + (depth - 1)·step, is in one cell.

    ==============================  ========================================================
    Edge cases                      What happens
    ==============================  ========================================================
    a list or an array              counts of the finest cells; the leaves of the tree
    its length                      public, a power of two; others are refused
    one cell                        is the tree, for certain
    more cells than 2^depth         are taken together: no cell of the level ``depth`` is split
    negative counts, None           count as 0
    great counts                    count as 2^61 at most, all cells together
    floats, NaN, infinity           refused: people are counted in whole numbers
    strings, booleans, frames       refused, and so are two dimensions
    ε given as a logarithm          rounded down by less than one part in 2**120
    ==============================  ========================================================

    Examples
    --------
    >>> from sfumato.mechanisms import PrivateTree
    >>> from sfumato.sampling import SeededSource
    >>> tree = PrivateTree(epsilon=1)
    >>> print(tree.guarantee)
    1-DP (add or remove one row)
    >>> tree.release([0, 0, 0, 1, 0, 90, 0, 2], source=SeededSource(1)).value
    ((1, 0), (3, 4), (3, 5), (2, 3))
    """

    theorem = (
        "A cell of the level i is split where its count less i steps, clamped, plus discrete "
        "Laplace noise is above θ: the tree of all splits is ε-differentially private with ε the "
        "weight of a unit times the sum of what an added 1 can do on one path, where the counts "
        "of split cells lie a step apart."
    )
    citations = ("zhang2016privtree",)
    delta = None

    epsilon: Epsilon
    depth: int
    sensitivity: int
    threshold: int
    relation: Relation
    scale: Fraction = field(repr=False, compare=False)
    step: int = field(repr=False, compare=False)
    clamp: int = field(repr=False, compare=False)

    def __init__(
        self,
        *,
        epsilon: Any,
        depth: int = 60,
        sensitivity: int = 1,
        threshold: int = 0,
        relation: Relation = ONE_ROW,
    ) -> None:
        self._keep(
            epsilon=read_usable_epsilon(epsilon),
            depth=fields.count(depth, "depth"),
            sensitivity=fields.count(sensitivity, "sensitivity"),
            threshold=_read_threshold(threshold),
            relation=read_relation(relation),
        )
        noise = calibrated(rational_below(self.epsilon), *self._moved, self.depth)
        self._keep(scale=noise.scale, step=noise.step, clamp=noise.clamp)

    @property
    def cost(self) -> Enclosure:
        """What a tree really costs, as far as is proved: at most ε.

        Examples
        --------
        >>> from sfumato.mechanisms import PrivateTree
        >>> round(PrivateTree(epsilon=1).cost.upper, 8)
        0.99999964
        """
        with working_precision(_BITS):
            return Enclosure.of_ball(TreeCost(*self._moved, self.depth).ball(self._noise))

    def splits(
        self, counts: Any, level: int, *, source: BitSource | None = None
    ) -> NDArray[np.bool_]:
        """Return which cells of one level are split; all levels of one tree are one release.

        To grow a tree whose cells are found on the way: ask for the roots at level 0, then for
        both halves of each cell that was split at level 1, and so on.  All of it together costs ε
        once, as long as each cell is asked for once, with the weight of all that lies in it.
        Several roots are one tree if they have nothing in common.

        Parameters
        ----------
        counts
            Of the cells, in an array of whole numbers of any shape.
        level
            How often the cells have been halved; from ``depth`` on no cell is split.
        source
            Where random bits come from: the operating system, or a ``SeededSource`` in tests.

        Examples
        --------
        >>> from sfumato.mechanisms import PrivateTree
        >>> tree = PrivateTree(epsilon=1)
        >>> tree.splits([3_000], level=0)
        array([ True])
        >>> tree.splits([1_000, 2_000], level=1)
        array([ True,  True])
        >>> tree.splits([1_000], level=60)
        array([False])
        """
        found, bits = read_counts(counts), read_source(source)
        halved = read_size(level, "level")
        if halved >= self.depth:
            return np.zeros(found.shape, dtype=np.bool_)
        return self._decided(found, halved, bits)

    def neighbours(self) -> list[tuple[list[int], list[int]]]:
        """Return counts of a few cells with all the weight in the first, and with more in it.

        They lie where the guarantee is put to its hardest test by a tree of three levels.  For a
        substitution, also counts of which the last falls.

        Examples
        --------
        >>> from sfumato.mechanisms import PrivateTree
        >>> PrivateTree(epsilon="0.1", depth=3).neighbours()
        [([19, 0, 0, 0, 0, 0, 0, 0], [20, 0, 0, 0, 0, 0, 0, 0])]
        """
        levels, (added, removed) = min(self.depth, _SMALL), self._moved
        first = max(self.threshold - self.clamp + (levels - 1) * self.step, 0)
        last, between = max(self.threshold + self.step + removed, removed), [0] * (2**levels - 2)
        pairs = [([first, *between, 0], [first + added, *between, 0])]
        if removed:
            pairs.append(([first, *between, last], [first + added, *between, last - removed]))
        return pairs

    def distribution(self, value: Any) -> FiniteDistribution[Tree]:
        """Return the exact distribution of the tree, for up to sixteen cells.

        Examples
        --------
        >>> from sfumato.mechanisms import PrivateTree
        >>> tree = PrivateTree(epsilon=1).distribution([7, 0, 0, 0])
        >>> {each: round(tree.probability(each).upper, 3) for each in tree.outcomes[:2]}
        {((0, 0),): 0.014, ((1, 0), (1, 1)): 0.015}
        """
        counts = level_counts(value, self.depth)
        if len(counts) > _MOST_LEVELS + 1:
            raise InputError(
                "E-TOO-LARGE",
                "the distribution is computed for at most {given} cells",
                "give fewer",
                given=2**_MOST_LEVELS,
            )
        leads = [self._leads(each, level).tolist() for level, each in enumerate(counts)]
        return tree_distribution(leads, self._noise)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return how far above its bar the count of a cell must lie to be split, at a confidence.

        The bar is ``threshold + level * step``.

        Examples
        --------
        >>> from sfumato.mechanisms import PrivateTree
        >>> PrivateTree(epsilon=1).error(confidence=0.95)
        5.0
        """
        both_sides = 2 * read_confidence(confidence) - 1
        return float_above(Fraction(1 + DiscreteLaplaceNoise(self.scale).reach(both_sides)))

    def _draw(self, value: Any, source: BitSource) -> Tree:
        *upper, _ = level_counts(value, self.depth)
        places, leaves = np.zeros(1, dtype=np.int64), []
        for level, counts in enumerate(upper):
            split = self._decided(counts[places], level, source)
            leaves += [(level, place) for place in places[~split].tolist()]
            places = np.ravel(2 * places[split, np.newaxis] + [0, 1])
        leaves += [(len(upper), place) for place in places.tolist()]
        return left_to_right(leaves)

    def _decided(
        self, counts: NDArray[np.int64], level: int, source: BitSource
    ) -> NDArray[np.bool_]:
        noise = discrete_laplace(self.scale, counts.size, source=source).reshape(counts.shape)
        return np.asarray(self._leads(counts, level) > -noise, dtype=np.bool_)

    def _leads(self, counts: NDArray[np.int64], level: int) -> NDArray[Any]:
        """Return how far above the bar counts lie; in Python's own integers where words end."""
        bar = self.threshold + level * self.step
        exact = counts if max(abs(bar), self.clamp) < WORDS else counts.astype(object)
        return np.asarray(np.maximum(exact - bar, -self.clamp))

    @property
    def _noise(self) -> SplitNoise:
        return SplitNoise(self.scale)

    @property
    def _moved(self) -> tuple[int, int]:
        """By how much one change raises weights at most, and by how much it lowers others."""
        weight = self.sensitivity * self.relation.count
        return weight, 0 if isinstance(self.relation, AddRemove) else weight


def _read_threshold(threshold: Any) -> int:
    number = written(threshold, "threshold")
    if number.denominator != 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{argument} must be a whole number, not {threshold}",
            "write 0, say",
            threshold=shown(threshold),
            argument=Argument("threshold"),
        )
    return number.numerator
