"""What an answer depends on besides the rows, in a few digits."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from sfumato.data.policy import digest
from sfumato.tables.expressions import document
from sfumato.tables.tree.rows import JoinPeople, JoinPublic, PerPerson, expressions_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.tree.rows import Held, Step
    from sfumato.tables.tree.sampled import Sampled

_DIGITS = 16


def fingerprint(plan: Plan) -> str:
    """Return digits that differ for plans whose answers could not be read alike."""
    query = plan.query
    parts = [
        str(query),
        *_told(query.table),
        *(repr(document(each)) for _, asked in query.aggregates for each in asked.operands),
        repr([step.measurement for step in plan.measures]),
        repr([step.look for step in plan.looks]),
        repr(plan.keys),
        *(_code(each.asked) for each in plan.samples),
    ]
    return _digits(parts)


def row_fingerprint(table: Held) -> str:
    """Return digits that differ for rows of which something else is declared, or done to them."""
    return _digits(_told(table))


def _told(table: Held) -> list[str]:
    return [digest(table.policy), table.source.name, *map(_said, table.steps)]


def _digits(parts: Sequence[str]) -> str:
    return sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _said(step: Step) -> str:
    match step:
        case JoinPublic():
            return f"{step} {step.other.digest}"
        case JoinPeople():
            done = [_said(each) for each in step.other.steps]
            return f"{step} {step.on} {digest(step.other.policy)} {done}"
        case PerPerson():
            bounds = [getattr(asked, "bounds", None) for _, asked in step.columns]
            return f"{step} {bounds} {_written(step)}"
    return f"{step} {_written(step)}"


def _written(step: Step) -> str:
    return repr([document(each) for each in expressions_of(step)])


def code_digest(asked: Sampled) -> str:
    """Return the SHA-256 of a function's name and code, which says nothing else of it."""
    return sha256(_code(asked).encode("utf-8", "surrogatepass")).hexdigest()


def _code(asked: Sampled) -> str:
    """Return a function's name and its code, which are the same in another process."""
    function = asked.function
    code = getattr(function, "__code__", None)
    written = "" if code is None else f"{code.co_code.hex()} {code.co_consts!r}"
    return f"{getattr(function, '__qualname__', type(function).__name__)} {written}"
