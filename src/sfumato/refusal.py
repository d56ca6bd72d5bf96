"""What is refused, as data: a code, what was given, what to write instead, and who renders it.

A refusal is one sentence and, after a semicolon, what to write.  Both are templates; what they
are filled with is text, or a hint that every surface writes in its own way: Python an argument, the
shell an option, a policy file an entry.  Nothing reads a sentence back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.translation import Marked, fields_of, filled, fitted, plain, said, tr, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sfumato.translation import Field, Sentences

#: More bits than so many has no number that JSON is read for.
_WIDEST = 1_024
#: More characters than so many of what was given are not all written.
_LONGEST = 2_000
_AGGREGATES = {"count": "COUNT", "sum": "SUM", "mean": "AVG", "minimum": "MIN", "maximum": "MAX"}
_TABLES: Sentences = {
    "public": "{declared} of the public table",
    "private": "{declared} of the private table",
}


class Bare(str):
    """A value that is written as it is, such as ``1e-6``, and not as a text in quotes."""

    __slots__ = ()


class Hint(ABC):
    """What each surface writes in its own way."""

    @abstractmethod
    def written(self, surface: Surface, column: str) -> str:
        """Return it as a surface writes it; ``column`` is what the refusal is about, if any."""

    def as_dict(self) -> dict[str, Any]:
        """Return what kind of hint it is of what, ready for JSON."""
        kind = type(self).__name__.lower()
        first, *others = (
            (each.name, _plain_value(getattr(self, each.name)))
            for each in fields(self)  # type: ignore[arg-type]
        )
        return {kind: first[1], **dict(others)}

    def __str__(self) -> str:
        return _SPEAKING.get().said(self)


Given: TypeAlias = str | Hint


@dataclass(frozen=True)
class Argument(Hint):
    """An argument of a call, and what may be written for it, if anything.

    What has no name is named in words: a sentence that is marked, or a part.
    """

    name: Given
    value: object = None

    def written(self, surface: Surface, column: str) -> str:  # noqa: ARG002
        """Return it as a surface writes it."""
        return surface.argument(self)


@dataclass(frozen=True)
class Arguments(Hint):
    """Several arguments that are written together."""

    each: tuple[Argument, ...]

    def written(self, surface: Surface, column: str) -> str:
        """Return them as a surface writes them."""
        return surface.between.join(each.written(surface, column) for each in self.each)


@dataclass(frozen=True)
class Declaration(Hint):
    """What is declared of one column: ``word`` is bounds, keys, limits, types, weights, tables.

    ``whose`` is public or private, where two tables are joined.
    """

    word: str
    column: str
    value: object
    whose: str = ""

    def written(self, surface: Surface, column: str) -> str:  # noqa: ARG002
        """Return it as a surface writes it."""
        return surface.declaration(self)


@dataclass(frozen=True)
class Setting(Hint):
    """An entry of a file: of a policy, of a survey."""

    name: str
    value: str

    def written(self, surface: Surface, column: str) -> str:
        """Return it as a surface writes it."""
        return surface.setting(self, column)


@dataclass(frozen=True)
class Ends(Hint):
    """Between which an answer to a survey lies, in its file."""

    low: int = 0
    high: int = 100

    def written(self, surface: Surface, column: str) -> str:  # noqa: ARG002
        """Return them as a surface writes them."""
        return surface.ends(self)


@dataclass(frozen=True)
class Either(Hint):
    """What is written otherwise in Python than in SQL."""

    python: Given
    sql: Given

    def written(self, surface: Surface, column: str) -> str:
        """Return it as a surface writes it."""
        return surface.said(surface.either(self), column)


@dataclass(frozen=True)
class Call(Hint):
    """An aggregate: what SQL calls by another name than Python does."""

    word: str
    of: str = ""
    bounds: tuple[object, object] | None = None

    def written(self, surface: Surface, column: str) -> str:  # noqa: ARG002
        """Return it as a surface writes it."""
        return surface.call(self)


@dataclass(frozen=True)
class Command(Hint):
    """A verb, and what is given to it, as the shell has them; another surface has its own way."""

    words: str

    def written(self, surface: Surface, column: str) -> str:  # noqa: ARG002
        """Return it as a surface writes it."""
        return surface.command(self)


@dataclass(frozen=True)
class Part(Hint):
    """A template and what it is filled with."""

    template: str
    given: Mapping[str, Given]

    @classmethod
    def of(cls, template: str, given: Mapping[str, Any]) -> Part:
        """Return a part whose fields are hints, or text formatted as the template asks."""
        named = [each for each in fields_of(template) if each[1] is not None]
        return cls(plain(template), {str(each[1]): _filled(each, given) for each in named})

    def written(self, surface: Surface, column: str) -> str:
        """Return it as a surface writes it, in the language that is spoken."""
        written = {name: surface.said(each, column) for name, each in self.given.items()}
        return fitted(tr(self.template), self.template, written)


class Surface:
    """How hints are written: here, as Python and files have them."""

    #: What stands between several arguments.
    between = ", "

    def said(self, given: Given, column: str = "") -> str:
        """Return what a template is filled with, and nothing in it that steers a terminal."""
        if isinstance(given, Hint):
            return printable(given.written(self, column))
        return said(given) if isinstance(given, Marked) else _short(printable(given))

    def argument(self, hint: Argument) -> str:
        """Return an argument as it is written."""
        name = self.said(hint.name)
        return name if hint.value is None else f"{name}={_literal(hint.value)}"

    def declaration(self, hint: Declaration) -> str:
        """Return what is declared of a column as it is written."""
        declared = f"{hint.word}={{{hint.column!r}: {_literal(hint.value)}}}"
        if not hint.whose:
            return declared
        return tr(_TABLES[hint.whose], declared=declared)

    def setting(self, hint: Setting, column: str) -> str:  # noqa: ARG002
        """Return an entry of a file as it is written; of a column, if it is about one."""
        return f"{hint.name} = {hint.value}"

    def ends(self, hint: Ends) -> str:
        """Return both ends of what may be answered."""
        return f"bounds = [{hint.low}, {hint.high}]"

    def either(self, hint: Either) -> Given:
        """Return which of two is written."""
        return hint.python

    def call(self, hint: Call) -> str:
        """Return an aggregate as it is written."""
        parts = [repr(hint.of)] if hint.of else []
        if hint.bounds is not None:
            parts.append(f"bounds={_literal(hint.bounds)}")
        return f"sf.{hint.word}({', '.join(parts)})"

    def command(self, hint: Command) -> str:
        """Return a verb as the shell has it."""
        return f"sfumato {hint.words}"

    def for_files(self) -> Surface:
        """Return how hints about a file are written."""
        return self


class Sql(Surface):
    """How hints are written where a question is asked in SQL."""

    def either(self, hint: Either) -> Given:
        """Return what is written in SQL."""
        return hint.sql

    def call(self, hint: Call) -> str:
        """Return an aggregate of SQL."""
        of = hint.of or "*"
        ends = "" if hint.bounds is None else ", ".join(map(str, hint.bounds))
        return f"{_AGGREGATES[hint.word]}({f'CLIP({of}, {ends})' if ends else of})"


PYTHON = Surface()
SQL = Sql()
#: Whose words a hint is written in that stands in a sentence which is no refusal.
_SPEAKING: ContextVar[Surface] = ContextVar("_SPEAKING", default=PYTHON)


@dataclass(frozen=True)
class Refusal:
    """One refusal.

    Attributes
    ----------
    code
        What stays the same when the sentence is changed or translated: ``E-BOUNDS-MISSING``.
    sentence
        What is wrong.
    mends
        What to write instead, and what else is to be known; none where nothing helps.
    places
        Where the mistake stands, from the outermost in: a file, an entry of it.
    column
        The column that it is about, if it is about one.
    in_file
        Whether it stands in a file, where hints are written as files have them.
    """

    code: str
    sentence: Part
    mends: tuple[Part, ...] = ()
    places: tuple[Given, ...] = ()
    column: str = ""
    in_file: bool = False

    def said(self, surface: Surface = PYTHON) -> str:
        """Return the whole as one sentence."""
        kept = surface.for_files() if self.in_file else surface
        parts = (part.written(kept, self.column) for part in self._parts())
        places = (kept.said(place, self.column) for place in self.places)
        return tr(": ").join([*places, tr("; ").join(parts)])

    def at(self, place: Given, *, column: str = "", in_file: bool = False) -> Refusal:
        """Return the refusal of something that stands at a place."""
        return replace(
            self,
            places=(place, *self.places),
            column=self.column or column,
            in_file=self.in_file or in_file,
        )

    def adding(self, mend: str, **given: Any) -> Refusal:
        """Return the refusal with something more that can be done."""
        return replace(self, mends=(*self.mends, Part.of(mend, given)))

    def filled(self, **given: Given) -> Refusal:
        """Return the refusal with other fields, for whoever knows more than where it was made."""
        mends = tuple(replace(each, given={**each.given, **given}) for each in self.mends)
        return replace(self, mends=mends)

    def as_dict(self) -> dict[str, Any]:
        """Return what was given, where, and the hints, ready for JSON."""
        return {
            "places": [PYTHON.said(place) for place in self.places],
            "column": self.column or None,
            "given": {name: each for name, each in self.given.items() if isinstance(each, str)},
            "hints": [each.as_dict() for each in self._hints()],
        }

    @property
    def given(self) -> dict[str, Given]:
        """What was given, by the names of the templates."""
        return {name: each for part in self._parts() for name, each in part.given.items()}

    def _hints(self) -> Iterator[Hint]:
        """Yield the hints, of which parts are taken apart."""
        open_ones = list(self.given.values())
        while open_ones:
            each = open_ones.pop(0)
            if isinstance(each, Part):
                open_ones[:0] = each.given.values()
            elif isinstance(each, Hint):
                yield each

    def _parts(self) -> Iterator[Part]:
        yield self.sentence
        yield from self.mends


def printable(text: str) -> str:
    """Write out what would break a line, move a terminal's cursor or turn its letters round."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def text(template: str, **given: Any) -> Part:
    """Return a text that fills a field of another, with hints of its own."""
    return Part.of(template, given)


def all_of(each: Iterable[Given]) -> Given:
    """Return a list with "and" before its last, in the language that it is written in."""
    *others, last = each
    return text("{others} and {last}", others=series(others), last=last) if others else last


def any_of(each: Iterable[Given]) -> Given:
    """Return a list with "or" before its last, in the language that it is written in."""
    *others, last = each
    return text("{others} or {last}", others=series(others), last=last) if others else last


def _short(text: str) -> str:
    """Return a text without its middle, if it is longer than anybody reads."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 4 :]}"


def series(each: Sequence[Given]) -> Given:
    """Return a list with what stands between its parts in the language that it is written in."""
    return reduce(lambda others, last: text("{others}, {last}", others=others, last=last), each)


@contextmanager
def said_in(surface: Surface) -> Iterator[None]:
    """Have what the block says or refuses speak the words of a surface.

    A generator may be closed in another context than its block began in, where nothing was set.
    """
    token = _SPEAKING.set(surface)
    try:
        yield
    except Exception as error:
        if hasattr(error, "refusal"):
            error.surface = surface  # type: ignore[attr-defined]
        raise
    finally:
        with suppress(ValueError):
            _SPEAKING.reset(token)


def _filled(field: Field, given: Mapping[str, Any]) -> Given:
    value = given[str(field[1])]
    return value if isinstance(value, Hint) else filled(field, given)


def _plain_value(value: Any) -> Any:
    """Return a value of a hint ready for JSON."""
    if isinstance(value, Hint):
        return value.as_dict()
    if isinstance(value, tuple | list):
        return [_plain_value(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _plain_value(each) for name, each in value.items()}
    plain = value is None or isinstance(value, str | float)
    short = isinstance(value, int) and value.bit_length() <= _WIDEST
    return value if plain or short else written(value)


def _literal(value: object) -> str:
    """Return a value as Python has it."""
    return value if isinstance(value, Bare) else filled(("", "value", "", "r"), {"value": value})
