"""The entries of a report: which of them are possible, said to an engine.

Nothing is cast inside the engine, so that no cell can make it fail: a column is compared with
what the question's protocol can give, written in the column's own type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import InputError, InternalError
from sfumato.survey.client.protocols import Response, Subset
from sfumato.survey.collector.forms import largest_report, parse

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.survey.client.questions import ChoiceQuestion, Question

__all__ = ["check_type", "decoded", "possible", "whole_within", "words_of"]

_MOST_LISTED = 64
_WHOLE_DOUBLES = 2**53
#: How often an engine's patterns may repeat something, the least of them.
_MOST_REPEATED = 250
_NUMBER = r"^(0|[1-9][0-9]*)([.]0)?$"


def check_type(question: Question, column: ir.Column, where: str) -> None:
    """Refuse a column whose type cannot hold every report that the question's protocol can give.

    A program that guesses at types has made a number of 01, say, which is no longer the choice:
    reports with other choices would be left, and the estimates have a bias.
    """
    if not _holds(question, column.type()):
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {question!r} of {where} is of type {column}, which cannot hold every "
            "report on that question",
            "have the reports read as text",
            question=question.name,
            where=where,
            column=column.type(),
        )


def possible(question: Question, column: ir.Column) -> ir.BooleanValue:
    """Return whether an entry is one that the question's protocol can give; never null."""
    import ibis

    most = largest_report(question)
    if most is None:
        found = _is_text(cast("ChoiceQuestion", question), column)
    else:
        found = _is_number(column, most)
    return found.fill_null(ibis.literal(value=False))


def whole_within(column: ir.Column, least: int, most: int) -> ir.BooleanValue:
    """Return whether a number is whole, and within bounds; null where there is none."""
    import ibis

    within = column.between(least, most)
    if not column.type().is_floating():
        return within
    inside = ibis.cases((within, column), else_=0.5)
    return within & (inside == inside.floor().cast("float64"))


def words_of(question: Question, kind: Any) -> list[Any] | None:
    """Return the words of a question, as values of its column's type; None if it has no words."""
    if not isinstance(question.protocol, Response):
        return None
    return [_typed(kind, word) for word in question.choices]


def decoded(question: Question, column: pa.Array) -> NDArray[Any]:
    """Return possible entries of a column as arrays of reports."""
    import pyarrow as pa

    whole = column.cast(pa.int64()) if pa.types.is_floating(column.type) else column
    reports, fine = parse(question, whole)
    if not fine.all():
        raise InternalError(
            "E-INTERNAL",
            "the engine took impossible reports on {question!r} for possible ones",
            question=question.name,
        )
    return reports


def _holds(question: Question, kind: Any) -> bool:
    most = largest_report(question)
    if kind.is_string():
        return True
    if most is not None:
        return _has_room(kind, most) or bool(kind.is_float64() and most < _WHOLE_DOUBLES)
    words = words_of(question, kind)
    if words is None or None in words:
        return False
    return not kind.is_integer() or _has_room(kind, *words)


def _has_room(kind: Any, *numbers: int) -> bool:
    """Return whether a type is of whole numbers, these among them."""
    return kind.is_integer() and all(
        kind.bounds.lower <= each <= kind.bounds.upper for each in numbers
    )


def _typed(kind: Any, word: str) -> Any:
    """Return a word as a value of a column's type; None where it has no one way to be written."""
    if kind.is_string():
        return word
    if kind.is_boolean():
        return {"true": True, "false": False}.get(word)
    number = int(word) if word.removeprefix("-").isdecimal() and len(word) < 16 else None
    if str(number) != word or not (kind.is_integer() or kind.is_float64()):
        return None
    return number if kind.is_integer() else float(word)


def _is_text(question: ChoiceQuestion, column: ir.Column) -> ir.BooleanValue:
    words = words_of(question, column.type())
    return _are_bits(question, column) if words is None else column.isin(words)


def _is_number(column: ir.Column, most: int) -> ir.BooleanValue:
    if column.type().is_string():
        return _is_written_number(column, most)
    return whole_within(column, 0, most)


def _is_written_number(text: ir.StringColumn, most: int) -> ir.BooleanValue:
    """Return whether a text is a whole number up to the greatest; .0 behind it does no harm.

    A line break is asked for besides, for to Java a line may end before it.
    """
    import ibis

    if most < _MOST_LISTED:
        numbers = [str(each) for each in range(most + 1)]
        return text.isin([*numbers, *(f"{each}.0" for each in numbers)])
    digits = ibis.cases((text.endswith(".0"), text.left(text.length() - 2)), else_=text)
    length, greatest = digits.length(), str(most)
    below = (length < len(greatest)) | ((length == len(greatest)) & (digits <= greatest))
    return text.re_search(_NUMBER) & ~text.contains("\n") & below


def _are_bits(question: ChoiceQuestion, text: ir.StringColumn) -> ir.BooleanValue:
    """Return whether a text has its letter and one bit for each choice, as many 1 as there are."""
    choices, protocol = len(question.choices), question.protocol
    sized = text.length() == choices + 1
    if not isinstance(protocol, Subset):
        return sized & text.re_search("^b[01]+$")
    if protocol.size <= _MOST_REPEATED:
        return sized & text.re_search(f"^b(?:0*1){{{protocol.size}}}0*$")
    zeros = text.replace("1", "") == "b" + "0" * (choices - protocol.size)
    return sized & text.startswith("b") & zeros
