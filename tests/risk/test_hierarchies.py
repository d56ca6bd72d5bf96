"""Hierarchies: made or read, each is a tree that covers its values, or is refused by name."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError, UnknownNameError
from sfumato.risk import Hierarchy, bands, date_bands, groups, prefixes, read_hierarchy, suppress
from sfumato.risk.generalising.hierarchy import Level, check_tree
from sfumato.risk.generalising.ladders import build_ladder, suited_hierarchy
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def labels(hierarchy: Hierarchy, value: Any, beside: Sequence[Any] = ()) -> list[str | None]:
    return [level.labels[0] for level in hierarchy.levels([value, *beside])]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (50, ["50-60", "40-60", "*"]),
        (59.999, ["50-60", "40-60", "*"]),
        ("60", ["60-70", "60-80", "*"]),
        (-1, ["-10 to 0", "-20 to 0", "*"]),
        (None, [None, None, "*"]),
        (float("nan"), ["nan", "nan", "*"]),
    ],
)
def test_a_band_holds_its_lower_end_and_not_its_upper(value: Any, expected: list[str]) -> None:
    assert labels(bands(10, 20), value, [500, 700]) == expected


def test_one_width_is_doubled_until_a_band_would_hold_all() -> None:
    names = [level.name for level in bands(10).levels([52, 69])]
    assert names == ["bands of 10", "bands of 20", "suppressed"]
    for hierarchy in (bands(40), bands(10, 40)):
        assert labels(hierarchy, 52, [69])[-1] == "*"
        assert "bands of 40" not in {level.name for level in hierarchy.levels([52, 69])}
    gaps = [level.name for level in bands(40).levels([52, 69, None])]
    assert gaps == ["bands of 40", "suppressed"]
    assert labels(bands("0.5", start="0.25"), "0.3", ["0.9", "2"])[:2] == ["0.25-0.75", "0.25-1.25"]


def test_numbers_on_both_sides_of_the_start_end_in_two_bands() -> None:
    assert labels(bands(10), -3, [3]) == ["-10 to 0", "*"]


def test_dates_go_from_days_to_decades() -> None:
    expected = ["1987-03-05", "1987-03", "1987-Q1", "1987", "1980s", "*"]
    for value in (date(1987, 3, 5), datetime(1987, 3, 5, 23, 59), "1987-03-05"):
        assert labels(date_bands(), value) == expected


def test_codes_of_different_lengths_are_cut_alike() -> None:
    assert labels(prefixes(), "1", ["1a2"]) == ["1**", "1**", "*"]
    assert labels(prefixes(), "1a2", ["1"]) == ["1a*", "1**", "*"]


def test_groups_of_groups() -> None:
    kinds = groups({"flu": "virus", 7: "other"}, {"virus": "ill", "other": "ill"})
    assert labels(kinds, "flu") == ["virus", "ill", "*"]
    assert labels(kinds, 7) == ["other", "ill", "*"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: bands(5, 12), "bands of 12 do not hold whole bands of 5"),
        (lambda: bands(0), "above 0"),
        (lambda: bands("wide"), "takes a number"),
        (lambda: date_bands("year", "month"), "write month, year"),
        (lambda: prefixes(2, 3), "fewer characters on each level"),
        (lambda: groups({"a": "b"}).levels(["c"]), "where 'c' belongs"),
        (
            lambda: date_bands().levels(["5 March"]),
            "dates written as 2024-03-05, and 1 of 1 value cannot be read as such",
        ),
        (
            lambda: bands(5).levels(["old"]),
            "numbers, and 1 of 1 value cannot be read as such",
        ),
    ],
)
def test_what_makes_no_hierarchy_is_refused(make: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        make()


def test_an_unknown_step_of_dates_is_named_with_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'month'", kind=UnknownNameError):
        date_bands("months")


made = st.one_of(
    st.tuples(
        st.builds(lambda width, times: bands(width, width * times), st.integers(1, 9), st.just(3)),
        st.lists(st.none() | st.integers(-50, 50), min_size=1, unique=True),
    ),
    st.tuples(
        st.just(date_bands()), st.lists(st.none() | st.dates(), min_size=1, max_size=9, unique=True)
    ),
    st.tuples(
        st.just(prefixes()),
        st.lists(st.none() | st.text("01ab", max_size=4), min_size=1, max_size=9, unique=True),
    ),
    st.tuples(st.just(suppress()), st.lists(st.text(max_size=2), min_size=1, unique=True)),
)


@given(made)
def test_every_hierarchy_that_is_made_is_a_tree_and_ends_in_a_star(drawn: Any) -> None:
    hierarchy, values = drawn
    levels = [level.labels for level in hierarchy.levels(values)]
    check_tree(levels)
    assert set(levels[-1]) == {"*"}


@given(st.lists(st.none() | st.integers(-999, 99_999) | st.text(max_size=6), unique=True))
def test_some_hierarchy_suits_every_column(values: list[Any]) -> None:
    ladder = build_ladder("any", values, suited_hierarchy(values), made=True)
    coarser = [len(rung.labels) for rung in ladder.rungs]
    assert coarser == sorted(set(coarser), reverse=True)
    assert coarser[-1] <= 1


@pytest.mark.parametrize(
    ("values", "first"),
    [
        (["52", "69"], "bands of 5"),
        ([0, 3], "bands of 2"),
        ([12_000.5, 99_000.0], "bands of 5000"),
        ([0.011, 0.02], "bands of 0.0005"),
        (["190146", "190118"], "first 5 characters"),
        (["2024-03-05", "2023-01-01"], "day"),
        (["male", "female"], "suppressed"),
        ([None], "suppressed"),
    ],
)
def test_the_values_say_which_hierarchy_suits(values: list[Any], first: str) -> None:
    assert suited_hierarchy(values).levels(values)[0].name == first


def test_files_are_read_as_arx_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "country.csv"
    path.write_bytes(b"\xef\xbb\xbfPeru;South America;*\r\nLaos;Asia;*\r\n")
    assert read_hierarchy(path).levels(["Laos", "Peru"]) == [
        Level("such as Asia", ("Asia", "South America")),
        Level("suppressed", ("*", "*")),
    ]


def test_a_file_may_have_commas_and_quotes_and_a_missing_value(tmp_path: Path) -> None:
    path = tmp_path / "size.csv"
    path.write_text('"1,5",small\n2,big\n,unknown\n', encoding="utf-8")
    assert read_hierarchy(path).levels(["1,5", 2.0, None])[0].labels == ("small", "big", "unknown")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("19;0-20;young\n20;0-20;old\n", "'0-20' on level 1 stands below both 'young' and 'old'"),
        ("19;0-20\n20\n", "line 2 has 1 cells where the first has 2"),
        ("19;a\n19;b\n", "the value '19' has two lines that differ"),
        ("19\n20\n", "line 1 has one cell only; write value;finest"),
        ("19:0-20:*\n", "line 1 has one cell only; write value;finest"),
        ("19;a\n\n20;a;*\n", "line 3 has 3 cells where the first has 2"),
        ("", "is empty"),
        ("\n  \n", "is empty"),
        ("\ufeff", "is empty"),
        (b"\xff;a", "is not in UTF-8; save it so"),
        ("19;a\n20;b\n".encode("utf-16"), "is not in UTF-8; save it so"),
        ("19;" + "a" * 200_000, "is no CSV file"),
    ],
)
def test_a_file_that_is_no_tree_is_refused(
    tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    path = tmp_path / "age.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=sentence):
        read_hierarchy(path)


def test_a_file_of_a_hierarchy_is_there_and_is_a_file(tmp_path: Path) -> None:
    with raises_code("E-FILE-MISSING"):
        read_hierarchy(tmp_path / "age.csv")
    with raises_code("E-FILE-IS-FOLDER"):
        read_hierarchy(tmp_path)


def test_cells_of_a_file_may_hold_what_ends_lines(tmp_path: Path) -> None:
    path = tmp_path / "size.csv"
    path.write_text('\n"a\nb";small;*\nc\u2028d\x0b;"big; bigger";*\n', encoding="utf-8")
    first, last = read_hierarchy(path).levels(["a\nb", "c\u2028d\x0b"])
    assert first.labels == ("small", "big; bigger")
    assert last.name == "suppressed"


def test_a_value_that_is_not_covered_is_named_with_its_column(tmp_path: Path) -> None:
    path = tmp_path / "age.csv"
    path.write_text("19;*\n", encoding="utf-8")
    for value, named in ((20, "the value '20'"), (None, "a missing value")):
        with raises_code("E-HIERARCHY-INCOMPLETE", match=named):
            build_ladder("age", [19, value], read_hierarchy(path))


def test_a_hierarchy_of_ones_own_that_is_no_tree_is_refused() -> None:
    class Crooked(Hierarchy):
        def levels(self, values: Sequence[Any]) -> list[Level]:
            return [Level("one", ("a", "a")), Level("two", ("b", "c"))]

    with raises_code("E-HIERARCHY-FORM"):
        build_ladder("age", [1, 2], Crooked())


def test_levels_that_merge_nothing_are_left_out_unless_they_are_written(tmp_path: Path) -> None:
    codes = build_ladder("zip", ["190146", "190118"], prefixes())
    assert [rung.name for rung in codes.rungs] == ["as it is", "first 4 characters"]
    path = tmp_path / "zip.csv"
    path.write_text("190146;a;a;*\n190118;a;a;*\n", encoding="utf-8")
    assert len(build_ladder("zip", ["190146", "190118"], read_hierarchy(path)).rungs) == 4
