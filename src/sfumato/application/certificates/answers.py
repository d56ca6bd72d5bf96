"""The question and the answer of a certificate, in words and figures."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.printing import aligned, all_of_these, fitted, percentage
from sfumato.tables import ShownAggregate, bin_labels, in_words, tables_in_words
from sfumato.tables.expressions import from_document
from sfumato.translation import tr


def question_in_words(query: dict[str, Any]) -> str:
    """Return what was asked, of which rows, and what was done to the answer.

    Parameters
    ----------
    query
        The field of that name of a certificate that holds.
    """
    by = tr(" by {query}", query=", ".join(query["keys"])) if query["keys"] else ""
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
    over = "" if asked.get("rows") is None else tr(" over {asked:,} rows", asked=asked["rows"])
    return f"{asked['aggregate']}({', '.join(given) or '*'}){over}"


def _step(step: dict[str, Any]) -> str:
    columns = step.get("columns", [])
    match step["step"]:
        case "filter":
            return tr("where {step}", step=_expression(step["condition"]))
        case "derive":
            said = (f"{each['name']} = {_expression(each['value'])}" for each in columns)
            return tr("with {said}", said=", ".join(said))
        case "declare":
            return tr("declaring {columns}", columns=", ".join(each["name"] for each in columns))
        case "per_person":
            return tr("for each person {columns}", columns=_named(columns))
        case "join_public":
            on = all_of_these([" = ".join(dict.fromkeys(pair)) for pair in step["on"]])
            return tr("{step} public rows on {on}", step=_joined(step), on=on)
    done = " ".join(_step(each) for each in step["steps"])
    other = tr("another table ({done})", done=done) if done else tr("another table")
    return tr("{step} the rows of the same person in {other}", step=_joined(step), other=other)


def _joined(step: dict[str, Any]) -> str:
    return (
        tr("joined with") if step["how"] == "inner" else tr("{step} joined with", step=step["how"])
    )


def _after(done: dict[str, Any]) -> str:
    match done["after"]:
        case "sort_by":
            greatest = tr(", greatest first") if done["descending"] else ""
            return tr("order by {done}{greatest}", done=done["name"], greatest=greatest)
        case "head":
            return tr("the first {done}", done=done["count"])
        case "having":
            return tr(
                "having {done} {sign} {value}",
                done=done["name"],
                sign=done["sign"],
                value=plain_value(done["value"]),
            )
    return tr("not below 0")


def _expression(given: dict[str, Any]) -> str:
    """Return an expression in words, or as it stands if it is signed but larger than any asked."""
    try:
        return str(from_document(given))
    except SfumatoError:
        return json.dumps(given)


_INDENT = "  "


def answer_lines(document: dict[str, Any], *, width: int) -> list[str]:
    """Return what was asked and answered, in lines; a table is never wrapped.

    Parameters
    ----------
    document
        A certificate that holds.
    width
        How wide a sentence may be.
    """
    query, columns = document["query"], _columns(document)
    keys = {name: [in_words(each) for each in columns[name]] for name in query["keys"]}
    tables = tables_in_words(keys, list(map(_shown, query["aggregates"])), columns)
    level = percentage(Fraction(document["answers"]["confidence"]))
    notes = [tr("{level} confidence intervals, for the noise", level=level), *document["caveats"]]
    return [
        *_sentences([question_in_words(query)], width),
        *(line for table in tables for line in aligned([table[0], *table[1]], indent=_INDENT)),
        *_sentences(notes, width),
    ]


def answer_figures(document: dict[str, Any]) -> dict[str, Any]:
    """Return what was asked and answered, ready for JSON: one object a row."""
    columns = _columns(document)
    return {
        "query": question_in_words(document["query"]),
        "confidence": float(document["answers"]["confidence"]),
        "columns": list(columns),
        "rows": [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ],
    }


def _columns(document: dict[str, Any]) -> dict[str, list[Any]]:
    columns = document["answers"]["columns"]
    return {each["name"]: [plain_value(value) for value in each["values"]] for each in columns}


def _shown(asked: dict[str, Any]) -> ShownAggregate:
    edges = asked["edges"] if asked["aggregate"] == "histogram" else ()
    return ShownAggregate(asked["name"], asked["answers"], bin_labels(list(map(Fraction, edges))))


def _sentences(sentences: list[str], width: int) -> list[str]:
    return fitted([f"{_INDENT}{each}" for each in sentences], width)
