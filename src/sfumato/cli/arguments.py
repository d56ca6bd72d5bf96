"""The options that verbs share, and how their text is read."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Base", "Columns", "File", "Json", "Order", "Weights", "read_base", "read_names"]

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
Order = Annotated[float, typer.Option(metavar="NUMBER", help="The Rényi order, from 0 to inf.")]
Base = Annotated[
    str, typer.Option(metavar="NUMBER", help="Of the logarithm: 2 gives bits, e gives nats.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON, for other programs.")]


def read_names(values: Sequence[str]) -> list[str]:
    """Return the names in comma lists, written as in the header line of a CSV file.

    Examples
    --------
    >>> from sfumato.cli.arguments import read_names
    >>> read_names(["age, sex", '"height, cm"'])
    ['age', 'sex', 'height, cm']
    """
    return [name for line in csv.reader(values, skipinitialspace=True) for name in line]


def read_base(text: str) -> float:
    """Return the base of a logarithm from its text; ``e`` is Euler's number.

    Examples
    --------
    >>> from sfumato.cli.arguments import read_base
    >>> read_base("2"), read_base("e")
    (2.0, 2.718281828459045)
    """
    try:
        return math.e if text.strip().lower() == "e" else float(text)
    except ValueError:
        message = f"--base takes a number above 1, or e; {text!r} is neither"
        raise InputError(message) from None
