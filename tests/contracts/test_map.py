"""The map of the house and its table of rooms are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.contracts.house import MAY_IMPORT
from tests.contracts.map import PICTURE, drawn, house, questions

GUIDE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def test_the_picture_is_that_of_the_code() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "run: python -m tests.contracts.map"


def test_the_table_has_every_room_and_its_own_words() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", text, re.MULTILINE))
    wanted = {name: said for name, said in questions().items() if not name.startswith("__")}
    assert {name: rows.get(name) for name in wanted} == wanted


def test_every_arrow_goes_down_and_is_allowed() -> None:
    plan = house()
    assert len(plan.arrows) >= len(plan.floors) - 1
    for above, below in plan.arrows:
        assert plan.floors[above] > plan.floors[below]
        assert below in MAY_IMPORT[above]


def test_the_picture_shows_every_room_once() -> None:
    shown = ET.fromstring(drawn())  # noqa: S314, since it was made here
    bold = [each.text for each in shown.iter() if each.get("font-weight") == "bold"]
    assert sorted(map(str, bold)) == sorted(
        "sfumato" if name == "__init__" else name for name in house().floors
    )
