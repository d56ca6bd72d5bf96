"""Lies about noise that an interval has to hold: parts with noise of several sizes or kinds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.privacy.events.base import plain
from tests.audit.certificate.lies import document, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, Any]


def charged_apart(given: Document, place: int, epsilon: str) -> None:
    """Charge a step by itself, with the Laplace noise of that."""
    step = given["steps"][place]
    scale = plain(Fraction(step["sensitivity"]) / Fraction(epsilon))
    step |= {"event": {"epsilon": epsilon, "event": "pure"}, "with": None}
    step |= {"noise": {"noise": "discrete_laplace", "scale": scale}}
    if step["limit"] is not None:
        step["limit"]["norm"] = "l1"
    events = [each["event"] for each in given["steps"] if each["event"] is not None]
    given["event"] = {"event": "composed", "of": events}


def columns(given: Document) -> dict[str, list[Any]]:
    return {each["name"]: each["values"] for each in given["answers"]["columns"]}


def one_part_drowned(given: Document) -> None:
    """The lower part has a thousand times the noise, and bars are for the upper one."""
    charged_apart(given, 0, "0.999")
    charged_apart(given, 1, "0.001")


def three_parts_apart(given: Document) -> None:
    found = columns(given)
    for place, epsilon in zip(given["made_of"]["n"], ("0.2", "0.2", "0.1"), strict=True):
        charged_apart(given, place, epsilon)
    found["n_low"][:] = found["n_high"][:] = found["n"]
    found["age_low"][:], found["age_high"][:] = [0.0, 0.0], [110.0, 110.0]


def a_part_of_another_kind(given: Document) -> None:
    given["guarantee"]["rho"] = "1"
    charged_apart(given, given["made_of"]["n"][2], "1")


LIES = [
    ("people joined", one_part_drowned, "two parts of a column with different noise"),
    ("rows", three_parts_apart, "not of one kind and size"),
    ("gaussian", a_part_of_another_kind, "not of one kind and size"),
]


@pytest.mark.parametrize(
    ("case", "lie", "sentence"), LIES, ids=lambda each: getattr(each, "__name__", None)
)
def test_bars_of_parts_with_other_noise_do_not_hold(
    case: str, lie: Callable[[Document], None], sentence: str
) -> None:
    given = document(case)
    lie(given)
    assert sentence in problem(given)


def test_parts_that_are_charged_apart_alike_hold() -> None:
    """The twin: what is refused is the noise, not that parts are charged apart."""
    given = document("people joined")
    charged_apart(given, 0, "1")
    charged_apart(given, 1, "1")
    given["guarantee"]["epsilon"] = "2"
    assert problem(given) == ""
