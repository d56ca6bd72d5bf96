"""What a function takes and gives, and which of its forms fits the arguments at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Declaration, any_of, text
from sfumato.tables.expressions.names import TYPES
from sfumato.tables.expressions.nodes import Column
from sfumato.tables.expressions.printing import written_name
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir

    from sfumato.refusal import Given
    from sfumato.tables.expressions.nodes import Expression, FunctionCall

_READ_FROM_TEXT = ("number", "date", "timestamp", "boolean", "integer")
#: A number that is handed over as a double: as it is, finite, fit to divide by, and so on.
DOUBLES = ("number", "raw", "kept", "finite", "divisor", "positive", "not_negative")
_WIDENED = {"timestamp": {"date", "timestamp"}, "piece": {"text"}} | {
    each: {"integer", "number"} for each in DOUBLES
}


@dataclass(frozen=True)
class Whole:
    """A whole number that the query writes down."""

    least: int
    most: int

    def fits(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return type(value) is int and self.least <= value <= self.most

    def __str__(self) -> str:
        return tr("a whole number from {least} to {most}", least=self.least, most=self.most)


@dataclass(frozen=True)
class Text:
    """A text that the query writes down."""

    most: int

    def fits(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return isinstance(value, str) and len(value) <= self.most

    def __str__(self) -> str:
        return tr("a written text of at most {most} characters", most=self.most)


@dataclass(frozen=True)
class OneOfTypes:
    """One of several words."""

    words: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return tr("one of {words}", words=", ".join(map(repr, self.words)))


Parameter = str | Whole | Text | OneOfTypes


@dataclass(frozen=True)
class Signature:
    """One form of a function.

    Attributes
    ----------
    parameters
        What it takes: a type, a kind of double, a piece of a text, or a constant.
    result
        The type it gives; "same" for that of its parameters, "raw" for a double that is null
        unless it is finite, "kept" for a number that is as good as the one that came in, "piece"
        for a text that is null if it is too long.
    make
        The engine's value from the engine's values.
    repeats
        Whether the last parameter may be given more than once.
    """

    parameters: tuple[Parameter, ...]
    result: str
    make: Callable[..., ir.Value]
    repeats: bool = False

    def result_type(self, types: Sequence[str]) -> str:
        """Return the type of the result; nulls alone give a null, which is of every type."""
        if self.result == "same":
            return "null" if set(types) == {"null"} else str(self.parameters[0])
        return _shown(self.result)

    def parameters_for(self, count: int) -> tuple[Parameter, ...]:
        """Return the parameters of a call with so many arguments."""
        more = count - len(self.parameters) if self.repeats else 0
        return self.parameters + self.parameters[-1:] * more

    def fits(self, arguments: Sequence[Expression], types: Sequence[str]) -> bool:
        """Return whether it takes these arguments."""
        parameters = self.parameters_for(len(arguments))
        return len(parameters) == len(arguments) and all(
            accepts(*each) for each in zip(parameters, arguments, types, strict=True)
        )

    def __str__(self) -> str:
        shown = ", ".join(_shown(each) for each in self.parameters)
        return f"({shown}, ...)" if self.repeats else f"({shown})"


def accepts(parameter: Parameter, argument: Expression, given: str) -> bool:
    """Return whether a parameter takes an argument of a type; null goes for any type."""
    if not isinstance(parameter, str):
        return parameter.fits(getattr(argument, "value", None))
    return given == "null" or given in _WIDENED.get(parameter, {parameter})


def fitting(call: FunctionCall, forms: Sequence[Signature], types: Sequence[str]) -> Signature:
    """Return the first form of a function that takes the arguments of a call."""
    for form in forms:
        if form.fits(call.arguments, types):
            return form
    raise _declaring(call, forms, types) or InputError(
        "E-EXPRESSION-UNDEFINED",
        "{call} has no value: {function} takes {takes} and was given ({types})",
        "cast what does not fit, or write another function",
        call=shortened(call),
        function=call.function,
        takes=any_of(dict.fromkeys(map(str, forms))),
        types=", ".join(types),
    )


def _declaring(
    call: FunctionCall, forms: Sequence[Signature], types: Sequence[str]
) -> InputError | None:
    """Return what to declare of a column that is text, as those of a CSV file are, or None.

    A number is offered before an integer, beside one too: cells such as 1.5 are no integers.
    """
    texts = {
        place: each.name
        for place, each in enumerate(call.arguments)
        if isinstance(each, Column) and types[place] == "text"
    }
    beside = (each for each in types if each not in {"text", "null", "integer"})
    for kind in (*beside, *_READ_FROM_TEXT):
        read = [kind if place in texts else each for place, each in enumerate(types)]
        if texts and any(form.fits(call.arguments, read) for form in forms):
            name = next(iter(texts.values()))
            return InputError(
                "E-EXPRESSION-UNDEFINED",
                "{call} has no value, since {name} is text",
                "declare {types} where a CSV file is the table{times}, or cast it",
                call=shortened(call),
                name=written_name(name),
                types=Declaration("types", name, kind),
                times=_with_times(name) if kind == "date" else "",
            )
    return None


def common_type(types: Sequence[str]) -> str | None:
    """Return the narrowest type that all of several types can be taken as, or None."""
    if all(each == "null" for each in types):
        return "null"
    for wanted in TYPES:
        if all(each in {"null"} | _WIDENED.get(wanted, {wanted}) for each in types):
            return wanted
    return None


def shortened(expression: Expression, most: int = 120) -> str:
    """Return an expression as text that fits in a sentence."""
    text = str(expression)
    return text if len(text) <= most else text[: most - 3] + "..."


def _shown(parameter: Parameter) -> str:
    if parameter in DOUBLES:
        return "number"
    return "text" if parameter == "piece" else str(parameter)


def _with_times(name: str) -> Given:
    """Return what to declare of cells that a date alone would not read."""
    declared = Declaration("types", name, "timestamp")
    return text(" ({declared} where there is a time of day)", declared=declared)
