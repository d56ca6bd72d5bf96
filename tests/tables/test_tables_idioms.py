"""What people write of data frames gets the private way, and a notebook shows what is declared."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import RowsNotShownError
from sfumato.ledger import Ledger
from sfumato.tables.idioms import IDIOMS
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = pd.DataFrame({"id": [1, 2, 3], "sex": ["F", "M", "F"], "age": [61, 64, 4711]})


def people(**declared: Any) -> sf.tables.PrivateTable:
    return sf.table(PEOPLE, unit="id", **declared)


@pytest.mark.parametrize("word", [each for each in IDIOMS if not each.startswith("__")])
def test_an_idiom_of_frames_is_told_the_private_way(word: str) -> None:
    with raises_code("E-ROWS-NOT-SHOWN", kind=RowsNotShownError) as caught:
        getattr(people(), word)
    assert f"has no {word}, since" in str(caught.value)
    assert str(caught.value).endswith("(columns: id, sex, age)")
    assert not hasattr(people(), word)


@pytest.mark.parametrize(
    "idiom",
    [
        lambda table: table["age"],
        len,
        list,
        lambda table: table.groupby("sex"),
        lambda table: table.value_counts(),
    ],
)
def test_brackets_lengths_and_loops_are_refused_too(idiom: Any) -> None:
    with raises_code("E-ROWS-NOT-SHOWN", kind=RowsNotShownError):
        idiom(people())


def test_what_a_table_has_is_no_idiom() -> None:
    assert not [word for word in IDIOMS if word in dir(sf.tables.PrivateTable) and word[0] != "_"]
    with pytest.raises(AttributeError, match="object has no attribute 'hed'"):
        _ = people().hed  # type: ignore[attr-defined]
    table = people()
    assert bool(table) is True
    assert copy.deepcopy(table) is table


def test_a_card_says_what_is_declared_and_shows_no_cell() -> None:
    table = people(bounds={"age": (0, 110)}, keys={"sex": ["F", "<M>"]}, limits={"rows": 5})
    card = table.with_columns(old=sf.col("age") > 60)._repr_html_()
    assert "<td>age</td><td>integer</td><td>0 to 110</td>" in card
    assert "<td>F, &lt;M&gt;</td>" in card
    assert "<td>old</td><td>boolean</td>" in card
    assert "add or remove one id" in card
    assert "contribution limits: rows = 5" in card
    assert "charged to no ledger" in card
    assert "4711" not in card


def test_a_card_shows_what_is_left_or_why_not(tmp_path: Path) -> None:
    place = {"path": str(tmp_path / "ledger.db"), "book": "people", "analyst": "ada"}
    table = people(ledger=place, limits={"rows": 1})
    assert "budget: there is no ledger at" in table._repr_html_()
    with Ledger.create(place["path"], key=tmp_path / "key.pem") as ledger:
        relation = sf.privacy.AddRemove(unit=sf.privacy.Person("id"))
        ledger.add_book("people", sf.PureDP(epsilon=2, relation=relation))
    table.agg(n=sf.count()).release(epsilon=0.5)
    assert "budget of everyone together: 1.5-DP is left" in table._repr_html_()
    assert "budget of everyone together: 1.5-DP is left" in table.agg(n=sf.count())._repr_html_()


def test_a_question_says_that_nothing_is_spent() -> None:
    card = people().agg(n=sf.count())._repr_html_()
    assert card.startswith("<p><strong>n = count(*)</strong></p>")
    assert "nothing is spent" in card
