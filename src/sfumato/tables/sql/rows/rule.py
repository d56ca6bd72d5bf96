"""How a node becomes an expression: what is below it, and what is made of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import Expression, FunctionCall
from sfumato.tables.sql.refusals import refusal, spelt
from sfumato.tables.sql.shapes import only
from sfumato.translation import tr

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names

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
