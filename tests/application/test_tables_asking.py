"""Questions to tables below the shell: progress, and books that are named after a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.application.tables.questions import answer_question, open_table
from sfumato.data import open_source
from sfumato.tables import opening
from sfumato.tables.tree import public as public_table
from tests.engines import secret
from tests.refusing import raises_code

if TYPE_CHECKING:
    import pytest

    from sfumato.data import Source
    from tests.engines import Engines

PATIENTS = Path(__file__).parents[2] / "examples" / "patients.csv"


def test_a_long_scan_tells_how_far_it_is(tmp_path: Path) -> None:
    table = tmp_path / "visits.csv"
    table.write_bytes(b"id,sex\n" + b"1,F\n2,M\n3,F\n" * 300_000)
    declared = {"unit": "id", "keys": {"sex": ["F", "M"]}, "limits": {"rows": 5}}
    told: list[tuple[int, int]] = []
    answer_question(
        str(table),
        "SELECT sex, COUNT(*) AS n FROM visits GROUP BY sex",
        declared,
        epsilon="1",
        progress=lambda done, whole: told.append((done, whole)),
    )
    assert told
    assert all(0 <= done <= whole == 100 for done, whole in told)


def test_a_ledger_of_a_policy_keeps_what_options_do_not_change(tmp_path: Path) -> None:
    policy = tmp_path / "clinic.toml"
    policy.write_text(
        f'[table]\nsource = "{PATIENTS}"\nunit = "row"\n'
        '[ledger]\npath = "ledger.db"\nanalyst = "ada"\n',
        encoding="utf-8",
    )
    ledger = open_table(str(policy), {}).policy.ledger
    assert ledger is not None
    assert (ledger.path, ledger.book) == (str(tmp_path / "ledger.db"), "patients")
    other = open_table(str(policy), {"ledger": {"path": "other.db"}}).policy.ledger
    assert other is not None
    assert (other.path, other.book, other.analyst) == ("other.db", "patients", "ada")


def test_a_confidence_is_read_before_anything_is_charged(tmp_path: Path) -> None:
    declared = {"unit": "row", "ledger": {"path": str(tmp_path / "no.db")}}
    with raises_code("E-ARGUMENT-RANGE", "confidence"):
        answer_question(
            str(PATIENTS),
            "SELECT COUNT(*) AS n FROM patients",
            declared,
            epsilon="1",
            confidence="2",
            analyst="ada",
        )


def test_each_table_of_a_question_is_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    regions = tmp_path / "regions.csv"
    regions.write_text("sex,title\nF,Ms\nM,Mr\n", encoding="utf-8")
    policy = tmp_path / "clinic.toml"
    policy.write_text(
        f'[table]\nsource = "{PATIENTS}"\nunit = "row"\n[public.regions]\nsource = "regions.csv"\n',
        encoding="utf-8",
    )
    found: Counter[str] = Counter()

    def counted(data: Any, **given: Any) -> Source:
        found[Path(data).name] += 1
        return open_source(data, **given)

    for room in (opening, public_table):
        monkeypatch.setattr(room, "open_source", counted)
    answer_question(
        str(policy),
        "SELECT sex, woman, COUNT(*) AS n FROM (SELECT sex, sex = 'F' AS woman FROM patients) "
        "GROUP BY sex, woman",
        {"keys": {"sex": ["F", "M"], "woman": [True, False]}},
        epsilon="1",
    )
    assert found == {"patients.csv": 1, "regions.csv": 1}


def test_a_question_to_a_database_is_asked_over_one_connection(
    engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    server = engines.postgres
    name = server.load(pa.table({"sex": ["F", "M", "F"]}), name="visitors")
    connect, connections = psycopg.connect, []

    def counted(*given: Any, **named: Any) -> Any:
        connections.append(connect(*given, **named))
        return connections[-1]

    monkeypatch.setattr(psycopg, "connect", counted)
    with secret(server.cluster):
        answer_question(
            server.url,
            "SELECT sex, COUNT(*) AS n FROM visitors GROUP BY sex",
            {"table": name, "unit": "row", "keys": {"sex": ["F", "M"]}},
            epsilon="1",
        )
    assert len(connections) == 1
