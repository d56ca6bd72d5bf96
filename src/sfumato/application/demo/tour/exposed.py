"""The first stops: how exposed the table is, and an attack on exact counts about it.

What a stop needs is loaded when it is visited, so that the first appears soon.
"""

from __future__ import annotations

from sfumato.application.demo.tour.files import PATIENTS
from sfumato.application.demo.tour.stop import Picture, Seen, Stop
from sfumato.application.demo.walk import Shown, beginning
from sfumato.charts import to_svg
from sfumato.translation import mark, tr

__all__ = ["ATTACKED", "EXPOSED"]

_QUASI = ("age", "sex", "visited")
_PERSON = {"age": "20", "sex": "M", "visited": "2025-02-13"}
_EPSILONS = (100, 10, 1)
#: How many lines of the report are shown: who is unique, k, and who is at risk.
_TOLD = 3


def _exposed() -> Seen:
    from sfumato.risk import link, risk

    found = risk(PATIENTS, quasi=_QUASI, sensitive=["department"])
    linked = link(PATIENTS, _PERSON, sensitive="department")
    known = ",".join(f"{name}={value}" for name, value in _PERSON.items())
    return Seen(
        (
            Shown(
                f"sfumato risk {PATIENTS} --quasi {','.join(_QUASI)} --sensitive department",
                beginning(found, _TOLD),
            ),
            Shown(
                f"sfumato attack link {PATIENTS} --person {known} --sensitive department",
                beginning(linked, 1),
            ),
        ),
        tr(
            "An equivalence class has all rows with the same quasi-identifiers, and k is the size "
            "of the smallest; 1 is a unique row. No name is in the table, and none is needed: "
            "whoever knows his age, and the day on which he went, knows what he went for. (Nobody "
            "here exists: the table is made up, and comes with sfumato. “…” stands for lines that "
            "are left out here.)"
        ),
        (
            Picture(
                tr("How likely it is to find somebody in the table, for who knows these columns"),
                lambda: to_svg(found.plot("columns")),
            ),
        ),
    )


def _attacked() -> Seen:
    from sfumato.application.risk.reconstructing import attack_column

    found = attack_column(PATIENTS, "smoker", value="yes", epsilons=_EPSILONS)
    listed = ",".join(map(str, _EPSILONS))
    return Seen(
        (
            Shown(
                f"sfumato attack reconstruct {PATIENTS} --column smoker=yes --epsilon {listed}",
                tuple(found.lines()),
            ),
        ),
        tr(
            "Exact counts of random halves tell who smokes, row by row. To be quick, the "
            "attack is shown on 200 rows, with the share of smokers that all 1,449 have. "
            "Noise of the listed scale on each count stops it: at ε = 1 for all answers "
            "together it does no better than a guess without any answer. What is allowed on "
            "average holds for any attack, if the values are independent."
        ),
        (
            Picture(
                tr("The smaller ε, the more noise is on each count, and the less the attack finds"),
                lambda: to_svg(found.plot()),
            ),
        ),
    )


EXPOSED = Stop(
    mark("A hospital has a table of 1,449 visits. How exposed are the people in it?"),
    mark("measuring re-identification risk"),
    _exposed,
)
ATTACKED = Stop(
    mark("So it keeps the rows, and publishes exact counts alone. They are attacked, too."),
    mark("solving for who smokes"),
    _attacked,
)
