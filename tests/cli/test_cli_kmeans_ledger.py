"""What ``kmeans`` refuses, and what it charges: nothing where it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_cli_kmeans import BOUNDS, SHOPPERS, as_json
from tests.cli.test_cli_query import refuses

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell

COLUMNS = "(known: 'customer', 'orders', 'basket')"
ADA = ("--analyst", "ada")


@pytest.fixture
def policy(place: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> str:
    """A policy whose book has a budget of ε = 1.5."""
    monkeypatch.chdir(place.parent)
    opened = shell("init", SHOPPERS, "--unit", "customer", "--ledger", place, "--epsilon", "1.5")
    assert opened.code == 0, opened.err
    return "shoppers.toml"


def entries(place: Path, shell: Shell) -> list[dict[str, Any]]:
    """What was charged."""
    done = shell("ledger", "export", "shoppers", "--ledger", place)
    assert done.code == 0, done.err
    written = [json.loads(line) for line in done.out.splitlines()]
    return [each for each in written if "event" in json.dumps(each)]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--k", "3"], "no column of numbers has bounds; declare those that count, as in --bounds"),
        (
            ["--k", "3", "--bounds", "orders=0:80", "--columns", "orders,basket"],
            "without it, or, if it holds numbers, declare --bounds basket=0:110",
        ),
        (["--k", "0", *BOUNDS], "--k must be a whole number from 1 to 10,000, not 0; write --k 5"),
        (["--k", "few", *BOUNDS], "--k takes a whole number of 1 or more; 'few' is not"),
        (
            ["--k", "3", *BOUNDS, "--columns", "order"],
            f"shoppers.csv'; did you mean 'orders'? {COLUMNS}",
        ),
        (
            ["--k", "3", "--bounds", "baskets=0:80"],
            f"shoppers.csv'; did you mean 'basket'? {COLUMNS}",
        ),
        (["--k", "3", *BOUNDS, "--columns", "customer"], "'customer' is the privacy unit"),
        (["--k", "3", "--bounds", "orders=auto"], "declare them, as in --bounds orders=0:110"),
        (["--k", "3", *BOUNDS, "--epsilon", "0"], "--epsilon must be from 1e-9 to"),
        (["--k", "3", *BOUNDS, "--epsilon", "-1"], "not -1; write --epsilon 1, say"),
        (["--k", "3", *BOUNDS, "--epsilon", "1e308"], "1e308, which hides nothing; write --ep"),
        (["--k", "3", *BOUNDS, "--epsilon", "１"], "in the digits 0 to 9, not '１'; write 1"),
        (["--k", "３", *BOUNDS], "--k takes a whole number of 1 or more; '３' is not"),
        (["--k", "3", *BOUNDS, "--epsilon", "much"], "--epsilon must"),
        (["--k", "3", *BOUNDS, "--delta", "1"], "--delta must"),
        (["--k", "3", *BOUNDS, "--method", "trees"], "no method 'trees'; did you mean 'tree'?"),
        (["--k", "3", *BOUNDS, "--noise", "gaussian"], "write --epsilon 1 --delta 1e-6"),
        (["--k", "3", *BOUNDS, "--rounds", "5000"], "--rounds must"),
        (["--k", "3", *BOUNDS, "--size", "0"], "--size must"),
        (["--k", "3", *BOUNDS, "--limit", "rows=auto"], "declare one, as in --limit rows=5"),
        (["--k", "3", *BOUNDS, "--html", "no-such-folder/a.html"], "cannot be written"),
        (["--k", "3", *BOUNDS, "--html", "a.txt"], "let it end in .html or .htm"),
        (["--k", "3", *BOUNDS, "--plan", "--html", "a.html"], "--html draws centres, and --plan"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_charged(
    shell: Shell, policy: str, place: Path, options: list[str], sentence: str
) -> None:
    asked = options if "--epsilon" in options else [*options, "--epsilon", "1"]
    before = place.read_bytes()
    refuses(shell("kmeans", policy, *asked, *ADA), sentence)
    assert place.read_bytes() == before


def test_what_is_missing_is_said(shell: Shell, policy: str) -> None:
    asked = ("--k", "3", *BOUNDS)
    refuses(shell("kmeans", policy, *BOUNDS, "--epsilon", "1", *ADA), "missing: it says how many")
    refuses(shell("kmeans", policy, *asked, *ADA), "--epsilon is missing: it says what the centres")
    refuses(
        shell("kmeans", policy, *asked, "--epsilon", "1"),
        "an analyst is required with a ledger; write --analyst ada, or declare one",
    )
    refuses(shell("kmeans", SHOPPERS, *asked, "--epsilon", "1"), "write --unit customer, the")
    refuses(
        shell("kmeans", SHOPPERS, "--unit", "customer", *asked, "--epsilon", "1", *ADA),
        "analyst and key are for a ledger, and none is declared",
    )


def test_centres_are_charged_with_a_receipt_and_a_retry_is_not(
    shell: Shell, policy: str, place: Path
) -> None:
    asked = ("kmeans", policy, "--k", "3", *BOUNDS, "--epsilon", "1", *ADA, "--key", "monday")
    first = as_json(shell(*asked, "--json"))
    assert first["receipt"]
    charges = len(entries(place, shell))
    again = as_json(shell(*asked, "--json"))
    assert again["centres"] == first["centres"]
    assert len(entries(place, shell)) == charges
    done = shell(*asked)
    assert done.out.splitlines()[-1].startswith("charged to the ledger: receipt ")
    refuses(shell(*asked, "--method", "grid"), "monday")


def test_what_does_not_fit_the_budget_is_refused_and_a_plan_says_so_before(
    shell: Shell, policy: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    asked = ("kmeans", policy, "--k", "3", *BOUNDS, "--epsilon", "1", *ADA)
    plan = shell(*asked, "--plan")
    assert (plan.code, plan.err) == (0, "")
    assert "is spent, 1.5-DP is left" in " ".join(plan.out.split())
    assert shell(*asked).code == 0
    before = place.read_bytes()
    refused = "the answer would cost ε = 1, and ε = 0.5 is left of the privacy budget of everyone"
    refuses(shell(*asked), refused, code=3)
    said = shell(*asked, "--plan")
    assert f"this would be refused: {refused}" in " ".join(said.out.split())
    assert max(map(len, said.out.splitlines())) <= 80
    assert said.out.splitlines()[-1] == "no row was read, and nothing was charged"
    assert as_json(shell(*asked, "--plan", "--json"))["refused"].startswith(refused)
    assert place.read_bytes() == before


def test_a_book_without_delta_is_left_by_what_is_said(shell: Shell, policy: str) -> None:
    asked = ("kmeans", policy, "--k", "3", *BOUNDS, "--epsilon", "1", "--delta", "1e-6")
    done = shell(*asked, "--noise", "gaussian", "--method", "rounds", *ADA)
    refuses(done, "by: sfumato init ")
    assert "--book shoppers-delta --output shoppers-delta.toml" in done.err
    plan = shell(*asked, "--noise", "gaussian", "--method", "rounds", *ADA, "--plan")
    assert "--book shoppers-delta --output shoppers-delta.toml" in plan.out


def test_a_plan_touches_no_row(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rows cannot be read a plan is made all the same; the twin, a fit, is not."""

    def touched(*_: object) -> None:
        message = "rows were read"
        raise AssertionError(message)

    monkeypatch.setattr("sfumato.learning.kmeans.points.rows.RowPoints", touched)
    asked = ("kmeans", SHOPPERS, "--unit", "customer", *BOUNDS, "--k", "3", "--epsilon", "1")
    plan = shell(*asked, "--plan")
    assert (plan.code, plan.err) == (0, "")
    assert plan.out.splitlines()[-1] == "no row was read, and nothing was charged"
    assert shell(*asked).code == 1


def test_a_policy_whose_ledger_is_blank_says_where_to_write_it(
    place: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.parent)
    assert shell("init", SHOPPERS, "--unit", "customer", "--epsilon", "1").code == 0
    done = shell("kmeans", "shoppers.toml", "--k", "3", *BOUNDS, "--epsilon", "1")
    refuses(done, "write path = \"ledger.db\" in [ledger] of 'shoppers.toml', and open its book by")
