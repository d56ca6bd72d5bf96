"""The shell's ledger, as a newcomer meets it: opened, spent from, shown, written out, recovered."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from sfumato.application.ledger.export import harmless
from sfumato.ledger import Charge, Ledger, Signer
from sfumato.ledger.entry import Entry, canonical
from sfumato.privacy.events import Laplace

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

VERBS = ("init", "show", "spend", "verify", "export", "recover")
ADA = ("--analyst", "ada", "--purpose", "patients by sex")


pytestmark = pytest.mark.usefixtures("place")


def refuses(done: Finished, sentence: str, code: int = 2) -> None:
    assert (done.code, done.out) == (code, ""), done.err
    assert sentence in done.err
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1


def left(shell: Shell) -> str:
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    return str(shown["budgets"][0]["remaining"]["epsilon"])


def an_orphan(place: Path) -> str:
    """A charge whose program went away, and the receipt it would have had."""
    with Ledger.open(place) as ledger:
        charge = ledger.book("patients").reserve(
            Laplace(scale=10), analyst="ada", purpose="by sex", key="monday"
        )
    assert isinstance(charge, Charge)
    return charge.receipt_id


def test_init_says_what_is_guaranteed_and_where_it_is(shell: Shell, place: Path) -> None:
    done = shell("ledger", "init", "patients", "--epsilon", "1", "--per", "year")
    assert (done.code, done.err) == (0, "")
    headline, *guarantee, ledger, key = done.out.splitlines()
    assert headline == "the book of patients is open; its budgets never change"
    assert all(len(line) <= 120 for line in guarantee)
    told = " ".join(line.strip() for line in guarantee)
    assert told.endswith("the guarantee adds up over years: 2 years 2-DP, 10 years 10-DP")
    assert ledger.split() == ["ledger", f"{place},", "made", "now"]
    assert key.split()[2] == str(place.with_name("key.pem"))


@pytest.mark.parametrize(
    ("options", "guarantee"),
    [
        (["--epsilon", "ln(2)"], "everyone together: ln(2)-DP "),
        (["--epsilon", "1", "--delta", "1e-6", "--reserve", "0.1"], "(1, 1e-06)-DP "),
        (["--epsilon", "1", "--delta", "0"], "everyone together: 1-DP "),
        (["--rho", "0.5"], "0.5-zCDP (add or remove one row)"),
        (["--mu", "1", "--relation", "substitute"], "1-GDP (substitute one row)"),
        (["--epsilon", "1", "--per", "year", "--total", "5"], "5-DP (add or remove one row) for"),
        (["--epsilon", "1", "--each-analyst", "0.5"], "each analyst: 0.5-DP"),
        (["--epsilon", "1", "--analyst", "a=b=0.25"], "analyst “a=b”: 0.25-DP"),
    ],
)
def test_init_takes_budgets_of_every_kind(shell: Shell, options: list[str], guarantee: str) -> None:
    assert guarantee in shell("ledger", "init", "patients", *options).out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "give one of --epsilon, --rho and --mu"),
        (["--epsilon", "1", "--rho", "1"], "give one of --epsilon, --rho and --mu"),
        (["--rho", "1", "--delta", "1e-6"], "--delta goes with --epsilon, not with --rho"),
        (["--epsilon", "-1"], "--epsilon must"),
        (["--epsilon", "nan"], "--epsilon must be"),
        (["--epsilon", "0"], "would never allow an answer"),
        (["--epsilon", "1", "--per", "decade"], "a period is one of"),
        (["--epsilon", "1", "--total", "5"], "total is for a budget that is given per period"),
        (["--epsilon", "1", "--total-delta", "1e-6"], "--total-delta goes with --total"),
        (["--epsilon", "1", "--reserve", "0.1"], "reserve is a share of delta"),
        (["--epsilon", "1", "--each-analyst", "2"], "could never be spent"),
        (["--epsilon", "1", "--analyst", "ada"], "--analyst takes NAME=NUMBER"),
        (["--epsilon", "1", "--analyst", "a=1", "--analyst", "a=2"], "names 'a' twice"),
        (["--epsilon", "1", "--relation", "swap"], "'swap'"),
        (["--epsilon", "1", "--ledger", ":memory:"], "would forget what was spent"),
        (["--epsilon", "1", "--ledger", "mysql://me@here/books"], "postgresql://user@host"),
    ],
)
def test_init_refuses_in_one_sentence_and_makes_nothing(
    shell: Shell, place: Path, options: list[str], sentence: str
) -> None:
    refuses(shell("ledger", "init", "patients", *options), sentence)
    assert not place.exists()


def test_a_book_is_opened_once(shell: Shell, book: None) -> None:
    again = shell("ledger", "init", "patients", "--epsilon", "2")
    refuses(again, "there is a book 'patients' already; its budgets never change")
    assert shell("ledger", "init", "visits", "--epsilon", "2").code == 0
    assert left(shell) == "1"


def test_only_the_first_book_comes_with_a_new_ledger(shell: Shell, book: None, place: Path) -> None:
    visits = shell("ledger", "init", "visits", "--epsilon", "1").out
    assert f"ledger       {place}\n" in visits
    assert "made now" not in visits
    elsewhere = ("--ledger", place.with_name("other.db"), "--json")
    assert json.loads(shell("ledger", "init", "visits", "--epsilon", "1", *elsewhere).out)["new"]


def test_init_minds_a_name_that_differs_in_capitals_alone(shell: Shell, book: None) -> None:
    told = "mind that there is another book, 'patients'\n"
    assert shell("ledger", "init", "Patients", "--epsilon", "1").out.endswith(told)
    assert "mind that" not in shell("ledger", "init", "visits", "--epsilon", "1").out


def test_init_leaves_another_program_s_file_alone(shell: Shell, place: Path) -> None:
    place.write_bytes(b"a diary" * 100)
    Signer.at(place.with_name("key.pem"))
    refuses(shell("ledger", "init", "patients", "--epsilon", "1"), "another program")
    assert place.read_bytes() == b"a diary" * 100


def test_show_lists_the_books(shell: Shell, book: None, place: Path) -> None:
    shell("ledger", "init", "visits", "--rho", "0.5")
    shell("ledger", "spend", "patients", "--epsilon", "0.1", *ADA)
    headline, header, patients, visits = shell("ledger", "show").out.splitlines()
    assert headline == f"2 books in {place}"
    assert header.split()[:6] == ["dataset", "budget", "spent", "left", "used", "entries"]
    assert patients.split()[:8] == ["patients", "1-DP", "in", "all", "0.1-DP", "0.9-DP", "10", "%"]
    assert visits.split()[:6] == ["visits", "0.5-zCDP", "in", "all", "0-zCDP", "0.5-zCDP"]


def test_show_of_one_book_has_the_standing_of_every_budget(shell: Shell) -> None:
    budgets = ["--epsilon", "1", "--each-analyst", "0.5", "--analyst", "grace=0.25"]
    shell("ledger", "init", "patients", *budgets)
    shell("ledger", "spend", "patients", "--epsilon", "0.2", *ADA)
    lines = shell("ledger", "show", "patients").out.splitlines()
    assert lines[0] == "patients: 20 % of the budget is spent"
    assert "  [####................] 20 % used: 0.2-DP is spent, 0.8-DP is left" in lines
    assert "  ada      0.5-DP   0.2-DP  0.3-DP   40 %" in lines
    assert "  grace    0.25-DP  0-DP    0.25-DP   0 %" in lines
    assert lines[-1].endswith("patients by sex")
    only = shell("ledger", "show", "patients", "--analyst", "grace").out
    assert "patients by sex" not in only
    assert "  ada" not in only


def test_show_has_the_last_entries(shell: Shell, book: None) -> None:
    for number in range(3):
        why = f"query {number}"
        shell(
            "ledger", "spend", "patients", "--epsilon", "0.1", "--analyst", "ada", "--purpose", why
        )
    shown = shell("ledger", "show", "patients", "--last", "2").out
    assert "query 0" not in shown
    assert "query 1" in shown
    assert "query 2" in shown
    assert "4 entries in" in shown
    read = json.loads(shell("ledger", "show", "patients", "--last", "1", "--json").out)
    assert [each["purpose"] for each in read["entries"]] == ["query 2"]
    assert read["count"] == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["patient"], "there is no book 'patient'; did you mean 'patients'?"),
        (["patients", "--last", "0"], "--last takes a whole number of 1 or more"),
        (["patients", "--last", "ten"], "--last takes a whole number of 1 or more"),
        (["patients", "--analyst", " "], "analyst must be text"),
        (["--analyst", "ada"], "--analyst is shown for one dataset"),
        (["--last", "2"], "--last is shown for one dataset"),
    ],
)
def test_show_refuses_in_one_sentence(
    shell: Shell, book: None, arguments: list[str], sentence: str
) -> None:
    refuses(shell("ledger", "show", *arguments), sentence)


def test_spend_prints_the_receipt_and_what_is_left(shell: Shell, book: None) -> None:
    done = shell("ledger", "spend", "patients", "--epsilon", "0.1", *ADA)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "charged to patients"
    assert "  event    a step that is ε-differentially private with ε = 0.1" in lines
    assert lines[-1].endswith("10 % of 1-DP (add or remove one row) is spent, 0.9-DP is left")


def test_ten_tenths_fit_in_one_and_the_eleventh_does_not(shell: Shell, book: None) -> None:
    tenth = ("ledger", "spend", "patients", "--epsilon", "0.1", *ADA)
    assert [shell(*tenth).code for _ in range(10)] == [0] * 10
    refuses(shell(*tenth), "sfumato: refused, a step", code=3)
    assert left(shell) == "0"


def test_the_same_key_is_charged_once(shell: Shell, book: None) -> None:
    asked = ("ledger", "spend", "patients", "--epsilon", "0.4", *ADA, "--key", "monday", "--json")
    first, again = (json.loads(shell(*asked).out) for _ in range(2))
    assert first["receipt"] == again["receipt"]
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert left(shell) == "0.6"
    other = shell("ledger", "spend", "patients", "--epsilon", "0.1", *ADA, "--key", "monday")
    refuses(other, "was used for another request")


def test_spend_reads_a_file_of_events(shell: Shell, book: None, tmp_path: Path) -> None:
    steps = [{"event": "pure", "epsilon": "0.1"}, {"event": "pure", "epsilon": "0.2"}]
    path = tmp_path / "events.json"
    path.write_text(json.dumps({"version": 1, "events": steps}), encoding="utf-8")
    assert shell("ledger", "spend", "patients", "--event", path, *ADA).code == 0
    assert left(shell) == "0.7"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "give one of --event, --epsilon and --rho"),
        (["--epsilon", "0.1", "--rho", "0.1"], "give one of --event, --epsilon and --rho"),
        (["--event", "e.json", "--delta", "0.1"], "--delta goes with --epsilon"),
        (["--event", "nothing.json"], "there is no file 'nothing.json'"),
        (["--epsilon", "-0.1"], "--epsilon must"),
        (["--epsilon", "nan"], "--epsilon must be"),
        (["--epsilon", "inf"], "--epsilon must be"),
        (["--epsilon", "1e-400"], "between 1e-100 and 1e+100"),
        (["--epsilon", "a little"], "--epsilon must be"),
        (["--epsilon", "0"], "nothing to charge"),
        (["--epsilon", "0.1", "--receipt", "no-such-folder/r.json"], "nothing was charged"),
    ],
)
def test_what_is_no_charge_is_refused_and_nothing_is_written(
    shell: Shell, book: None, options: list[str], sentence: str
) -> None:
    refuses(shell("ledger", "spend", "patients", *options, *ADA), sentence)
    assert left(shell) == "1"


def test_who_and_why_have_to_be_said(shell: Shell, book: None) -> None:
    whole = ["ledger", "spend", "patients", "--epsilon", "0.1"]
    assert shell(*whole, "--analyst", "ada").code == 2
    assert shell(*whole, "--purpose", "by sex").code == 2
    refuses(shell(*whole, "--analyst", "", "--purpose", "by sex"), "analyst must be text")
    refuses(shell(*whole, "--analyst", "ada", "--purpose", " "), "purpose must be words")
    assert left(shell) == "1"


def test_export_has_every_entry_with_its_hash(shell: Shell, book: None) -> None:
    shell(
        "ledger",
        "spend",
        "patients",
        "--epsilon",
        "0.1",
        "--analyst",
        "ada",
        "--purpose",
        "Zoë\x9b",
    )
    done = shell("ledger", "export")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert done.out.isascii()
    assert [line["entry"]["kind"] for line in lines] == ["opening", "spending"]
    for line in lines:
        assert Entry(canonical(line["entry"])).hash == line["hash"]
        assert len(line["signature"]) == 128
    assert lines[1]["entry"]["purpose"] == "Zoë\x9b"


def test_export_as_a_table_has_one_line_a_charge(
    shell: Shell, book: None, place: Path, tmp_path: Path
) -> None:
    whole = ("ledger", "spend", "patients", "--epsilon", "0.1", "--analyst", "ada", "--purpose")
    shell(*whole, "=HYPERLINK(1)")
    shell(*whole, "two\nlines")
    receipt = an_orphan(place)
    path = tmp_path / "charges.csv"
    options = ("--format", "csv", "--output", path)
    assert shell("ledger", "export", "patients", *options).out == ""
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [row["purpose"] for row in rows] == ["'=HYPERLINK(1)", "two\\nlines", "by sex"]
    assert [row["released"] for row in rows] == ["elsewhere", "elsewhere", "not recorded"]
    assert rows[2]["receipt"] == receipt
    assert rows[0]["event"].endswith("ε = 0.1")


def test_the_table_has_the_digest_of_what_was_released(
    shell: Shell, book: None, place: Path
) -> None:
    with Ledger.open(place) as ledger:
        settled = ledger.book("patients").release(
            Laplace(scale=10), lambda: b"41", analyst="ada", purpose="by sex"
        )
    (row,) = csv.DictReader(io.StringIO(shell("ledger", "export", "--format", "csv").out))
    assert (row["released"], row["digest"]) == ("here", settled.receipt.digest)
    assert "answer to entry 2, 2 bytes" in shell("ledger", "show", "patients").out


@pytest.mark.parametrize("cell", ["=1", "+a", "-b", "@c", "\td", "\re", "-1+1", "+1_0"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert harmless(cell).startswith("'")


@pytest.mark.parametrize("cell", ["-1", "-2.5e-3", "+4", "ada", "", "a=b"])
def test_numbers_and_words_stay_as_they_are(cell: str) -> None:
    assert harmless(cell) == cell


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--format", "xml"], "there is no format 'xml' (known: 'json', 'csv')"),
        (["--output", "no-such-folder/all.json"], "cannot be written"),
        (["visits"], "there is no book 'visits'"),
    ],
)
def test_export_refuses_in_one_sentence(
    shell: Shell, book: None, options: list[str], sentence: str
) -> None:
    refuses(shell("ledger", "export", *options), sentence)


def test_recover_tells_of_a_charge_without_an_answer(shell: Shell, book: None, place: Path) -> None:
    assert "there is nothing to recover" in shell("ledger", "recover").out
    receipt = an_orphan(place)
    lines = shell("ledger", "recover").out.splitlines()
    assert lines[0] == "1 charge has no recorded answer"
    assert lines[1].endswith("it is spent either way")
    assert f"  receipt  {receipt}" in lines
    assert "  key      monday" in lines
    hint = "1 charge has no recorded answer: sfumato ledger recover patients"
    assert hint in shell("ledger", "show", "patients").out
    (read,) = json.loads(shell("ledger", "recover", "patients", "--json").out)["orphans"]
    assert (read["receipt"], read["key"], read["sequence"]) == (receipt, "monday", 2)


def test_recover_closes_a_charge_which_stays_spent(shell: Shell, book: None, place: Path) -> None:
    receipt = an_orphan(place)
    done = shell("ledger", "recover", "--close", receipt, "--reason", "the power failed")
    assert done.out == (
        "entry 2 of patients is closed: it stays spent, and nothing is released for it\n"
    )
    assert json.loads(shell("ledger", "recover", "--json").out) == {"orphans": []}
    assert left(shell) == "0.9"
    assert "the power failed" in shell("ledger", "show", "patients").out
    again = shell("ledger", "recover", "--close", receipt, "--reason", "again")
    refuses(again, "entry 2 of patients is closed ('the power failed') already, by entry 3")


@pytest.mark.parametrize("options", [["--close", "0f0f"], ["--reason", "it crashed"]])
def test_recover_wants_a_reason(shell: Shell, book: None, options: list[str]) -> None:
    refuses(shell("ledger", "recover", *options), "--close and --reason go together")


@pytest.mark.parametrize("verb", VERBS)
def test_help_names_the_variable_and_the_verb(shell: Shell, verb: str) -> None:
    done = shell("ledger", verb, "--help")
    assert done.code == 0
    assert "SFUMATO_LEDGER" in done.out
    assert f"\n  {verb} " in shell("ledger", "--help").out


@pytest.mark.parametrize("verb", ["show", "verify", "export", "recover"])
def test_without_a_ledger_there_is_a_hint(shell: Shell, verb: str, place: Path) -> None:
    make = f"sfumato ledger init DATASET --epsilon 1 --ledger {place}"
    sentence = f"there is no ledger at '{place}'; make one with {make}"
    refuses(shell("ledger", verb), sentence)
    assert not place.exists()


def test_words_from_outside_cannot_steer_the_terminal(shell: Shell, book: None) -> None:
    steering = ("--analyst", "ada", "--purpose", "\x1b[31mred\nNOT SOUND \x9b\u202e中文")
    shell("ledger", "spend", "patients", "--epsilon", "0.1", *steering)
    for verb in (["show", "patients"], ["show"], ["verify"], ["export", "--format", "csv"]):
        shown = shell("ledger", *verb).out
        assert all(each.isprintable() or each == "\n" for each in shown)
        assert "\nNOT SOUND" not in shown


def test_show_says_when_the_next_period_begins(shell: Shell, place: Path) -> None:
    shell("ledger", "init", "visits", "--epsilon", "1", "--per", "year")
    shown = shell("ledger", "show", "visits").out
    told = r"0 % used in (\d{4}), the next begins on (\d{4})-01-01: 0-DP is spent"
    found = re.search(told, shown)
    assert found
    year, following = map(int, found.groups())
    assert following == year + 1
    assert datetime.now(UTC).year in {year, following}
