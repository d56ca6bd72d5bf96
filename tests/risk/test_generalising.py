"""Tables made coarser, as their owner sees them (M-RISK-3)."""

from __future__ import annotations

import csv
import math
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.data import open_source
from sfumato.errors import InputError, UnknownNameError
from sfumato.risk import (
    anonymize,
    bands,
    k_anonymity,
    l_diversity,
    read_hierarchy,
    suppress,
    t_closeness,
)
from sfumato.risk.generalising.search import Method
from tests.refusing import raises_code

ROOT = Path(__file__).parents[2]
HOSPITAL = ROOT / "examples" / "hospital-a.csv"
QUASI = ["age", "sex", "zip", "smoker"]


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8") as file:
        return sorted(csv.reader(file))


def test_the_search_makes_the_table_that_the_textbook_made_by_hand(tmp_path: Path) -> None:
    found = anonymize(HOSPITAL, quasi=QUASI, sensitive="diagnosis", k=2, remove="name")
    found.write(tmp_path / "found.csv")
    assert rows_of(tmp_path / "found.csv") == rows_of(ROOT / "examples/hospital-a-generalised.csv")
    assert found.search.proved
    (secret,) = found.after.sensitive
    assert (found.after.k, secret.l) == (2, 2)
    assert secret.bits_left == pytest.approx(0.972765, abs=5e-7)


PEOPLE = pd.DataFrame(
    {
        "id": range(60),
        "age": [20 + 7 * each % 45 for each in range(60)],
        "born": [date(1960 + each % 9, 1 + each % 12, 1) for each in range(60)],
        "city": [["Rome", "Oslo", None][each * each % 3] for each in range(60)],
        "pay": [float(each * 37 % 11) for each in range(60)],
        "ill": ["no" if each % 4 else "yes" for each in range(60)],
    }
)


@pytest.mark.full
@pytest.mark.parametrize("method", ["optimal", "heuristic", "mondrian"])
@pytest.mark.parametrize(
    "wish", [{"l": 2}, {"t": 0.35}, {"t": 0.35, "suppression": 0.2}, {"suppression": 0.1}]
)
def test_what_is_guaranteed_is_what_others_measure(method: Any, wish: dict[str, Any]) -> None:
    """The new table is measured afresh, by the functions that know nothing of the search."""
    names: dict[str, Any] = {"quasi": ["age", "born", "city"], "sensitive": ["ill", "pay"]}
    if method == "mondrian" and "suppression" in wish:
        with pytest.raises(InputError, match="suppresses no rows"):
            anonymize(PEOPLE, k=4, method=method, **names, **wish)
        return
    found = anonymize(PEOPLE, k=4, method=method, **names, **wish)
    table = open_source(found.to_arrow())
    assert k_anonymity(table, quasi=names["quasi"]).k == found.after.k >= 4
    assert found.after.rows + found.suppressed == 60
    assert found.suppressed <= 60 * wish.get("suppression", 0)
    for each in found.after.sensitive:
        one: dict[str, Any] = {"quasi": names["quasi"], "sensitive": each.name}
        diversity, closeness = l_diversity(table, **one), t_closeness(table, **one)
        assert diversity.distinct == each.l >= wish.get("l", 1)
        assert diversity.one_value_rows == each.told_rows
        assert closeness.t == pytest.approx(each.t, abs=1e-9)
        assert each.t <= wish.get("t", 1) + 1e-9


def test_the_order_of_rows_has_no_say() -> None:
    wish: dict[str, Any] = {"quasi": ["age", "city"], "k": 3, "suppression": 0.05}
    one = anonymize(PEOPLE, **wish)
    other = anonymize(PEOPLE.sample(frac=1, random_state=1), **wish)
    assert one.to_arrow().equals(other.to_arrow())
    assert str(one) == str(other)


@pytest.mark.parametrize("frame", [PEOPLE, pl.from_pandas(PEOPLE), pa.Table.from_pandas(PEOPLE)])
def test_columns_that_stay_keep_their_types_and_places(frame: Any) -> None:
    found = anonymize(frame, quasi=["city", "age"], k=2, hierarchies={"age": bands(100)})
    table = found.to_arrow()
    assert table.column_names == list(PEOPLE.columns)
    assert pa.types.is_floating(table.schema.field("pay").type)
    assert found.to_polars().shape == found.to_pandas().shape == (60, 6)


def test_a_file_is_csv_or_parquet_by_its_name(tmp_path: Path) -> None:
    found = anonymize(PEOPLE, quasi="age", k=2)
    for name in ("a.csv", "a.csv.gz", "a.tsv", "a.parquet"):
        found.write(tmp_path / name)
        assert k_anonymity(tmp_path / name, quasi="age").rows == 60
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".sfumato")]
    with raises_code("E-OUTPUT-NAME"):
        found.write(tmp_path / "a.xlsx")
    with raises_code("E-OUTPUT-UNWRITABLE"):
        found.write(tmp_path / "nowhere" / "a.csv")


def test_columns_that_name_people_are_shouted_about() -> None:
    found = anonymize(PEOPLE, quasi="age", k=2)
    assert found.others.identifying == ("id",)
    assert "WARNING: id differs in every row" in str(found)
    assert "not looked at: born, city, pay, ill" in str(found)
    removed = anonymize(PEOPLE, quasi="age", k=2, remove=["id", "born"])
    assert "WARNING" not in str(removed)
    assert set(removed.to_pandas()["id"]) == {"*"}


def test_lists_stay_in_their_column_and_are_no_quasi_identifiers(tmp_path: Path) -> None:
    table = pa.table({"age": [1, 1, 2, 2], "visits": [[1], [2, 3], None, [1]]})
    found = anonymize(table, quasi="age", k=2)
    found.write(tmp_path / "a.parquet")
    assert sorted(map(str, found.to_arrow()["visits"].to_pylist())) == [
        "None",
        "[1]",
        "[1]",
        "[2, 3]",
    ]
    with raises_code("E-COLUMN-TYPE", match=r"'visits' holds lists or records.* write Parquet"):
        found.write(tmp_path / "a.csv")
    with raises_code("E-COLUMN-TYPE", match=r"'visits' holds lists or records.* text, numbers"):
        anonymize(table, quasi="visits", k=2)


@pytest.mark.full
def test_every_kind_of_cell_is_told_apart() -> None:
    """Text of a dictionary, truth, zeros of both signs, NaN, decimals and moments."""
    table = pa.table(
        {
            "kind": pa.array(["x", "y"] * 6).dictionary_encode(),
            "true": [True, False, None] * 4,
            "float": [0.0, -0.0, float("nan"), float("inf")] * 3,
            "exact": [Decimal("1.5"), Decimal("2.5")] * 6,
            "moment": [datetime(2020, 1 + each % 2, 1, 3) for each in range(12)],
        }
    )
    for name, classes in {"kind": 2, "true": 3, "float": 3, "exact": 2, "moment": 2}.items():
        for method in get_args(Method):
            found = anonymize(table, quasi=name, k=3, method=method)
            assert found.losses.entropy == 0
            assert found.after.classes == classes
            assert len(set(map(str, found.to_arrow()[name].to_pylist()))) == classes


def test_rows_may_be_left_out_instead() -> None:
    frame = pd.DataFrame({"age": [30] * 50 + [90], "sex": ["F", "M"] * 25 + ["F"]})
    strict, lenient = (
        anonymize(frame, quasi=["age", "sex"], k=5, suppression=share) for share in (0, 0.02)
    )
    assert strict.suppressed == 0
    assert lenient.suppressed == 1
    assert lenient.levels == {"age": 0, "sex": 0}
    assert lenient.losses.entropy < strict.losses.entropy
    assert len(lenient.to_arrow()) == 50


def test_a_share_is_the_decimal_that_was_written() -> None:
    """In floats, 0.29 of 100 rows is 28.999999999999996."""
    frame = pd.DataFrame({"age": [30] * 71 + list(range(100, 129))})
    found = anonymize(frame, quasi="age", k=5, suppression=0.29, hierarchies={"age": suppress()})
    assert found.suppressed == 29


def test_as_json_it_says_that_it_is_not_private() -> None:
    figures = anonymize(HOSPITAL, quasi="age", k=2, sensitive="diagnosis").as_dict()
    assert figures["private"] is False
    assert figures["columns"][0] == {
        "name": "age",
        "how": "bands of 10",
        "level": 2,
        "levels": 3,
        "made": True,
    }
    assert figures["after"]["sensitive"][0]["name"] == "diagnosis"
    assert figures["search"]["proved"] is True


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    anonymize(PEOPLE, quasi=["age", "born"], k=2, progress=lambda *each: seen.append(each))
    assert seen
    assert all(done <= total for done, total in seen)


def test_ordered_text_is_read_as_numbers() -> None:
    text = PEOPLE.assign(pay=PEOPLE["pay"].astype(str))
    wish: dict[str, Any] = {"quasi": "age", "sensitive": "pay", "k": 2}
    typed, read = anonymize(PEOPLE, **wish), anonymize(text, ordered="pay", **wish)
    assert typed.after.sensitive == read.after.sensitive
    with raises_code("E-CELLS-UNREADABLE"):
        anonymize(PEOPLE, quasi="age", sensitive="ill", ordered="ill", k=2)


@pytest.mark.full
@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"quasi": "agee"}, "no column 'agee' .* did you mean 'age'"),
        ({"sensitive": "age"}, "both as a quasi-identifier and as sensitive"),
        ({"k": 0}, "1 or more; it was 0"),
        ({"k": 2.5}, "1 or more; it was 2.5"),
        ({"k": True}, "1 or more; it was True"),
        ({"k": 10}, "k = 10 is more than the 9 rows"),
        ({"l": 2}, "l is about a sensitive column, and none is named"),
        ({"t": 0.1}, "t is about a sensitive column, and none is named"),
        ({"l": 0, "sensitive": "diagnosis"}, "l counts different sensitive values"),
        ({"t": 1.5, "sensitive": "diagnosis"}, "t is a distance from 0 to 1"),
        ({"l": 9, "sensitive": "diagnosis"}, "l = 9 cannot be reached .* has k = 9, l = 8"),
        ({"suppression": 1}, "from 0 to below 1"),
        ({"suppression": float("nan")}, "from 0 to below 1"),
        ({"method": "best"}, "no method 'best'"),
        ({"loss": "entropie"}, "no loss 'entropie'; did you mean 'entropy'"),
        ({"diversity": "even", "l": 2, "sensitive": "sex"}, "no diversity 'even'"),
        ({"remove": "nam"}, "no column 'nam'"),
        ({"remove": "age"}, "'age' is to be removed"),
        ({"hierarchies": {"sex": bands(1)}}, "quasi lacks 'sex', which is given a hierarchy"),
        ({"hierarchies": {"age": "no-such.csv"}}, "there is no file 'no-such.csv'"),
        ({"ordered": "age"}, "named as ordered, but not as sensitive"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(wish: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        anonymize(HOSPITAL, **{"quasi": "age", "k": 2, **wish})


def test_a_hierarchy_that_does_not_reach_says_so(tmp_path: Path) -> None:
    """A file whose last level still tells two groups apart: one has a row only."""
    path = tmp_path / "sex.csv"
    path.write_text("F;F\nM;M\n", encoding="utf-8")
    frame = pd.DataFrame({"sex": ["F", "M", "M"]})
    methods: tuple[Method, ...] = ("optimal", "heuristic")
    for method in methods:
        with raises_code("E-TARGETS-UNREACHED"):
            anonymize(frame, quasi="sex", k=2, hierarchies={"sex": path}, method=method)
    found = anonymize(
        frame, quasi="sex", k=2, hierarchies={"sex": read_hierarchy(path)}, suppression=0.4
    )
    assert found.to_pandas()["sex"].tolist() == ["M", "M"]


@pytest.mark.full
def test_too_many_ways_to_look_at_them_all() -> None:
    frame = pd.DataFrame({f"c{each}": range(each, 4000 + each, 200) for each in range(9)})
    with pytest.raises(InputError, match="use the heuristic method"):
        anonymize(frame, quasi=list(frame.columns), k=2, method="optimal")
    found = anonymize(frame, quasi=list(frame.columns), k=2)
    assert (found.search.method, found.search.proved) == ("heuristic", False)
    assert found.after.k >= 2
    assert "not proved to be the best" in str(found)


def test_an_unknown_hierarchy_column_names_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'age'", kind=UnknownNameError):
        anonymize(HOSPITAL, quasi="age", k=2, hierarchies={"agee": bands(10)})


def test_nan_has_a_place_in_an_order() -> None:
    table = pa.table({"a": list("aaabbb"), "s": [0.0, 2.0, math.nan, 5.0, -6.0, 4.0]})
    found = anonymize(table, quasi="a", k=1, sensitive="s").after.sensitive[0].t
    assert found == pytest.approx(t_closeness(table, quasi="a", sensitive="s").t)
    assert found == pytest.approx(0.1)


@pytest.mark.parametrize("method", ["optimal", "heuristic", "mondrian"])
@pytest.mark.parametrize(("asked", "reached"), [(0.25, 0.25), (0.24, 0.0)])
def test_classes_a_quarter_from_the_table_are_one_where_less_is_asked(
    method: Any, asked: float, reached: float
) -> None:
    frame = pd.DataFrame({"a": [1] * 4 + [2] * 4, "s": [*"uuuv", *"uvvv"]})
    found = anonymize(frame, quasi="a", sensitive="s", k=2, t=asked, method=method)
    (secret,) = found.after.sensitive
    assert secret.t == reached


def test_closeness_with_rows_left_out_is_not_proved() -> None:
    """Class A alone might be left out; the rule leaves out all that are far at once."""
    frame = pd.DataFrame(
        {"a": list("A" * 10 + "B" * 10 + "C" * 10), "s": ["z"] * 10 + ["x", "y"] * 10}
    )
    found = anonymize(frame, quasi="a", sensitive="s", k=2, t=0.3, suppression=0.34)
    assert not found.search.proved
    kept = anonymize(frame, quasi="a", sensitive="s", k=2, t=0.7)
    assert kept.search.proved


def test_an_identifier_with_a_gap_is_one_still() -> None:
    frame = pd.DataFrame({"a": list("xxx"), "who": ["p", "q", None]})
    assert anonymize(frame, quasi="a", k=2).others.identifying == ("who",)


def test_a_cell_of_thousands_of_digits_is_no_number() -> None:
    frame = pd.DataFrame({"a": ["1" * 5000, "2"]})
    assert anonymize(frame, quasi="a", k=2).after.k == 2
