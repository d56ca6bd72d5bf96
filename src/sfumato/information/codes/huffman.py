"""Codes made for a distribution: Huffman's, Shannon's, and of several outcomes in a row."""

from __future__ import annotations

import math
from heapq import heapify, heappop, heapreplace
from itertools import product
from typing import TYPE_CHECKING

from sfumato.information.codes.prefix import PrefixCode
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution
from sfumato.numeric import read_count
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


_MOST_BLOCKS = 1_000_000


def huffman(distribution: DistributionLike) -> PrefixCode:
    """Return a prefix code of least expected length :cite:p:`huffman1952`.

    It lies less than one bit above the entropy: H ≤ L < H + 1.  Outcomes that cannot occur have no
    codeword; one that is certain has one without a bit.

    Parameters
    ----------
    distribution
        Probabilities or counts: an array, a column or a mapping.

    Examples
    --------
    >>> from sfumato.information import huffman
    >>> code = huffman({"a": 5, "b": 2, "c": 1})
    >>> code.codewords, code.expected_length
    ({'a': '0', 'b': '10', 'c': '11'}, Fraction(11, 8))
    """
    given = as_distribution(distribution, "distribution")
    possible = _possible(given)
    lengths = _depths([number for _, number in possible])
    named = {label: length for (label, _), length in zip(possible, lengths, strict=True)}
    return PrefixCode(given, named, name=mark("Huffman code"))


def shannon_code(distribution: DistributionLike) -> PrefixCode:
    """Return the prefix code with codewords of ⌈-log2 p⌉ bits :cite:p:`shannon1948`.

    That these lengths meet Kraft's inequality proves that the best code takes less than H + 1 bits.

    Parameters
    ----------
    distribution
        Probabilities or counts: an array, a column or a mapping.

    Examples
    --------
    >>> from sfumato.information import shannon_code
    >>> shannon_code({"a": 5, "b": 2, "c": 1}).codewords
    {'a': '0', 'b': '10', 'c': '110'}
    """
    given = as_distribution(distribution, "distribution")
    _, total = given.integers
    named = {label: (-(-total // number) - 1).bit_length() for label, number in _possible(given)}
    return PrefixCode(given, named, name=mark("Shannon code"))


def blocks(distribution: DistributionLike, size: int) -> Distribution:
    """Return the distribution of several independent outcomes in a row, as tuples.

    A Huffman code of blocks takes less than 1/size bits an outcome more than the entropy.

    Parameters
    ----------
    distribution
        Of one outcome.
    size
        How many there are in a block.

    Examples
    --------
    >>> from sfumato.information import blocks, huffman
    >>> codes = [huffman(blocks([9, 1], size)) for size in (1, 2, 3)]
    >>> [float(code.expected_length) / size for size, code in enumerate(codes, 1)]
    [1.0, 0.645, 0.5326666666666667]
    """
    given = as_distribution(distribution, "distribution")
    most = max(1, int(math.log(_MOST_BLOCKS) / math.log(max(len(given), 2)) + 1e-9))
    count = read_count(size, "size", most=most)
    chances = [*given.items()]
    return Distribution(
        {
            tuple(label for label, _ in block): math.prod((chance for _, chance in block))
            for block in product(chances, repeat=count)
        }
    )


def _possible(distribution: Distribution) -> list[tuple[Hashable, int]]:
    numerators, _ = distribution.integers
    return [each for each in zip(distribution.labels, numerators, strict=True) if each[1]]


def _depths(weights: Sequence[int]) -> list[int]:
    """Return how deep each weight lies in Huffman's tree: the two lightest are joined in turn.

    Of equal weights those are joined last that were joined before, which keeps the tree low.
    """
    heap = [(weight, place) for place, weight in enumerate(weights)]
    heapify(heap)
    above = [0] * (2 * len(weights) - 1)
    for joined in range(len(weights), len(above)):
        light, first = heappop(heap)
        heavy, second = heap[0]
        above[first] = above[second] = joined
        heapreplace(heap, (light + heavy, joined))
    depths = [0] * len(above)
    for place in range(len(above) - 2, -1, -1):
        depths[place] = depths[above[place]] + 1
    return depths[: len(weights)]
