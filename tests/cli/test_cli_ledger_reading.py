"""What people read of a ledger: figures, tables that fit the terminal, charges that are settled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sfumato.application.ledger.render import cost
from sfumato.ledger import Charge, Ledger, Rule
from sfumato.privacy import (
    AddRemove,
    ApproxDP,
    GaussianDP,
    Person,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.privacy.events import (
    Approximate,
    Composed,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Pure,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.ledger.budget import Budget
    from sfumato.privacy.events import Event
    from tests.cli.conftest import Finished, Shell

REASON = ("--reason", "it crashed")


pytestmark = pytest.mark.usefixtures("place")


@pytest.fixture
def wide_book(shell: Shell) -> None:
    """A book with budgets of every scope per year, of which something is spent."""
    budgets = ["--epsilon", "1", "--delta", "1e-6", "--per", "year", "--total", "5"]
    analysts = ["--each-analyst", "0.5", "--analyst", "ada=0.75"]
    assert shell("ledger", "init", "patients", *budgets, *analysts).code == 0
    spend(shell, "0.1", "ada", "patients by sex, by age and by the first digits of the zip code")
    spend(shell, "0.3333333333333333333333", "grace", "patients by sex")


def spend(shell: Shell, epsilon: str, analyst: str, why: str) -> None:
    asked = ("--epsilon", epsilon, "--analyst", analyst, "--purpose", why)
    assert shell("ledger", "spend", "patients", *asked).code == 0


def reserved(place: Path, count: int = 1) -> list[str]:
    """Charges whose programs went away, by their receipts."""
    with Ledger.open(place) as ledger:
        book = ledger.book("patients")
        charges = [
            book.reserve(Laplace(scale=100), analyst="ada", purpose="by sex") for _ in range(count)
        ]
    return [each.receipt_id for each in charges if isinstance(each, Charge)]


def refuses(done: Finished, sentence: str) -> None:
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert done.err.count("\n") == 1


@pytest.mark.full
@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize(
    "arguments",
    [
        ["show"],
        ["show", "patients"],
        ["show", "patients", "--analyst", "grace"],
        ["verify"],
        ["recover"],
        ["spend", "patients", "--epsilon", "0.01", "--analyst", "ada", "--purpose", "by sex " * 20],
    ],
)
def test_what_is_shown_fits_the_terminal(
    shell: Shell,
    wide_book: None,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
    arguments: list[str],
) -> None:
    reserved(place)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = shell("ledger", *arguments).out.splitlines()
    assert len(lines) > 3
    assert all(len(line) <= columns for line in lines if "ledger.db" not in line)


def test_figures_have_few_digits_and_say_what_still_fits(shell: Shell, wide_book: None) -> None:
    shown = shell("ledger", "show", "patients").out
    assert "(0.4334, 1e-06)-DP is spent, a step of up to ε = 0.56" in " ".join(shown.split())
    header = ["analyst", "budget", "spent", "left", "used", "period"]
    assert header in [line.split() for line in shown.splitlines()]
    assert shown.count("if analysts share their answers") == 1
    assert "  ≤: the greatest single step that still fits" in shown
    assert "ε = 0.1 " in shown
    assert "ε = 0.3334 " in shown
    table = shell("ledger", "show").out
    assert "≤: the greatest single step that still fits" in table
    exact = json.loads(shell("ledger", "show", "patients", "--json").out)["budgets"][0]
    assert len(exact["spent"]["epsilon"]) > len("0.4334")


def test_each_charge_has_its_cost(shell: Shell, book: Path) -> None:
    reserved(book)
    spend(shell, "0.1", "ada", "mean age")
    lines = shell("ledger", "show", "patients").out.splitlines()
    assert any(line.endswith("analyst  cost      purpose") for line in lines)
    assert any(line.endswith("ada      ε = 0.01  by sex") for line in lines)
    assert any(line.endswith("ada      ε = 0.1   mean age") for line in lines)


@pytest.mark.parametrize("columns", ["60", "80"])
def test_what_a_charge_cost_and_was_for_is_never_cut(
    shell: Shell, book: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    why = "n = count(*), age = mean(age) by department where smoker = 'yes' and age > 60"
    with Ledger.open(book) as ledger:
        ledger.book("patients").reserve(
            DiscreteLaplace(scale=655_360, sensitivity=65_536), analyst="ward office", purpose=why
        )
    monkeypatch.setenv("COLUMNS", columns)
    shown = shell("ledger", "show", "patients").out
    assert "ward office  ε = 0.1\n         n = count(*), age" in shown
    assert why in " ".join(shown.split())
    assert "…" not in shown


@pytest.mark.parametrize(
    ("budget", "event", "said"),
    [
        (PureDP(epsilon=1), Laplace(scale=10), "ε = 0.1"),
        (ApproxDP(epsilon=1, delta=1e-6), Laplace(scale=10), "ε = 0.1"),
        (
            ApproxDP(epsilon=1, delta=1e-6),
            Composed(Laplace(scale=10), Pure(epsilon="0.1")),
            "ε = 0.2",
        ),
        (
            ApproxDP(epsilon=1, delta=1e-6),
            Approximate(epsilon="0.1", delta="1e-8"),
            "ε = 0.1, δ = 1e-08",
        ),
        (ZeroConcentratedDP(rho=1), Laplace(scale=10), "ρ = 0.005"),
        (ZeroConcentratedDP(rho=1), Gaussian(sigma=10), "ρ = 0.005"),
        (GaussianDP(mu=1), Gaussian(sigma=10), "μ = 0.1"),
        (ApproxDP(epsilon=1, delta=1e-6), Gaussian(sigma=10), "ε = 0.4888, δ = 1e-06"),
    ],
)
def test_a_cost_is_in_the_numbers_of_its_budget(budget: Budget, event: Event, said: str) -> None:
    assert cost(event, Rule(budget)) == said


def test_without_a_budget_that_counts_it_a_charge_has_no_cost() -> None:
    assert cost(Laplace(scale=10), None) == ""
    assert cost(Gaussian(sigma=10), Rule(PureDP(epsilon=1))) == ""


def test_the_parts_of_a_charge_cost_their_sum(shell: Shell, place: Path) -> None:
    assert shell("ledger", "init", "patients", "--epsilon", "1").code == 0
    both = Composed(Pure(epsilon="1/12"), Pure(epsilon="5/12"))
    with Ledger.open(place) as ledger:
        ledger.book("patients").release(both, lambda: b"41", analyst="ada", purpose="n")
    shown = shell("ledger", "show", "patients").out
    assert "ada      ε = 0.5  n\n" in shown
    assert "answer to entry 2, 2 bytes" in shown


def test_a_ledger_elsewhere_is_named_by_an_option(shell: Shell, place: Path) -> None:
    for arguments in ([], ["patients"]):
        missing = shell("ledger", "show", *arguments)
        assert missing.code == 2
        assert missing.err.endswith("write --ledger PLACE, such as --ledger ledger.db\n")
    named = shell("ledger", "show", "--ledger", place)
    assert (named.code, "if yours is elsewhere" in named.err) == (2, False)


def test_a_narrow_table_says_what_it_lacks(
    shell: Shell, wide_book: None, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserved(place)
    monkeypatch.setenv("COLUMNS", "80")
    books = shell("ledger", "show").out
    assert "too wide for the terminal: spent, entries; --json has them\n" in books
    monkeypatch.setenv("COLUMNS", "200")
    assert "too wide" not in shell("ledger", "show").out


def test_a_table_of_analysts_fits_with_a_reserve_and_periods(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = ("--epsilon", "1", "--delta", "1e-6", "--reserve", "0.1", "--per", "quarter")
    shell("ledger", "init", "patients", *budget, "--each-analyst", "0.5")
    spend(shell, "0.3333333333333333333333", "ada", "by sex")
    monkeypatch.setenv("COLUMNS", "80")
    lines = shell("ledger", "show", "patients").out.splitlines()
    assert "  too wide for the terminal: spent; --json has them" in lines
    assert all(len(line) <= 80 for line in lines if "ledger.db" not in line)


def test_an_untouched_budget_with_a_delta_has_nothing_spent(shell: Shell) -> None:
    budget = ("--epsilon", "1", "--delta", "1e-6", "--reserve", "0.1", "--analyst", "zed=0.5")
    shell("ledger", "init", "patients", *budget)
    shown = shell("ledger", "show", "patients").out
    assert "0 % used: nothing is spent, a step of up to ε = 1" in shown
    assert "  zed      (0.5, 1e-06)-DP  nothing  " in shown
    spend(shell, "0.1", "ada", "by sex")
    assert "10 % used: (0.1, 9e-07)-DP is spent" in shell("ledger", "show", "patients").out


def test_the_reserve_is_told_with_what_is_left_of_it(shell: Shell) -> None:
    budget = ("--epsilon", "1", "--delta", "1e-6", "--reserve", "0.1")
    opened = shell("ledger", "init", "patients", *budget).out
    told = "  of its δ, 1e-07 is in reserve, for steps with a δ of their own\n"
    assert told in opened
    asked = ("--epsilon", "0.1", "--delta", "1e-8", "--analyst", "ada", "--purpose", "by sex")
    assert shell("ledger", "spend", "patients", *asked).code == 0
    shown = shell("ledger", "show", "patients").out
    assert told in shown
    assert " and δ = 9e-08 still fits\n" in shown
    assert "in reserve" not in shell("ledger", "init", "visits", *budget[:4]).out


def test_books_over_people_are_told_from_those_over_rows(
    shell: Shell, book: None, place: Path
) -> None:
    assert "neighbours" not in shell("ledger", "show").out
    with Ledger.open(place) as ledger:
        ledger.add_book("visits", PureDP(epsilon=1, relation=AddRemove(unit=Person())))
    header, patients, visits = shell("ledger", "show").out.splitlines()[1:]
    assert header.endswith("  neighbours")
    assert patients.endswith("  add or remove one row")
    assert visits.endswith("  add or remove one person")


def test_a_table_without_periods_has_no_column_for_them(shell: Shell) -> None:
    shell("ledger", "init", "patients", "--epsilon", "1", "--each-analyst", "0.5")
    spend(shell, "0.1", "ada", "by sex")
    shown = shell("ledger", "show", "patients").out
    assert "  analyst  budget  spent   left    used\n" in shown
    assert "≤" not in shown


def test_show_says_that_nothing_was_charged_to_somebody(shell: Shell, book: None) -> None:
    carol = ("ledger", "show", "patients", "--analyst", "carol")
    assert "nothing was charged to 'carol', nor to anybody else\n" in shell(*carol).out
    spend(shell, "0.1", "grace", "by sex")
    spend(shell, "0.1", "ada", "by sex")
    said = "nothing was charged to 'carol'; those charged so far are ada, grace\n"
    assert said in shell(*carol).out
    assert "nothing was charged" not in shell(*carol[:-1], "ada").out


def test_recover_takes_the_first_digits_of_a_receipt(shell: Shell, book: None, place: Path) -> None:
    first, second = reserved(place, 2)
    closed = json.loads(shell("ledger", "recover", "--close", first[:8], *REASON, "--json").out)[
        "closed"
    ]
    assert closed == {"dataset": "patients", "sequence": 2, "receipt": first}
    (open_still,) = json.loads(shell("ledger", "recover", "--json").out)["orphans"]
    assert open_still["receipt"] == second


def test_digits_that_fit_two_open_charges_close_neither(
    shell: Shell, book: None, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter([f"{'ab' * 15}{end}" for end in ("01", "02")])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(names))
    reserved(place, 2)
    done = shell("ledger", "recover", "--close", "abababab", *REASON)
    refuses(done, "2 open charges begin with 'abababab'; write more of its digits")
    assert len(json.loads(shell("ledger", "recover", "--json").out)["orphans"]) == 2


@pytest.mark.parametrize("name", ["0f0f0f0", "0" * 33, "not-a-receipt", "0F" * 8, "0" * 7 + "g"])
def test_what_names_no_charge_is_refused(shell: Shell, book: None, name: str) -> None:
    refuses(shell("ledger", "recover", "--close", name, *REASON), "named by its receipt's 32")


def test_a_charge_that_is_not_open_is_told_with_what_came_of_it(
    shell: Shell, book: None, place: Path
) -> None:
    unknown = ("ledger", "recover", "--close", "0" * 32, *REASON)
    refuses(shell(*unknown), f"there is no charge '{'0' * 32}'; no charge is open\n")
    with Ledger.open(place) as ledger:
        patients = ledger.book("patients")
        noise = Laplace(scale=100)
        answered = patients.release(noise, lambda: b"41", analyst="ada", purpose="by sex")
        elsewhere = patients.spend(noise, analyst="ada", purpose="by sex").id
    (orphan,) = reserved(place)
    close = ("ledger", "recover", *REASON, "--close")
    refuses(
        shell(*close, answered.receipt.id), "entry 2 of patients is answered already, by entry 3"
    )
    refuses(shell(*close, elsewhere[:10]), "entry 4 of patients is of a release that was made")
    refuses(shell(*unknown), "sfumato ledger recover lists those there are")
    assert shell(*close, orphan).code == 0
    refuses(shell(*close, orphan), "entry 5 of patients is closed ('it crashed') already, by entry")
    assert shell("ledger", "recover").out == "no charge is open; there is nothing to recover\n"


def test_a_charge_of_another_book_is_not_said_to_be_nowhere(
    shell: Shell, book: None, place: Path
) -> None:
    shell("ledger", "init", "visits", "--epsilon", "1")
    (orphan,) = reserved(place)
    done = shell("ledger", "recover", "visits", "--close", orphan[:8], *REASON)
    refuses(done, f"there is no charge '{orphan[:8]}' in visits; no charge is open in visits\n")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--epsilon", "1", "--total", "5"], "name one, such as 'year'"),
        (["--epsilon", "1", "--reserve", "0.1"], "leave it at 0"),
        (["--epsilon", "0"], "give a greater one"),
    ],
)
def test_advice_is_not_written_in_python(shell: Shell, options: list[str], sentence: str) -> None:
    refuses(shell("ledger", "init", "visits", *options), sentence)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--analyst", "ada=x"], "--analyst ada=x: epsilon must"),
        (["--each-analyst", "x"], "--each-analyst: epsilon must"),
        (["--per", "year", "--total", "x"], "--total: epsilon must"),
    ],
)
def test_a_number_that_is_none_is_told_with_its_option(
    shell: Shell, options: list[str], sentence: str
) -> None:
    refuses(shell("ledger", "init", "visits", "--epsilon", "1", *options), sentence)


def test_a_charge_says_what_still_fits(shell: Shell) -> None:
    shell("ledger", "init", "patients", "--epsilon", "1", "--delta", "1e-6")
    asked = ("ledger", "spend", "patients", "--analyst", "ada", "--purpose", "by sex", "--epsilon")
    fits = "a step of up to ε = 0.9 still fits"
    assert shell(*asked, "0.1").out.endswith(f"is spent, {fits}\n")
    refused = shell(*asked, "1")
    assert refused.code == 3
    assert refused.err.endswith(f": {fits}, and nothing was spent\n")
