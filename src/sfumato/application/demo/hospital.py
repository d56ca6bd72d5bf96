"""The textbook's two hospitals (§5.1): exposed, generalised, broken, and answered instead."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from sfumato.application.demo.tables import PUBLISHED, Language, hospital_table
from sfumato.application.demo.walk import Shown, Step, Walk, beginning, excerpt
from sfumato.application.tables.questions import answer_question
from sfumato.data import open_source
from sfumato.printing import aligned
from sfumato.risk import anonymize, intersect, link, risk
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.application.demo.tables import HospitalTable


_TITLE = mark("Two hospitals, one patient: why a table cannot be made anonymous by hand")
_AGE = 56
_GENERALISED = "generalised.csv"
_ANSWERS = {"smoker": ["yes", "no"], "是否吸烟": ["是", "否"]}


def walk_hospital(*, language: Language = "en") -> Walk:
    """Walk through §5.1 of the textbook; every figure is computed on its tables, here and now.

    Parameters
    ----------
    language
        Of the tables, "en" or "zh".
    """
    first = hospital_table("hospital-a", language=language)
    published = [hospital_table(name, language=language) for name in PUBLISHED]
    return Walk(
        tr(_TITLE), (_unique(first), _generalised(first), _broken(*published), _asked(first))
    )


def _unique(table: HospitalTable) -> Step:
    """Show that a single figure re-identifies somebody, and so what she has."""
    age, diagnosis = _named(table, "age", "diagnosis")
    exposure = risk(table.path, quasi=age, sensitive=diagnosis, at_least=2)
    found = link(table.path, {age: _AGE}, sensitive=diagnosis)
    name = table.path.name
    return Step(
        tr("Hospital A holds a table about nine people (the textbook's table 5.1)."),
        (
            Shown("", _rows(_arrow(table))),
            Shown(_command("risk", name, quasi=age), beginning(exposure, 1)),
            Shown(
                _command("attack link", name, person=f"{age}={_AGE}", sensitive=diagnosis),
                beginning(found, 1),
            ),
        ),
        tr(
            "Whoever knows her age, and that she was there, knows what she has: no name is "
            "needed. (“…” stands for lines that are left out here.)"
        ),
    )


def _generalised(table: HospitalTable) -> Step:
    """Show the table in which nobody is unique."""
    quasi = _named(table, "age", "sex", "zip", "smoker")
    diagnosis, name = _named(table, "diagnosis", "name")
    found = anonymize(table.path, quasi=quasi, sensitive=diagnosis, k=2, remove=name)
    wanted = {"quasi": ",".join(quasi), "sensitive": diagnosis, "k": "2", "remove": name}
    command = _command("anonymize", table.path.name, **wanted, output=_GENERALISED)
    return Step(
        tr(
            "So it generalises the table until k = 2: every equivalence class has two rows or more."
        ),
        (Shown(command, beginning(found, 1)), Shown("", _rows(found.to_arrow()))),
        tr(
            "This is what generalised.csv holds. Of all ways to generalise whole columns by these "
            "steps, it loses least, and it is the textbook's own (5.2). Two rows fit her now, with "
            "two diagnoses."
        ),
    )


def _broken(first: HospitalTable, second: HospitalTable) -> Step:
    """Show that two tables that are each safe are not safe together."""
    on, diagnosis = _named(first, "age", "sex", "zip"), first.columns["diagnosis"]
    found = intersect(first.path, second.path, on=on, sensitive=diagnosis)
    command = _command(
        "attack intersect",
        f"{_GENERALISED} {second.path.name}",
        on=",".join(on),
        sensitive=diagnosis,
    )
    return Step(
        tr(
            "Hospital B published a table of its own, generalised as far (5.3). She was there, too."
        ),
        (Shown("", _rows(_arrow(second))), Shown(command, beginning(found, 3))),
        tr(
            "Each table hides her among others; only one diagnosis is in both. No table that is "
            "generalised knows what else will be published."
        ),
    )


def _asked(table: HospitalTable) -> Step:
    """Answer a question instead, with noise and a guarantee."""
    name, smoker = _named(table, "name", "smoker")
    sql = f'SELECT {smoker}, COUNT(*) AS n FROM "{table.path.stem}" GROUP BY {smoker}'  # noqa: S608
    declared = {"unit": name, "keys": {smoker: _ANSWERS[smoker]}, "limits": {"rows": 1}}
    answer = answer_question(str(table.path), sql, declared, epsilon="1")
    said = f"unit {name} --keys {smoker}={','.join(_ANSWERS[smoker])} --limit rows=1 --epsilon 1"
    return Step(
        tr("Instead of a table, hospital A answers questions, under differential privacy."),
        (
            Shown(
                f"sfumato query {table.path.name} '{sql}' --{said}",
                excerpt(answer.lines(), answer.lines()[:4]),
            ),
        ),
        tr(
            "Whatever anybody knows, and whatever is published elsewhere, now or later: any "
            "answer is at most 2.72 times as likely with her in the table as without her. The "
            "error is the same for nine patients and for nine million: of a crowd the answer "
            "tells much; of one person, a guess at even odds is right 73.2 % of the time at "
            "most. Answers add up, so their cost is kept in a ledger. (The first three steps "
            "show exact figures, for the owner alone; this answer may be told to anybody.)"
        ),
    )


def _named(table: HospitalTable, *columns: str) -> list[str]:
    return [table.columns[each] for each in columns]


def _command(verb: str, files: str, **options: str) -> str:
    given = " ".join(f"--{name} {quote(value)}" for name, value in options.items())
    return f"sfumato {verb} {files} {given}"


def _arrow(table: HospitalTable) -> pa.Table:
    source = open_source(table.path)
    return source.fetch(source.table)


def _rows(table: pa.Table) -> tuple[str, ...]:
    rows = [table.column_names, *(list(each.values()) for each in table.to_pylist())]
    return tuple(aligned([[str(cell) for cell in row] for row in rows]))
