"""Sensitive values of several tables as texts that are equal where the values could be.

Where types differ, a value that one of them cannot hold may have been changed on its way there.
Nobody may be said to have another value for that: such a cell counts as empty, and may be anything.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.refusal import all_of
from sfumato.risk.attacks.cells import true_or_false, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.datatypes as dt
    import ibis.expr.types as ir


_DIGITS = r"([0-9]{1,38}[.]?[0-9]{0,38}|[.][0-9]{1,38})"
_PLAIN = rf"^[-+]?{_DIGITS}$"
_NUMBER = rf"^[-+]?{_DIGITS}([eE][-+]?[0-9]{{1,2}})?$"
# No plus, no zeros in front or behind the point, a digit before it, no minus before zero.
_ONE_WAY_TO_WRITE = (
    (r"^[+]", ""),
    (r"^(-?)[.]", r"\10."),
    (r"^(-?)0+([0-9])", r"\1\2"),
    (r"([.][0-9]*[1-9])0+$", r"\1"),
    (r"[.]0*$", ""),
    (r"^-0$", "0"),
)
#: How many digits a number may have that is never another one as a float.
_DIGITS_KEPT = {"float64": 15, "float32": 6, "float16": 3}
#: Greater ones do not fit the smallest type.
_GREATEST = {"float64": 1e300, "float32": 1e38, "float16": 6e4}
_DAY = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})([ T]00:00(:00([.]0+)?)?)?$"
_SECOND = r"^([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8})([.]0+)?([-+][0-9:]+)?$"


def written_alike(column: ir.Value, columns: Sequence[ir.Value], name: str) -> ir.Value:
    """Return a column as text that is equal to that of other columns where the values may be.

    Parameters
    ----------
    column
        The column.
    columns
        Those that it is compared with, itself among them.
    name
        What it is called.
    """
    types = [each.type() for each in columns]
    if len({each.copy(nullable=True) for each in types}) == 1:
        return written(column)
    if any(each.is_boolean() for each in types):
        truth = true_or_false(column, columns)
        return _only(truth, truth.isin(["true", "false"]))
    if any(each.is_temporal() for each in types):
        return _moment(column, types, name)
    if any(each.is_numeric() for each in types):
        return _number(column, types)
    return written(column)


def _only(text: ir.Value, condition: ir.BooleanValue) -> ir.Value:
    """Return text where a condition holds, and null elsewhere."""
    import ibis

    return ibis.ifelse(condition, text, ibis.null("string"))


def _moment(column: ir.Value, types: Sequence[dt.DataType], name: str) -> ir.Value:
    """Return days, or seconds where all columns have moments; null where it is not so whole."""
    moments = [each for each in types if each.is_timestamp()]
    texts = [each for each in types if each.is_string()]
    known = [*moments, *texts, *(each for each in types if each.is_date())]
    zones = {each.timezone is not None for each in moments}
    if len(known) < len(types) or len(zones) > 1 or (True in zones and len(moments) < len(types)):
        shown = all_of(sorted({str(each) for each in types}))
        raise InputError(
            "E-COLUMN-TYPE",
            "the cells of {name!r} are of types that cannot be compared ({shown})",
            "give dates, moments or text in all tables alike",
            name=name,
            shown=shown,
        )
    text = written(column)
    pattern = _SECOND if len(moments) == len(types) else _DAY
    return _only(text.re_replace(pattern, r"\1"), text.re_search(pattern))


def _number(column: ir.Value, types: Sequence[dt.DataType]) -> ir.Value:
    """Return numbers written in one way; null where there is none, or it has too many digits."""
    floats = [each for each in types if each.is_floating()]
    text = written(column)
    if not floats:
        return _only(_one_way(text), text.re_search(_PLAIN))
    return _as_float(text, min(floats, key=lambda each: each.nbytes))


def _as_float(text: ir.Value, smallest: dt.DataType) -> ir.Value:
    kind = str(smallest.copy(nullable=True))
    number = _only(text, text.re_search(_NUMBER)).cast("float64")
    held = _within(number, _GREATEST[kind]).cast(kind)
    rounded, plain = _one_way(written(held)), _one_way(text)
    few = _significant(text).length() <= _DIGITS_KEPT[kind]
    return _only(rounded, few | (rounded == plain))


def _within(number: ir.Value, greatest: float) -> ir.Value:
    import ibis

    return ibis.ifelse(number.abs() < greatest, number, ibis.null("float64"))


def _significant(text: ir.Value) -> ir.Value:
    """Return the digits of a number between the zeros."""
    digits = text.re_replace(r"[eE].*$", "").re_replace(r"[^0-9]", "")
    return digits.re_replace(r"^0+", "").re_replace(r"0+$", "")


def _one_way(text: ir.Value) -> ir.Value:
    """Return text in which a number without an exponent is written in one way."""
    number = text
    for pattern, replacement in _ONE_WAY_TO_WRITE:
        number = number.re_replace(pattern, replacement)
    return text.re_search(_PLAIN).ifelse(number, text)


#: More values than any table has: what a release leaves that has empty cells.
_ANY = 2**62


def left_values(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the kinds with the best value that every release has, the first of equals.

    A row whose cell is empty may have any value.  Where every release has such a row for a kind,
    nothing can be ruled out, and the kind ``is_open``.

    Parameters
    ----------
    kinds
        The kinds of people: ``kind`` and more.
    votes
        For each release how many rows ``n`` each kind fits, by ``value``; null is an empty cell.
    """
    kinds = _with_unknowns(kinds, votes)
    common = _common(kinds, votes)
    numbers = [f"n{place}" for place in range(len(votes))]
    best = common.group_by("kind").agg(
        left=common.count(), total=common.ways.sum(), ways=common.ways.max()
    )
    top = best.join(common, ["kind", "ways"]).select(*best.columns, "value", *numbers)
    first = top.group_by(best.columns).agg(
        value=top.value.min(), **{n: top[n].argmin(top.value) for n in numbers}
    )
    return kinds.left_join(first, "kind").drop("kind_right")


def _with_unknowns(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the kinds with the empty cells of each release, and the values of the best one."""
    import ibis

    releases = range(len(votes))
    for place, each in enumerate(votes):
        counts = each.group_by("kind").agg(
            **{
                f"u{place}": each.n.sum(where=each.value.isnull()).fill_null(0),
                f"b{place}": each.value.count(),
            }
        )
        kinds = kinds.join(counts, "kind").select(*kinds.columns, *counts.columns[1:])
    is_open = reduce(lambda before, each: before & each, (kinds[f"u{i}"] > 0 for i in releases))
    before = ibis.least(*((kinds[f"u{i}"] > 0).ifelse(_ANY, kinds[f"b{i}"]) for i in releases))
    return kinds.mutate(is_open=is_open, before=before).drop(*(f"b{i}" for i in releases))


def _common(kinds: ir.Table, votes: Sequence[ir.Table]) -> ir.Table:
    """Return the values that each kind may have, and how many rows of each release may."""
    import ibis

    known = [each.filter(each.value.notnull()) for each in votes]
    values = ibis.union(*(each.select("kind", "value") for each in known), distinct=True)
    unknown = [f"u{place}" for place in range(len(votes))]
    values = values.join(kinds.select("kind", *unknown), "kind")
    for place, each in enumerate(known):
        joined = values.left_join(each, ["kind", "value"]).select(*values.columns, "n")
        rows = joined.n.fill_null(0) + joined[f"u{place}"]
        values = joined.select(*values.columns, **{f"n{place}": rows})
    numbers = [values[f"n{place}"] for place in range(len(votes))]
    ways = reduce(lambda before, each: before * each, (n.cast("float64") for n in numbers))
    values = values.mutate(ways=ways)
    return values.filter(values.ways > 0)


def are_pinned(left: ir.Table) -> ir.BooleanValue:
    """Return whether one value is left."""
    return (left.left == 1) & ~left.is_open


def are_narrowed(left: ir.Table) -> ir.BooleanValue:
    """Return whether several values are left, and fewer than any release leaves by itself."""
    return (left.left > 1) & (left.left < left.before) & ~left.is_open


def is_impossible(left: ir.Table) -> ir.BooleanValue:
    """Return whether no value is left."""
    return left.left.isnull() & ~left.is_open


def most_frequent(votes: ir.Table, by: Sequence[str]) -> ir.Table:
    """Return how many rows and values each group has, and the value that most of them have.

    Parameters
    ----------
    votes
        The number ``n`` of rows of each group and ``value``; a null is unknown.
    by
        The columns that tell groups apart.  The result has also ``candidates``, ``values``,
        ``most``, and ``value``: the first in order where several are as frequent, and null where
        none is known.
    """
    is_known = votes.value.notnull()
    most = votes.group_by(by).agg(
        candidates=votes.n.sum(),
        values=votes.value.count(),
        most=votes.n.max(where=is_known).fill_null(0),
    )
    known = votes.filter(is_known)
    same = [most[name].identical_to(known[name]) for name in by]
    top = most.left_join(known, [*same, most.most == known.n]).select(*most.columns, "value")
    return top.group_by(most.columns).agg(value=top.value.min())
