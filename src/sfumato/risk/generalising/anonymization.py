"""Generalising a table until it reaches its targets."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names
from sfumato.errors import InputError, UnknownNameError
from sfumato.printing import setting
from sfumato.refusal import Argument
from sfumato.risk.exposed import Exposed, read_exposed
from sfumato.risk.exposure.classes import opened
from sfumato.risk.exposure.closeness import ordered_columns
from sfumato.risk.generalising.anonymized import Anonymized
from sfumato.risk.generalising.cells import CodedCells, read_cells
from sfumato.risk.generalising.insensitive import look_at_others
from sfumato.risk.generalising.ladders import Hierarchies, Odd, check_hierarchies, choose_ladders
from sfumato.risk.generalising.losses import LOSSES, LossName, measure_standing
from sfumato.risk.generalising.mondrian import check_cuts
from sfumato.risk.generalising.partition import DiversityName, Targets, check_targets, finest
from sfumato.risk.generalising.search import METHODS, Method, Search, SearchRequest, recode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.risk.generalising.recoding import Recoding


def anonymize(
    data: Any,
    *,
    quasi: str | Iterable[str],
    k: int,
    sensitive: str | Iterable[str] | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    diversity: DiversityName = "distinct",
    ordered: str | Iterable[str] | None = None,
    hierarchies: Hierarchies | None = None,
    suppression: float = 0,
    remove: str | Iterable[str] = (),
    method: Method = "auto",
    loss: LossName = "entropy",
    progress: Callable[[int, int], None] | None = None,
) -> Anonymized:
    """Generalise the quasi-identifiers of a table to k-anonymity, with the least information loss.

    Whole columns are generalised, each to one level of its hierarchy, and the best of all ways
    to do so is found and proved; or cells are generalised one by one (Mondrian), which loses
    less and looks less even.

    Parameters
    ----------
    data
        A path (CSV or Parquet), a pandas, polars or Arrow table, or an opened ``Source``.
    quasi
        The quasi-identifiers: columns that others may know of a person.
    k
        Every equivalence class should have k rows at least :cite:p:`sweeney2002`.
    sensitive
        The columns that nobody should learn of a person.
    l
        Every equivalence class should have so many different sensitive values
        :cite:p:`machanavajjhala2007`.
    t
        The sensitive values of every class should be so close to those of the table: the earth
        mover's distance, from 0 to 1 :cite:p:`li2007`.
    diversity
        How ``l`` counts: "distinct" values, or 2 to the "entropy" of a class.
    ordered
        Sensitive columns whose values have an order, for ``t``.  By default numbers and dates
        have one, and text has none; the cells of a CSV are text.
    hierarchies
        For each quasi-identifier a hierarchy or the path of a CSV file with one; where there is
        none, one is made from the values, and the result says which.  Mondrian cuts numbers and
        dates by itself, and takes none for them.
    suppression
        The share of the rows that may be suppressed instead, from 0 to below 1; Mondrian leaves
        out none.
    remove
        Columns to replace by ``*``, such as names.
    method
        "optimal" looks at all ways or rules them out, and proves that none loses less;
        "heuristic" climbs and descends; "mondrian" cuts regions; "auto" is "optimal" up to 100,000
        ways and "heuristic" beyond.
    loss
        What is to be least: "entropy", "discernibility" or "average class size"; equals are
        decided by fewer rows suppressed, the lower sum of levels, then the levels in the order of
        ``quasi``.  Mondrian does not look at it.
    progress
        Called now and then with how much is done, and of how much.

    Raises
    ------
    InputError
        If an argument is none that is allowed, a hierarchy does not cover a value, or the targets
        cannot be reached.

    Examples
    --------
    >>> import sfumato as sf
    >>> quasi = ["age", "sex", "zip", "smoker"]
    >>> found = sf.risk.anonymize("examples/hospital-a.csv", quasi=quasi, k=2, remove="name")
    >>> found.levels, found.search.proved
    ({'age': 2, 'sex': 0, 'zip': 2, 'smoker': 0}, True)
    """
    targets = Targets(k, l, t, diversity)
    for kind, name, known in (("method", method, METHODS), ("loss", loss, LOSSES)):
        if name not in known:
            raise UnknownNameError(kind=kind, name=name, known=known)
    _check_suppression(suppression, method)
    source = opened(data)
    exposed = read_exposed(source, quasi=quasi, sensitive=sensitive)
    check_targets(targets, has_sensitive=bool(exposed.sensitive))
    _check_flat(exposed)
    removed = _removed(exposed, remove)
    given = {} if hierarchies is None else hierarchies
    check_hierarchies(exposed, given)
    cells = read_cells(exposed, ordered_columns(exposed, ordered))
    limit = _limit(suppression, cells.rows)
    _check_rows(k, cells.rows, source.name)
    ladders = choose_ladders(cells, given)
    if method == "mondrian":
        check_cuts(cells, ladders)
    recoding, search = recode(cells, ladders, SearchRequest(targets, limit, loss, method), progress)
    odd = tuple(each.odd for each in ladders if each.odd is not None)
    return _result(exposed, cells, recoding, removed, targets=targets, search=search, odd=odd)


def _result(
    exposed: Exposed,
    cells: CodedCells,
    recoding: Recoding,
    removed: tuple[str, ...],
    *,
    targets: Targets,
    search: Search,
    odd: tuple[Odd, ...],
) -> Anonymized:
    classes = recoding.partition(cells)
    return Anonymized(
        changes=tuple(each.change for each in recoding.columns),
        suppressed=cells.rows - int(classes.sizes.sum()),
        losses=recoding.losses(cells, classes, k=targets.k),
        before=measure_standing(finest(cells)),
        after=measure_standing(classes),
        search=search,
        targets=targets,
        odd=odd,
        others=look_at_others(exposed, removed, cells.rows),
        blanks=cells.blanks,
        _source=exposed.source,
        _cells=cells,
        _recoding=recoding,
    )


def _check_flat(exposed: Exposed) -> None:
    for name in (*exposed.quasi, *exposed.sensitive):
        if exposed.source.table[name].type().is_nested():
            raise InputError(
                "E-COLUMN-TYPE",
                "the column {name!r} holds lists or records, which cannot be told apart by a label",
                "name a column of text, numbers or dates",
                name=name,
            )


def _removed(exposed: Exposed, remove: str | Iterable[str]) -> tuple[str, ...]:
    names = asked_names(remove, "remove")
    exposed.source.check_columns(names)
    for name in names:
        if name in (*exposed.quasi, *exposed.sensitive):
            raise InputError(
                "E-COLUMN-TWICE",
                "the column {name!r} is to be removed and is named as a quasi-identifier or "
                "as sensitive too",
                "name it once",
                name=name,
            )
    return names


def _check_suppression(suppression: float, method: Method) -> None:
    is_number = isinstance(suppression, Real) and not isinstance(suppression, bool)
    if not is_number or not 0 <= suppression < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} is the share of rows that may be suppressed, from 0 to below 1, as 0.02",
            "{suppression!r:.60} is not",
            suppression=suppression,
            argument=Argument("suppression"),
        )
    if suppression and method == "mondrian":
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{suppression} is {setting}, and mondrian suppresses no rows",
            "ask for none, or choose another method",
            setting=setting(suppression),
            suppression=Argument("suppression"),
        )


def _limit(suppression: float, rows: int) -> int:
    """Return how many rows may be suppressed; a share is the decimal that was written."""
    return int(Decimal(repr(float(suppression))) * rows)


def _check_rows(k: int, rows: int, name: str) -> None:
    if k > rows:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "k = {k:,} is more than the {rows:,} rows of {name}",
            "ask for {rows:,} or fewer",
            k=k,
            rows=rows,
            name=name,
        )
