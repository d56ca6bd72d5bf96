"""Pictures of accounts and of risk from a shell: refused before any work, drawn beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell

PEOPLE = ("risk", "examples/hospital-a.csv", "--quasi", "age,sex")


@pytest.mark.parametrize("of", ["classes", "columns", "information"])
def test_risk_is_drawn_beside_its_report(shell: Shell, tmp_path: Path, of: str) -> None:
    done = shell(*PEOPLE, "--plot", tmp_path / "risk.svg", "--of", of)
    assert done.code == 0
    assert "not private" in done.out
    assert "for the data owner" in (tmp_path / "risk.svg").read_text(encoding="utf-8")


def test_a_wrong_picture_of_risk_is_refused_before_the_table_is_read(
    shell: Shell, tmp_path: Path
) -> None:
    done = shell("risk", "no-such.csv", "--quasi", "age", "--plot", tmp_path / "risk.pdf")
    assert done.code == 2
    assert "is not the name of a picture" in done.err
    done = shell("risk", "no-such.csv", "--quasi", "age", "--of", "column")
    assert "there is no drawing 'column'; did you mean 'columns'?" in done.err


def test_one_book_is_drawn_over_time_and_all_side_by_side(
    shell: Shell, book: Path, tmp_path: Path
) -> None:
    one, every = tmp_path / "one.svg", tmp_path / "all.svg"
    assert shell("ledger", "init", "visits", "--epsilon", "1").code == 0
    assert shell("ledger", "show", "patients", "--plot", one).code == 0
    assert "nothing of" in one.read_text(encoding="utf-8")
    assert shell("ledger", "show", "--plot", every).code == 0
    assert "what is spent of 2 budgets" in every.read_text(encoding="utf-8")


def test_a_ledger_is_not_drawn_over(shell: Shell, book: Path) -> None:
    done = shell("ledger", "show", "patients", "--plot", book)
    assert done.code == 2
    assert shell("ledger", "verify").code == 0
