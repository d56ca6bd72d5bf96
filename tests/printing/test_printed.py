"""What a report shows cannot steer a terminal, and every exact figure says that it is one."""

from __future__ import annotations

import inspect

import pandas as pd
import pytest

from sfumato import risk
from sfumato.printing.printed import NOT_PRIVATE, NotPrivate, Printed

SAID = "ill\x1b]0;mine\x07\nnot a line of its own <b>"


class _Said(Printed):
    def lines(self) -> list[str]:
        return [SAID, "second"]


def test_a_report_cannot_steer_a_terminal() -> None:
    assert str(_Said()).splitlines() == [
        r"ill\x1b]0;mine\x07\nnot a line of its own <b>",
        "second",
    ]


def test_a_report_cannot_write_a_page() -> None:
    page = _Said()._repr_html_()
    assert "<b>" not in page
    assert "\x1b" not in page


#: What makes hierarchies, and a table that is made up, tell nothing of people.
MAKERS = {"bands", "date_bands", "groups", "prefixes", "read_hierarchy", "suppress"}
MEASURES = [
    name
    for name in risk.__all__
    if inspect.isfunction(getattr(risk, name)) and name not in {*MAKERS, "sparse_ratings"}
]


@pytest.mark.parametrize("name", MEASURES)
def test_what_comes_out_of_the_room_says_that_it_is_not_private(name: str) -> None:
    """Every function that measures people returns the type that says so."""
    function = getattr(risk, name)
    result = getattr(risk, inspect.signature(function).return_annotation)
    assert issubclass(result, NotPrivate)


def test_it_is_said_in_every_form() -> None:
    found = risk.risk(pd.DataFrame({"age": [56]}), quasi="age")
    assert str(found).splitlines()[-1] == NOT_PRIVATE
    assert found.as_dict()["private"] is False
    assert NOT_PRIVATE in found.to_html()
