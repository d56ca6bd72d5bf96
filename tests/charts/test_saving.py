"""A chart as a file: whole or not at all, refused before any work, and asking no network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.charts import files
from sfumato.charts.parts.style import altair
from sfumato.data import writing
from sfumato.errors import MissingExtraError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.printing.page import Chart

SCRIPT = re.compile(r"<script\b[^>]*>.*?</script>", re.DOTALL)
#: What makes a page fetch something, where it is no text inside a script.
FETCHES = re.compile(r"""<(?:link|img|iframe)\b|\b(?:src|href)\s*=|@import|url\(""")


@pytest.fixture(scope="module")
def chart() -> Chart:
    return sf.PureDP(epsilon=1).plot()


@pytest.mark.full
def test_a_page_holds_all_that_it_shows(chart: Chart, tmp_path: Path) -> None:
    sf.charts.save(chart, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"<script\b[^>]*\bsrc\b", page)
    assert not FETCHES.search(SCRIPT.sub("", page))
    assert '"values"' in page
    assert len(page) > 200_000


def test_the_search_for_fetches_finds_one() -> None:
    assert FETCHES.search('<link rel="stylesheet" href="https://example.org/a.css">')
    assert FETCHES.search(SCRIPT.sub("", "<script>1</script><img src='x'>"))


def test_pictures_are_made_without_a_browser(chart: Chart, tmp_path: Path) -> None:
    for name in ("a.png", "a.svg", "A.SVG"):
        sf.charts.save(chart, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (tmp_path / "A.SVG").is_file()


@pytest.mark.parametrize("name", ["a.pdf", "a", "a.html.txt", ".png", ""])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    with raises_code("E-OUTPUT-NAME"):
        sf.charts.check_picture(tmp_path / name if name else name)


def test_a_folder_or_a_missing_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "is.png").mkdir()
    for place in (tmp_path / "is.png", tmp_path / "none" / "a.png"):
        with raises_code("E-OUTPUT-UNWRITABLE"):
            sf.charts.check_picture(place)


def test_a_link_is_followed_and_stays_one(chart: Chart, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "link.svg").symlink_to(tmp_path / "kept" / "a.svg")
    for _ in range(2):
        sf.charts.save(chart, tmp_path / "link.svg")
        assert (tmp_path / "link.svg").is_symlink()
        assert (tmp_path / "kept" / "a.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_link_to_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.svg").symlink_to("/dev/null")
    (tmp_path / "b.svg").symlink_to(tmp_path / "none" / "b.svg")
    for name in ("a.svg", "b.svg"):
        with raises_code("E-OUTPUT-UNWRITABLE"):
            sf.charts.check_picture(tmp_path / name)


def test_a_folder_that_takes_no_file_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refusing(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(writing, "TemporaryDirectory", refusing)
    with raises_code("E-OUTPUT-UNWRITABLE"):
        sf.charts.check_picture(tmp_path / "a.svg")


def test_a_place_is_refused_before_anything_is_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(sf.charts, "guarantee", never)
    with raises_code("E-OUTPUT-NAME"):
        sf.PureDP(epsilon=1).plot(to=tmp_path / "a.pdf")
    with pytest.raises(AssertionError):
        sf.PureDP(epsilon=1).plot(to=tmp_path / "a.png")


def test_a_missing_part_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "_PARTS", ("altair", "no_such_part"))
    with raises_code("E-EXTRA-MISSING", kind=MissingExtraError):
        sf.charts.check_picture(tmp_path / "a.png")


def test_drawing_without_the_library_names_the_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    with raises_code("E-EXTRA-MISSING", kind=MissingExtraError):
        altair()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("before", encoding="utf-8")

    class Torn:
        def save(self, path: str, **_: object) -> None:
            Path(path).write_text("<sv", encoding="utf-8")
            raise OSError(28, "No space left on device")

    with pytest.raises((OSError, sf.errors.InputError)):
        sf.charts.save(Torn(), tmp_path / "a.svg")  # type: ignore[arg-type]
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["a.svg"]
