"""What Python would write in a hint, and how the shell and its SQL say it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["LEFT_ALONE", "OPTIONS", "SQL", "Form", "bounds_of"]

#: A form as it was found, and the names of public tables: what the shell says.
Said = Callable[[re.Match[str], tuple[str, ...]], str]

_NAME = r"['\"](?P<name>[^'\"]*)['\"]"
_VALUE = r"['\"](?P<value>[^'\"]*)['\"]"
_COLUMN = re.compile(r"(?P<table>the public table '[^']*': )?the column '(?P<name>[^']*)': ")
_WORDS = {"count": "COUNT", "sum": "SUM", "mean": "AVG", "minimum": "MIN", "maximum": "MAX"}
_PLAIN = "epsilon|delta|rho|noise|analyst|key|confidence|unit|relation|table|method|rounds|size"
_GIVE = "--public {0}=FILE.csv, or --with {0}=FILE.toml if it is private"


@dataclass(frozen=True)
class Form:
    """A form of Python, and how it is said."""

    pattern: re.Pattern[str]
    said: Said


def bounds_of(sentence: str) -> tuple[Form, ...]:
    """Return how both ends are written in a sentence about the bounds of a column."""
    column = _COLUMN.match(sentence)
    if column is None or not re.search(r"\bbounds\b", sentence):
        return ()
    option = f"--bounds {shlex.quote(column['name'])}="
    starts = {"bounds = ": option, "write ": f"write {option}", None: ""}
    ends = r"(?P<write>bounds = |write )?\['?(?P<low>[^',\]]*)'?, '?(?P<high>[^',\]]*)'?\]"
    return (
        _form(ends, lambda found, _: f"{starts[found['write']]}{found['low']}:{found['high']}"),
    )


def _form(pattern: str, said: Said | str) -> Form:
    compiled = re.compile(pattern)
    return Form(compiled, (lambda found, _: found.expand(said)) if isinstance(said, str) else said)


def _bounds(found: re.Match[str], _: tuple[str, ...]) -> str:
    name, ends = shlex.quote(found["name"]), found["value"].replace(", ", ":")
    auto = f"{found['between']}{name}=auto" if found["between"] else ""
    return f"--bounds {name}={ends}{auto}"


def _bounds_of_text(found: re.Match[str], public: tuple[str, ...]) -> str:
    name = shlex.quote(found["name"])
    ends = found["value"].replace(", ", ":")
    theirs = "; if it is of the public table, --types {}={}"
    also = theirs.format(f"{_only(public)}.{name}", "number") if public else ""
    return f"declare --bounds {name}={ends}{also}"


def _keys(found: re.Match[str], _: tuple[str, ...]) -> str:
    values = ",".join(re.findall(r"[^', ][^',]*", found["value"]))
    return f"--keys {shlex.quote(found['name'])}={shlex.quote(values)}"


def _pair(option: str) -> Said:
    return lambda found, _: f"{option} {shlex.quote(found['name'])}={found['value']}"


def _types(found: re.Match[str], public: tuple[str, ...]) -> str:
    name, kind = shlex.quote(found["name"]), found["value"]
    if found["whose"] == " of the public table":
        return f"--types {_only(public)}.{name}={kind}"
    own = f"--types {name}={kind}"
    if found["whose"] or not public:
        return own
    return f"{own} ({_only(public)}.{name}={kind} if it is of the public table)"


def _only(public: tuple[str, ...]) -> str:
    """Return the name of the public table, where there is but one that can be meant."""
    return public[0] if len(public) == 1 else "NAME"


def _type_of_column(found: re.Match[str], _: tuple[str, ...]) -> str:
    column = _COLUMN.search(found.string)
    name = "COLUMN" if column is None else shlex.quote(column["name"])
    return f"--types {name}={found['value']}"


def _condition(found: re.Match[str], _: tuple[str, ...]) -> str:
    """Say how a column becomes a condition; what is text may be one that was not declared."""
    what, kind = found["what"], found["kind"]
    said = f"WHERE takes a condition, and {what} is of type {kind}; compare it, as in {what}"
    if kind != "text":
        return said + (" > 60" if kind in {"integer", "number"} else f" > {kind.upper()} '…'")
    declare = f", or declare --types {what}=boolean" if re.fullmatch(r"\w+", what) else ""
    return f"{said} = 'yes'{declare}"


def _aggregate(found: re.Match[str], _: tuple[str, ...]) -> str:
    of, ends = found["of"] or "*", found["ends"]
    return f"{_WORDS[found['word']]}({f'CLIP({of}, {ends})' if ends else of})"


#: What is said in SQL; it holds whatever file declares the table.
SQL: tuple[Form, ...] = (
    _form(r"sf\.\w+\(…, [^()]*\([^()]*\)\), in SQL (?P<said>.*?)(?:, or 'auto' .*)?$", r"\g<said>"),
    _form(
        r"filter takes a condition, and (?P<what>.+) is of type (?P<kind>\w+); compare it, as in "
        r"sf\.col\('age'\) > 60",
        _condition,
    ),
    _form(
        rf"sf\.(?P<word>{'|'.join(_WORDS)})"
        r"\((?:['\"](?P<of>[^'\"]*)['\"](?:, bounds=\((?P<ends>[^()]*)\))?)?\)",
        _aggregate,
    ),
    _form(r"sf\.col\(['\"](?P<of>[^'\"]*)['\"]\)\.round\((?P<to>\d+)\)", r"ROUND(\g<of>, \g<to>)"),
    _form(r"write it as a float\b", "write it with a decimal point or an exponent, as in 1e20"),
    _form(r"write a finite number, or None\b", "write a finite number, or NULL"),
    _form(
        r"tables=\{['\"](?P<name>[^'\"]*)['\"]: \.\.\.\}(?: beside the SQL)?",
        lambda found, _: _GIVE.format(shlex.quote(found["name"])),
    ),
    _form(
        r"there is no table '(?P<name>[^']*)'(?P<known> \(known: [^()]*\))$",
        lambda found, _: (
            f"there is no table {found['name']!r}{found['known']}; one to join is given by "
            f"{_GIVE.format(shlex.quote(found['name']))}"
        ),
    ),
)

#: What is said by options, unless the sentence is about a policy file.
OPTIONS: tuple[Form, ...] = (
    _form(rf"declare bounds=\{{{_NAME}: \((?P<value>[^()]*)\)\}}$", _bounds_of_text),
    _form(
        rf"bounds=\{{{_NAME}: \((?P<value>[^()]*)\)\}}(?:(?P<between>[^;]*, or )'auto')?", _bounds
    ),
    _form(r"(bounds = )?\[0, 110\]", "--bounds age=0:110"),
    _form(
        r"none are declared for (?P<name>\w+); write values=\[[^\]]*\], or declare them, as in "
        r"keys=\{'city': \[(?P<value>[^\]]*)\]\}",
        lambda found, public: (
            f"none are declared for {found['name']}; declare them, as in {_keys(found, public)}"
        ),
    ),
    _form(rf"keys=\{{{_NAME}: \[(?P<value>[^\]]*)\]\}}", _keys),
    _form(rf"limits=\{{{_NAME}: (?P<value>\w+)\}}", _pair("--limit")),
    _form(rf"types=\{{{_NAME}: {_VALUE}\}}(?P<whose> of the (?:public|private) table)?", _types),
    _form(r'type = "(?P<value>\w+)"', _type_of_column),
    _form(rf"(?:weights=)?\{{{_NAME}: (?P<value>\d[\d.]*)\}}", _pair("--weight")),
    _form(
        r"ledger=\{'path': '(?P<path>[^']*)', 'book': '(?P<book>[^']*)'\}",
        r"--ledger \g<path> --book \g<book>",
    ),
    _form(
        r"\bepsilon=(?P<epsilon>[\w.-]+), delta=(?P<delta>[\w.-]+)",
        r"--epsilon \g<1> --delta \g<2>",
    ),
    _form(r"^(?P<name>epsilon|delta|rho|noise|confidence) (?=must )", r"--\g<name> "),
    _form(r"^(?P<name>rows|groups|rows_per_group) (?=must )", r"--limit \g<name> "),
    _form(r"\btable=\"…\"", "--table NAME"),
    _form(r'\bunit="(?P<value>[^"]+)"', lambda found, _: f"--unit {shlex.quote(found['value'])}"),
    _form(
        rf"\b(?P<name>{_PLAIN})=(?P<quote>['\"]?)(?P<value>[\w.-]+)(?P=quote)",
        r"--\g<name> \g<value>",
    ),
    _form(r"\bone of epsilon and rho\b", "one of --epsilon and --rho"),
    _form(r"\bn_clusters=(?P<value>\d+)", r"--k \g<value>"),
    _form(r"\bpoints_per_person=(?P<value>\d+)", r"--limit rows=\g<value>"),
)

#: What is written for the shell already, and names, which are the user's.
LEFT_ALONE: tuple[Form, ...] = tuple(
    _form(pattern, r"\g<0>")
    for pattern in (
        r"(?<!\S)--[a-z][a-z-]*(?: '[^']*'\S*| [^\s;,]+)?",
        r"(?<!\w)'[^']*'(?!\w)",
        r"(?<!\w)\"[^\"]*\"(?!\w)",
    )
)
