"""The question of a certificate in words, as a plan has them."""

from __future__ import annotations

import json
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.tables.expressions import from_document

__all__ = ["plain_value", "question_in_words"]


def question_in_words(query: dict[str, Any]) -> str:
    """Return what was asked, of which rows, and what was done to the answer.

    Parameters
    ----------
    query
        The field of that name of a certificate that holds.
    """
    by = f" by {', '.join(query['keys'])}" if query["keys"] else ""
    done = "".join(f" {_step(each)}" for each in query["steps"])
    after = "".join(f", {_after(each)}" for each in query["after"])
    return f"{_named(query['aggregates'])}{by}{done}{after}"


def plain_value(value: Any) -> Any:
    """Return a value of a certificate; a date or a time as the text that it stands there as."""
    return next(iter(value.values())) if isinstance(value, dict) else value


def _named(aggregates: list[dict[str, Any]]) -> str:
    return ", ".join(f"{each['name']} = {_aggregate(each)}" for each in aggregates)


def _aggregate(asked: dict[str, Any]) -> str:
    of = [_expression(asked[each]) for each in ("of", "other") if asked.get(each) is not None]
    count = [] if asked.get("count") is None else [str(asked["count"])]
    given = [*of, *asked.get("columns", []), *asked.get("ranks", []), *count]
    over = "" if asked.get("rows") is None else f" over {asked['rows']:,} rows"
    return f"{asked['aggregate']}({', '.join(given) or '*'}){over}"


def _step(step: dict[str, Any]) -> str:
    columns = step.get("columns", [])
    match step["step"]:
        case "filter":
            return f"where {_expression(step['condition'])}"
        case "derive":
            said = (f"{each['name']} = {_expression(each['value'])}" for each in columns)
            return f"with {', '.join(said)}"
        case "declare":
            return f"declaring {', '.join(each['name'] for each in columns)}"
        case "per_person":
            return f"for each person {_named(columns)}"
        case "join_public":
            on = " and ".join(" = ".join(dict.fromkeys(pair)) for pair in step["on"])
            return f"{_joined(step)} public rows on {on}"
    done = " ".join(_step(each) for each in step["steps"])
    other = f"another table ({done})" if done else "another table"
    return f"{_joined(step)} the rows of the same person in {other}"


def _joined(step: dict[str, Any]) -> str:
    return "joined with" if step["how"] == "inner" else f"{step['how']} joined with"


def _after(done: dict[str, Any]) -> str:
    match done["after"]:
        case "sort_by":
            greatest = ", greatest first" if done["descending"] else ""
            return f"order by {done['name']}{greatest}"
        case "head":
            return f"the first {done['count']}"
        case "having":
            return f"having {done['name']} {done['sign']} {plain_value(done['value'])}"
    return "not below 0"


def _expression(given: dict[str, Any]) -> str:
    """Return an expression in words, or as it stands if it is signed but larger than any asked."""
    try:
        return str(from_document(given))
    except SfumatoError:
        return json.dumps(given)
