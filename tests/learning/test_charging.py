"""Centres of a private table are charged for, each once, before a row is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import BudgetError, InputError, SfumatoError
from sfumato.ledger import Ledger
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:random_state is for tests")

VISITS = pd.DataFrame({"id": np.arange(200) // 2, "age": np.tile([20.0, 70.0], 100)})


def table(place: Path | None = None) -> sf.tables.PrivateTable:
    ledger = None if place is None else {"path": str(place), "book": "clinic"}
    return sf.table(VISITS, unit="id", bounds={"age": (0, 100)}, ledger=ledger)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a book with a budget of 2 is."""
    path = tmp_path / "ledger.db"
    with Ledger.create(path, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("clinic", sf.PureDP(epsilon=2, relation=table().numbers().relation))
    return path


def entries(place: Path) -> int:
    with Ledger.open(place) as ledger:
        return ledger.book("clinic").count()


def fitted(place: Path, key: str | None = None, **more: Any) -> sf.KMeans:
    given: dict[str, Any] = {"n_clusters": 2, "epsilon": 1, **more}
    return sf.KMeans(**given).fit(table(place), analyst="ada", key=key)


def test_every_fit_is_charged_until_the_budget_is_spent(place: Path) -> None:
    one, other = fitted(place), fitted(place, method="lloyd")
    assert one.receipt_ is not None
    assert one.receipt_ != other.receipt_
    before = entries(place)
    with pytest.raises(BudgetError):
        fitted(place, epsilon="0.01")
    assert entries(place) >= before


def test_a_budget_is_kept_in_a_ledger_or_nothing_is_told() -> None:
    budgeted = sf.table(VISITS, unit="id", bounds={"age": (0, 100)}, budget={"epsilon": 2})
    with raises_code("E-LEDGER-NOT-DECLARED"):
        sf.KMeans(n_clusters=2, epsilon=1).fit(budgeted)


def test_a_retry_is_told_what_was_told_and_costs_nothing(place: Path) -> None:
    one = fitted(place, "monday")
    before = entries(place)
    again = fitted(place, "monday")
    assert entries(place) == before
    for name in ("cluster_centers_", "counts_", "noise_"):
        assert np.array_equal(getattr(one, name), getattr(again, name))
    assert np.array_equal(again.cost_, one.cost_, equal_nan=True)


@pytest.mark.parametrize(
    "other",
    [
        {"n_clusters": 3},
        {"method": "lloyd"},
        {"points_per_person": 2},
        {"domain": sf.learning.L1Ball(radius=50, center=50)},
    ],
)
def test_a_key_is_of_one_question(place: Path, other: dict[str, Any]) -> None:
    fitted(place, "monday")
    with pytest.raises(SfumatoError):
        fitted(place, "monday", **other)


def test_a_key_is_of_one_ball(place: Path) -> None:
    ball = sf.learning.L1Ball(radius=50, center=50)
    one, again = (fitted(place, "monday", domain=ball) for _ in range(2))
    assert np.array_equal(one.cluster_centers_, again.cluster_centers_)
    with pytest.raises(SfumatoError):
        fitted(place, "monday", domain=sf.learning.L1Ball(radius=50, center=49))


def test_what_was_drawn_from_a_seed_stays_so(place: Path) -> None:
    assert fitted(place, "monday", random_state=1).seeded_
    assert fitted(place, "monday").seeded_


@pytest.mark.parametrize(
    "wrong",
    [
        *({"epsilon": 0}, {"n_clusters": 0}, {"columns": ["x"]}, {"bounds": (0, 1)}),
        *({"epsilon": float("inf"), "method": "lloyd"}, {"domain": (0, 1)}),
    ],
)
def test_what_is_refused_is_not_charged(place: Path, wrong: dict[str, Any]) -> None:
    before = entries(place)
    with pytest.raises(InputError):
        fitted(place, **wrong)
    assert entries(place) == before


def test_an_analyst_is_asked_for(place: Path) -> None:
    with raises_code("E-ANALYST-MISSING", kind=SfumatoError):
        sf.KMeans(2, epsilon=1).fit(table(place))


def test_labels_of_a_private_table_are_refused_before_the_charge(place: Path) -> None:
    rows, before = table(place), entries(place)
    model = sf.KMeans(n_clusters=2, epsilon=1)
    for label in (model.fit_predict, model.fit_transform):
        with raises_code("E-TABLE-NOT-LABELLED"):
            label(rows, analyst="ada")
    assert entries(place) == before


def wide(place: Path, names: list[str]) -> sf.tables.PrivateTable:
    rows = pd.DataFrame({"id": range(30), **{name: np.linspace(0, 1, 30) for name in names}})
    bounds = dict.fromkeys(names, (0, 1))
    return sf.table(rows, unit="id", bounds=bounds, ledger={"path": str(place), "book": "clinic"})


@pytest.mark.full
def test_a_table_of_many_columns_is_charged_and_answered(place: Path) -> None:
    columns = [f"c{place}" for place in range(100)]
    model = sf.KMeans(n_clusters=2, epsilon=1).fit(wide(place, columns), analyst="ada")
    assert model.cluster_centers_.shape == (2, 100)


@pytest.mark.full
def test_a_key_is_of_all_columns_however_long_their_names(place: Path) -> None:
    names = [f"{'long' * 60}{place}" for place in range(45)]
    rows = wide(place, names)

    def asked(last: str) -> sf.KMeans:
        model = sf.KMeans(n_clusters=2, epsilon=1, columns=[*names[:43], last])
        return model.fit(rows, analyst="ada", key="monday")

    asked(names[43])
    with pytest.raises(SfumatoError, match="monday"):
        asked(names[44])
