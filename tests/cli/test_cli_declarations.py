"""What options declare about a table, and refusals in the words of the shell."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.cli.declarations import read_declared, read_target
from sfumato.cli.shell_words import shell_words
from sfumato.errors import InputError


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
    (found,) = read_declared(**given).values() or ({},)
    assert found == declared


def test_a_place_and_names_are_read() -> None:
    assert read_declared(complete=["age,cost"], ledger="l.db") == {
        "complete": ["age", "cost"],
        "ledger": {"path": "l.db"},
    }


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("bounds", "age", "--bounds takes age=0:110, say; 'age' is not so"),
        ("bounds", "age=", "--bounds takes age=0:110, say; 'age=' is not so"),
        ("bounds", "=0:110", "--bounds takes age=0:110, say; '=0:110' is not so"),
        ("bounds", "age=0", "--bounds takes age=0:110, say; 'age=0' is not so"),
        ("bounds", "age=0:1:2", "--bounds takes age=0:110, say; 'age=0:1:2' is not so"),
        ("bounds", "age=0:", "--bounds takes age=0:110, say; 'age=0:' is not so"),
        ("bounds", "age=0:1,age=0:2", "--bounds names 'age' twice; give each name once"),
        ("keys", "sex", "--keys takes sex=F,M, say; 'sex' is not so"),
        ("keys", "sex=", "--keys takes sex=F,M, say; 'sex=' is not so"),
        ("keys", "sex,ward=F,M", "--keys of several columns are read from a file"),
        ("types", "age", "--types takes age=integer, say; 'age' is not so"),
        ("limit", "50", "--limit takes rows=50, say; '50' is not so"),
    ],
)
def test_a_wrong_form_is_refused_with_the_right_one(option: str, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        read_declared(**{option: [text]})  # type: ignore[arg-type]
    assert str(refused.value).startswith(sentence)


def test_weights_are_numbers() -> None:
    assert read_target(epsilon="1", noise="auto", weight=["n=2,age=0.5"])["weights"] == {
        "n": 2,
        "age": 0.5,
    }
    with pytest.raises(InputError, match="--weight takes n=2; 'much' is not"):
        read_target(epsilon="1", noise="auto", weight=["n=much"])


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("write bounds={'blood pressure': (0, 1)}", "write --bounds 'blood pressure'=0:1"),
        ("as in bounds = [0, 110]", "as in --bounds age=0:110"),
        ("not ['a', 'b']; write [0, 110], say", "not ['a', 'b']; write --bounds age=0:110, say"),
        ("write keys={'sex': ['F', 'M']}", "write --keys sex=F,M"),
        ("write limits={'groups': 5}", "write --limit groups=5"),
        ("numbers, such as {'n': 2}", "numbers, such as --weight n=2"),
        ('write unit="patient_id", the column', "write --unit patient_id, the column"),
        ("write analyst='ada', or declare one", "write --analyst ada, or declare one"),
        (
            "give exactly one of epsilon and rho, such as epsilon=1",
            "give exactly one of --epsilon and --rho, such as --epsilon 1",
        ),
        ("rho=0.1 alone, or epsilon=1, delta=1e-6", "--rho 0.1 alone, or --epsilon 1 --delta 1e-6"),
        (
            "as in ledger={'path': 'ledger.db', 'book': 'patients'}",
            "as in --ledger ledger.db --book patients",
        ),
        (
            "write bounds = [0, 110] in [columns.age] of 'patients.toml'",
            "write bounds = [0, 110] in [columns.age] of 'patients.toml'",
        ),
        ("there is no column 'epsilon'", "there is no column 'epsilon'"),
    ],
)
def test_hints_speak_the_shell(sentence: str, said: str) -> None:
    assert shell_words(sentence) == said
