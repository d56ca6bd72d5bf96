"""Regions cut at their medians: every class reaches the targets, and every label is true."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.risk import Hierarchy, anonymize, bands, date_bands, groups, prefixes
from sfumato.risk.generalising.mondrian import cut_regions
from sfumato.risk.generalising.partition import Targets
from tests.refusing import raises_code
from tests.risk.generalised import Row, as_cells, as_ladders, staying, tables

if TYPE_CHECKING:
    from sfumato.risk.generalising.output import Recoding

Trees = list[list[list[int]]]
#: More rows than a drawn table has.
MORE = 25


def classes(recoding: Recoding, rows: list[Row]) -> list[list[Row]]:
    """The rows of each class of the new table."""
    combinations = sorted({quasi for quasi, _ in rows})
    found: dict[tuple[int, ...], list[Row]] = {}
    for row in rows:
        cell = combinations.index(row[0])
        label = tuple(int(column.codes[cell]) for column in recoding.columns)
        found.setdefault(label, []).append(row)
    return list(found.values())


@settings(max_examples=80, deadline=None)
@given(
    tables(),
    st.builds(
        Targets,
        k=st.sampled_from([1, 2, 3, 4, MORE]),
        l=st.sampled_from([None, 2]),
        t=st.sampled_from([None, 0.3]),
    ),
)
def test_every_class_reaches_the_targets(table: tuple[list[Row], Trees], targets: Targets) -> None:
    rows, trees = table
    cells = as_cells(rows, trees)
    recoding = cut_regions(cells, as_ladders(trees), targets)
    assert (recoding is None) == (not staying([rows], targets))
    if recoding is None:
        return
    found = classes(recoding, rows)
    assert sorted(map(len, staying(found, targets))) == sorted(map(len, found))
    assert recoding.kept.all()


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(1, 4))
def test_every_label_tells_the_value_it_stands_for(table: tuple[list[Row], Trees], k: int) -> None:
    rows, trees = table
    recoding = cut_regions(as_cells(rows, trees), as_ladders(trees), Targets(k))
    assert recoding is not None
    combinations = sorted({quasi for quasi, _ in rows})
    for place, column in enumerate(recoding.columns):
        for cell, quasi in enumerate(combinations):
            low, _, high = str(column.labels[column.codes[cell]]).partition("..")
            assert int(low) <= quasi[place] <= int(high or low)


def test_rows_that_differ_in_one_number_are_cut_in_halves_of_k() -> None:
    frame = pd.DataFrame({"age": range(32)})
    found = anonymize(frame, quasi="age", k=4, method="mondrian")
    assert Counter(found.to_pandas()["age"]).most_common(1) == [("0..3", 4)]
    assert found.after.classes == 8
    assert found.losses.average_class_size == 1


def test_categories_are_called_by_their_hierarchy_where_it_has_a_word() -> None:
    work = groups({"city": "state", "land": "state", "own": "free", "none": "free"})
    frame = pd.DataFrame({"work": ["city", "land", "own", "none"] * 2, "age": [1] * 8})
    found = anonymize(
        frame, quasi=["work", "age"], k=4, method="mondrian", hierarchies={"work": work}
    )
    assert sorted(set(found.to_pandas()["work"])) == ["free", "state"]
    assert found.to_pandas()["age"].tolist() == [1] * 8


def test_a_missing_value_is_told_apart() -> None:
    frame = pd.DataFrame({"age": [1.0, 1.0, 1.0, 9.0, 9.0, None, None]})
    found = anonymize(frame, quasi="age", k=3, method="mondrian").to_pandas()
    assert sorted(set(found["age"])) == ["1", "{9, (empty)}"]


def test_it_loses_less_than_whole_columns_do() -> None:
    quasi = ["age", "sex", "zip", "smoker"]
    whole, cut = (
        anonymize("examples/hospital-a.csv", quasi=quasi, k=2, method=method)
        for method in ("optimal", "mondrian")
    )
    assert cut.losses.entropy < whole.losses.entropy
    assert cut.after.k == whole.after.k == 2
    assert not cut.search.proved


def test_what_no_cut_can_reach_is_refused() -> None:
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "y"]})
    with raises_code("E-TARGETS-UNREACHED") as said:
        anonymize(frame, quasi="age", sensitive="ill", k=1, l=2, method="mondrian")
    assert "left out" not in str(said.value)


def test_regions_leave_nobody_out_and_say_so() -> None:
    frame = pd.DataFrame({"age": [1, 2, 3]})
    with raises_code("E-ARGUMENT-CONFLICT", "suppression"):
        anonymize(frame, quasi="age", k=2, suppression=0.2, method="mondrian")


_ROWS = st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("xyz")), min_size=4, max_size=14)


@pytest.mark.full
@settings(max_examples=40, deadline=None)
@given(_ROWS, st.integers(2, 4), st.sampled_from(["mondrian", "optimal"]))
def test_the_table_itself_keeps_what_is_guaranteed_of_it(
    rows: list[tuple[str, str]], k: int, method: Literal["mondrian", "optimal"]
) -> None:
    frame = pd.DataFrame(rows, columns=["a", "b"])
    found = anonymize(frame, quasi=["a", "b"], k=k, method=method)
    sizes = found.to_pandas().groupby(["a", "b"]).size()
    assert sizes.min() == found.after.k >= k


def test_as_many_labels_as_values_are_not_the_values() -> None:
    frame = pd.DataFrame({"a": list("ppppqqqq"), "b": list("xxxxxxxy")})
    found = anonymize(frame, quasi=["a", "b"], k=2, method="mondrian")
    assert sorted(found.to_pandas()["b"]) == list("****xxxx")


def with_odd_ages(first: str) -> pd.DataFrame:
    few = [(first, age) for age in ("31", "47", "52", "unknown", "n/a", "61")]
    ages = ["31", "47", "52", "61"] * 30 + ["unknown", "n/a"] * 4
    return pd.DataFrame([*few, *(("B", age) for age in ages)], columns=["zip", "age"])


def test_what_is_lost_does_not_hang_on_the_order_of_regions() -> None:
    """The region with odd cells alone comes before the mixed one in one table, and after it."""
    before, after = (
        anonymize(with_odd_ages(first), quasi=["zip", "age"], k=6, method="mondrian").losses
        for first in "AC"
    )
    assert before.entropy == pytest.approx(after.entropy, rel=1e-12)


def test_a_star_tells_nothing_and_a_set_tells_its_values() -> None:
    frame = with_odd_ages("A")
    found = anonymize(frame, quasi=["zip", "age"], k=6, method="mondrian")
    rows = Counter(zip(*(found.to_pandas()[name] for name in ("zip", "age")), strict=True))
    assert rows["A", "*"] == 6
    assert rows["B", "{n/a, unknown}"] == 8
    odd = len(frame[frame["age"].isin(["n/a", "unknown"])])
    # Six rows no longer tell any age, and eight tell only that it is one of two words.
    shares = frame["age"].map(frame["age"].value_counts()) / len(frame)
    told = -np.log2(shares)
    words = told[(frame["zip"] == "B") & frame["age"].isin(["n/a", "unknown"])]
    lost = told[frame["zip"] == "A"].sum() + (words + np.log2(odd / len(frame))).sum()
    assert found.losses.entropy == pytest.approx(lost)


def test_words_among_numbers_come_after_them_and_are_listed() -> None:
    ages = [*map(str, range(5, 105)), "unknown", "n/a", None, None]
    frame = pd.DataFrame({"age": ages})
    found = anonymize(frame, quasi="age", k=50, method="mondrian")
    assert sorted(set(found.to_pandas()["age"])) == ["5..56", "{57..104, n/a, unknown, (empty)}"]
    assert "age: 2 of 104 cells are no numbers: such cells stand together" in str(found)
    assert "say *" not in str(found)
    assert "hierarchies made" not in str(found)


def test_a_cell_that_reads_like_an_empty_one_is_in_quotes() -> None:
    frame = pd.DataFrame({"sex": ["f", "(empty)", None, "f", "m", "m", "m"]})
    found = anonymize(frame, quasi="sex", k=3, method="mondrian").to_pandas()
    assert set(found["sex"]) == {'{"(empty)", f}', "{m, (empty)}"}


@pytest.mark.parametrize(
    ("column", "given"),
    [
        (["1", "2", "3"], bands(10)),
        (["2024-03-05", "2024-03-06", None], date_bands()),
        (["190146", "190118", "190111"], prefixes()),
    ],
)
def test_numbers_and_dates_are_cut_without_a_hierarchy(
    column: list[str | None], given: Hierarchy
) -> None:
    frame = pd.DataFrame({"col": column})
    with raises_code(
        "E-ARGUMENT-CONFLICT", match="'col' is given a hierarchy, and mondrian cuts numbers"
    ):
        anonymize(frame, quasi="col", k=2, method="mondrian", hierarchies={"col": given})
