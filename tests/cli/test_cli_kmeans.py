"""The verb ``kmeans``: centres of a private table, as a newcomer meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import pictures

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
SHOPPERS = EXAMPLES / "shoppers.csv"
BOUNDS = ("--bounds", "orders=0:80", "--bounds", "basket=0:250")
DECLARED = (SHOPPERS, "--unit", "customer", *BOUNDS)
ASKED = (*DECLARED, "--k", "3", "--epsilon", "1")
GUARANTEE = "1-DP (add or remove one customer)"
#: The middles of the three kinds of customers, as the program that makes the table has them.
MIDDLES = [(5, 150), (14, 70), (40, 25)]


def as_json(done: Finished) -> dict[str, Any]:
    assert (done.code, done.err) == (0, "")
    read: dict[str, Any] = json.loads(done.out)
    return read


def test_centres_are_a_table_with_the_noise_and_a_guarantee(shell: Shell) -> None:
    done = shell("kmeans", *ASKED)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("3 centres in 2 coordinates, by ")
    assert f"  in all {GUARANTEE}" in lines
    header = next(place for place, line in enumerate(lines) if line.startswith("centre"))
    assert lines[header].split() == ["centre", "points", "share", "orders", "basket"]
    rows = lines[header + 1 : header + 4]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert all(row.count(" ± ") == 2 for row in rows)
    assert lines[header + 4].startswith("± is 2 standard deviations of the noise")
    assert any("contributions above 1 point of one" in line for line in lines)
    assert any("can become at most 73.2 % sure of it" in line for line in lines)
    assert lines[-1] == "charged to no ledger"


def test_lines_fit_a_narrow_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    done = shell("kmeans", *ASKED)
    assert max(map(len, done.out.splitlines())) <= 36
    assert "share, basket; --json has them" in " ".join(done.out.split())


def test_much_budget_finds_the_kinds_that_the_table_was_made_of(shell: Shell) -> None:
    asked = (*DECLARED, "--k", "3", "--epsilon", "10000")
    found = as_json(shell("kmeans", *asked, "--json"))
    for centre, middle in zip(sorted(found["centres"]), MIDDLES, strict=True):
        assert centre == pytest.approx(middle, abs=2)
    assert sum(found["counts"]) == pytest.approx(3000, abs=1)


def test_json_has_all_that_was_released_and_what_it_cost(shell: Shell) -> None:
    found = as_json(shell("kmeans", *ASKED, "--columns", "basket,orders", "--json"))
    assert found["columns"] == ["basket", "orders"]
    assert found["bounds"] == [[0.0, 250.0], [0.0, 80.0]]
    assert [len(found[name]) for name in ("centres", "counts", "noise", "seen")] == [3] * 4
    assert (found["private"], found["guarantee_in_words"], found["receipt"]) == (
        True,
        GUARANTEE,
        None,
    )
    assert found["method"] in {"grid", "tree", "rounds"}
    assert found["guarantee"]
    assert found["event"]
    assert found["plan"][0].startswith("3 centres in 2 coordinates")


@pytest.mark.parametrize("method", ["lloyd", "rounds", "grid", "tree"])
def test_every_method_can_be_asked_for(shell: Shell, method: str) -> None:
    found = as_json(shell("kmeans", *ASKED, "--method", method, "--json"))
    assert (found["method"], found["guarantee_in_words"]) == (method, GUARANTEE)
    assert (found["cost"] is None) == (method in {"lloyd", "rounds"})


def test_a_ball_stands_instead_of_bounds(shell: Shell) -> None:
    asked = (SHOPPERS, "--unit", "customer", "--k", "3", "--columns", "orders,basket")
    found = as_json(shell("kmeans", *asked, "--l1-ball", "300", "--epsilon", "10000", "--json"))
    assert found["domain"] == {"kind": "l1-ball", "radius": 300.0, "center": 0.0}
    assert found["bounds"] == [[-300.0, 300.0]] * 2
    assert found["plan"][-1].startswith("  a point outside the L1 ball of radius 300 around 0 is")
    for centre, middle in zip(sorted(found["centres"]), MIDDLES, strict=True):
        assert centre == pytest.approx(middle, abs=2)
    assert as_json(shell("kmeans", *ASKED, "--json"))["domain"] is None


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--l1-ball", "0"), "--l1-ball must be above 0, not '0'"),
        (("--l1-ball", "wide"), "--l1-ball must be a number, not 'wide'"),
        (("--l1-ball", "9", *BOUNDS), "--bounds and --l1-ball both say where rows lie"),
        (("--l1-ball", "9"), "the columns that count are not named; write --columns age,height"),
        (("--l1-ball", "9", "--columns", "name"), "there is no column 'name'"),
        (("--l1-ball", "9", "--epsilon", "inf"), "--epsilon inf guarantees nothing"),
    ],
)
def test_balls_that_are_none_are_refused_in_words_of_the_shell(
    shell: Shell, more: tuple[str, ...], words: str
) -> None:
    asked = (SHOPPERS, "--unit", "customer", "--k", "3", "--epsilon", "1", "--method", "lloyd")
    done = shell("kmeans", *asked, *more, "--plan")
    assert (done.code, done.out, words in done.err) == (2, "", True)


def test_a_policy_is_read_and_options_go_before_it(shell: Shell, tmp_path: Path) -> None:
    policy = tmp_path / "shoppers.toml"
    policy.write_text(
        f'[table]\nsource = "{SHOPPERS}"\nunit = "customer"\n'
        "[columns.orders]\nbounds = [0, 80]\n[columns.basket]\nbounds = [0, 250]\n",
        encoding="utf-8",
    )
    plan = ("kmeans", policy, "--k", "3", "--epsilon", "1", "--plan", "--json")
    assert as_json(shell(*plan))["plan"][0].startswith("3 centres in 2 coordinates")
    asked = ("kmeans", policy, "--k", "2", "--epsilon", "1", "--bounds", "orders=0:60", "--json")
    assert as_json(shell(*asked))["bounds"] == [[0.0, 60.0], [0.0, 250.0]]


def test_how_much_of_a_person_counts_is_declared(shell: Shell) -> None:
    visits = (EXAMPLES / "patients.csv", "--unit", "patient_id", "--bounds", "age=0:110")
    done = shell("kmeans", *visits, "--limit", "rows=5", "--k", "2", "--epsilon", "1")
    assert "contributions above 5 points of one" in done.out


def test_a_page_needs_nothing_else_and_shows_only_what_was_released(
    shell: Shell, tmp_path: Path
) -> None:
    page = tmp_path / "centres.html"
    done = shell("kmeans", *ASKED, "--html", page)
    assert (done.code, done.err) == (0, f"sfumato: {page} is written\n")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert not re.search(r"href=|url\(|@import|<script", text)
    assert not re.search("https?:", text)
    centres, cost = pictures(text)
    assert centres.count('aria-roledescription="circle"') == 3
    assert GUARANTEE in text
    assert "No point of the data is drawn." in text
    assert "ε = 1, which was used" in cost
    assert "only noise of the last step is scaled" in text
    assert "below ε = 1 earlier steps miss more too, and the true cost is higher" in text


@pytest.mark.full
@pytest.mark.parametrize(
    ("columns", "panels"), [("a", 1), ("a,b", 1), ("a,b,c", 3), ("a,b,c,d,e", 5)]
)
def test_there_is_a_box_for_two_columns_and_else_a_panel_for_each(
    shell: Shell, tmp_path: Path, columns: str, panels: int
) -> None:
    table, page = tmp_path / "<odd> & names.csv", tmp_path / "page.html"
    table.write_text("a,b,c,d,e\n" + "1,2,3,4,5\n" * 200, encoding="utf-8")
    bounds = [part for name in columns.split(",") for part in ("--bounds", f"{name}=0:9")]
    asked = ("--k", "2", "--epsilon", "1", "--method", "rounds", "--html", page)
    assert shell("kmeans", table, "--unit", "row", *bounds, *asked).code == 0
    text = page.read_text(encoding="utf-8")
    centres, cost = pictures(text)
    assert centres.count('aria-roledescription="circle"') == 2 * panels
    assert "added mean square distance" in cost
    assert "no cells were released" in text
