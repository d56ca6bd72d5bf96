"""How a table is generalised: by which search, and how that went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import InputError
from sfumato.printing import figure
from sfumato.refusal import Part, text
from sfumato.risk.generalising.lattice import Lattice, climb_and_descend, search_all
from sfumato.risk.generalising.losses import LossName, measure_standing
from sfumato.risk.generalising.mondrian import cut_regions
from sfumato.risk.generalising.partition import Partition, Targets, finest
from sfumato.risk.generalising.recoding import Recoding, recode_columns
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import CodedCells
    from sfumato.risk.generalising.ladders import Ladder


#: How to search.
Method = Literal["auto", "optimal", "heuristic", "mondrian"]
METHODS = ("auto", "optimal", "heuristic", "mondrian")

_MOST_BY_ITSELF = 100_000
_MOST_AT_ALL = 1_000_000


@dataclass(frozen=True)
class Search:
    """How the search for a generalised table went.

    Attributes
    ----------
    method
        "optimal", "heuristic" or "mondrian".
    proved
        Whether no other way to generalise whole columns loses less.
    ways
        How many ways there are to generalise whole columns; 0 where cells are generalised one
        by one.
    checked
        How many of them were looked at; the others were ruled out by these, or passed by.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> anonymize("examples/hospital-a.csv", quasi=["age", "sex"], k=2).search
    Search(method='optimal', proved=True, ways=8, checked=4)
    """

    method: Method
    proved: bool
    ways: int
    checked: int


@dataclass(frozen=True)
class SearchRequest:
    """What is asked for.

    Attributes
    ----------
    targets
        What the classes should be.
    limit
        How many rows may be suppressed.
    loss
        What should be least.
    method
        How to search.
    """

    targets: Targets
    limit: int
    loss: LossName
    method: Method


def recode(
    cells: CodedCells,
    ladders: Sequence[Ladder],
    wish: SearchRequest,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Recoding, Search]:
    """Return what becomes of each cell, and how that was found."""
    if wish.method == "mondrian":
        recoding = cut_regions(cells, ladders, wish.targets, progress)
        if recoding is None:
            raise _unreachable(cells, wish, finest(cells).merged(cells.counts * 0))
        return recoding, Search("mondrian", proved=False, ways=0, checked=0)
    lattice = Lattice(cells, ladders, wish.targets, wish.limit)
    method = _method(wish.method, lattice.size)
    search = search_all if method == "optimal" else climb_and_descend
    best = search(lattice, wish.loss, progress)
    if best is None:
        raise _unreachable(cells, replace(wish, method=method), lattice.partition(lattice.top))
    went = Search(method, _is_proof(method, wish), lattice.size, lattice.checked)
    return recode_columns(cells, ladders, best.point, wish.targets), went


def _is_proof(method: Method, wish: SearchRequest) -> bool:
    """Tell whether nothing better can have been passed by.

    Which rows to suppress for the sake of closeness is decided by a rule: all classes that are
    too far go at once, though fewer might do.
    """
    return method == "optimal" and not (wish.targets.t is not None and wish.limit)


def _method(asked: Method, ways: int) -> Method:
    if asked == "auto":
        return "optimal" if ways <= _MOST_BY_ITSELF else "heuristic"
    if asked == "optimal" and ways > _MOST_AT_ALL:
        raise InputError(
            "E-TOO-LARGE",
            "there are {ways:,} ways to generalise these columns, more than the "
            "{most_at_all:,} that the optimal search takes on",
            "use the heuristic method, fewer columns or hierarchies with fewer levels",
            ways=ways,
            most_at_all=_MOST_AT_ALL,
        )
    return asked


def _unreachable(cells: CodedCells, wish: SearchRequest, coarsest: Partition) -> InputError:
    standing = measure_standing(coarsest)
    parts = [f"k = {standing.k:,}"]
    parts += [
        f"{_diversity(wish.targets, each.l, spread.entropy(coarsest.sizes))}, "
        f"t = {figure(each.t)} ({each.name})"
        for each, spread in zip(standing.sensitive, coarsest.spreads, strict=True)
    ]
    less = mark("ask for less")
    more = mark(
        "ask for less, give hierarchies with coarser levels, or let more rows be suppressed"
    )
    return InputError(
        "E-TARGETS-UNREACHED",
        "{unreached}",
        "with every column at its highest level the table has {parts}; {instead}",
        unreached=_unreached(cells, wish),
        parts=", ".join(parts),
        instead=less if wish.method == "mondrian" else more,
    )


def _unreached(cells: CodedCells, wish: SearchRequest) -> Part:
    """Return that targets cannot be reached, if that is proved, or were not."""
    given = {"targets": wish.targets, "limit": wish.limit, "rows": cells.rows}
    proved = _is_proof("optimal", wish) and wish.method != "heuristic"
    if wish.method == "mondrian" and proved:
        return text("{targets} cannot be reached", **given)
    if wish.method == "mondrian":
        return text("{targets} was not reached", **given)
    if proved:
        return text(
            "{targets} cannot be reached with {limit:,} of {rows:,} rows suppressed", **given
        )
    return text("{targets} was not reached with {limit:,} of {rows:,} rows suppressed", **given)


def _diversity(targets: Targets, distinct: int, entropy: NDArray[np.float64]) -> str:
    """Return the least diversity of a table, counted as it was asked for."""
    if targets.diversity == "entropy":
        return tr("entropy l = {least}", least=figure(float(np.exp2(entropy.min()))))
    return f"l = {distinct:,}"
