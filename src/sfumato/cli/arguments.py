"""The options that verbs share, and how their text is read."""

from __future__ import annotations

import csv
import inspect
import io
import math
import sys
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, get_type_hints

import typer

from sfumato import application
from sfumato.cli.failures import explained
from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from dataclasses import Field
    from typing import TextIO


_INFINITE = {"inf": math.inf, "infinity": math.inf, "∞": math.inf}


def option(metavar: str, help: str) -> Any:  # noqa: A002, since it is what typer calls it
    """Return an option without a default; one that is given as nothing is refused."""
    return typer.Option(metavar=metavar, help=help, show_default=False, callback=_something)


def setting(metavar: str, help: str, *names: str, default: bool = True) -> Any:  # noqa: A002
    """Return an option that may be given as nothing; its default is shown, where it has one."""
    return typer.Option(*names, metavar=metavar, help=help, show_default=default)


def flag(name: str, help: str) -> Any:  # noqa: A002
    """Return an option that takes no value."""
    return typer.Option(name, help=help)


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
    list[str], setting("NAMES", "The columns to look at, separated by commas: age,sex")
]
Weights = Annotated[
    str,
    setting(
        "NAME",
        "A column of counts or probabilities. Without it each row is one observation.",
        default=False,
    ),
]
Order = Annotated[str, setting("NUMBER", "The Rényi order, from 0 to inf.")]
Base = Annotated[str, setting("NUMBER", "Of the logarithm: 2 gives bits, e gives nats.")]
Relation = Annotated[
    str, setting("NAME", "Neighbouring relation: add-remove or substitute.", default=False)
]
Quasi = Annotated[
    list[str],
    setting(
        "NAMES", "Quasi-identifiers: columns that others may know, separated by commas: age,sex,zip"
    ),
]
Sensitive = Annotated[
    list[str],
    setting(
        "NAMES", "Sensitive attributes: columns that nobody should learn: diagnosis", default=False
    ),
]
Ordered = Annotated[
    list[str],
    setting(
        "NAMES",
        "Sensitive columns of numbers, where near ones are nearer than far ones.",
        default=False,
    ),
]
On = Annotated[
    list[str],
    setting(
        "NAMES",
        "Quasi-identifiers: what others may know, separated by commas: age,sex",
        default=False,
    ),
]
SensitiveColumn = Annotated[
    str, setting("NAME", "The sensitive attribute: a column that nobody should learn.")
]
Html = Annotated[str, setting("FILE", "Also write the report as a page, .html", default=False)]
Plot = Annotated[
    str, setting("FILE", "Also draw it into a file, .html, .png or .svg", default=False)
]
Json = Annotated[bool, flag("--json", "Write JSON, for other programs.")]


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
    known = {**_INFINITE, **named}
    number = known[text] if text in known else application.rational(text)
    if number is None:
        raise InputError(
            "E-OPTION-VALUE",
            "{option} takes {allowed}",
            "{text!r} is not",
            option=option,
            allowed=allowed,
            text=text[:60],
        )
    return application.any_float(number)


def read_whole(text: str, option: str) -> int:
    """Return a whole number from its text, or refuse in the words of its option."""
    number = application.whole(text)
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


def grouping(verb: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take options of a data class together, where it names that as one argument."""
    hints = get_type_hints(verb, include_extras=True)
    signature = inspect.signature(verb)
    groups = {name: _options(kind) for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(verb)
    def reading(*words: Any, **given: Any) -> None:
        made = {
            name: hints[name](**{each: given.pop(each) for each in options if each in given})
            for name, options in groups.items()
        }
        verb(*words, **made, **given)

    together = [
        option
        for name, each in signature.parameters.items()
        for option in groups.get(name, {name: each.replace(annotation=hints[name])}).values()
    ]
    vars(reading)["__signature__"] = signature.replace(parameters=together)
    reading.__annotations__ = {each.name: each.annotation for each in together}
    return reading


def _default(option: Field[Any]) -> Any:
    if option.default_factory is not MISSING:
        return option.default_factory()
    return inspect.Parameter.empty if option.default is MISSING else option.default


def _options(group: Any) -> Mapping[str, inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return {
        each.name: inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(each),
            annotation=hints[each.name],
        )
        for each in fields(group)
    }


_MOST_OF_A_NAME = 60
_MOST_DIGITS = 19


@dataclass(frozen=True)
class Form:
    """How an option is written.

    Parameters
    ----------
    option, example
        The option, and what follows it.
    of
        What it begins with: the name of a column, one of few words, or the name of a file's table.
    """

    option: str
    example: str
    of: Literal["column", "word", "file"] = "column"

    def refuse(self, text: str) -> NoReturn:
        """Refuse a text that is not written so, with what comes closest to it."""
        raise InputError(
            "E-OPTION-VALUE",
            "{option} takes {suited}, say",
            "{text!r} is not of this form",
            option=self.option,
            suited=self.suited(text),
            text=text[:60],
        )

    def suited(self, text: str) -> str:
        """Return the example, with what a text names in place of its own name."""
        own = text.partition("=")[0].strip()
        name, _, rest = self.example.partition("=")
        if text == own and "," in own and len(own) <= _MOST_OF_A_NAME:
            return f"{name}={own}"
        suffix = PurePath(rest).suffix
        if self.of == "word" or not own or len(own) > _MOST_OF_A_NAME:
            return self.example
        if self.of == "file":
            file = own if PurePath(own).suffix else f"{own}{suffix}"
            return f"{PurePath(file).stem}={file}"
        if suffix and PurePath(own).suffix == suffix:
            return f"{name}={own}"
        return f"{own}={rest}" if own[0].isalpha() or own[0] == "_" else self.example


@dataclass(frozen=True)
class NamedText:
    """A name and what is said of it."""

    form: Form
    name: str
    value: str

    def ends(self) -> tuple[str, str] | str:
        """Return both bounds; a time of the day has colons of its own, as many on either side."""
        if self.value == "auto":
            return self.value
        parts = self.value.split(":")
        middle, odd = divmod(len(parts), 2)
        if odd or not all(parts):
            self.form.refuse(f"{self.name}={self.value}")
        return ":".join(parts[:middle]), ":".join(parts[middle:])

    def limit(self) -> int | str:
        """Return a whole number where one is written; the policy has a say on the rest."""
        number = application.whole(self.value) if len(self.value) <= _MOST_DIGITS else None
        return self.value if number is None else number

    def number(self) -> float:
        """Return a number, or refuse what is none."""
        return read_number(self.value, self.form.option, self.form.example, {})


def read_pairs(given: Iterable[str], form: Form) -> list[NamedText]:
    """Return names and values, from comma lists; a name may hold an equals sign."""
    found = [read_pair(text, *text.rpartition("=")[::2], form) for text in read_names([*given])]
    return list(each_once(found))


def read_pair(text: str, name: str, value: str, form: Form) -> NamedText:
    """Return a name and its value, or refuse a text that lacks one of them."""
    if not name.strip() or not value.strip():
        form.refuse(text)
    return NamedText(form, name.strip(), value.strip())


def each_once(pairs: Iterable[NamedText]) -> Iterator[NamedText]:
    """Yield pairs, and refuse a name that comes twice."""
    seen = set()
    for pair in pairs:
        if pair.name in seen:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "{option} names {pair!r} twice",
                "give each name once",
                option=pair.form.option,
                pair=pair.name[:60],
            )
        seen.add(pair.name)
        yield pair
