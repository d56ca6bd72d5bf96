"""Texts that an expression puts in order, which is done letter by letter."""

from __future__ import annotations

import operator
import re
import unicodedata
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions.compile import node_type
from sfumato.tables.expressions.nodes import Case, Cast, FunctionCall, Literal
from sfumato.tables.expressions.values import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.tables.expressions.nodes import Expression


_LONGEST = 60
_MONTH = (
    "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?"
    "|oct(ober)?|nov(ember)?|dec(ember)?)"
)
_DAY = "[0-9]{1,2}(st|nd|rd|th)?"
_BETWEEN = "[-/., ]{0,2}"
_YEAR = "([0-9]{4}|'?[0-9]{2})"
_DATES = (
    r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}",
    "[0-9]{4}[-/][0-9]{1,2}",
    "[0-9]{1,2}[-/][0-9]{4}",
    f"{_DAY}{_BETWEEN}{_MONTH}({_BETWEEN}{_YEAR})?",
    f"{_MONTH}{_BETWEEN}({_DAY}{_BETWEEN})?{_YEAR}",
    f"[0-9]{{4}}{_BETWEEN}{_MONTH}({_BETWEEN}{_DAY})?",
    "[0-9]{4}年[0-9]{1,2}月([0-9]{1,2}日)?",
)
_TIME = "( ?t ?|,? )[0-9]{1,2}:[0-9]{2}.*"
_NUMBER = r"[$€£¥]? ?[+-]? ?[$€£¥]?[0-9.,' ]*[0-9][.,]?(e[+-]?[0-9]+)? ?[%‰$€£¥]?"
#: What a text is that looks like a value of another type: the first that fits.
_LOOKS = {
    "date": [re.compile(each) for each in _DATES],
    "timestamp": [re.compile(each + _TIME) for each in _DATES],
    "number": [re.compile(_NUMBER)],
}


_ORDERS = {"less", "less_equal", "greater", "greater_equal", "between"} | {
    *("least", "greatest", "clip")
}
_CHOOSES = {"coalesce", "least", "greatest", "clip"}
_COMPUTES: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "left": lambda text, count: text[:count],
    "lower": str.lower,
    "replace": str.replace,
    "right": lambda text, count: text[max(0, len(text) - count) :],
    "strip": str.strip,
    "substring": lambda text, start, count: text[start - 1 : start - 1 + count],
    "upper": str.upper,
}
_MOST_VALUES = 100
_MOST_LETTERS = 200


def meant_by(text: str) -> str | None:
    """Return the type of which a text looks like a value: a number, a date or a timestamp."""
    if len(text) > _LONGEST:
        return None
    written = _plain(text)
    fitting = (kind for kind, forms in _LOOKS.items() if any(f.fullmatch(written) for f in forms))
    return next(fitting, None)


def _plain(text: str) -> str:
    """Return a text in small letters, with the digits 0 to 9 for those of any script."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\N{MINUS SIGN}", "-")
    digits = (str(unicodedata.decimal(each, each)) for each in folded)
    return "".join(digits).strip()


@dataclass(frozen=True)
class Ordering:
    """A call that puts texts in order.

    Attributes
    ----------
    call
        What does so.
    text
        What it puts in order.
    meant
        What a text that the query writes down beside it looks like: "number", "date" or
        "timestamp"; None where rows alone say what is beside what.
    """

    call: FunctionCall
    text: Expression
    meant: str | None


@dataclass(frozen=True)
class _NodeText:
    """What was found of a node: its values where the query writes all of them down."""

    kind: str
    values: tuple[Any, ...] | None
    is_wished: bool
    orderings: tuple[Ordering, ...]

    @property
    def is_of_rows(self) -> bool:
        return self.kind == "text" and self.values is None


def orderings(expression: Expression, schema: Mapping[str, str]) -> tuple[Ordering, ...]:
    """Return where an expression puts texts in order that might be numbers or dates.

    A text beside a written word is none of them, nor is what is cast to text on purpose.
    """
    seen: _NodeText = fold(
        expression, lambda node: node.parts, lambda node, below: _seen(node, below, schema)
    )
    return seen.orderings


def _seen(node: Expression, below: Sequence[_NodeText], schema: Mapping[str, str]) -> _NodeText:
    kind = node_type(node, [each.kind for each in below], schema)
    inside = chain.from_iterable(each.orderings for each in below)
    return _NodeText(
        kind, _values(node, below), _is_wished(node, below), (*inside, *_own(node, below))
    )


def _values(node: Expression, below: Sequence[_NodeText]) -> tuple[Any, ...] | None:
    """Return all values that a node can have, None where they depend on more than choices."""
    if isinstance(node, Literal):
        return () if node.value is None else (node.value,)
    chosen = _chosen(node, below)
    function = _COMPUTES.get(getattr(node, "function", ""))
    known = [each.values for each in chosen or below if each.values is not None]
    if len(known) < len(chosen or below) or not (chosen or function):
        return None
    found = chain(*known) if function is None else (function(*each) for each in product(*known))
    return tuple(
        each[:_MOST_LETTERS] if isinstance(each, str) else each
        for each in islice(found, _MOST_VALUES)
    )


def _chosen(node: Expression, below: Sequence[_NodeText]) -> Sequence[_NodeText]:
    """Return the parts of which a node is one."""
    if isinstance(node, Case):
        return [*below[1:-1:2], below[-1]]
    return below if getattr(node, "function", "") in _CHOOSES else []


def _is_wished(node: Expression, below: Sequence[_NodeText]) -> bool:
    """Tell whether a node is text since the query says so, also where more was done to it."""
    if isinstance(node, Cast):
        return node.type == "text"
    texts = [each for each in _chosen(node, below) or below if each.is_of_rows]
    return bool(texts) and all(each.is_wished for each in texts)


def _own(node: Expression, below: Sequence[_NodeText]) -> tuple[Ordering, ...]:
    """Return what a node itself puts in order."""
    if not isinstance(node, FunctionCall) or node.function not in _ORDERS or not node.columns():
        return ()
    if {each.kind for each in below} - {"null"} != {"text"} or any(s.is_wished for s in below):
        return ()
    written = chain.from_iterable(each.values or () for each in below)
    meant = next(filter(None, map(meant_by, written)), None)
    sides = list(zip(node.arguments, below, strict=True))
    of_rows = [each for each, seen in sides if seen.is_of_rows]
    if meant is None and len(of_rows) < 2:
        return ()
    return (Ordering(node, next(iter(of_rows), node.arguments[0]), meant),)
