"""Pictures of what was spent: every kind of budget, of any number of charges, by anybody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.charts.parts.spending import Charged, Line
from sfumato.ledger.period import Period
from tests.charts.drawn_rows import drawn_rows, said
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.ledger import Book

ODD = ["<b>ada</b>", "艾达 {x}", "a.b[c]", "x" * 90]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(tmp_path: Path, clock: Clock) -> Iterator[sf.Ledger]:
    with sf.Ledger.create(tmp_path / "ledger.db", key=tmp_path / "key.pem", clock=clock) as kept:
        yield kept


def spend(book: Book, times: int, *names: str) -> None:
    for number in range(times):
        book.spend(
            sf.privacy.events.Laplace(scale=10), analyst=names[number % len(names)], purpose="test"
        )


def test_each_charge_is_a_step_and_the_title_says_what_is_left(
    ledger: sf.Ledger, clock: Clock
) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=3))
    for _ in range(21):
        clock.wait(days=2)
        spend(book, 1, "ada")
    chart = ledger.plot("patients")
    assert chart.to_dict()["title"]["text"] == ["ε = 2.1 of 3 is spent; 0.9 is left"]
    steps = drawn_rows(chart, "spent")
    assert [round(each["spent"], 9) for each in steps] == [round(n / 10, 9) for n in range(22)]
    assert steps[1]["when"] == "2026-01-07T00:00:00.000Z"
    assert drawn_rows(chart, "limit") == [
        {"name": "budget of everyone together: 3-DP", "limit": 3.0}
    ]


def test_charges_of_one_minute_are_told_apart_by_their_numbers(
    ledger: sf.Ledger, clock: Clock
) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=3))
    spend(book, 2, "ada")
    assert "when:T" not in str(book.plot().to_dict())
    assert "'title': 'charge'" in str(book.plot().to_dict())
    clock.wait(hours=1)
    spend(book, 1, "ada")
    assert "'title': 'time (UTC)'" in str(book.plot().to_dict())


@pytest.mark.full
@pytest.mark.parametrize(
    ("budget", "letter"),
    [
        (sf.PureDP(epsilon=sf.numeric.Ln(3)), "ε"),
        (sf.ApproxDP(epsilon=1, delta=1e-6), "ε"),
        (sf.ZeroConcentratedDP(rho=0.5), "ρ"),
        (sf.privacy.GaussianDP(mu=1), "μ"),
        (sf.privacy.RenyiDP({8: 2}), "% of the budget"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_every_kind_of_budget_is_drawn_in_its_letter(
    ledger: sf.Ledger, budget: Any, letter: str
) -> None:
    book = ledger.add_book("patients", budget)
    assert "nothing of" in said(book.plot())
    assert [each["spent"] for each in drawn_rows(book.plot(), "spent")] == [0]
    spend(book, 3, "ada")
    chart = book.plot()
    assert f"spent, in {letter}" in str(chart.to_dict())
    shares = [each["spent"] for each in drawn_rows(chart, "spent")]
    limit = drawn_rows(chart, "limit")[0]["limit"]
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= limit


def test_a_line_agrees_with_where_the_book_stands(ledger: sf.Ledger) -> None:
    book = ledger.add_book("patients", sf.ApproxDP(epsilon=1, delta=1e-6))
    for _ in range(4):
        book.spend(sf.privacy.events.Gaussian(sigma=30), analyst="ada", purpose="test")
    drawn = drawn_rows(book.plot(), "spent")[-1]["spent"]
    assert drawn == pytest.approx(float(book.standing()[0].used))


def test_analysts_have_lines_of_their_own_told_apart_by_dash(ledger: sf.Ledger) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=3))
    spend(book, 8, *ODD)
    chart = book.plot()
    names = {each["who"] for each in drawn_rows(chart, "spent")}
    assert len(names) == 5
    text = str(chart.to_dict())
    assert "strokeDash" in text
    assert "had nobody else asked" in said(chart)
    together = [each["spent"] for each in drawn_rows(chart, "spent") if each["who"] == ODD[0]]
    assert together[-1] == pytest.approx(0.2)
    assert sf.charts.to_svg(chart).startswith("<svg")


def test_an_analyst_who_is_called_as_everyone_is_told_apart(ledger: sf.Ledger) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=3))
    spend(book, 2, "everyone together", "ada")
    names = {each["who"] for each in drawn_rows(book.plot(), "spent")}
    assert names == {"everyone together (1)", "everyone together (2)", "ada"}


def test_one_analyst_is_drawn_under_their_own_budget(ledger: sf.Ledger) -> None:
    own = sf.PureDP(epsilon=0.5)
    book = ledger.add_book("patients", sf.PureDP(epsilon=3), each_analyst=own)
    spend(book, 4, "ada", "grace")
    chart = book.plot(analyst="ada")
    assert "ada: ε = 0.2 of 0.5 is spent; 0.3 is left" in said(chart)
    limits = [each["limit"] for each in drawn_rows(chart, "limit")]
    assert sorted(limits) == [0.5, 3]
    stranger = book.plot(analyst="nobody")
    assert "nobody: nothing of 0.5-DP is spent" in said(stranger)


def test_a_budget_that_is_given_anew_begins_at_nothing_again(
    ledger: sf.Ledger, clock: Clock
) -> None:
    book = ledger.add_book(
        "patients", sf.PureDP(epsilon=1), per="month", total=sf.PureDP(epsilon=10)
    )
    spend(book, 3, "ada")
    clock.wait(days=40)
    spend(book, 1, "ada")
    chart = book.plot()
    monthly = [each for each in drawn_rows(chart, "spent") if each["who"].endswith("per month")]
    assert [round(each["spent"], 9) for each in monthly] == [0, 0.1, 0.2, 0.3, 0, 0.1]
    assert monthly[4]["when"] == "2026-02-01T00:00:00.000Z"
    in_all = [
        each["spent"] for each in drawn_rows(chart, "spent") if each["who"].endswith("in all")
    ]
    assert in_all[-1] == pytest.approx(0.4)
    assert "is spent in 2026-02" in said(chart)


def asked_daily(days: int, times: int, rule: sf.ledger.Rule) -> Line:
    """Return the line of somebody who asks so often each day, a second apart."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    moments = [start + timedelta(days=d, seconds=t) for d in range(days) for t in range(times)]
    event = sf.privacy.events.Laplace(scale=10)
    charges = [Charged(number, when, "ada", event) for number, when in enumerate(moments, start=1)]
    return Line("ada", rule, tuple(charges), start)


def test_a_line_falls_when_its_period_ends_though_nobody_asks(
    ledger: sf.Ledger, clock: Clock
) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=1), per="month")
    spend(book, 2, "ada")
    clock.wait(days=90)
    spend(book, 1, "grace")
    fallen = [each for each in drawn_rows(book.plot(), "spent") if each["when"][5:7] == "02"]
    assert {each["who"]: (each["when"][:10], each["spent"]) for each in fallen} == dict.fromkeys(
        ("everyone together", "ada", "grace"), ("2026-02-01", 0.0)
    )


def test_thousands_of_charges_stay_a_line() -> None:
    points = list(asked_daily(1, 5001, sf.ledger.Rule(sf.PureDP(epsilon=1000))).points())
    assert len(points) <= 402
    assert points[-1].number == 5001
    assert points[-1].share == pytest.approx(0.5001)


def test_thousands_of_charges_reach_the_peak_of_every_period() -> None:
    rule = sf.ledger.Rule(sf.PureDP(epsilon=1), period=Period("day"))
    points = list(asked_daily(120, 10, rule).points())
    days = [
        [each.share for each in points if each.when.timetuple().tm_yday == n + 1]
        for n in range(120)
    ]
    assert [max(shares) for shares in days] == [1.0] * 120
    assert [shares[0] for shares in days] == [0.0] * 120
    assert len(points) <= 400 + 2 * 120


def test_dozens_of_analysts_stay_a_picture(ledger: sf.Ledger) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=300))
    spend(book, 30, *(f"analyst {number}" for number in range(30)))
    chart = book.plot()
    assert len({each["who"] for each in drawn_rows(chart, "spent")}) == 8
    assert "23 other analysts" in said(chart)


@pytest.mark.parametrize(
    ("charged", "others"), [(7, "1 other analyst,"), (10, "4 other analysts,")]
)
def test_analysts_left_out_beside_two_budgets_over_everyone_are_counted(
    ledger: sf.Ledger, charged: int, others: str
) -> None:
    total = sf.PureDP(epsilon=10)
    book = ledger.add_book("patients", sf.PureDP(epsilon=3), per="month", total=total)
    spend(book, charged, *(f"analyst {number}" for number in range(charged)))
    assert others in said(book.plot())


@pytest.mark.full
@pytest.mark.parametrize(
    ("budget", "reserve", "event", "words"),
    [
        (
            sf.ApproxDP(epsilon=3, delta=1e-6),
            0.1,
            sf.privacy.events.Approximate(epsilon=0.01, delta=4e-8),
            "80 % (ε = 0.02 of 3, δ = 8e-08 of 1e-07 in reserve)",
        ),
        (
            sf.ApproxDP(epsilon=3, delta=1e-6),
            0.1,
            sf.privacy.events.Laplace(scale=2),
            "33.3 % (ε = 1 of 3, δ = 0 of 1e-07 in reserve)",
        ),
        (
            sf.privacy.GaussianDP(mu=1),
            0,
            sf.privacy.events.Gaussian(sigma=2),
            "μ = 0.7072 of 1 (50 % of μ²)",
        ),
        (sf.privacy.RenyiDP({8: 5}), 0, sf.privacy.events.Laplace(scale=2), "16.4 % of (8, 5)-RDP"),
    ],
    ids=["δ-binds", "ε-binds", "squares", "orders"],
)
def test_a_budget_without_one_amount_that_adds_up_is_said_in_percent(
    ledger: sf.Ledger, budget: Any, reserve: float, event: Any, words: str
) -> None:
    book = ledger.add_book("patients", budget, reserve=reserve)
    ledger.add_book("visits", sf.PureDP(epsilon=1))
    for _ in range(2):
        book.spend(event, analyst="ada", purpose="test")
    assert said(book.plot()).startswith(f"{words} is spent")
    assert drawn_rows(ledger.plot(), "used")[0]["note"] == words


def test_all_books_are_drawn_side_by_side(ledger: sf.Ledger, tmp_path: Path) -> None:
    assert said(ledger.plot()).startswith("there is no budget yet")
    spend(ledger.add_book("patients", sf.PureDP(epsilon=1)), 4, "ada")
    for name in ODD:
        ledger.add_book(name, sf.PureDP(epsilon=2), per="year")
    chart = ledger.plot(to=tmp_path / "all.png")
    assert (tmp_path / "all.png").read_bytes()[1:4] == b"PNG"
    bars = drawn_rows(chart, "used")
    assert [each["used"] for each in bars] == [40, 0, 0, 0, 0]
    assert bars[0]["note"] == "ε = 0.4 of 1"


def test_more_books_than_fit_are_counted(ledger: sf.Ledger) -> None:
    for number in range(63):
        ledger.add_book(f"book {number}", sf.PureDP(epsilon=1))
    chart = sf.charts.budgets(ledger)
    assert len(drawn_rows(chart, "used")) == 60
    assert "3 other budgets" in said(chart)


def test_an_analyst_without_a_book_is_refused_in_one_sentence(ledger: sf.Ledger) -> None:
    for name in ("patients", "visits"):
        ledger.add_book(name, sf.PureDP(epsilon=1))
    with raises_code("E-ARGUMENT-CONFLICT", "analyst"):
        ledger.plot(analyst="ada")
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'patients'"):
        ledger.plot("patient")
