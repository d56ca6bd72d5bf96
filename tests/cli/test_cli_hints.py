"""What a hint of the shell says can be typed as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sfumato as sf

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

UNIT = ["--unit", "patient_id", "--epsilon", "1"]
FILE = "examples/patients.csv"


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (["SELECT COUNT(*) FROM patients.csv"], "write FROM patients\n"),
        (["SELECT COUNT(*) FROM clinic.visits"], "write FROM visits\n"),
        (["SELECT COUNT(*) FROM patients", "--keys", "F,M"], "--keys takes sex=F,M, say"),
        (["SELECT COUNT(*) FROM patients", "--types", "age=datetime"], "did you mean 'timestamp'?"),
        (
            ["SELECT COUNT(*) FROM patients WHERE sex"],
            "; declare --types sex=boolean, or compare it",
        ),
        (
            ["SELECT AVG(age) FROM patients", "--bounds", "age=110:0"],
            "bounds are [110, 0], the greater",
        ),
        (
            ["SELECT MONTH(CAST(sex AS DATE)) AS m, COUNT(*) FROM patients GROUP BY m"],
            "--keys m=1,2,3,4,5,6,7,8,9,10,11,12\n",
        ),
        (
            [
                "SELECT FLOOR(age / 10) AS b, COUNT(*) FROM patients GROUP BY b",
                "--types",
                "age=integer",
            ],
            "--keys b=0,1,2\n",
        ),
        (
            [
                "SELECT FLOOR(age / 10) * 10 AS b, COUNT(*) FROM patients GROUP BY b",
                *("--types", "age=integer"),
            ],
            "--keys b=0,10,20\n",
        ),
        (
            ["SELECT HISTOGRAM(age) FROM patients"],
            "with --keys 'floor(age / 10)'=0,1,2,3,4,5,6,7,8,9,10",
        ),
    ],
)
def test_a_question_that_is_refused(shell: Shell, given: list[str], hint: str) -> None:
    done = shell("query", FILE, *given, *UNIT)
    assert done.code == 2
    assert hint in done.err


def test_other_verbs_that_refuse(shell: Shell) -> None:
    quasi = ("--quasi", "age,sex", "--k", "2")
    assert "such as --sensitive diagnosis" in shell("anonymize", FILE, *quasi, "--l", "3").err
    assert "write --delta 1e-6 alone, say" in shell("account", "events.json").err
    assert "name a file that --certificate wrote" in shell("check", FILE).err


def test_both_spellings_are_read(shell: Shell) -> None:
    for dash in "-_":
        noise = shell(
            "calibrate",
            f"discrete{dash}laplace",
            "--epsilon",
            "1",
            "--relation",
            f"add{dash}remove",
        )
        assert noise.code == 0
    assert "'discrete-laplace'" in shell("calibrate", "discrete_laplac", "--epsilon", "1").err


def test_pure_guarantees_have_a_sum() -> None:
    one, half = sf.PureDP(epsilon=1), sf.PureDP(epsilon=0.5)
    assert (
        str(sf.compose(one, half)) == "2 steps of 2 kinds, together 1.5-DP (add or remove one row)"
    )
    assert "together" not in str(sf.compose(one))
    assert "together" not in str(sf.compose(one, sf.ApproxDP(epsilon=1, delta=1e-6)))
