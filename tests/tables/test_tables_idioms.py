"""What people write of data frames gets the private way, and a notebook shows what is declared."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import RowsNotShownError, UnknownNameError
from sfumato.ledger import Ledger
from sfumato.tables.idioms import IDIOMS
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = pd.DataFrame({"id": [1, 2, 3], "sex": ["F", "M", "F"], "age": [61, 64, 4711]})

AGE: Any = sf.col("age")


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


def test_a_question_says_thatxyzzy_is_spent() -> None:
    card = people().agg(n=sf.count())._repr_html_()
    assert card.startswith("<p><strong>n = count(*)</strong></p>")
    assert "nothing is spent" in card


@pytest.mark.parametrize(
    ("slip", "instead"),
    [
        (lambda table: table.age, "write sf.col('age') in a query"),
        (lambda table: table[sf.col("age") > 60], "or filter(sf.col('age') > 60)"),
        (lambda table: table.drop("age"), "name only what you ask for"),
        (lambda table: table.dtypes, "table.schema"),
        (lambda table: table.sum("age"), "write agg(total=sf.sum('age'))"),
        (lambda table: table.nunique(), "agg(n=sf.people())"),
        (lambda table: table.group_by("sex").count(), "write agg(answer=sf.count())"),
        (lambda table: table.group_by("sex").mean("age"), "write agg(answer=sf.mean('age'))"),
        (lambda _: AGE.mean(), "write agg(answer=sf.mean('age'))"),
        (lambda _: (AGE + 1).max(), "write agg(answer=sf.maximum('age'))"),
    ],
)
def test_a_slip_gets_what_fits_it(slip: Any, instead: str) -> None:
    with raises_code("E-ROWS-NOT-SHOWN", kind=RowsNotShownError) as caught:
        slip(people())
    assert instead in str(caught.value)


@pytest.mark.parametrize(
    ("made", "instead"),
    [
        (lambda table: table.group_by("sex"), "'GroupedTable' object has no attribute 'hed'"),
        (lambda _: sf.col("age"), "'Column' object has no attribute 'hed'"),
    ],
)
def test_what_is_no_slip_has_no_attribute(made: Any, instead: str) -> None:
    with pytest.raises(AttributeError, match=instead):
        _ = made(people()).hed


def test_group_by_takes_names_alone() -> None:
    with raises_code("E-ARGUMENT-TYPE", match=r"write with_columns\(old=…\).group_by\('old'\)"):
        people().group_by(old=sf.col("age") > 60)  # type: ignore[arg-type]
    with raises_code("E-ARGUMENT-TYPE", match=r"write declare\(keys=…\)"):
        people().group_by("sex", keys={"sex": ["F"]})  # type: ignore[arg-type]
    with raises_code("E-COLUMN-NAME", match=r"write \['sex', 'age'\]"):
        people().group_by("sex,age")


def test_what_an_answer_may_cost_is_named() -> None:
    query: Any = people().agg(n=sf.count())
    for asked in (query.plan, query.explain, query.release):
        with raises_code("E-ARGUMENT-TYPE", "epsilon", match=r"\(epsilon=0.5\)"):
            asked(0.5)
        with raises_code("E-NAME-UNKNOWN", kind=UnknownNameError, match="did you mean 'epsilon'"):
            asked(eps=1)


def test_a_name_of_another_library_is_told() -> None:
    with pytest.raises(AttributeError, match=r"'avg'; write sf\.mean$"):
        _ = sf.avg  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"'read_csv'; write sf\.table$"):
        _ = sf.read_csv  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"'meen'; write sf\.mean$"):
        _ = sf.meen  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"'xyzzy'$"):
        _ = sf.xyzzy  # type: ignore[attr-defined]


def test_keys_in_one_text_are_several() -> None:
    with raises_code("E-POLICY-VALUE", match=r"write \['F', 'M'\], say"):
        people(keys={"sex": "F, M"})


def test_a_table_offers_what_is_asked_and_what_is_declared_and_nothing_else() -> None:
    declared = {"columns", "frame", "policy", "relation", "schema", "source", "steps", "tables"}
    asked = {"agg", "declare", "filter", "group_by", "join", "numbers", "per_person", "query"}
    offered = {word for word in dir(people()) if not word.startswith("_")}
    assert offered == declared | asked | {"sql", "with_columns"}
