"""Guarantees as documents: the round trip is equal, old ones keep their meaning, bad ones are told.

Row M-DEF-1: a guarantee is stored with its relation and its unit.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.numeric import Ln
from sfumato.privacy import (
    AddRemove,
    ApproxDP,
    GaussianDP,
    Guarantee,
    Person,
    PrivacyProfile,
    PureDP,
    Relation,
    RenyiDP,
    Row,
    Substitute,
    Unit,
    ZeroConcentratedDP,
    guarantee_from_document,
    guarantee_to_document,
)
from tests.cases import cases
from tests.privacy.guarantee_strategies import AMOUNTS, DELTAS, EPSILONS, ORDERS

UNITS: st.SearchStrategy[Unit] = st.one_of(
    st.just(Row()), st.builds(Person, st.none() | st.text(max_size=5))
)
RELATIONS: st.SearchStrategy[Relation] = st.one_of(
    st.builds(AddRemove, st.integers(1, 10**20), unit=UNITS),
    st.builds(Substitute, st.integers(1, 10**20), unit=UNITS),
)
BUDGETS: st.SearchStrategy[Guarantee] = st.one_of(
    st.builds(PureDP, epsilon=EPSILONS, relation=RELATIONS),
    st.builds(ApproxDP, epsilon=EPSILONS, delta=DELTAS, relation=RELATIONS),
    st.builds(ZeroConcentratedDP, rho=AMOUNTS, relation=RELATIONS),
    st.builds(GaussianDP, mu=AMOUNTS, relation=RELATIONS),
    st.builds(
        RenyiDP,
        st.dictionaries(ORDERS, AMOUNTS, min_size=1, max_size=4),
        relation=RELATIONS,
    ),
)


@given(BUDGETS)
def test_the_round_trip_is_equal(budget: Guarantee) -> None:
    document = guarantee_to_document(budget)
    stored = json.loads(json.dumps(document))
    assert stored == document
    assert guarantee_from_document(stored) == budget


GOLDEN: list[tuple[Guarantee, dict[str, Any]]] = [
    (PureDP(epsilon=0.1), {"guarantee": "pure", "epsilon": "0.1"}),
    (PureDP(epsilon=Ln("6/5")), {"guarantee": "pure", "epsilon": "ln(6/5)"}),
    (
        ApproxDP(epsilon="1/3", delta=1e-6),
        {"guarantee": "approximate", "epsilon": "1/3", "delta": "1e-06"},
    ),
    (ZeroConcentratedDP(rho=0.5), {"guarantee": "zero_concentrated", "rho": "0.5"}),
    (GaussianDP(mu=2), {"guarantee": "gaussian", "mu": "2"}),
    (
        RenyiDP([(2, 0.1), (8, "1/3")]),
        {"guarantee": "renyi", "curve": [["2", "0.1"], ["8", "1/3"]]},
    ),
]
ROW = {"relation": "add_remove", "count": 1, "unit": "row"}


@pytest.mark.parametrize(("budget", "own"), GOLDEN)
def test_version_1_is_written_and_read_as_it_always_was(
    budget: Guarantee, own: dict[str, Any]
) -> None:
    document = {"version": 1, **own, "relation": ROW}
    assert guarantee_to_document(budget) == document
    assert guarantee_from_document(document) == budget


@pytest.mark.parametrize(
    ("relation", "entry"),
    [
        (AddRemove(), ROW),
        (Substitute(3), {"relation": "substitute", "count": 3, "unit": "row"}),
        (
            AddRemove(unit=Person("patient_id")),
            {"relation": "add_remove", "count": 1, "unit": "person", "column": "patient_id"},
        ),
        (
            Substitute(unit=Person()),
            {"relation": "substitute", "count": 1, "unit": "person", "column": None},
        ),
    ],
)
def test_relations_are_written_and_read_as_they_always_were(
    relation: Relation, entry: dict[str, Any]
) -> None:
    budget = PureDP(epsilon=1, relation=relation)
    assert guarantee_to_document(budget)["relation"] == entry
    assert guarantee_from_document(pure(relation=entry)) == budget


def pure(**fields: Any) -> dict[str, Any]:
    return {"version": 1, "guarantee": "pure", "epsilon": "1", "relation": ROW} | fields


def test_a_number_may_stand_as_a_number() -> None:
    assert guarantee_from_document(pure(epsilon=0.1)) == PureDP(epsilon=Fraction(1, 10))
    assert guarantee_from_document(pure(epsilon=3)) == PureDP(epsilon=3)


def without(name: str, document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != name}


REFUSED: list[tuple[Any, str]] = [
    (None, "does not say its version"),
    ([], "does not say its version"),
    ("{}", "does not say its version"),
    (without("version", pure()), "does not say its version"),
    (pure(version=2), "this document is of version 2, this program reads 1"),
    (pure(version="1"), "version must be 1, not '1'"),
    (without("guarantee", pure()), "guarantee must be a name, not None"),
    (pure(guarantee=["pure"]), "guarantee must be a name"),
    (pure(guarantee="Pure"), "there is no guarantee 'Pure'; did you mean 'pure'"),
    (pure(guarantee="x" * 5000), "there is no guarantee 'xxx"),
    (without("epsilon", pure()), "the field 'epsilon' is missing"),
    (without("relation", pure()), "the field 'relation' is missing"),
    (pure(delta="0"), r"there is no field 'delta' in the guarantee \(pure\)"),
    ({**pure(), 3: "x"}, "there is no field '3'"),
    (pure(epsilon="one"), r"the guarantee \(pure\): epsilon must"),
    (pure(epsilon="-1"), "epsilon must"),
    (pure(epsilon=math.nan), "epsilon must"),
    (pure(epsilon=math.inf), "epsilon must"),
    (pure(epsilon=True), "epsilon must"),
    (pure(epsilon=None), "epsilon must"),
    (pure(epsilon={}), "epsilon must be a number, or pairs of them"),
    (pure(epsilon=10**2000), "epsilon has more than 1,000 digits"),
    (pure(epsilon=[1]), "epsilon must"),
    (pure(relation=None), "relation must be an object, not None"),
    (pure(relation="add_remove"), "relation must be an object"),
    (pure(relation=ROW | {"relation": "swap"}), "there is no relation 'swap'"),
    (pure(relation=ROW | {"unit": "house"}), "there is no unit 'house'"),
    (pure(relation=ROW | {"unit": 3}), "unit must be a name, not 3"),
    (pure(relation=ROW | {"count": 0}), "count must"),
    (pure(relation=ROW | {"count": "1"}), "count must"),
    (pure(relation=ROW | {"count": True}), "count must"),
    (pure(relation=ROW | {"column": "x"}), "there is no field 'column' in the relation"),
    (pure(relation=ROW | {"unit": "person"}), "the relation: the field 'column' is missing"),
    (
        pure(relation=ROW | {"unit": "person", "column": 3}),
        "column must be a name or null, not 3",
    ),
    (
        {"version": 1, "guarantee": "renyi", "curve": {"2": "1"}, "relation": ROW},
        "curve must",
    ),
    (
        {"version": 1, "guarantee": "renyi", "curve": [["1", "1"]], "relation": ROW},
        "the Rényi order 1 is the Kullback",
    ),
]


@cases(("document", "part"), REFUSED)
def test_a_wrong_document_gets_one_sentence(document: Any, part: str) -> None:
    with pytest.raises(InputError, match=part) as caught:
        guarantee_from_document(document)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@dataclass(frozen=True)
class House(Unit):
    singular = "house"
    plural = "houses"


@pytest.mark.parametrize(
    ("given", "part"),
    [
        (None, "a document holds PureDP, ApproxDP, .* or RenyiDP, not None"),
        (PrivacyProfile({1: 1e-6}), "a document holds PureDP, ApproxDP"),
        (RenyiDP(lambda order: order), "orders that are listed, not a function"),
        (PureDP(epsilon=1, relation=AddRemove(unit=House())), "holds Row or Person, not House"),
        (
            PureDP(epsilon=1, relation=AddRemove(unit=Person(3))),  # type: ignore[arg-type]
            "column must be a name or null, not 3",
        ),
        (PureDP(epsilon=1, relation=AddRemove(10**2000)), "count has more than 1,000 digits"),
    ],
)
def test_what_no_document_holds_gets_one_sentence(given: Any, part: str) -> None:
    with pytest.raises(InputError, match=part):
        guarantee_to_document(given)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=6,
    )
)
def test_whatever_is_in_a_document_is_read_or_refused(value: Any) -> None:
    for document in (
        value,
        *(pure(**{name: value}) for name in pure()),
        *(pure(relation=ROW | {name: value}) for name in ROW),
        pure() | {"guarantee": "renyi", "curve": value},
    ):
        try:
            read = guarantee_from_document(document)
        except InputError:
            continue
        assert guarantee_from_document(guarantee_to_document(read)) == read
