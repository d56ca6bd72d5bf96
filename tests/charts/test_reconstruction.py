"""The picture of a column that is found again: what an attack finds, may find, and a guess does."""

from __future__ import annotations

import pytest

from sfumato.application.risk.reconstruction import ColumnAttack, Trial
from sfumato.charts import to_svg
from tests.charts.drawn_rows import drawn_rows, said

ODD = "<b>吸烟</b>\n{y}.[x] " + "n" * 99


def attacked(
    exact: int, found: dict[float, int], *, ones: int = 25, name: str = "smoker=yes"
) -> ColumnAttack:
    trials = [
        Trial(epsilon=epsilon, scale=50 / epsilon, right=right, people=100, allowed=0.9)
        for epsilon, right in found.items()
    ]
    return ColumnAttack(
        name=name,
        rows=1000,
        people=100,
        ones=ones,
        queries=200,
        most_questions=50,
        exact=Trial(epsilon=None, scale=0.0, right=exact, people=100, allowed=1.0),
        trials=tuple(trials),
    )


def told(exact: int, found: dict[float, int]) -> str:
    return said(attacked(exact, found).plot())


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({}, "exact answers give away 100 of 100 values of smoker=yes "),
        ({1: 75, 10: 60, 100: 80}, "with ε = 10 this attack finds no more than a guess"),
        ({1: 80, 10: 60}, "exact answers give away 100 of 100 values of smoker=yes "),
    ],
)
def test_the_title_says_from_which_guarantee_on_the_attack_is_a_guess(
    found: dict[float, int], message: str
) -> None:
    assert message in f"{told(100, found)} "
    assert ("no more than a guess" in told(100, found)) == ("ε" in message)


def test_an_attack_that_finds_nothing_says_so() -> None:
    title = "exact answers give away no more of smoker=yes than a guess"
    assert told(75, {1: 80}).startswith(title)


def test_bars_are_what_was_found_from_exact_answers_down() -> None:
    chart = attacked(100, {1: 70, 100: 85}).plot()
    drawn = drawn_rows(chart, "guarantee")
    assert [(each["guarantee"], each["found"]) for each in drawn] == [
        ("exact", 1.0),
        ("ε = 100", 0.85),
        ("ε = 1", 0.7),
    ]
    assert [each["allowed"] for each in drawn] == [1.0, 0.9, 0.9]
    assert drawn_rows(chart, "share")[0]["label"] == "a guess without any answer: 75 %"


def test_it_says_what_was_attacked_and_that_it_is_exact() -> None:
    words = told(100, {1: 70})
    assert "200 questions about random halves of 100 of 1,000 rows" in words
    assert "not private: " in words


@pytest.mark.parametrize("ones", [0, 50, 100])
def test_any_attack_is_drawn(ones: int) -> None:
    many = {place / 10: 50 for place in range(1, 100)}
    chart = attacked(100, many, ones=ones, name=ODD).plot()
    assert "60 others not shown" in said(chart)
    assert len(drawn_rows(chart, "guarantee")) == 40
    assert "<svg" in to_svg(chart)
