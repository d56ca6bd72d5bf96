"""What fits: budgets of every kind, of everyone and of each, for good and for a year."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import BudgetError, InputError
from sfumato.ledger import Ledger
from sfumato.ledger.standing import Accounts
from sfumato.privacy import filter_for
from sfumato.privacy.filters import FilterState, PureFilter
from tests.ledger.tables import change, drop_triggers, head, rows
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger import Book

TENTH = sf.privacy.events.Pure(epsilon=0.1)
UNIT = sf.PureDP(epsilon=1)


def spend(book: Book, event: Any = TENTH, *, analyst: str = "ada", times: int = 1) -> None:
    for _ in range(times):
        book.spend(event, analyst=analyst, purpose="patients by sex")


def refuse(
    book: Book, event: Any = TENTH, *, analyst: str = "ada", match: str = "does not fit"
) -> None:
    """See that one more charge is refused, and that nothing is written."""
    before = head(book)
    with pytest.raises(BudgetError, match=match):
        spend(book, event, analyst=analyst)
    assert head(book) == before


@pytest.mark.parametrize(
    "tenth",
    [
        TENTH,
        sf.privacy.events.Pure(epsilon=Decimal("0.1")),
        sf.privacy.events.Pure(epsilon="1/10"),
        sf.privacy.events.Pure(epsilon=Fraction(1, 10)),
        sf.privacy.events.Laplace(scale=10),
        sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1),
    ],
    ids=["float", "decimal", "text", "fraction", "noise", "mechanism"],
)
def test_ten_charges_of_a_tenth_fit_in_one_and_the_eleventh_does_not(
    ledger: Ledger, place: str, tenth: Any
) -> None:
    book = ledger.add_book("patients", UNIT)
    spend(book, tenth, times=10)
    assert book.standing()[0].used == 1
    refuse(book, tenth, match=r"does not fit the privacy budget of everyone together, 1-DP")
    with Ledger.open(place) as again:
        assert again.book("patients").standing()[0].used == 1


def test_logarithms_are_added_up_exactly(ledger: Ledger) -> None:
    """Three answers with odds of 6 to 5 multiply to 216/125, and so does the budget."""
    book = ledger.add_book("patients", sf.PureDP(epsilon=sf.numeric.Ln("216/125")))
    flip = sf.privacy.events.RandomizedResponse(epsilon=sf.numeric.Ln("6/5"))
    spend(book, flip, times=3)
    assert book.standing()[0].used == 1
    refuse(book, sf.privacy.events.Pure(epsilon="1e-30"))


@pytest.mark.parametrize(
    ("budget", "event", "times"),
    [
        (sf.ZeroConcentratedDP(rho=0.5), sf.privacy.events.Gaussian(sigma=2), 4),
        (sf.ZeroConcentratedDP(rho=0.1), sf.privacy.events.ZeroConcentrated(rho="1/30"), 3),
        (sf.privacy.GaussianDP(mu=1), sf.privacy.events.Gaussian(sigma=4), 16),
        (sf.privacy.RenyiDP({8: 1}), sf.privacy.events.Gaussian(sigma=4), 4),
        (sf.ApproxDP(epsilon=1, delta=1e-6), sf.privacy.events.Gaussian(sigma=20), None),
        (sf.ApproxDP(epsilon=2, delta=1e-6), sf.privacy.events.Laplace(scale=10), None),
    ],
    ids=["zcdp of noise", "zcdp", "gdp", "renyi", "approx of noise", "approx"],
)
def test_budgets_of_every_kind_allow_what_their_filter_allows(
    ledger: Ledger, budget: Any, event: Any, times: int | None
) -> None:
    expected = filter_for(budget).remaining_count(event)
    assert expected is not None
    assert times in (None, expected)
    book = ledger.add_book("patients", budget)
    spend(book, event, times=expected)
    assert book.standing()[0].used <= 1
    refuse(book, event)
    assert ledger.verify().is_sound


def test_a_reserve_pays_for_events_with_a_delta_of_their_own(ledger: Ledger) -> None:
    budget = sf.ApproxDP(epsilon=1, delta=1e-6)
    cut = sf.privacy.events.Approximate(epsilon="0.1", delta=2e-7)
    without = ledger.add_book("without", budget)
    before = head(without)
    with pytest.raises((BudgetError, InputError)):
        spend(without, cut)
    assert head(without) == before
    book = ledger.add_book("patients", budget, reserve=0.5)
    spend(book, cut, times=2)
    refuse(book, cut)
    spend(book, TENTH)


# Over everyone, and over each.


def test_the_budget_of_everyone_binds_all_analysts_together(ledger: Ledger) -> None:
    book = ledger.add_book("patients", UNIT, each_analyst=sf.PureDP(epsilon=0.5))
    for analyst in ("ada", "grace"):
        spend(book, analyst=analyst, times=5)
        refuse(book, analyst=analyst)
    refuse(book, analyst="a newcomer", match="everyone together")


def test_one_analyst_cannot_spend_more_than_its_own(ledger: Ledger) -> None:
    book = ledger.add_book("patients", UNIT, each_analyst=sf.PureDP(epsilon=0.3))
    spend(book, times=3)
    refuse(book, match="each analyst")
    spend(book, analyst="grace", times=3)
    assert [each.used for each in book.standing("ada")] == [Fraction(3, 5), 1]
    assert [each.used for each in book.standing("nobody yet")] == [Fraction(3, 5), 0]
    assert [each.used for each in book.standing()] == [Fraction(3, 5)]


def test_a_named_analyst_has_its_own_budget_and_no_other(ledger: Ledger) -> None:
    book = ledger.add_book(
        "patients",
        UNIT,
        each_analyst=sf.PureDP(epsilon=0.2),
        analysts={"Zoë": sf.PureDP(epsilon=0.6)},
    )
    spend(book, analyst="Zoe\u0308", times=6)
    refuse(book, analyst="Zoë", match="Zoë")
    spend(book, times=2)
    refuse(book, match="each other analyst")
    assert ledger.verify().is_sound


def test_an_analyst_without_a_budget_of_its_own_shares_that_of_everyone(ledger: Ledger) -> None:
    book = ledger.add_book("patients", UNIT, analysts={"intern": sf.PureDP(epsilon=0.1)})
    spend(book, analyst="intern")
    refuse(book, analyst="intern", match="intern")
    spend(book, times=9)
    refuse(book, match="everyone together")


def test_what_does_not_fit_one_budget_is_charged_to_none(ledger: Ledger) -> None:
    """A charge that fits everyone's budget but not the analyst's leaves both as they were."""
    book = ledger.add_book("patients", UNIT, each_analyst=sf.PureDP(epsilon=0.3))
    before = book.standing("ada")
    refuse(book, sf.privacy.events.Pure(epsilon=0.4))
    assert book.standing("ada") == before
    spend(book, sf.privacy.events.Pure(epsilon=0.3))


def test_analysts_are_not_known_from_other_books(ledger: Ledger) -> None:
    first, second = (
        ledger.add_book(each, UNIT, each_analyst=sf.PureDP(epsilon=0.2)) for each in ("a", "b")
    )
    spend(first, times=2)
    refuse(first)
    spend(second, times=2)


# Periods.


@dataclass
class Clock:
    """A clock that shows what it is set to."""

    now: datetime = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(place: str, clock: Clock) -> Iterator[Ledger]:
    with Ledger.create(place, clock=clock) as made:
        yield made


def test_a_new_year_brings_a_fresh_budget(timed: Ledger, clock: Clock) -> None:
    book = timed.add_book("patients", UNIT, per="year", each_analyst=sf.PureDP(epsilon=0.5))
    for analyst in ("ada", "grace"):
        spend(book, analyst=analyst, times=5)
    refuse(book, match="everyone together")
    clock.turn(seconds=1)
    assert [each.window for each in book.standing("ada")] == ["2027"] * 2
    assert [each.used for each in book.standing("ada")] == [0, 0]
    spend(book, times=5)
    refuse(book, match="each analyst")
    assert timed.verify().is_sound


def test_a_total_budget_binds_over_all_years(timed: Ledger, clock: Clock) -> None:
    book = timed.add_book("patients", UNIT, per="year", total=sf.PureDP(epsilon=1.5))
    spend(book, times=10)
    clock.turn(days=1)
    spend(book, times=5)
    refuse(book, match=r"1\.5-DP")
    clock.turn(days=400)
    refuse(book, match=r"1\.5-DP")
    assert [each.used for each in book.standing()] == [0, 1]


def test_a_clock_set_back_does_not_reopen_a_period(timed: Ledger, clock: Clock) -> None:
    book = timed.add_book("patients", UNIT, per="year")
    spend(book, times=4)
    clock.turn(seconds=1)
    spend(book, times=10)
    clock.turn(days=-100)
    refuse(book)
    assert book.standing()[0].window == "2027"
    dates = [entry.when for entry in book.entries()]
    assert all(earlier <= later for earlier, later in pairwise(dates))


def test_a_fresh_process_with_a_late_clock_goes_on_from_the_last_entry(
    timed: Ledger, place: str, clock: Clock
) -> None:
    book = timed.add_book("patients", UNIT, per="year")
    clock.turn(seconds=1)
    spend(book, times=9)
    behind = Clock(clock.now - timedelta(days=365))
    with Ledger.open(place, clock=behind) as other:
        again = other.book("patients")
        spend(again)
        refuse(again)
        assert [entry.when[:4] for entry in again.entries()] == ["2026"] + ["2027"] * 10
        assert other.verify().is_sound


def test_moments_of_other_time_zones_are_written_in_utc(place: str) -> None:
    local = datetime.fromisoformat("2027-01-01T01:30:00+02:00")
    with Ledger.create(place, clock=Clock(local)) as made:
        book = made.add_book("patients", UNIT, per="year")
        spend(book)
        assert book.standing()[0].window == "2026"
        assert [entry.when for entry in book.entries()] == ["2026-12-31T23:30:00.000000Z"] * 2


# Steps with a δ of their own.

WITH_DELTA = sf.privacy.events.Approximate(epsilon=0.1, delta=6e-8)


def test_a_refusal_tells_how_much_delta_is_left(ledger: Ledger) -> None:
    book = ledger.add_book("patients", sf.ApproxDP(epsilon=1, delta=1e-6), reserve=0.1)
    book.spend(WITH_DELTA, analyst="ada", purpose="by sex")
    with raises_code("E-BUDGET-EXCEEDED", kind=BudgetError) as caught:
        book.spend(WITH_DELTA, analyst="ada", purpose="by sex")
    assert book.count() == 2
    assert "nothing was spent" in str(caught.value)


def test_a_step_with_a_delta_needs_a_reserve_and_is_told_so(ledger: Ledger) -> None:
    book = ledger.add_book("patients", sf.ApproxDP(epsilon=1, delta=1e-6))
    with raises_code("E-BUDGET-KIND"):
        book.spend(WITH_DELTA, analyst="ada", purpose="by sex")


# A standing that was added up another way.


def rebased(text: str, basis: str = "as of old") -> str:
    """A standing as a program would have left it that added up in another way."""
    accounts = Accounts.from_text(text)
    return Accounts(
        tuple(
            replace(each, state=FilterState(basis, each.state.amounts[:0]))
            for each in accounts.listed
        )
    ).to_text()


@pytest.mark.parametrize("text", ["{}", '""', "0", "[0]", "[[0]]", "[[0, 0, 0, 0]]", "null", "x"])
def test_what_is_no_standing_is_not_taken_for_nothing_spent(text: str) -> None:
    with raises_code("E-LEDGER-DAMAGED", match="the standing of the book is damaged"):
        Accounts.from_text(text)


def test_a_standing_added_up_another_way_is_added_up_anew(place: str) -> None:
    """The old program left sums that say nothing here; the events do, and count."""
    with Ledger.create(place) as made:
        book = made.add_book("patients", UNIT, each_analyst=sf.PureDP(epsilon=0.5))
        spend(book, times=4)
        spend(book, analyst="grace", times=5)
    drop_triggers(place)
    for row in rows(place)[1:]:
        change(place, row["sequence"], shared=rebased(row["shared"]), own=rebased(row["own"]))
    with Ledger.open(place) as again:
        assert again.verify().is_sound
        assert "9 with sums of another way of adding up" in str(again.verify())
        book = again.book("patients")
        assert [each.used for each in book.standing("ada")] == [Fraction(9, 10), Fraction(4, 5)]
        refuse(book, analyst="grace", match="each analyst")
        spend(book)
        refuse(book)
        assert [each.used for each in book.standing("ada")] == [1, 1]
    newest = json.loads(rows(place)[-1]["shared"])
    assert newest[0][2] == 10**18
    assert "as of old" not in rows(place)[-1]["own"]


def test_a_filter_that_adds_up_another_way_replays_once(
    ledger: Ledger, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer program whose pure filter has another basis: it replays, writes, and goes on."""
    spend(ledger.add_book("patients", UNIT), times=7)
    replayed: list[int] = []
    kept = PureFilter.replay

    def counting(self: PureFilter, events: Any) -> None:
        listed = list(events)
        replayed.append(len(listed))
        kept(self, listed)

    monkeypatch.setattr(PureFilter, "_measured", lambda _: "pure ε, anew")
    monkeypatch.setattr(PureFilter, "replay", counting)
    with Ledger.open(place) as newer:
        book = newer.book("patients")
        spend(book, times=3)
        refuse(book)
        assert newer.verify().is_sound
    assert replayed == [7]
