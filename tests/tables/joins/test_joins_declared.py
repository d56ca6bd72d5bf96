"""Tables that questions join, named in a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.data.policy import Policy, digest
from sfumato.errors import InputError
from tests.refusing import raises_code
from tests.tables.joins.asked import BY_WING, answered, people, visits, write_clinic

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A folder with visits, a public table of wings, and cards of the same people."""
    return write_clinic(tmp_path)


def test_a_policy_names_public_tables(clinic: Path) -> None:
    table = sf.open(clinic / "visits.toml")
    assert dict(table.tables["wings"].schema)["beds"] == "integer"
    asked = table.query(BY_WING)
    assert answered(asked) == [{"wing": "north", "n": 2}, {"wing": "south", "n": 1}]


def test_so_does_a_declaration(clinic: Path) -> None:
    given: dict[str, Any] = {"source": clinic / "wings.csv", "columns": ["ward", "wing"]}
    table = sf.table(clinic / "visits.csv", unit="id", limits={"rows": 4}, public={"wings": given})
    assert table.tables["wings"].columns == ("ward", "wing")
    assert answered(table.query(BY_WING)) == [{"wing": "north", "n": 2}, {"wing": "south", "n": 1}]


def test_tables_are_given_with_a_question() -> None:
    text = "SELECT COUNT(*) AS n FROM visits JOIN patients p ON visits.id = p.who WHERE age > 40"
    assert answered(visits().query(text, tables={"patients": people()})) == [{"n": 2}]


def test_what_may_be_joined_is_no_part_of_a_policy_s_digest() -> None:
    """What is joined stands in the question, with a digest of its own."""
    plain, joined = Policy.inline(unit="row"), Policy.inline(unit="row", public={"a": "a.csv"})
    assert digest(plain) == digest(joined)


@pytest.mark.parametrize(
    ("public", "said"),
    [
        (["wings.csv"], "public must be given by name, not"),
        ({7: "wings.csv"}, "a name in public must be text, not 7"),
        ({"wings": {"file": "wings.csv"}}, "there is no entry 'file' in public table 'wings'"),
        ({"wings": {"types": {}}}, "a public table has no source"),
        ({"wings": "nowhere.csv"}, "the public table 'wings': there is no file 'nowhere.csv'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(public: Any, said: str, clinic: Path) -> None:
    with pytest.raises(InputError, match=said):
        sf.table(clinic / "visits.csv", unit="id", public=public)


def test_a_mistake_in_the_file_is_told_with_its_place(clinic: Path) -> None:
    policy = clinic / "visits.toml"
    policy.write_text(policy.read_text().replace('source = "wings.csv"', "source = 7"))
    with raises_code(
        "E-POLICY-VALUE", match=r"visits.toml' \[public.wings\]: source must be the path"
    ):
        sf.open(policy)
