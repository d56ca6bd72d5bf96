"""The textbook's hospitals: the walk says what is so, in both languages (M-RISK-1 to M-RISK-4)."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from sfumato.application.demo import copy_tables, hospital_table, walk_hospital
from sfumato.application.demo.tables import Language, Name
from sfumato.application.demo.walk import CUT
from sfumato.printing.layout import places
from sfumato.risk import anonymize
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.application.demo import Walk
    from tests.cli.conftest import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
ILLNESS: dict[Language, str] = {"en": "AIDS", "zh": "艾滋病"}


@pytest.fixture(scope="module", params=get_args(Language))
def language(request: pytest.FixtureRequest) -> Language:
    spoken: Language = request.param
    return spoken


@pytest.fixture(scope="module")
def walk(language: Language) -> Walk:
    return walk_hospital(language=language)


@pytest.mark.parametrize("name", get_args(Name))
def test_the_examples_are_the_tables_that_ship(name: Name, language: Language) -> None:
    shipped = hospital_table(name, language=language).path
    assert shipped.read_bytes() == (EXAMPLES / shipped.name).read_bytes()


def test_everybody_is_unique_and_one_figure_tells_the_illness(
    walk: Walk, language: Language
) -> None:
    table, unique, linked = walk.steps[0].shown
    assert len(table.lines) == 10
    assert unique.lines[0].startswith("9 of 9 rows are unique")
    assert ILLNESS[language] in linked.lines[0]
    assert "for certain" in linked.lines[0]


def test_the_search_finds_the_textbook_s_table(language: Language) -> None:
    table = hospital_table("hospital-a", language=language)
    quasi = [table.columns[each] for each in ("age", "sex", "zip", "smoker")]
    found = anonymize(
        table.path,
        quasi=quasi,
        k=2,
        sensitive=table.columns["diagnosis"],
        remove=table.columns["name"],
    )
    printed = hospital_table("hospital-a-generalised", language=language).path
    lines = printed.read_text("utf-8").splitlines()
    rows = [",".join(each.values()) for each in found.to_arrow().to_pylist()]
    assert sorted(rows) == sorted(lines[1:])
    assert found.search.proved


def test_the_intersection_pins_one_kind_of_person(walk: Walk, language: Language) -> None:
    table, found = walk.steps[2].shown
    assert len(table.lines) == 7
    assert "with certainty 1 for 1 kind of person" in found.lines[0]
    assert ILLNESS[language] in found.lines[2]


def test_the_answer_is_private(walk: Walk) -> None:
    *_, guarantee, cut = walk.steps[3].shown[0].lines
    assert guarantee.startswith("1-DP (add or remove one ")
    assert cut == CUT


def test_it_fits_a_terminal(walk: Walk) -> None:
    assert max(map(places, walk.lines())) <= 80


@pytest.mark.full
def test_the_commands_that_are_shown_say_what_is_shown(
    language: Language, walk: Walk, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_tables(str(tmp_path), language=language)
    monkeypatch.chdir(tmp_path)
    for shown in (each for step in walk.steps for each in step.shown if each.command):
        program, *arguments = shlex.split(shown.command)
        done = shell(*arguments)
        assert (program, done.code) == ("sfumato", 0), done.err
        assert done.out.startswith(shown.lines[0])
        assert shown.lines[-1] == CUT
        assert len(done.out.splitlines()) > len(shown.lines)


def test_tables_are_not_written_over(tmp_path: Path) -> None:
    copy_tables(str(tmp_path))
    (tmp_path / "hospital-a.csv").unlink()
    with raises_code("E-OUTPUT-EXISTS"):
        copy_tables(str(tmp_path))
    assert not (tmp_path / "hospital-a.csv").exists()


def test_a_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    copies = copy_tables(str(tmp_path / "new" / "tables"))
    assert [each.parent for each in copies] == [tmp_path / "new" / "tables"] * 3
    with raises_code("E-OUTPUT-UNWRITABLE"):
        copy_tables(str(copies[0]))
    with raises_code("E-OUTPUT-UNWRITABLE"):
        copy_tables(str(copies[0] / "below"))


@pytest.mark.parametrize("option", ["--folder", "--tables"])
def test_the_shell_walks(shell: Shell, tmp_path: Path, option: str) -> None:
    done = shell("demo", "hospital", option, tmp_path)
    assert done.code == 0
    assert done.out.startswith("Two hospitals, one patient")
    assert done.out.endswith(f"to repeat the commands on: cd {tmp_path}\n")
    assert done.err.startswith("sfumato: copied hospital-a.csv")


@pytest.mark.full
def test_a_reader_along_goes_on_by_enter_and_ends_it_by_q(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["", "q"])
    monkeypatch.setattr("sfumato.cli.demo.hospital.can_pause", lambda: True)
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    done = shell("demo", "hospital")
    assert done.code == 0
    assert done.err.count("Enter: on to") == 2
    assert "\n2. So it generalises" in done.out
    assert "\n3. " not in done.out
    assert "\nEnded after 2 of 4 steps.\nThe tables, to repeat" in done.out


@pytest.mark.full
def test_no_pause_waits_for_nobody(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.cli.demo.hospital.can_pause", lambda: True)
    done = shell("demo", "hospital", "--no-pause")
    assert (done.code, done.err) == (0, "")
    assert "\n4. Instead of a table" in done.out
    assert "Ended" not in done.out


@pytest.mark.full
def test_a_narrow_terminal_breaks_sentences_and_no_table(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = shell("demo", "hospital").out.splitlines()
    assert "  Li Mei         55   female  190146  no      ulcerative gastritis" in lines
    assert "    50-60  female  1901**  AIDS             100 %  2 → 1   1 / 1" in lines
    assert "  Whoever knows her age, and that she was there, knows what" in lines
    assert lines[-1].endswith("sfumato demo hospital --folder hospital")


def test_the_tables_are_in_the_language_that_is_spoken(shell: Shell) -> None:
    done = shell("--lang", "zh", "demo", "hospital")
    assert done.code == 0
    assert "李梅" in done.out
    assert done.out.splitlines()[-1].endswith("sfumato --lang zh demo hospital --folder hospital")
