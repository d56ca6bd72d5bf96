"""The answer that a certificate is about: the question, the figures, and what goes with them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sfumato.application.certificates.asked import plain_value, question_in_words
from sfumato.printing.layout import aligned, fitted
from sfumato.printing.wording import percentage
from sfumato.tables.release.printing import ShownAggregate, in_words, tables_in_words
from sfumato.tables.tree.selections import bin_labels
from sfumato.translation import tr

__all__ = ["answer_figures", "answer_lines"]

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
