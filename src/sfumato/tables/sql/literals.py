"""The values that a query writes down."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.expressions import Expression, FunctionCall, Literal
from sfumato.tables.sql.refusals import kind, only, refusal, shortened, spelt
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names


_WHOLE = re.compile("[0-9]+")
_NUMBER = re.compile("([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
_MOST_DIGITS = 400
_READERS = {"date": dt.date.fromisoformat, "timestamp": dt.datetime.fromisoformat}
_FORMS = {
    "date": re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "timestamp": re.compile(
        "[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?"
    ),
}


def literal(node: Expr) -> str | int | float:
    """Return the text or the number that a literal holds."""
    text, is_text = only(node, "this", "is_string")
    return str(text) if is_text else number(str(text))


def number(text: str) -> int | float:
    """Return a number as Python has it, a whole one exactly."""
    if not _NUMBER.fullmatch(text) or len(text) > _MOST_DIGITS:
        raise InputError(
            "E-NUMBER-FORM",
            "the number {text!r} in the SQL cannot be read",
            "write at most 18 digits, as 1234.5",
            text=shortened(text),
        )
    return int(text) if _WHOLE.fullmatch(text) else float(text)


def whole(node: Expr) -> int | None:
    """Return the whole number that a node writes down, or None."""
    found = literal(node) if kind(node) == "Literal" else None
    return found if isinstance(found, int) else None


def moment(text: str, to: str) -> Literal:
    """Return a date or a timestamp that was written as text."""
    written = text.strip()
    try:
        found = _READERS[to](written) if _FORMS[to].fullmatch(written) else None
    except ValueError:
        found = None
    if found is None:
        form = "2024-01-31" if to == "date" else "2024-01-31 12:00:00"
        raise InputError(
            "E-SQL-SYNTAX",
            "the text {text!r} in the SQL is no {to}",
            "write it as {other_to} '{form}'",
            to=mark("date" if to == "date" else "timestamp"),
            text=shortened(text),
            other_to=to.upper(),
            form=form,
        )
    return Literal(found)


Parts = Callable[[Any], Sequence[Any]]
Make = Callable[["Names", Any, list[Expression]], Expression]


@dataclass(frozen=True)
class TranslationRule:
    """How one kind of node is translated.

    Attributes
    ----------
    parts
        The nodes right below one, in order; whatever else it holds is refused.
    make
        The expression, from what the nodes below became.
    """

    parts: Parts
    make: Make


def slots(*names: str, optional: Sequence[str] = (), flags: Sequence[str] = ()) -> Parts:
    """Return what finds the nodes in some arguments; flags may be given and are not nodes."""

    def parts(node: Expr) -> Sequence[Expr]:
        found = only(node, *names, *optional, *flags)
        if any(each is None for each in found[: len(names)]):
            raise refusal(
                of=tr("{node} with too few arguments", node=spelt(node)),
                write=tr("{node} with all of them", node=spelt(node)),
            )
        return _flat(found[: len(names) + len(optional)])

    return parts


def _flat(found: Sequence[Any]) -> list[Expr]:
    listed = [each if isinstance(each, list) else [each] for each in found if each is not None]
    return [each for several in listed for each in several]


def call(function: str) -> Make:
    """Return what makes a call of a function."""
    return lambda _, __, below: FunctionCall(function, tuple(below))


def calling(functions: dict[str, str], parts: Parts) -> dict[str, TranslationRule]:
    """Return the rules of nodes that are calls of functions, each of the same arguments."""
    return {kind: TranslationRule(parts, call(function)) for kind, function in functions.items()}
