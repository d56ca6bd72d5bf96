"""A draft is made without looking at a row, and reads back whatever the columns are called."""

from __future__ import annotations

import csv
import tomllib
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.names import check_names
from sfumato.data.policy import Policy, draft_policy, read_policy
from sfumato.errors import InputError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

ODD = [
    "a.b",
    "a b",
    'say "x"',
    "it's",
    "ärzte",
    "a\nb",
    "tab\there",
    "\x01",
    "\x7f",
    "\\",
    "#",
    "]",
]


def read_back(text: str, folder: Path) -> Policy:
    file = folder / "draft.toml"
    file.write_bytes(text.encode())
    return read_policy(file)


def tellable(names: list[str]) -> bool:
    try:
        check_names(names, "")
    except InputError:
        return False
    return True


NAMES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
    min_size=1,
    max_size=5,
).filter(tellable)


@given(names=NAMES)
def test_the_draft_reads_back_whatever_the_names(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    table = pa.table({name: [1] for name in names})
    policy = read_back(draft_policy(table), tmp_path_factory.getbasetemp())
    assert list(policy.columns) == names
    assert policy == Policy(columns={name: Policy().column(name) for name in names})


def test_a_csv_gives_its_header(tmp_path: Path) -> None:
    file = tmp_path / "odd.csv"
    with file.open("w", newline="", encoding="utf-8") as opened:
        csv.writer(opened).writerow(ODD)
    policy = read_back(draft_policy(file), tmp_path)
    assert list(policy.columns) == [name.strip() for name in ODD]
    assert policy.source == tmp_path / "odd.csv"


def test_no_row_is_looked_at(tmp_path: Path) -> None:
    for rows in ("", "canary,1,2,3,4\n", '"never closed'):
        file = tmp_path / f"t{len(rows)}.csv"
        file.write_text(f"patient_id,age\n{rows}", encoding="utf-8")
        drafts = draft_policy(file).replace(file.stem, "t")
        assert drafts == draft_policy(tmp_path / "t0.csv").replace("t0", "t")
        assert "canary" not in drafts


COLUMNS: dict[str, Any] = {
    "n": pa.array([1]),
    "x": pa.array([1.5]),
    "s": pa.array(["canary"]),
    "b": pa.array([True]),
    "d": pa.array([18000], pa.date32()),
    "t": pa.array([0], pa.timestamp("us")),
    "l": pa.array([[1]]),
}


def test_types_stand_beside_the_columns_that_have_them(tmp_path: Path) -> None:
    table = pa.table(COLUMNS)
    pq.write_table(table, tmp_path / "t.parquet")
    text = draft_policy(tmp_path / "t.parquet")
    kinds = ["integer", "number", "text", "boolean", "date", "timestamp", "other"]
    for name, kind in zip(COLUMNS, kinds, strict=True):
        assert f"[columns.{name}]  # {kind}\n" in text
    assert "canary" not in text
    assert read_back(text, tmp_path).source == tmp_path / "t.parquet"


def test_frames_have_no_source_and_the_same_columns(tmp_path: Path) -> None:
    frames = [pd.DataFrame({"id": [1]}), pl.DataFrame({"id": [1]}), pa.table({"id": [1]})]
    one, two, three = (draft_policy(each) for each in frames)
    assert one == two == three
    assert read_back(one, tmp_path).source is None


@pytest.mark.parametrize(
    ("names", "guess"),
    [
        (["age", "patient_id"], "patient_id"),
        (["age", "User ID"], "User ID"),
        (["customer"], "customer"),
        (["visit_id", "patient", "age"], "patient"),
        (["id", "orderNo", "customerNo"], "customerNo"),
        (["id", "hospital_patient_id", "PatientID"], "PatientID"),
        (["order_id", "userid"], "userid"),
        (["Personal-Nr", "Patient Nr."], "Patient Nr."),
        (["age", "id"], "id"),
        (["visit_id", "order_id", "row_id", "record_no", "invoice_id", "ward_id"], None),
        (["visit", "patient_age", "users", "customer_since"], None),
        (["age", "paid", "idle", "humid"], None),
    ],
)
def test_the_column_of_the_person_is_only_guessed(
    tmp_path: Path, names: list[str], guess: str | None
) -> None:
    text = draft_policy(pa.table({name: [1] for name in names}))
    assert ('# perhaps "' in text) == (guess is not None)
    assert guess is None or f'# perhaps "{guess}", by its name\n' in text
    assert read_back(text, tmp_path).unit is None


def test_each_line_that_is_switched_off_can_be_switched_on(tmp_path: Path) -> None:
    """The examples in comments are TOML, so that taking the # away is enough."""
    text = draft_policy(pa.table({k: v for k, v in COLUMNS.items() if k != "l"}))
    on = "\n".join(
        line[2:] if line.startswith("# ") and " = " in line[:20] else line
        for line in text.splitlines()
    ).replace('epsilon = ""', "epsilon = 3")
    policy = read_back(on, tmp_path)
    assert policy.limits.groups == 5
    assert policy.bounds_of("n") == (Fraction(0), Fraction(110))
    assert policy.column("b").values == (False, True)
    assert policy.allowance is not None
    assert policy.allowance.delta is not None


def test_the_source_is_written_from_where_the_policy_will_lie(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "policies").mkdir()
    file = tmp_path / "data" / "p.csv"
    file.write_text("id\n1\n", encoding="utf-8")
    tables = tomllib.loads(draft_policy(file, folder=tmp_path / "policies"))
    assert tables["table"]["source"] == "../data/p.csv"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("no.csv", "there is no file 'no.csv'"),
        (3, "the table cannot be read; give a pandas, polars or Arrow table"),
        (None, "the table cannot be read; give a pandas, polars or Arrow table"),
        (pa.table({"a": [1], "A": [2]}), "columns whose names differ only in case"),
    ],
)
def test_what_cannot_be_drafted_from(data: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        draft_policy(data)


def test_an_empty_file_has_no_header(tmp_path: Path) -> None:
    (tmp_path / "e.csv").touch()
    with raises_code("E-HEADER-MISSING"):
        draft_policy(tmp_path / "e.csv")
