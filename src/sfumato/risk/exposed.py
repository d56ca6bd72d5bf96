"""A table about people, and which of its columns others may know or must not learn."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from string import whitespace
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names
from sfumato.errors import InputError
from sfumato.printing import named
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import ibis.expr.types as ir

    from sfumato.data import Source


@dataclass(frozen=True)
class Exposed:
    """A table in its engine, its quasi-identifiers and its sensitive columns.

    Attributes
    ----------
    source
        The table.
    quasi
        What somebody may know of a person from elsewhere: age, sex, zip code.
    sensitive
        What nobody should learn of a person; there may be none.
    """

    source: Source
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()


def read_exposed(
    source: Source, *, quasi: str | Iterable[str], sensitive: str | Iterable[str] | None = None
) -> Exposed:
    """Return a table with its columns told apart; refuse those that are not there, or are both."""
    known = asked_names(quasi, "quasi")
    secret = () if sensitive is None else asked_names(sensitive, "sensitive")
    if not known:
        raise InputError(
            "E-QUASI-MISSING",
            "no quasi-identifier is named",
            "name at least one column that others may know",
        )
    source.check_columns(known)
    source.check_columns(secret)
    for name in known:
        if name in secret:
            raise InputError(
                "E-COLUMN-TWICE",
                "the column {name!r} is named both as a quasi-identifier and as sensitive",
                "name it as one of the two",
                name=name,
            )
    return Exposed(source, known, secret)


def one_name(sensitive: Any) -> str:
    """Return the name of the sensitive column, or refuse what is no single name."""
    if not isinstance(sensitive, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{sensitive} takes the name of one column, such as 'diagnosis'",
            sensitive=Argument("sensitive"),
        )
    return sensitive


_BLANKS = list(whitespace)


def blanks_among(values: Iterable[tuple[Any, int]]) -> int:
    """Return how many cells have blanks around them, and are like others but for those.

    Parameters
    ----------
    values
        The values of a column, each once, and how many cells have each.
    """
    alike: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for value, cells in values:
        if value is None or isinstance(value, str):
            alike[(value or "").strip(whitespace)].append((value or "", cells))
    several = {text: found for text, found in alike.items() if len({each for each, _ in found}) > 1}
    return sum(cells for text, found in several.items() for each, cells in found if each != text)


def count_blanks(source: Source, cells: ir.Table, names: Sequence[str]) -> dict[str, int]:
    """Return the same for each column of a table that has some, counted in its engine.

    Parameters
    ----------
    source, cells
        The engine, and the combinations of values in it, as key0, key1, ... with their ``mass``.
    names
        The columns, in the order of the keys.
    """
    keys = {f"key{position}": name for position, name in enumerate(names)}
    texts = [key for key in keys if cells[key].type().is_string()]
    some = _blank_cells(source, cells, texts)
    found = {keys[key]: _unlike_others(source, cells, key) for key in texts if some[key]}
    return {name: number for name, number in found.items() if number}


def blanks_in_words(blanks: Mapping[str, int]) -> list[str]:
    """Return what to do about them, one sentence a column."""
    return [f"{named([name])}: {_said(number)}" for name, number in blanks.items()]


def _said(number: int) -> str:
    if number == 1:
        return tr(
            "1 cell differs from others only by blanks around it, and counts as another "
            "value here; trim it first"
        )
    return tr(
        "{number:,} cells differ from others only by blanks around them, and count as "
        "other values here; trim them first",
        number=number,
    )


def _blank_cells(source: Source, cells: ir.Table, keys: Sequence[str]) -> dict[str, int]:
    """Return how many combinations have blanks around a key, whatever the others are."""
    if not keys:
        return {}
    ends = {key: (cells[key].left(1), cells[key].right(1)) for key in keys}
    blank = {
        key: (first.isin(_BLANKS) | last.isin(_BLANKS)).sum().fill_null(0)
        for key, (first, last) in ends.items()
    }
    (found,) = source.fetch(cells.aggregate(**blank)).to_pylist()
    return {key: int(found[key]) for key in keys}


def _unlike_others(source: Source, cells: ir.Table, key: str) -> int:
    import ibis

    text = cells[key].fill_null("")
    rows = cells.select(text=text, trimmed=text.strip(), mass=cells.mass)
    alike = rows.group_by("trimmed").agg(
        ways=rows.text.nunique(),
        blank=ibis.ifelse(rows.text == rows.trimmed, 0, rows.mass).sum(),
    )
    several = alike.filter(alike.ways > 1)
    (found,) = source.fetch(several.aggregate(cells=several.blank.sum().fill_null(0))).to_pylist()
    return int(found["cells"])
