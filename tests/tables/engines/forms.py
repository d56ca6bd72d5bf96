"""Every form of every function of the language, and every cast, asked of columns."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import Cast, Column, Expression, FunctionCall, col, lit
from sfumato.tables.expressions.functions import DOUBLES, FUNCTIONS, OneOfTypes, Text, Whole
from sfumato.tables.expressions.guards import CASTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.tables.expressions.functions import Parameter, Signature

#: The types that a parameter takes, where it is not called as one.
TAKEN = {"piece": "text", **dict.fromkeys(DOUBLES, "number")}
#: What a query writes down where a function needs that.
WRITTEN: dict[type, tuple[Any, ...]] = {
    Whole: (1, 2, 15),
    Text: (r"%\_a%", "_%", "A", ""),
}


def every_form(columns: Mapping[str, str]) -> dict[str, Expression]:
    """Each form of each function and each cast, of each column of the types that it takes.

    Parameters
    ----------
    columns
        The type of each column; those of a type take turns.
    """
    found = [*_leaves(columns), *_casts(columns)]
    for name, forms in FUNCTIONS.items():
        for form in forms:
            found += _calls(name, form, columns)
    return {str(each): each for each in found}


def with_constants(expression: Expression, constants: Mapping[str, Any]) -> Expression:
    """An expression with what a query writes down in the place of its columns."""
    if isinstance(expression, Column):
        return lit(constants[expression.name])
    parts = tuple(with_constants(each, constants) for each in expression.parts)
    if isinstance(expression, Cast):
        return Cast(parts[0], expression.type)
    return (
        FunctionCall(expression.function, parts)
        if isinstance(expression, FunctionCall)
        else expression
    )


def _leaves(columns: Mapping[str, str]) -> Iterator[Expression]:
    yield from map(col, columns)


def _casts(columns: Mapping[str, str]) -> Iterator[Expression]:
    for (given, to), (name, kind) in product(CASTS, columns.items()):
        if kind == given:
            yield Cast(col(name), to)


def _calls(name: str, form: Signature, columns: Mapping[str, str]) -> Iterator[Expression]:
    least = len(form.parameters)
    for count in (least, least + 1) if form.repeats else (least,):
        choices = [_arguments(each, columns) for each in form.parameters_for(count)]
        turns = max(map(len, choices)) if all(choices) else 0
        for turn in range(turns):
            yield FunctionCall(
                name, tuple(each[(turn + i) % len(each)] for i, each in enumerate(choices))
            )


def _arguments(parameter: Parameter, columns: Mapping[str, str]) -> list[Expression]:
    """What a parameter can be given: columns of its type, or what a query writes down."""
    if isinstance(parameter, OneOfTypes):
        return [lit(each) for each in parameter.words]
    if not isinstance(parameter, str):
        return [lit(each) for each in WRITTEN[type(parameter)] if parameter.fits(each)]
    wanted = TAKEN.get(parameter, parameter)
    return [col(name) for name, kind in columns.items() if kind == wanted]
