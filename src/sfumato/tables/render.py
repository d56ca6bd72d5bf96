"""How a private table and a question look in a notebook: what is declared, and what is left."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from sfumato.errors import SfumatoError
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.data.policy import Policy
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.tree.rows import Held


_MOST_VALUES = 6


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
    return f"<p>{head}</p>{_table(columns, rows)}{_lines(said)}"


def html_of_question(question: str, table: Held) -> str:
    """Return a question as a card: what is asked, of whom, and that nothing is spent yet."""
    said = [tr("privacy: {relation}", relation=table.relation), *_left(table.policy)]
    unspent = tr(
        "nothing is spent: plan(epsilon=1) says what it would cost and how exact it would be, "
        "release(epsilon=1) answers"
    )
    return f"<p><strong>{escape(question)}</strong></p>{_lines(said)}<p>{unspent}</p>"


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


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    heads = "".join(f"<th>{escape(each)}</th>" for each in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _lines(said: Iterable[str]) -> str:
    return f"<p>{'<br>'.join(map(escape, said))}</p>"
