"""An expression as a JSON document, and back: strict, and without a loss."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.expressions.nodes import (
    MOST_NESTED,
    MOST_NODES,
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
)
from sfumato.tables.expressions.values import fold
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

_HELP = mark("write what document() gives for an expression")
#: The keys of each kind of node; those of one value have their kind alone.
_KEYS = {
    **{kind: {kind} for kind in ("column", "value", "date", "timestamp")},
    "call": {"call", "arguments"},
    "case": {"case", "otherwise"},
    "cast": {"cast", "type"},
}


def document(expression: Expression) -> dict[str, Any]:
    """Return an expression as nested dictionaries and lists that JSON can hold."""
    made: dict[str, Any] = fold(expression, lambda node: node.parts, _document)
    return made


def from_document(given: Any) -> Expression:
    """Return the expression that a document holds; anything else is refused."""
    left = [MOST_NODES]
    made: Expression = fold((given, 1), lambda each: _inner(each, left), _expression)
    return made


def _document(node: Expression, below: list[dict[str, Any]]) -> dict[str, Any]:
    if isinstance(node, Column):
        return {"column": node.name}
    if isinstance(node, Literal):
        return _value_document(node.value)
    if isinstance(node, FunctionCall):
        return {"call": node.function, "arguments": below}
    if isinstance(node, Cast):
        return {"cast": below[0], "type": node.type}
    pairs = [list(each) for each in zip(below[0:-1:2], below[1:-1:2], strict=True)]
    return {"case": pairs, "otherwise": below[-1]}


def _value_document(value: Any) -> dict[str, Any]:
    if isinstance(value, dt.datetime):
        return {"timestamp": value.isoformat()}
    if isinstance(value, dt.date):
        return {"date": value.isoformat()}
    return {"value": value}


def _inner(place: tuple[Any, int], left: list[int]) -> Sequence[tuple[Any, int]]:
    """Return the documents inside one, each with its depth; refuse too many or too deep."""
    given, depth = place
    left[0] -= 1
    if depth > MOST_NESTED or left[0] < 0:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the document of an expression has more than {most_nested} levels or "
            "{most_nodes} parts",
            "write a smaller expression",
            most_nested=MOST_NESTED,
            most_nodes=MOST_NODES,
        )
    return [(each, depth + 1) for each in _parts(given)]


def _kind(given: Any) -> str:
    if isinstance(given, dict):
        for kind, keys in _KEYS.items():
            if given.keys() == keys:
                return kind
    raise InputError(
        "E-DOCUMENT-FORM",
        "the document of an expression has a part that is none of {list}",
        "{help}",
        list=list(_KEYS),
        help=_HELP,
    )


def _parts(given: Any) -> list[Any]:
    kind = _kind(given)
    if kind == "call":
        return _list(given["arguments"])
    if kind == "case":
        return _case_parts(given)
    return [given["cast"]] if kind == "cast" else []


def _case_parts(given: dict[str, Any]) -> list[Any]:
    branches = _list(given["case"])
    if not all(isinstance(each, list) and len(each) == 2 for each in branches):
        raise InputError(
            "E-DOCUMENT-FORM",
            "a case's branches are pairs of a condition and a value",
            "{help}",
            help=_HELP,
        )
    return [*(part for pair in branches for part in pair), given["otherwise"]]


def _list(given: Any) -> list[Any]:
    if not isinstance(given, list):
        raise InputError(
            "E-DOCUMENT-FORM",
            "the document of an expression needs a list where it has none",
            "{help}",
            help=_HELP,
        )
    return given


def _expression(place: tuple[Any, int], below: list[Expression]) -> Expression:
    given = place[0]
    kind = _kind(given)
    if kind == "call":
        return FunctionCall(given["call"], tuple(below))
    if kind == "case":
        return Case(tuple(zip(below[0:-1:2], below[1:-1:2], strict=True)), below[-1])
    if kind == "cast":
        return Cast(below[0], given["type"])
    if kind == "column":
        return Column(given["column"])
    return Literal(_value(kind, given[kind]))


def _value(kind: str, given: Any) -> Any:
    if kind == "value" and (given is None or isinstance(given, (bool, int, float, str))):
        return given
    read = {"date": dt.date.fromisoformat, "timestamp": dt.datetime.fromisoformat}.get(kind)
    if read is not None and isinstance(given, str):
        try:
            return read(given)
        except ValueError:
            pass
    raise InputError(
        "E-DOCUMENT-FORM",
        "the document of an expression has a {kind} that is none",
        "{help}",
        kind=kind,
        help=_HELP,
    )
