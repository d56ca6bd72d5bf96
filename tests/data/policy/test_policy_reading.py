"""A policy file is read as it is written, and its document never changes."""

from __future__ import annotations

import copy
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from sfumato.data.policy import Limits, Policy, digest, document, read_policy
from sfumato.privacy import AddRemove, ApproxDP, Person, PureDP, Row, ZeroConcentratedDP
from tests.refusing import raises_code

HERE = Path(__file__).parent
FULL = HERE / "patients.toml"
PERSON = AddRemove(unit=Person("patient_id"))


def test_a_table_is_no_policy() -> None:
    with raises_code("E-POLICY-FILE"):
        read_policy("v.csv")


def written(folder: Path, text: str) -> Path:
    file = folder / "p.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_everything_in_a_full_file_is_read() -> None:
    policy = read_policy(FULL)
    assert policy.relation == PERSON
    assert policy.budget == ApproxDP(epsilon=3, delta=1e-6, relation=PERSON)
    assert policy.limits == Limits(rows=50, groups=5, rows_per_group=10)
    assert policy.column("age").type == "integer"
    assert policy.column("age").complete
    assert policy.bounds_of("blood pressure") == (Fraction(121, 2), Fraction(721, 4))
    assert policy.bounds_of("cost") == "auto"
    assert policy.bounds_of("admitted") == (date(2020, 1, 1), date(2025, 12, 31))
    assert policy.column("smoker").values == (False, True)
    assert policy.column("ward").values == (1, 2)
    assert [each.columns for each in policy.keysets] == [("sex", "band"), ("sex", "ward")]
    assert policy.ledger is not None
    assert policy.ledger.analyst == "ada"


def test_a_time_with_a_zone_is_taken_in_utc() -> None:
    seen = datetime(2020, 1, 1), datetime(2020, 1, 2, 10)
    assert read_policy(FULL).bounds_of("seen") == seen


def test_files_are_looked_for_from_where_the_policy_lies() -> None:
    policy = read_policy(FULL)
    assert policy.source == HERE / "patients.csv"
    assert policy.ledger is not None
    assert policy.ledger.path == str(HERE / "ledger.db")


def test_the_address_of_a_server_is_no_path(tmp_path: Path) -> None:
    address = "postgresql://owner@127.0.0.1/books"
    policy = read_policy(written(tmp_path, f'[ledger]\npath = "{address}"'))
    assert policy.ledger is not None
    assert policy.ledger.path == address


def test_the_document_of_the_full_file_never_changes() -> None:
    policy = read_policy(FULL)
    assert document(policy)["unit"] == {"column": "patient_id"}
    assert document(policy)["columns"]["seen"]["bounds"][1] == "2020-01-02T10:00:00"
    assert document(policy)["budget"] == {"epsilon": "3", "delta": "1e-06"}
    golden = "312658ecbfc268b7652de828370832cfde57b944990e08070d7b2cff3084fec3"
    assert digest(policy) == golden


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ('[columns.d]\nvalues = ["2020-01-01"]', "[columns.d]\nvalues = [2020-01-01]"),
        ("[columns.x]\nvalues = [1]", "[columns.x]\nvalues = [true]"),
        ("[columns.x]\nvalues = [1]", "[columns.x]\nvalues = [1.0]"),
        ('[table]\nunit = "row"', '[table]\nunit = {column = "row"}'),
        ("[columns.x]\nbounds = [0, 1]", '[columns.x]\nbounds = "auto"'),
        ("[columns.x]\nbounds = [0, 1]", "[columns.x]\nbounds = [0, 1]\ncomplete = true"),
        ("[budget]\nepsilon = 1", "[budget]\nrho = 1"),
        ("[limits]\nrows = 1", "[limits]\ngroups = 1"),
    ],
)
def test_what_means_something_else_has_another_digest(
    tmp_path: Path, text: str, other: str
) -> None:
    one, two = (read_policy(written(tmp_path, each)) for each in (text, other))
    assert digest(one) != digest(two)


def test_order_and_place_do_not_change_the_digest(tmp_path: Path) -> None:
    first = '[table]\nsource = "a.csv"\nunit = "id"\n[columns.a]\nbounds = [0, 1]\n[columns.b]\n'
    second = '[columns.b]\n[columns.a]\nbounds = [0.0, 1e0]\n[table]\nunit = "id"\n'
    one, two = (read_policy(written(tmp_path, each)) for each in (first, second))
    assert one == two
    assert digest(one) == digest(two)


@pytest.mark.parametrize(
    ("budget", "guarantee"),
    [
        ("epsilon = 0.1", PureDP(epsilon=Fraction(1, 10))),
        ('epsilon = "ln(2)"', PureDP(epsilon="ln(2)")),
        ("epsilon = 1\ndelta = 0", PureDP(epsilon=1)),
        ("epsilon = 1\ndelta = 1e-9", ApproxDP(epsilon=1, delta="1e-9")),
        ("rho = 0.1", ZeroConcentratedDP(rho="0.1")),
    ],
)
def test_budgets_are_exact_guarantees(tmp_path: Path, budget: str, guarantee: object) -> None:
    text = f'[table]\nunit = "row"\n[budget]\n{budget}'
    assert read_policy(written(tmp_path, text)).budget == guarantee


def test_blanks_say_nothing(tmp_path: Path) -> None:
    blank = (
        '[table]\nsource = ""\nunit = ""\nrelation = ""\n[limits]\nrows = ""\n'
        '[columns.age]\ntype = ""\nbounds = ""\nvalues = ""\nkeys_from = ""\n'
        '[budget]\nepsilon = ""\n[ledger]\npath = ""\nbook = ""'
    )
    policy = read_policy(written(tmp_path, blank))
    assert policy == read_policy(written(tmp_path, "[columns.age]"))
    assert (policy.unit, policy.allowance, policy.ledger) == (None, None, None)


def test_using_a_blank_says_what_to_fill_in(tmp_path: Path) -> None:
    policy = read_policy(written(tmp_path, '[table]\nunit = ""\n[budget]\nepsilon = 1'))
    with raises_code("E-UNIT-MISSING"):
        policy.relation  # noqa: B018
    with raises_code("E-UNIT-MISSING"):
        policy.budget  # noqa: B018
    with raises_code("E-BOUNDS-MISSING"):
        policy.bounds_of("a b")


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    file.write_bytes(b'\xef\xbb\xbf[table]\nunit = "row"')
    assert read_policy(file).unit == Row()


def test_a_policy_is_a_value() -> None:
    policy = read_policy(FULL)
    assert policy == read_policy(str(FULL))
    assert copy.copy(policy) == policy
    assert Policy(source="a.csv") == Policy(source="b.csv")
    with pytest.raises(TypeError):
        policy.columns["age"] = policy.column("sex")  # type: ignore[index]
