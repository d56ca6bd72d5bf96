"""Nothing that a certificate says reaches a terminal as anything but letters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
import typer

import sfumato as sf
from sfumato.ledger import Ledger
from sfumato.ledger.signer import Signer
from tests.audit.certificate.lies import at, document, leaves, told, with_change, with_receipt

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

#: A title for the window, a cleared screen, text from right to left, and a line of one's own.
STEERING = "\x1b]0;mine\x07\x1b[2J\x9b\u202e\nHOLDS: 0-DP\r"
CASE = "derived"


def renamed(given: Any, name: str) -> Any:
    """The document with another name of a column, wherever it stands."""
    if isinstance(given, dict):
        return {renamed(field, name): renamed(each, name) for field, each in given.items()}
    if isinstance(given, list):
        return [renamed(each, name) for each in given]
    return f"{name}{STEERING}" if given == name else given


def is_harmless(done: Finished) -> bool:
    """Whether every line is of letters, and none of them is the one that was smuggled in."""
    lines = (done.out + done.err).splitlines()
    return all(line.isprintable() and line != "HOLDS: 0-DP" for line in lines)


def checked(shell: Shell, file: Path, given: dict[str, Any], *options: object) -> Finished:
    file.write_text(told(given), encoding="ascii", newline="\n")
    return shell("check", file, *options)


def test_the_text_would_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    typer.echo(STEERING)
    shown = capsys.readouterr().out
    assert "\x1b]0;mine\x07" in shown
    assert "HOLDS: 0-DP" in shown.splitlines()


@pytest.mark.parametrize("field", [*document(CASE)])
def test_no_text_of_a_certificate_steers_a_terminal(
    shell: Shell, tmp_path: Path, field: str
) -> None:
    given = document(CASE)
    places = [each for each in leaves({field: given[field]}) if isinstance(at(given, each), str)]
    for place in places[:5]:
        changed = with_change(given, place, f"{at(given, place)}{STEERING}")
        assert is_harmless(checked(shell, tmp_path / "release.json", changed)), place
        assert is_harmless(checked(shell, tmp_path / "release.json", changed, "--json")), place
    assert is_harmless(checked(shell, tmp_path / "release.json", {**given, STEERING: field}))


@pytest.mark.parametrize("name", ["old", "age"])
def test_names_and_sentences_that_hold_are_written_out(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    given = {**renamed(document(CASE), name), "caveats": [STEERING]}
    for options in ((), ("--json",)):
        done = checked(shell, tmp_path / "release.json", given, *options)
        assert done.code == 0, done.out
        assert is_harmless(done)
        assert "0;mine" in done.out


def test_the_purpose_of_a_charge_is_written_out(shell: Shell, place: Path) -> None:
    with Ledger.create(str(place)) as ledger:
        ledger.add_book("rows", sf.PureDP(epsilon=3))
    charged = {"path": str(place), "book": "rows", "analyst": "ada"}
    table = sf.table(pd.DataFrame({"age": [61]}), unit="row", ledger=charged)
    asked = table.agg(n=sf.count()).release(epsilon=1).certificate.to_json()
    purpose = f"{STEERING} (plan {'0' * 16}, question {'0' * 32})"
    text = told(with_receipt(json.loads(asked), str(place), purpose), Signer.at())
    (place.parent / "release.json").write_text(text, encoding="ascii", newline="\n")
    for options in ((), ("--json",)):
        done = shell("check", place.parent / "release.json", *options)
        assert done.code == 5
        assert "it is for another query" in done.out
        assert "0;mine" in done.out
        assert is_harmless(done)


@pytest.mark.parametrize(
    "text", [f'{{"kind": {json.dumps(STEERING)}}}', STEERING, f"[{json.dumps(STEERING)}]"]
)
def test_mistakes_are_written_out(shell: Shell, tmp_path: Path, text: str) -> None:
    for name in ("release.json", "\x1b]0;mine\x07.json"):
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
        done = shell("check", tmp_path / name)
        assert (done.code, done.out) == (2, "")
        assert is_harmless(done)
        assert is_harmless(shell("check", (tmp_path / name).with_suffix(".none")))
    assert is_harmless(shell("check", tmp_path / "release.json", "--signer", STEERING))


def test_a_field_that_stands_twice_is_written_out(shell: Shell, tmp_path: Path) -> None:
    twice = ", ".join([f"{json.dumps(STEERING)}: 1"] * 2)
    (tmp_path / "release.json").write_text(f'{{"kind": "sfumato certificate", {twice}}}')
    done = shell("check", tmp_path / "release.json")
    assert done.code == 5
    assert "stands twice" in done.out
    assert is_harmless(done)
