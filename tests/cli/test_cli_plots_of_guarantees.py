"""Pictures of guarantees, audits and attacks from a shell: refused before any work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell

VERBS = {
    "account": ("account", "examples/events.json", "--delta", "1e-6"),
    "calibrate": ("calibrate", "laplace", "--epsilon", "1"),
    "audit": (
        *("audit", "examples.mechanisms:half_the_noise", "--d0", "[0]", "--d1", "[1]"),
        *("--epsilon", "1", "--samples", "20000"),
    ),
}
CODES = {"account": 0, "calibrate": 0, "audit": 5}
SAID = {"account": "is guaranteed at", "calibrate": "for the target", "audit": "does not hold"}


@pytest.mark.full
@pytest.mark.parametrize("verb", VERBS)
def test_an_answer_is_drawn_beside_it(shell: Shell, tmp_path: Path, verb: str) -> None:
    plain, drawn = shell(*VERBS[verb]), shell(*VERBS[verb], "--plot", tmp_path / "a.svg")
    assert plain.code == drawn.code == CODES[verb]
    assert plain.out.split(";")[0] == drawn.out.split(";")[0]
    assert SAID[verb] in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", ["account", "audit", "attack"])
def test_a_wrong_picture_is_refused_before_anything_is_read(
    shell: Shell, tmp_path: Path, verb: str
) -> None:
    wrong = {
        "account": ("account", "no-such.json", "--delta", "1e-6"),
        "audit": ("audit", "no.such:thing", "--d0", "[0]", "--d1", "[1]", "--epsilon", "1"),
        "attack": (
            *("attack", "membership", "no-such.csv", "--score", "s", "--member", "m"),
            *("--epsilon", "1"),
        ),
    }
    done = shell(*wrong[verb], "--plot", tmp_path / "a.pdf")
    assert done.code == 2
    assert "is not the name of a picture; let it end in .html, .png or .svg" in done.err


def test_an_attack_on_a_model_is_drawn(shell: Shell, tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    lines = [f"{place % 2},{place % 2}" for place in range(400)]
    scores.write_text("\n".join(["score,member", *lines]), encoding="utf-8")
    options = ("--score", "score", "--member", "member", "--epsilon", "1")
    done = shell("attack", "membership", scores, *options, "--plot", tmp_path / "a.svg")
    assert done.code == 5
    assert "not private" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_a_column_that_is_found_again_is_drawn(shell: Shell, tmp_path: Path) -> None:
    options = ("--column", "smoker=yes", "--epsilon", "1", "--people", "20")
    table, picture = "examples/patients.csv", tmp_path / "a.svg"
    done = shell("attack", "reconstruct", table, *options, "--plot", picture)
    assert done.code == 0
    assert "not private" in picture.read_text(encoding="utf-8")
    done = shell("attack", "reconstruct", table, *options, "--plot", table)
    assert done.code == 2
    assert done.out == ""
