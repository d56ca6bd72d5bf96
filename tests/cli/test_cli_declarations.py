"""What options declare about a table."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.cli.declarations import QuestionOptions
from sfumato.errors import InputError
from tests.refusing import raises_code


@pytest.mark.parametrize(
    ("given", "declared"),
    [
        ({}, {}),
        ({"bounds": ["age=0:110,cost=auto"]}, {"age": ("0", "110"), "cost": "auto"}),
        ({"bounds": ["age=0:110", "cost=-1:1"]}, {"age": ("0", "110"), "cost": ("-1", "1")}),
        ({"bounds": ["day=2020-01-01:2020-12-31"]}, {"day": ("2020-01-01", "2020-12-31")}),
        (
            {"bounds": ["at=2020-01-01 08:00:2020-01-01 17:30"]},
            {"at": ("2020-01-01 08:00", "2020-01-01 17:30")},
        ),
        ({"bounds": ['"height, cm"=0:250']}, {"height, cm": ("0", "250")}),
        ({"bounds": ["a=b=0:1"]}, {"a=b": ("0", "1")}),
        ({"keys": ["sex=F,M", "ward=@wards.csv"]}, {"sex": ["F", "M"], "ward": "wards.csv"}),
        ({"keys": ['city="Bath, UK",Rome']}, {"city": ["Bath, UK", "Rome"]}),
        ({"keys": ["sum=1+1=2,x"]}, {"sum": ["1+1=2", "x"]}),
        ({"keys": ["sex,ward=@pairs.csv"]}, {("sex", "ward"): "pairs.csv"}),
        ({"types": ["age=integer,cost=number"]}, {"age": "integer", "cost": "number"}),
        ({"limit": ["rows=50,groups=5"]}, {"rows": 50, "groups": 5}),
        ({"limit": ["rows-per-group=2", "rows=auto"]}, {"rows_per_group": 2, "rows": "auto"}),
    ],
)
def test_options_are_read_as_arguments(given: dict[str, Any], declared: dict[Any, Any]) -> None:
    (found,) = QuestionOptions(**given).declared().values() or ({},)
    assert found == declared


def test_a_place_and_names_are_read() -> None:
    assert QuestionOptions(complete=["age,cost"], ledger="l.db").declared() == {
        "complete": ["age", "cost"],
        "ledger": {"path": "l.db"},
    }


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("bounds", "age", "--bounds takes age=0:110, say; 'age' is not of this form"),
        ("bounds", "age=", "--bounds takes age=0:110, say; 'age=' is not of this form"),
        ("bounds", "=0:110", "--bounds takes age=0:110, say; '=0:110' is not of this form"),
        ("bounds", "age=0", "--bounds takes age=0:110, say; 'age=0' is not of this form"),
        ("bounds", "age=0:1:2", "--bounds takes age=0:110, say; 'age=0:1:2' is not of this form"),
        ("bounds", "age=0:", "--bounds takes age=0:110, say; 'age=0:' is not of this form"),
        ("bounds", "age=0:1,age=0:2", "--bounds names 'age' twice; give each name once"),
        ("keys", "sex", "--keys takes sex=F,M, say; 'sex' is not of this form"),
        ("keys", "sex=", "--keys takes sex=F,M, say; 'sex=' is not of this form"),
        ("keys", "sex,ward=F,M", "--keys of several columns are read from a file"),
        ("types", "age", "--types takes age=integer, say; 'age' is not of this form"),
        ("limit", "50", "--limit takes rows=50, say; '50' is not of this form"),
    ],
)
def test_a_wrong_form_is_refused_with_the_right_one(option: str, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        QuestionOptions(**{option: [text]}).declared()  # type: ignore[arg-type]
    assert str(refused.value).startswith(sentence)


def test_weights_are_numbers() -> None:
    assert QuestionOptions(epsilon="1", weight=["n=2,age=0.5"]).target()["weights"] == {
        "n": 2,
        "age": 0.5,
    }
    with raises_code("E-OPTION-VALUE", match="--weight takes n=2; 'much' is not"):
        QuestionOptions(epsilon="1", weight=["n=much"]).target()
