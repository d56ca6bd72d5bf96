"""What options declare about a private table: their form, and how their text is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.arguments import (
    Form,
    each_once,
    option,
    read_names,
    read_pair,
    read_pairs,
    setting,
)
from sfumato.cli.failures import explained
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


#: What no file is called, even if its name begins with one of these words.
_QUERY = re.compile(r"\s*(select|with)\s.+\sfrom\s", re.IGNORECASE | re.DOTALL)


def _in_quotes(sql: str) -> str:
    """Refuse the first word of a query whose other words the shell took for arguments."""
    if sql.strip().upper() == "SELECT":
        with explained():
            raise InputError(
                "E-SQL-UNQUOTED",
                "the SQL ends after its first word",
                "put all of it in quotes, as in 'SELECT COUNT(*) AS n FROM patients'",
            )
    return sql


def _no_query(file: str) -> str:
    """Refuse a query where the file belongs: it was put first, or the file was forgotten."""
    if _QUERY.match(file):
        with explained():
            raise InputError(
                "E-SQL-MISPLACED",
                "a query stands where the file belongs",
                "write the file first, as in patients.csv 'SELECT COUNT(*) AS n FROM patients'",
            )
    return file


Table = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A CSV or Parquet file, a policy (.toml), or postgresql://host/database.",
        callback=_no_query,
    ),
]
NameInDatabase = Annotated[
    str, option("NAME", "Which table of the database: visits, or clinic.visits.")
]
Question = Annotated[
    str,
    typer.Argument(
        metavar="SQL", help="SELECT aggregates FROM the table, in quotes.", callback=_in_quotes
    ),
]
Unit = Annotated[
    str, option("COLUMN", "Privacy unit: the ID column; or row, where each is another person's.")
]
Change = Annotated[
    str, option("NAME", "Neighbouring relation: add-remove, the default, or substitute.")
]
Bounds = Annotated[
    list[str],
    option(
        "COLUMN=LOW:HIGH",
        "Bounds to which values are clamped: age=0:110; or age=auto, to find them privately.",
    ),
]
Keys = Annotated[
    list[str],
    option(
        "COLUMN=VALUES",
        "The groups of the answer, which are public: sex=F,M; or @FILE, a public table of them; "
        "without it they are found by partition selection.",
    ),
]
Types = Annotated[
    list[str],
    option(
        "COLUMN=TYPE",
        "integer, number, text, boolean, date or timestamp, for CSV files; wings.beds=integer of a "
        "public one.",
    ),
]
Complete = Annotated[
    list[str],
    option("COLUMNS", "No value is missing here; one that is counts as the middle of the bounds."),
]
Limit = Annotated[
    list[str],
    option("NAME=NUMBER", "Contribution limit of a person: rows=50, groups=5, rows_per_group=10."),
]
Public = Annotated[
    list[str],
    option("NAME=FILE", "A public table that the SQL joins, by its name there: wings=wings.csv."),
]
With = Annotated[
    list[str],
    setting(
        "NAME=POLICY",
        "A private table that the SQL joins, by its policy: cards=cards.toml.",
        "--with",
        default=False,
    ),
]
Epsilon = Annotated[str, option("NUMBER", "The privacy cost of the answer, as ε: 1, or 0.1.")]
Delta = Annotated[str, option("NUMBER", "With --epsilon: the δ, such as 1e-6.")]
Rho = Annotated[str, option("NUMBER", "The privacy cost of the answer, as ρ of zCDP.")]
Noise = Annotated[
    str, setting("NAME", "Noise distribution: auto for what suits, laplace or gaussian.")
]
Weight = Annotated[
    list[str],
    option("NAME=NUMBER", "Weight of an aggregate's error in sharing ε (default 1): n=2."),
]
LedgerPath = Annotated[
    str, option("PLACE", "Charge to this ledger: a file, or postgresql://user@host/database.")
]
LedgerBook = Annotated[str, option("NAME", "The book of the ledger, if not named as the table.")]
Analyst = Annotated[str, option("NAME", "The analyst who gets the answer; required with a ledger.")]
Key = Annotated[
    str, option("TEXT", "Idempotency key: the same request with the same key is charged once.")
]


@dataclass(frozen=True, kw_only=True)
class QuestionOptions:
    """What options say of a question to a private table, besides the question."""

    table: NameInDatabase = ""
    unit: Unit = ""
    bounds: Bounds = field(default_factory=list)
    keys: Keys = field(default_factory=list)
    types: Types = field(default_factory=list)
    complete: Complete = field(default_factory=list)
    limit: Limit = field(default_factory=list)
    public: Public = field(default_factory=list)
    beside: With = field(default_factory=list)
    relation: Change = ""
    epsilon: Epsilon = ""
    delta: Delta = ""
    rho: Rho = ""
    noise: Noise = "auto"
    weight: Weight = field(default_factory=list)
    ledger: LedgerPath = ""
    book: LedgerBook = ""
    analyst: Analyst = ""

    def declared(self) -> dict[str, Any]:
        """Return what is declared of the table, as the arguments of ``sf.table``, if it is."""
        place = {"path": self.ledger, "book": self.book}
        limits = read_pairs(self.limit, _LIMIT)
        declared = {
            "table": self.table,
            "unit": self.unit,
            "relation": self.relation,
            "bounds": {pair.name: pair.ends() for pair in read_pairs(self.bounds, _BOUNDS)},
            "keys": _read_keys(self.keys),
            "types": {pair.name: pair.value for pair in read_pairs(self.types, _TYPES)},
            "complete": read_names(self.complete),
            "limits": {pair.name.replace("-", "_"): pair.limit() for pair in limits},
            "public": {pair.name: pair.value for pair in read_pairs(self.public, _PUBLIC)},
            "ledger": {name: each for name, each in place.items() if each},
        }
        return {name: each for name, each in declared.items() if each}

    def target(self) -> dict[str, Any]:
        """Return what an answer may cost, as the arguments of ``Query.plan``."""
        return {
            "epsilon": self.epsilon or None,
            "delta": self.delta or None,
            "rho": self.rho or None,
            "noise": self.noise,
            "weights": {pair.name: pair.number() for pair in read_pairs(self.weight, _WEIGHT)}
            or None,
        }


def read_beside(given: Sequence[str]) -> dict[str, str]:
    """Return the policies of private tables that a question joins, by the names of the tables."""
    pairs = read_pairs(given, _WITH)
    for pair in pairs:
        if not pair.value.lower().endswith(".toml"):
            raise InputError(
                "E-OPTION-VALUE",
                "--with takes the policy of a private table, which declares its privacy unit",
                "write --with {pair}={pair}.toml, which sfumato init drafts",
                pair=pair.name,
            )
    return {pair.name: pair.value for pair in pairs}


_BOUNDS = Form("--bounds", "age=0:110")
_KEYS = Form("--keys", "sex=F,M")
_TYPES = Form("--types", "age=integer")
_LIMIT = Form("--limit", "rows=50", of="word")
_WEIGHT = Form("--weight", "n=2", of="word")
_PUBLIC = Form("--public", "wings=wings.csv", of="file")
_WITH = Form("--with", "cards=cards.toml", of="file")


def _read_keys(given: Sequence[str]) -> dict[str | tuple[str, ...], list[str] | str]:
    """Return the public keys of a column, or of several together."""
    found: dict[str | tuple[str, ...], list[str] | str] = {}
    split = [read_pair(text, *text.partition("=")[::2], _KEYS) for text in given]
    for pair in each_once(split):
        names, value = tuple(read_names([pair.name])), pair.value
        listed = value.removeprefix("@") if value.startswith("@") else read_names([value])
        if len(names) > 1 and isinstance(listed, list):
            raise InputError(
                "E-OPTION-VALUE",
                "--keys of several columns are read from a file",
                "write {pair}=@FILE, with one row a combination",
                pair=pair.name,
            )
        found[names[0] if len(names) == 1 else names] = listed
    return found
