"""Expressions over the columns of one row: the nodes of the tree, all frozen.

``==`` builds an expression, so nodes are told apart by identity; two expressions are the same if
their documents are (``sfumato.tables.expressions.document``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.expressions.methods import Chaining
from sfumato.tables.expressions.values import (
    FUNCTION_NAMES,
    TYPES,
    Value,
    fold,
    plain_name,
    plain_value,
    written_call,
    written_case,
    written_name,
    written_value,
)

MOST_NESTED = 100
MOST_NODES = 5000


class Expression(Chaining["Expression"]):
    """A value computed from the columns of one row, the same on every engine.

    Nothing in it can fail because of a row: what has no value is null.

    Attributes
    ----------
    parts
        The expressions right below this one.
    nested
        How many levels it has.
    size
        How many parts it has in all.

    Examples
    --------
    >>> from sfumato.tables.expressions import col
    >>> (col("weight") / col("height") ** 2).clip(10, 60)
    clip(weight / (height ** 2), 10, 60)
    """

    parts: tuple[Expression, ...]
    nested: int
    size: int

    def columns(self) -> frozenset[str]:
        """Return the names of the columns that are used.

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> sorted((col("weight") / col("height") ** 2).columns())
        ['height', 'weight']
        """
        found, waiting = set(), [self]
        while waiting:
            node = waiting.pop()
            waiting += node.parts
            if isinstance(node, Column):
                found.add(node.name)
        return frozenset(found)

    def cast(self, to: str) -> Expression:
        """Return the value as another type; null where it cannot be one.

        Parameters
        ----------
        to
            "integer", "number", "text", "boolean", "date" or "timestamp".

        Examples
        --------
        >>> from sfumato.tables.expressions import col
        >>> col("age").cast("integer")
        CAST(age AS integer)
        """
        return Cast(self, to)

    if not TYPE_CHECKING:
        # An aggregate is asked of a table; what people write of data frames is told so.
        def __getattr__(self, name):
            from sfumato.tables.idioms import AGGREGATES, expression_alone

            if name in AGGREGATES:
                raise expression_alone(name, vars(self).get("name", "age"))
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )

    def _call(self, function: str, *arguments: Any) -> Expression:
        return FunctionCall(function, (self, *(as_expression(each) for each in arguments)))

    def _called_on(self, function: str, first: Any) -> Expression:
        return FunctionCall(function, (as_expression(first), self))

    def _hold(self, parts: tuple[Expression, ...]) -> None:
        """Keep the parts and what they come to; refuse too many."""
        _set(self, parts=parts, size=1 + sum(each.size for each in parts))
        _set(self, nested=1 + max((each.nested for each in parts), default=0))
        if self.nested > MOST_NESTED or self.size > MOST_NODES:
            raise InputError(
                "E-QUESTION-TOO-LARGE",
                "an expression nests {nested} deep and has {size} parts",
                "write one of at most {most_nested} levels and {most_nodes} parts",
                nested=self.nested,
                size=self.size,
                most_nested=MOST_NESTED,
                most_nodes=MOST_NODES,
            )

    def __bool__(self) -> bool:
        raise InputError(
            "E-EXPRESSION-IS-NO-BOOLEAN",
            "an expression is not true or false before it meets a row",
            "write & for and, | for or, ~ for not, with brackets around each side",
        )

    def __repr__(self) -> str:
        text: str = fold(self, lambda node: node.parts, _written)
        return text

    __str__ = __repr__
    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False, repr=False)
class Column(Expression):
    """The value of a column."""

    name: str

    def __post_init__(self) -> None:
        _set(self, name=plain_name(self.name))
        self._hold(())


@dataclass(frozen=True, eq=False, repr=False)
class Literal(Expression):
    """A value that the query itself writes down."""

    value: Value

    def __post_init__(self) -> None:
        _set(self, value=plain_value(self.value))
        self._hold(())


@dataclass(frozen=True, eq=False, repr=False)
class FunctionCall(Expression):
    """A function of other expressions."""

    function: str
    arguments: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if self.function not in FUNCTION_NAMES:
            raise UnknownNameError(kind="function", name=self.function, known=FUNCTION_NAMES)
        _set(self, arguments=tuple(as_expression(each) for each in _listed(self.arguments)))
        self._hold(self.arguments)


@dataclass(frozen=True, eq=False, repr=False)
class Case(Expression):
    """The value of the first branch whose condition is true."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression = field(default_factory=lambda: Literal(None))

    def __post_init__(self) -> None:
        branches = tuple(_pair(each) for each in _listed(self.branches))
        if not branches:
            raise InputError(
                "E-EXPRESSION-FORM", "a case was given no branch", "write when(condition, value)"
            )
        _set(self, branches=branches, otherwise=as_expression(self.otherwise))
        self._hold((*(part for pair in branches for part in pair), self.otherwise))


@dataclass(frozen=True, eq=False, repr=False)
class Cast(Expression):
    """The value as another type."""

    argument: Expression
    type: str

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise UnknownNameError(kind="type", name=self.type, known=TYPES)
        _set(self, argument=as_expression(self.argument))
        self._hold((self.argument,))


def col(name: str) -> Column:
    """Return the column of a name.

    Examples
    --------
    >>> from sfumato.tables.expressions import col
    >>> col("age") >= 18
    age >= 18
    """
    return Column(name)


def lit(value: Any) -> Literal:
    """Return a value as an expression; a text is that text, not a column.

    Examples
    --------
    >>> from sfumato.tables.expressions import lit
    >>> lit("F")
    'F'
    """
    return Literal(value)


def as_expression(value: Any) -> Expression:
    """Return an expression as it is, and any other value as a literal."""
    if isinstance(value, When):
        value = value.otherwise(None)
    return value if isinstance(value, Expression) else Literal(value)


def _listed(given: Any) -> tuple[Any, ...]:
    if not isinstance(given, (tuple, list)):
        raise InputError(
            "E-EXPRESSION-FORM",
            "a {kind} was given where several expressions belong",
            "write a tuple of them",
            kind=type(given).__name__,
        )
    return tuple(given)


def _pair(branch: Any) -> tuple[Expression, Expression]:
    try:
        condition, value = branch
    except (TypeError, ValueError):
        raise InputError(
            "E-EXPRESSION-FORM",
            "a branch of a case is a condition and a value",
            "write when(condition, value)",
        ) from None
    return as_expression(condition), as_expression(value)


def _set(node: Expression, **values: Any) -> None:
    """Settle the attributes of a node that is being made."""
    for name, value in values.items():
        object.__setattr__(node, name, value)


def _written(node: Expression, below: list[str]) -> str:
    if isinstance(node, Column):
        return written_name(node.name)
    if isinstance(node, Literal):
        return written_value(node.value)
    if isinstance(node, Cast):
        return f"CAST({below[0]} AS {node.type})"
    return written_case(below) if isinstance(node, Case) else written_call(node, below)


@dataclass(frozen=True, eq=False)
class When:
    """A choice that may be given more branches, and a value for all other rows.

    Where an expression is wanted it is one, with null for all other rows.
    """

    branches: tuple[tuple[Expression, Expression], ...]

    def when(self, condition: Any, value: Any) -> When:
        """Return the choice with one more branch."""
        return When((*self.branches, (as_expression(condition), as_expression(value))))

    def otherwise(self, value: Any) -> Case:
        """Return the choice with a value for the rows that no condition is true of."""
        return Case(self.branches, as_expression(value))


def when(condition: Any, value: Any) -> When:
    """Begin a choice: a value for the rows of which a condition is true.

    Examples
    --------
    >>> from sfumato.tables.expressions import col, when
    >>> when(col("age") < 18, "child").otherwise("adult")
    CASE WHEN age < 18 THEN 'child' ELSE 'adult' END
    """
    return When(((as_expression(condition), as_expression(value)),))


def coalesce(*values: Any) -> Expression:
    """Return the first of several values that is not null.

    Examples
    --------
    >>> from sfumato.tables.expressions import coalesce, col
    >>> coalesce(col("measured"), col("reported"), 0)
    coalesce(measured, reported, 0)
    """
    return FunctionCall("coalesce", values)


def least(*values: Any) -> Expression:
    """Return the least of several values; those that are null do not count.

    Examples
    --------
    >>> from sfumato.tables.expressions import col, least
    >>> least(col("first"), col("second"))
    least(first, second)
    """
    return FunctionCall("least", values)


def greatest(*values: Any) -> Expression:
    """Return the greatest of several values; those that are null do not count.

    Examples
    --------
    >>> from sfumato.tables.expressions import col, greatest
    >>> greatest(col("first"), col("second"))
    greatest(first, second)
    """
    return FunctionCall("greatest", values)
