"""Classes whose people share a sensitive value (k-anonymity does not prevent it: M-RISK-1)."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.risk import homogeneity

GENERALISED = "examples/hospital-a-generalised.csv"
QUASI = ["age", "sex", "zip", "smoker"]


def test_the_generalised_table_has_no_homogeneous_class() -> None:
    report = homogeneity(GENERALISED, quasi=QUASI, sensitive="diagnosis")
    assert (report.all_classes, report.exposed_classes, report.exposed_people) == (4, 0, 0)
    assert report.private is False


def test_two_of_three_men_of_60_to_70_have_lung_cancer() -> None:
    report = homogeneity(GENERALISED, quasi=QUASI, sensitive="diagnosis", certainty=2 / 3)
    (men,) = report.classes
    assert (men.people, men.value) == (3, "lung cancer")
    assert men.share == pytest.approx(2 / 3)
    assert men.known["sex"] == "male"


def test_who_is_alone_is_counted_apart() -> None:
    people = pd.DataFrame({"年龄": [1, 1, 2, 3, 3], "诊断": ["艾滋病"] * 3 + ["流感", "痛风"]})
    report = homogeneity(people, quasi="年龄", sensitive="诊断")
    assert (report.exposed_people, report.exposed_classes, report.alone) == (3, 2, 1)
    assert report.classes[0].value == "艾滋病"
    assert "艾滋病" in str(report)


rows = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("ab")), min_size=1, max_size=14)


@pytest.mark.full
@settings(max_examples=8, deadline=None)
@given(rows, st.sampled_from([1, 0.9, 0.75, 0.5]))
def test_the_engine_finds_what_counting_by_hand_finds(
    people: list[tuple[str, str]], certainty: float
) -> None:
    frame = pd.DataFrame(people, columns=["age", "ill"])
    report = homogeneity(frame, quasi="age", sensitive="ill", certainty=certainty)
    classes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for age, ill in people:
        classes[age][ill] += 1
    wanted = {
        age: (counts.total(), min(counts, key=lambda each: (-counts[each], each)))
        for age, counts in classes.items()
        if max(counts.values()) >= Fraction(str(certainty)) * counts.total()
    }
    assert {each.known["age"]: (each.people, each.value) for each in report.classes} == wanted
    assert report.exposed_people == sum(size for size, _ in wanted.values())
    assert report.people == len(people)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"certainty": 0}, "certainty takes a number above 0 and up to 1; 0 is not"),
        ({"certainty": 1.5}, "1.5 is not"),
        ({"certainty": "most"}, "'most' is not"),
        ({"certainty": float("nan")}, "nan is not"),
        ({"quasi": ["agee"]}, "did you mean 'age'"),
        ({"quasi": ["diagnosis"]}, "named both as"),
        ({"release": pd.DataFrame({"age": [], "diagnosis": []})}, "no rows below"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        homogeneity(
            **{"release": GENERALISED, "quasi": ["age"], "sensitive": "diagnosis", **options}
        )
