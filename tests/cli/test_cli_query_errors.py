"""What ``query`` and ``plan`` refuse: one sentence, in the words of the shell, without a cell."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

PATIENTS = Path(__file__).parents[2] / "examples" / "patients.csv"
BY_SEX = "SELECT sex, AVG(age) AS age FROM patients GROUP BY sex"
COUNT = "SELECT COUNT(*) AS n FROM patients"
UNIT = ["--unit", "patient_id"]
KEYS = [*UNIT, "--keys", "sex=F,M"]
ALL = [*KEYS, "--bounds", "age=0:110"]
ONE = ["--epsilon", "1"]

REFUSED = [
    (BY_SEX, [*KEYS, *ONE], "if it holds numbers, declare --bounds age=0:100"),
    (BY_SEX, [*ALL[2:], *ONE], "write --unit patient_id, the column of the person's id"),
    (BY_SEX, [*UNIT, "--bounds", "age=0:110", *ONE], "--delta 1e-6"),
    (BY_SEX, ALL, "one of --epsilon and --rho, such as --epsilon 1"),
    (BY_SEX, [*ALL, *ONE, "--rho", "1"], "one of --epsilon and --rho"),
    (BY_SEX, [*ALL, "--rho", "1", "--delta", "1e-6"], "or --epsilon 1 --delta 1e-6"),
    (BY_SEX, [*ALL, "--epsilon", "0"], "--epsilon must"),
    (BY_SEX, [*ALL, "--epsilon", "nan"], "--epsilon must be"),
    (BY_SEX, [*ALL, *ONE, "--noise", "pink"], "--noise must be"),
    (BY_SEX, [*ALL, *ONE, "--noise", "gaussian"], "--delta 1e-6"),
    (BY_SEX, [*ALL, *ONE, "--weight", "m=2"], "there is no aggregate 'm'"),
    (BY_SEX, [*ALL, *ONE, "--weight", "age=0"], "to 1,000,000; write --weight age=2"),
    (
        BY_SEX,
        [*KEYS, "--bounds", "age=110:0", *ONE],
        "the greater one first",
    ),
    (BY_SEX, [*KEYS, "--bounds", "cost=5000:10", *ONE], "as in --bounds cost=10:5000"),
    (BY_SEX, [*KEYS, "--bounds", "cost=5:5", *ONE], "as in --bounds cost=0:110"),
    (
        BY_SEX,
        [*KEYS, "--bounds", "cost=a:b", *ONE],
        "; write --bounds cost=0:110, say",
    ),
    (BY_SEX, [*KEYS, "--bounds", "cost", *ONE], "--bounds takes cost=0:110, say"),
    (BY_SEX, [*KEYS, "--bounds", "age=a:b", *ONE], "write --bounds age=0:110, say"),
    (BY_SEX, [*KEYS, "--bounds", "agee=0:110", *ONE], "did you mean 'age'?"),
    (BY_SEX, [*KEYS, "--bounds", "age", *ONE], "--bounds takes age=0:110, say"),
    (BY_SEX, [*ALL, *ONE, "--keys", "smoker"], "--keys takes smoker=F,M, say"),
    (BY_SEX, [*ALL, *ONE, "--types", "age=text"], "a column of type text has no bounds"),
    (BY_SEX, [*ALL, *ONE, "--types", "age=whole"], "there is no type 'whole'"),
    (BY_SEX, [*ALL, *ONE, "--limit", "rows=0"], "--limit rows must"),
    (BY_SEX, [*ALL, *ONE, "--limit", "row=5"], "did you mean 'rows'?"),
    (BY_SEX, [*ALL, *ONE, "--relation", "swap"], "'swap'"),
    (BY_SEX, ["--unit", "patient", *ALL[2:], *ONE], "did you mean 'patient_id'?"),
    ("SELECT AVG(agee) AS a FROM patients", [*ALL, *ONE], "did you mean 'age'?"),
    ('SELECT COUNT(*) FROM patients WHERE sex = "F"', [*ALL, *ONE], "the text 'F' in single"),
    ("SELECT COUNT(*) FROM patients WHERE age > 60", [*UNIT, *ONE], "--types age=number"),
    ("SELECT SUM(age + 1) FROM patients", [*ALL, *ONE], "CLIP(…, 0, 100) in its br"),
    ("SELECT", ["COUNT", "FROM", "patients", *ALL, *ONE], "put all of it in quotes, as in 'SELECT"),
    ("SELECT * FROM patients", [*ALL, *ONE], "sfumato: "),
    ("SELECT COUNT(*", [*ALL, *ONE], "sfumato: "),
    ("", [*ALL, *ONE], "sfumato: "),
    (
        "SELECT COUNT(*) AS n FROM patients GROUP BY patient_id",
        [*ALL, *ONE],
        "GROUP BY the person's column",
    ),
]


def refuses(done: Finished, sentence: str) -> None:
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1
    assert not any(each in done.err for each in ("bounds={", "keys={", "limits={", "epsilon="))


@pytest.mark.parametrize(("sql", "options", "sentence"), REFUSED)
def test_refused_in_one_sentence(shell: Shell, sql: str, options: list[str], sentence: str) -> None:
    refuses(shell("plan", PATIENTS, sql, *options), sentence)


@pytest.mark.parametrize(("sql", "options", "sentence"), REFUSED[::6])
def test_query_refuses_what_plan_refuses(
    shell: Shell, sql: str, options: list[str], sentence: str
) -> None:
    refuses(shell("query", PATIENTS, sql, *options), sentence)


def test_missing_bounds_are_a_refusal_that_says_what_to_write(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "patients.parquet"
    pq.write_table(pa.table({"patient_id": [1, 2], "sex": ["F", "M"], "age": [60, 70]}), path)
    refuses(shell("query", path, BY_SEX, *KEYS, *ONE), "write --bounds age=0:100 with bounds")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--confidence", "1"], "write --confidence 0.95"),
        (["--confidence", "high"], "--confidence must be"),
        (["--analyst", "ada"], "as in --ledger ledger.db --book patients"),
        (["--key", "monday"], "as in --ledger ledger.db --book patients"),
        (["--replace"], "--replace goes with --output"),
        (["--ledger", "/no-such-folder/ledger.db", "--analyst", "ada"], "there is no ledger '/no"),
        (["--key", ""], "--key is empty"),
    ],
)
def test_what_only_query_takes(shell: Shell, options: list[str], sentence: str) -> None:
    refuses(shell("query", PATIENTS, COUNT, "--unit", "row", *ONE, *options), sentence)


def test_keys_that_do_not_match_the_type_of_their_column(shell: Shell) -> None:
    sql = "SELECT age, COUNT(*) AS n FROM patients GROUP BY age"
    options = ["--unit", "row", "--types", "age=integer", "--keys", "age=young,old", *ONE]
    done = shell("query", PATIENTS, sql, *options)
    refuses(done, "the column 'age'")
    assert "integer" in done.err


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.csv", None, "there is no file"),
        ("empty.csv", b"", "has no header"),
        ("empty.parquet", b"", "cannot be read as Parquet"),
        ("table.xlsx", b"PK", "is not a file sfumato reads"),
        ("none.toml", None, "there is no file"),
        ("broken.toml", b"[table", "is not TOML"),
        ("blank.toml", b"[table]\n", "write source = "),
    ],
)
@pytest.mark.parametrize("verb", ["plan", "query"])
def test_files_that_cannot_be_asked(
    shell: Shell, tmp_path: Path, verb: str, name: str, content: bytes | None, sentence: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    refuses(shell(verb, path, COUNT, *UNIT, *ONE), sentence)


@pytest.mark.parametrize("verb", ["plan", "query"])
def test_a_query_where_the_file_belongs_is_told_from_a_file(shell: Shell, verb: str) -> None:
    for words in ([COUNT], [COUNT, PATIENTS], [COUNT.lower().replace(" ", "\n"), PATIENTS]):
        refuses(shell(verb, *words, *UNIT, *ONE), "write the file first, as in patients.csv 'SEL")


def test_a_file_may_be_called_as_a_query_begins(shell: Shell, tmp_path: Path) -> None:
    quoted = 'SELECT COUNT(*) AS n FROM "select patients"'
    path = tmp_path / "select patients.csv"
    path.write_bytes(PATIENTS.read_bytes())
    with contextlib.chdir(tmp_path):
        assert shell("plan", path.name, quoted, *UNIT, *ONE).code == 0


@pytest.mark.parametrize("with_book", [False, True])
def test_a_book_that_is_not_open_yet_is_opened_by_what_is_said(
    shell: Shell, place: Path, *, with_book: bool
) -> None:
    policy = place.parent / "patients.toml"
    policy.write_text(
        f'[table]\nsource = "{PATIENTS}"\nunit = "patient_id"\n[limits]\nrows = 5\n'
        '[budget]\nepsilon = 3\n[ledger]\npath = "ledger.db"\nanalyst = "ada"\n',
        encoding="utf-8",
    )
    if with_book:
        assert shell("ledger", "init", "others", "--epsilon", "1").code == 0
    done = shell("query", policy, COUNT, *ONE)
    refuses(done, "there is no book 'patients' in" if with_book else "there is no ledger '")
    assert done.err.endswith(f"book by: sfumato init {policy}\n")
    assert shell(*done.err.rpartition(" by: sfumato ")[2].split()).code == 0
    assert shell("query", policy, COUNT, *ONE).code == 0


def test_the_book_of_a_file_is_opened_by_what_is_said(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.parent)
    options = [*UNIT, "--limit", "rows=5", "--ledger", place, "--analyst", "ada"]
    done = shell("query", PATIENTS, COUNT, *options, *ONE)
    refuses(done, "there is no ledger '")
    assert shell(*done.err.rpartition(" by: sfumato ")[2].split()).code == 0
    assert shell("query", PATIENTS, COUNT, *options, *ONE).code == 0


def test_the_column_that_may_be_the_persons_is_in_the_advice(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("visit_id,customerNo,age\n1,7,61\n", encoding="utf-8")
    done = shell("query", path, "SELECT COUNT(*) AS n FROM visits", *ONE)
    refuses(done, "write --unit customerNo, the column of the person's id")
    path.write_text("member id,age\n7,61\n", encoding="utf-8")
    done = shell("query", path, "SELECT COUNT(*) AS n FROM visits", *ONE)
    refuses(done, "write --unit 'member id', the column of the person's id")


def test_where_no_column_may_be_the_persons_all_are_named(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("net pay,bonus\n7,61\n", encoding="utf-8")
    done = shell("query", path, "SELECT COUNT(*) AS n FROM pay", *ONE)
    refuses(done, "write --unit ID, the column of the person's id")
    refuses(done, "(known: net pay, bonus)")


def test_a_file_in_another_encoding_is_named_as_such(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("id,city\n1,Bern\n2,Zürich\n".encode("cp1252"))
    asked = [path, "SELECT COUNT(*) AS n FROM t", "--unit", "row", *ONE]
    refuses(shell("query", *asked), "UTF-8 (line 3)")
    path.write_text("id,city\n1,Bern\n2\n3,Zürich,8000\n", encoding="utf-8")
    refuses(shell("query", *asked), "cannot be read as CSV; line 3 has fewer cells than the header")


@pytest.mark.parametrize("verb", ["plan", "query"])
def test_an_address_that_names_a_driver(shell: Shell, verb: str) -> None:
    address = "postgresql+psycopg://ada:secret@localhost/hospital"
    done = shell(verb, address, COUNT, *UNIT, *ONE, "--table", "visits")
    refuses(done, "an address names no driver, and 'postgresql+psycopg' does; write postgresql://h")
    assert "secret" not in done.err
    done = shell(verb, address.replace("postgresql", "secret"), COUNT, *UNIT, *ONE, "--table", "v")
    assert "secret" not in done.err


CANARY = "ZQXJKVCANARY"
SQLS = [
    "SELECT SUM(CAST(c AS INTEGER)) AS s FROM t",
    "SELECT AVG(n / (n - n)) AS s FROM t",
    "SELECT COUNT(*) AS n FROM t WHERE CAST(c AS DATE) > DATE '2020-01-01'",
    "SELECT c, COUNT(*) AS n FROM t GROUP BY c",
    "SELECT COUNT(*) AS n FROM t WHERE c < 'ZQ'",
    "SELECT MAX(c) AS m FROM t",
]


@pytest.mark.parametrize("content", [f"c,n\n{CANARY},1\n", f"c,n\n{CANARY}\n1,2,3\n", "c,n\n"])
@pytest.mark.parametrize("sql", SQLS)
def test_no_message_carries_a_cell(shell: Shell, tmp_path: Path, content: str, sql: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    options = ["--unit", "row", "--bounds", "n=0:10", "--epsilon", "1", "--delta", "1e-6"]
    done = shell("query", path, sql, *options)
    assert CANARY not in done.out + done.err
    assert done.code in (0, 2, 3), done.err
