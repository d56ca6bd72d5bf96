"""How a private table, a question and an answer look in a terminal and in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, MissingExtraError, SfumatoError
from sfumato.printing import aligned, as_written, paragraph, table_of, to_places
from sfumato.tables.expressions.nodes import FunctionCall, Literal
from sfumato.tables.tree.aggregates import Histogram
from sfumato.tables.tree.rows import Derive
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from decimal import Decimal

    from sfumato.data.policy import Policy
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.release.answer import AnswerColumns
    from sfumato.tables.tree.rows import Held, Question


_MOST_VALUES = 6

_MOST_ROWS = 40
#: Sides of an interval that differ by less than one part of so many are shown as alike.
_ALIKE = 10
#: How the first day of a stretch of the calendar is written.
_STRETCHES: dict[str, Callable[[Any], str]] = {
    "year": lambda day: f"{day.year:04}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "month": lambda day: f"{day.year:04}-{day.month:02}",
}


def html_of_table(table: Held) -> str:
    """Return a private table as a card: its unit, columns, limits and what is left of budgets."""
    rows = [
        [name, each.type, _bounds(each), _values(each)] for name, each in table.steps.known.items()
    ]
    said = [
        tr("privacy: {relation}", relation=table.relation),
        *_limits(table.policy),
        *_left(table.policy),
    ]
    name = f"<strong>{escape(table.source.name)}</strong>"
    head = tr("{name}, a private table: ask with agg, group_by or sql", name=name)
    columns = [tr("column"), tr("type"), tr("bounds"), tr("keys")]
    return f"<p>{head}</p>{table_of([columns, *rows], bare=True)}{paragraph(said)}"


def html_of_question(question: str, table: Held) -> str:
    """Return a question as a card: what is asked, of whom, and that nothing is spent yet."""
    said = [tr("privacy: {relation}", relation=table.relation), *_left(table.policy)]
    unspent = tr(
        "nothing is spent: plan(epsilon=1) says what it would cost and how exact it would be, "
        "release(epsilon=1) answers"
    )
    return f"<p><strong>{escape(question)}</strong></p>{paragraph(said)}<p>{unspent}</p>"


def _bounds(known: KnownColumn) -> str:
    if known.bounds is None:
        return ""
    return (
        str(known.bounds) if isinstance(known.bounds, str) else tr(" to ").join(_ends(known.bounds))
    )


def _ends(bounds: Sequence[object]) -> Iterable[str]:
    return (f"{float(each):g}" if isinstance(each, Fraction) else str(each) for each in bounds)


def _values(known: KnownColumn) -> str:
    values = known.values or ()
    shown = ", ".join(map(str, values[:_MOST_VALUES]))
    return f"{shown}, … ({len(values):,})" if len(values) > _MOST_VALUES else shown


def _limits(policy: Policy) -> list[str]:
    limits = {name: getattr(policy.limits, name) for name in ("rows", "groups", "rows_per_group")}
    declared = [f"{name} = {each}" for name, each in limits.items() if each is not None]
    return [tr("contribution limits: {declared}", declared=", ".join(declared))] if declared else []


def _left(policy: Policy) -> list[str]:
    """Return what is left of the budgets, or that they cannot be read now."""
    if policy.ledger is None or policy.ledger.path is None:
        return [tr("charged to no ledger")]
    from sfumato.ledger import Ledger, left_in_words

    try:
        with Ledger.open(policy.ledger.path) as ledger:
            books = ledger.books()
            name = policy.ledger.book or (next(iter(books)) if len(books) == 1 else "")
            standing = ledger.book(name).standing(policy.ledger.analyst)
            return [
                tr(
                    "budget of {scope}: {budget}",
                    scope=each.rule.scope,
                    budget=left_in_words(each.rule.budget, each.remaining),
                )
                for each in standing
            ]
    except SfumatoError as error:
        return [tr("budget: {error}", error=error)]


@dataclass(frozen=True)
class ShownAggregate:
    """One aggregate as it is printed.

    Attributes
    ----------
    name
        What it is called.
    columns
        Its columns in the answer.
    labels
        What each column is called where each is a row of its own, as the bins of a histogram are;
        none where each is a column.
    """

    name: str
    columns: Sequence[str]
    labels: Sequence[str] = ()


def lines_of(plan: Plan, answers: AnswerColumns) -> list[str]:
    """Return an answer as the lines of tables, each value with its confidence interval."""
    tables = [aligned([names, *rows]) for names, rows in _tables(plan, answers)]
    return [line for table in tables for line in ([""] if table is not tables[0] else []) + table]


def html_of(plan: Plan, answers: AnswerColumns) -> str:
    """Return an answer as tables of a notebook."""
    tables = _tables(plan, answers)
    return "".join(table_of([names, *rows], bare=True) for names, rows in tables)


def _tables(plan: Plan, answers: AnswerColumns) -> list[tuple[list[str], list[list[str]]]]:
    units = calendar_units(plan.query)
    keys = {
        name: [in_words(each, units.get(name, "")) for each in answers.columns[name]]
        for name in plan.keys.names
    }
    shown = [
        ShownAggregate(
            name, asked.answer_columns(name), asked.labels if isinstance(asked, Histogram) else ()
        )
        for name, asked in plan.query.aggregates
    ]
    return tables_in_words(keys, shown, answers.columns)


def calendar_units(query: Question) -> dict[str, str]:
    """Return the unit of the calendar that a column was truncated to, where one was."""
    found: dict[str, str] = {}
    for step in query.steps:
        for name, each in step if isinstance(step, Derive) else ():
            found[name] = ""
            if isinstance(each, FunctionCall) and each.function == "date_trunc":
                unit = each.arguments[1]
                found[name] = str(unit.value) if isinstance(unit, Literal) else ""
    return found


def tables_in_words(
    keys: Mapping[str, Sequence[str]],
    shown: Sequence[ShownAggregate],
    columns: Mapping[str, Sequence[Any]],
) -> list[tuple[list[str], list[list[str]]]]:
    """Return tables in words, each a header and rows: what is of one row, then each histogram."""
    across = [name for each in shown if not each.labels for name in each.columns]
    cells = [_column(name, columns) for name in across]
    tables = [([*keys, *across], _rows([*keys.values(), *cells]))] if across else []
    return [*tables, *(_long(keys, each, columns) for each in shown if each.labels)]


def _long(
    keys: Mapping[str, Sequence[str]], shown: ShownAggregate, columns: Mapping[str, Sequence[Any]]
) -> tuple[list[str], list[list[str]]]:
    """Return the table of what has a row for each of its columns, group by group."""
    groups = list(zip(*keys.values(), strict=True)) if keys else [()]
    ends = ([f"{name}{end}" for name in shown.columns] for end in ("", "_low", "_high"))
    known = [names for names in ends if names[0] in columns]
    cells = with_intervals(
        *(
            [columns[name][group] for group in range(len(groups)) for name in names]
            for names in known
        )
    )
    labelled = [(*group, label) for group in groups for label in shown.labels]
    rows = [[*label, cell] for label, cell in zip(labelled, cells, strict=True)]
    return [*keys, shown.name, "rows"], _cut(rows)


def _column(name: str, columns: Mapping[str, Sequence[Any]]) -> list[str]:
    ends = (columns.get(f"{name}{end}") for end in ("", "_low", "_high"))
    return with_intervals(*(each for each in ends if each is not None))


def _rows(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    return _cut([list(row) for row in zip(*columns, strict=True)])


def _cut(rows: list[list[str]]) -> list[list[str]]:
    if len(rows) <= _MOST_ROWS:
        return rows
    half = _MOST_ROWS // 2
    return [*rows[:half], ["…"] * len(rows[0]), *rows[-half:]]


def with_intervals(
    values: Sequence[Any], lows: Sequence[Any] = (), highs: Sequence[Any] = ()
) -> list[str]:
    """Return the values of a column with their intervals, all in one form.

    That is ± where both sides of each are alike, else from … to.  What is shown covers the
    interval: a half width is rounded up, ends are rounded outwards.
    """
    if not lows:
        return [in_words(each) for each in values]
    ends = list(zip(values, lows, highs, strict=True))
    if all(_is_even(*each) for each in ends):
        return list(_even(ends))
    return [_between(*each) for each in ends]


def _is_even(value: Any, low: Any, high: Any) -> bool:
    below, above = value - low, high - value
    far = max(below, above)
    rounded = 1 if isinstance(value, int) else 0
    return bool(far != inf and _ALIKE * abs(below - above) <= max(far, _ALIKE * rounded))


def _even(ends: Sequence[tuple[Any, Any, Any]]) -> Iterator[str]:
    """Yield values with ±; what differs by its rounding alone is shown as alike."""
    digits = [_digits(*each) for each in ends]
    if not digits:
        return
    halves = [_half(*each, places) for each, places in zip(ends, digits, strict=True)]
    if len(set(digits)) == 1 and (max(halves) - min(halves)).scaleb(digits[0]) <= 1:
        halves = [max(halves)] * len(halves)
    for (value, _, _), places, half in zip(ends, digits, halves, strict=True):
        yield f"{_number(value, places, round)} ± {half:,f}"


def _between(value: Any, low: Any, high: Any) -> str:
    places = _digits(value, low, high)
    shown = _number(value, places, round)
    return tr(
        "{shown} ({low} to {high})",
        shown=shown,
        low=_number(low, places, floor),
        high=_number(high, places, ceil),
    )


def _half(value: float, low: float, high: float, digits: int) -> Decimal:
    """Return how far the ends are from a value as it is shown, rounded up."""
    middle = Fraction(to_places(as_written(value), digits))
    return to_places(max(middle - as_written(low), as_written(high) - middle), digits, ceil)


def _number(value: Any, digits: int, rounding: Callable[[Fraction], int]) -> str:
    """Return a number with so many digits after the point; it may be of any size, or endless."""
    if isinstance(value, float) and not isfinite(value):
        return str(value).replace("inf", "∞")
    return f"{to_places(as_written(value), digits, rounding):,f}"


def _digits(value: Any, low: Any, high: Any) -> int:
    """Return how many digits after the point a number has in an interval."""
    if isinstance(value, int):
        return 0
    far = max(value - low, high - value)
    return min(max(1 - floor(log10(far)), 0), 9) if far > 0 and isfinite(far) else 6


def in_words(value: Any, unit: str = "") -> str:
    """Return a key on one line, what a terminal would obey as its code.

    Parameters
    ----------
    value
        The key.
    unit
        The unit of the calendar that a date was truncated to: a month is no day.
    """
    if value is None:
        return "(missing)"
    text = _STRETCHES[unit](value) if unit in _STRETCHES else str(value)
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in text)


def as_frame(answers: AnswerColumns, kind: str) -> Any:
    """Return the columns of an answer as a frame."""
    try:
        return _FRAMES[kind](answers.columns)
    except ImportError:
        if kind == "pandas":
            raise MissingExtraError(
                purpose=mark("an answer as a pandas frame"), extra=kind
            ) from None
    raise InputError(
        "E-FRAME-MISSING",
        "{kind} is not installed",
        "pip install {kind}, or take the answer otherwise",
        kind=kind,
    )


def _pandas(columns: dict[str, list[Any]]) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def _polars(columns: dict[str, list[Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(columns)


def _arrow(columns: dict[str, list[Any]]) -> Any:
    import pyarrow as pa

    return pa.table(columns)


_FRAMES = {"pandas": _pandas, "polars": _polars, "arrow": _arrow}
