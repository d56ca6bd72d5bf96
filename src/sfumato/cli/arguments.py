"""The options that verbs share, and how their text is read."""

from __future__ import annotations

import csv
import io
import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.failures import explained
from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

__all__ = [
    "Base",
    "Columns",
    "File",
    "Html",
    "Json",
    "Order",
    "Ordered",
    "Plot",
    "Quasi",
    "Relation",
    "Sensitive",
    "Weights",
    "option",
    "read_base",
    "read_names",
    "read_number",
    "read_order",
    "read_source",
    "read_whole",
]

_INFINITE = {"inf": math.inf, "infinity": math.inf, "∞": math.inf}


def option(metavar: str, help: str) -> Any:  # noqa: A002, since it is what typer calls it
    """Return an option without a default; one that is given as nothing is refused."""
    return typer.Option(metavar=metavar, help=help, show_default=False, callback=_something)


def _something(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Refuse an option that is there but empty: most often a variable that was not set."""
    source = context.get_parameter_source(str(parameter.name))
    if source is not None and source.name == "COMMANDLINE" and not all(value or [""]):
        with explained():
            name = parameter.opts[0]
            raise InputError(
                "E-OPTION-VALUE",
                "{name} is empty",
                "write {name} {metavar}, or leave it out",
                name=Argument(name),
                metavar=parameter.metavar,
            )
    return value


File = Annotated[str, typer.Argument(metavar="FILE", help="A CSV or Parquet file.")]
Columns = Annotated[
    list[str],
    typer.Option(metavar="NAMES", help="The columns to look at, separated by commas: age,sex"),
]
Weights = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="A column of counts or probabilities. Without it each row is one observation.",
        show_default=False,
    ),
]
Order = Annotated[str, typer.Option(metavar="NUMBER", help="The Rényi order, from 0 to inf.")]
Base = Annotated[
    str, typer.Option(metavar="NUMBER", help="Of the logarithm: 2 gives bits, e gives nats.")
]
Relation = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Neighbouring relation: add-remove or substitute.",
        show_default=False,
    ),
]
Quasi = Annotated[
    list[str],
    typer.Option(
        metavar="NAMES",
        help="Quasi-identifiers: columns that others may know, separated by commas: age,sex,zip",
    ),
]
Sensitive = Annotated[
    list[str],
    typer.Option(
        metavar="NAMES",
        help="Sensitive attributes: columns that nobody should learn: diagnosis",
        show_default=False,
    ),
]
Ordered = Annotated[
    list[str],
    typer.Option(
        metavar="NAMES",
        help="Sensitive columns of numbers, where near ones are nearer than far ones.",
        show_default=False,
    ),
]
Html = Annotated[
    str,
    typer.Option(metavar="FILE", help="Also write the report as a page, .html", show_default=False),
]
Plot = Annotated[
    str,
    typer.Option(
        metavar="FILE", help="Also draw it into a file, .html, .png or .svg", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON, for other programs.")]


def read_names(values: Sequence[str]) -> list[str]:
    """Return the names in comma lists, written as in the header line of a CSV file."""
    lists = [io.StringIO(value, newline="") for value in values]
    return [
        name
        for names in lists
        for line in csv.reader(names, skipinitialspace=True)
        for name in line
    ]


def read_base(text: str) -> float:
    """Return the base of a logarithm from its text; ``e`` is Euler's number."""
    return read_number(text, "--base", mark("a number above 1, or e"), {"e": math.e})


def read_order(text: str) -> float:
    """Return a Rényi order from its text; infinity may be written inf or ∞."""
    return read_number(text, "--order", mark("a number from 0 to inf"), {})


def read_number(text: str, option: str, allowed: str, named: Mapping[str, float]) -> float:
    """Return a number from its text, or refuse in the words of its option.

    Parameters
    ----------
    text
        What was given.
    option, allowed
        The option, and what it takes, which is marked if it is in words.
    named
        Numbers that have a name; infinity is one everywhere.
    """
    from sfumato.application.numerals import any_float, rational

    known = {**_INFINITE, **named}
    number = known[text] if text in known else rational(text)
    if number is None:
        raise InputError(
            "E-OPTION-VALUE",
            "{option} takes {allowed}",
            "{text!r} is not",
            option=option,
            allowed=allowed,
            text=text[:60],
        )
    return any_float(number)


def read_whole(text: str, option: str) -> int:
    """Return a whole number from its text, or refuse in the words of its option."""
    from sfumato.application.numerals import whole

    number = whole(text)
    if number is None:
        raise InputError(
            "E-OPTION-VALUE",
            "{option} takes a whole number of 1 or more",
            "{text!r} is not",
            option=option,
            text=text[:60],
        )
    return number


def read_source(text: str, wanted: str) -> str | TextIO:
    """Return what to read: the file of a name, or standard input for a dash.

    Parameters
    ----------
    text
        What was given.
    wanted
        What to name instead where standard input is closed, marked.
    """
    if text != "-":
        return text
    if sys.stdin is None:
        raise InputError(
            "E-INPUT-CLOSED", "standard input is closed", "name {wanted}", wanted=wanted
        )
    return sys.stdin
