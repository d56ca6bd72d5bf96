"""The verb ``survey simulate``: the truth beside what is estimated."""

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
CLASS, CANTEEN = EXAMPLES / "class.toml", EXAMPLES / "canteen.toml"


def as_json(done: Finished) -> dict[str, Any]:
    assert (done.code, done.err) == (0, "")
    read: dict[str, Any] = json.loads(done.out)
    return read


def test_the_truth_stands_beside_the_estimate(shell: Shell) -> None:
    done = shell("survey", "simulate", CLASS, "--people", "40", "--share", "yes=1")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:2] == ["class: the reports of 40 people", "cheated"]
    assert "  true 100.0 %  " in lines[2]
    assert "  true 0.0 %  " in lines[3]
    assert "simulated: nobody was asked, and the truth is known" in lines


def test_what_was_simulated_is_what_the_file_says(shell: Shell, tmp_path: Path) -> None:
    for name in ("reports.csv", "reports.parquet"):
        file = tmp_path / name
        asked = ("--people", "500", "--share", "meal.pasta=0.5,meal.soup=0.5", "--share", "spent=5")
        made = as_json(shell("survey", "simulate", CANTEEN, *asked, "--out", file, "--json"))
        read = as_json(shell("survey", "collect", CANTEEN, file, "--json"))
        found = [{**each, "truth": None} for each in read["estimates"]]
        assert [{**each, "truth": None} for each in made["estimates"]] == found
        assert made["truth"]["spent"] == 5
        assert made["truth"]["meal"]["salad"] == 0
        assert sum(made["truth"]["again"].values()) == pytest.approx(1)


def test_a_page_shows_the_truth(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = shell("survey", "simulate", CLASS, "--people", "40", "--html", page)
    assert done.err == f"sfumato: {page} is written\n"
    text = page.read_text(encoding="utf-8")
    (drawing,) = pictures(text)
    assert "a diamond is the truth" in drawing
    assert "simulated: nobody was asked" in text
    assert re.search(r"<th[^>]*>truth</th>", text)


def test_options_describe_the_survey_as_well(shell: Shell) -> None:
    described = ("--question", "colour=red,green,blue", "--epsilon", "2")
    found = as_json(shell("survey", "simulate", *described, "--people", "10", "--json"))
    assert (found["people"], len(found["estimates"])) == (10, 3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "--people is missing: it says how many answer; write --people 1000"),
        (("--people", "some"), "--people takes a whole number of 1 or more; 'some' is not"),
        (("--people", "0"), "--people must be a whole number from 1 to 1,000,000,000,000, not 0;"),
        (("--people", "9", "--share", "0.5"), "--share cannot be read from '0.5'; write yes=0.3, "),
        (("--people", "9", "--share", "yes=2"), "a share of 'cheated' must be a number from 0 to"),
        (
            ("--people", "9", "--share", "yes=30%"),
            "a share of 'cheated' must be a number from 0 to 1, not '30%'; write 0.3, say",
        ),
        (
            ("--people", "9", "--share", "yes=0.7,no=0.7"),
            "the shares of 'cheated' must sum to 1, not 1.4; leave one choice out for the rest",
        ),
        (("--people", "9", "--share", "perhaps=1"), "that is no answer to 'cheated'; write 'yes'"),
        (("--people", "9", "--share", "yes=1,yes=0"), "--share names 'yes' twice; give each once"),
        (("--people", "9", "--out", "a.txt"), "reports are written as .csv or .parquet, not as"),
        (("--people", "9", "--out", CLASS), f"'{CLASS}' is what would be read; name another file"),
        (
            ("--people", "9", "--out", EXAMPLES / "class-reports.csv"),
            f"'{EXAMPLES / 'class-reports.csv'}' is there already",
        ),
    ],
)
def test_a_mistake_is_one_sentence(
    shell: Shell, arguments: tuple[object, ...], sentence: str
) -> None:
    done = shell("survey", "simulate", CLASS, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"sfumato: {sentence}")
    assert done.err.count("\n") == 1


def test_a_number_is_told_by_its_question(shell: Shell) -> None:
    done = shell("survey", "simulate", CANTEEN, "--people", "9", "--share", "spent=much")
    assert done.err.endswith("write --share spent=2:8, say\n")
    done = shell("survey", "simulate", CANTEEN, "--people", "9", "--share", "yes=0.3")
    assert done.err == "sfumato: --share cannot be read from 'yes=0.3'; write meal.pasta=0.3, say\n"


def test_a_confidence_that_is_none_is_refused_before_anything_is_drawn(
    shell: Shell, tmp_path: Path
) -> None:
    out = tmp_path / "reports.csv"
    done = shell("survey", "simulate", CLASS, "--people", "40", "--out", out, "--confidence", "7")
    assert done.code == 2
    assert "--confidence must be from 0.5 to 0.999999999" in done.err
    assert not out.exists()
