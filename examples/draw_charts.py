"""Draw the pictures of docs/charts.md again: ``python -m examples.draw_charts [NAME ...]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sfumato as sf
from examples.a_year_of_charges import a_year_of_charges
from examples.newspaper import CODE, LETTERS, UNSEEN, train, train_privately
from sfumato.application.auditing import audit_target
from sfumato.audit import canaries, exposure, extraction
from sfumato.information import Joint, PrefixCode, huffman
from sfumato.risk import risk

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.printing.page import Chart
    from sfumato.privacy import Guarantee
    from sfumato.risk import Exposure

__all__ = ["PICTURES", "draw"]

FOLDER = Path(__file__).parents[1] / "docs" / "charts"


def _budget() -> Chart:
    with a_year_of_charges() as ledger:
        return ledger.plot("patients")


def _exposure() -> Exposure:
    return risk("examples/patients.csv", quasi=["age", "sex", "department"], sensitive="smoker")


def _thousand_questions() -> dict[str, Guarantee]:
    questions = sf.compose(sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1), count=1000)
    return {"basic": sf.PureDP(epsilon=100), "all that is known": questions}


def _audit() -> Chart:
    return audit_target("examples.mechanisms:half_the_noise", d0="[0]", d1="[1]", epsilon=1).plot(
        "rates"
    )


def _answer(*by: str, **asked: Any) -> Chart:
    departments = ["cardiology", "dermatology", "emergency", "oncology", "orthopaedics"]
    patients = sf.table(
        "examples/patients.csv",
        unit="patient_id",
        bounds={"age": (0, 110)},
        keys={"sex": ["F", "M"], "department": departments},
    )
    return patients.group_by(*by).agg(**asked).release(epsilon=1).plot()


def _centres() -> Chart:
    bounds = {"orders": (0, 80), "basket": (0, 250)}
    shoppers = sf.table("examples/shoppers.csv", unit="customer", bounds=bounds)
    return sf.KMeans(n_clusters=3, epsilon=1).fit(shoppers).plot()


def _survey() -> Chart:
    questions = {
        "cheated": {"choices": ["yes", "no"], "truth": "2/3"},
        "hours": {"bounds": (0, 24), "epsilon": 1},
    }
    survey = sf.Survey(questions, name="class")
    return sf.survey.simulate(survey, 2000, shares={"cheated": {"yes": 0.3}}).estimate().plot()


_FORMS = {"plain": train, "private": train_privately}


def _canaries() -> Chart:
    drawn = canaries(CODE, 100)
    reports = {
        name: exposure(form(LETTERS + drawn).score, drawn, space=CODE, epsilon=1)
        for name, form in _FORMS.items()
    }
    return sf.charts.canaries(reports)


def _extraction() -> Chart:
    reports = {
        name: extraction(form(LETTERS).continue_text, LETTERS, controls=UNSEEN)
        for name, form in _FORMS.items()
    }
    return sf.charts.extraction(reports)


def _patients() -> Joint:
    return Joint.from_columns(
        {
            "smoker": ["yes", "no", "yes", "no", "no", "no"],
            "diagnosis": ["cancer", "arthritis", "cancer", "flu", "flu", "arthritis"],
        }
    )


def _diseases() -> PrefixCode:
    return huffman({"flu": 5, "cold": 2, "asthma": 2, "gout": 1, "mumps": 1})


#: Each picture by the name of its file.
PICTURES: dict[str, Callable[[], Chart]] = {
    "answer": lambda: _answer("department", n=sf.count(), age=sf.mean("age")),
    "answer-table": lambda: _answer("department", "sex", n=sf.count()),
    "canaries": _canaries,
    "centres": _centres,
    "extraction": _extraction,
    "survey": _survey,
    "audit": _audit,
    "budget": _budget,
    "code-lengths": lambda: _diseases().plot(),
    "entropy-one-event": lambda: sf.charts.binary_entropy(0.25),
    "entropy-shared": lambda: _patients().plot(),
    "entropy-two-events": lambda: sf.charts.two_events(0.5, 0.25),
    "privacy-loss": lambda: sf.mechanisms.Laplace(epsilon=1, sensitivity=1).plot(of="loss"),
    "exposure-classes": lambda: _exposure().plot("classes"),
    "exposure-columns": lambda: _exposure().plot("columns"),
    "exposure-information": lambda: _exposure().plot("information"),
    "laplace-densities": sf.charts.laplace_densities,
    "mechanism": lambda: sf.mechanisms.DiscreteLaplace(epsilon=0.5).plot(42),
    "posterior": lambda: sf.PureDP(epsilon=1).plot("posterior"),
    "profile": lambda: sf.charts.guarantees(_thousand_questions()),
    "trade-off": lambda: sf.privacy.GaussianDP(mu=1).plot("trade-off"),
}


def draw(*names: str) -> None:
    """Draw the pictures of these names, or all of them."""
    for name in names or PICTURES:
        sf.charts.save(PICTURES[name](), FOLDER / f"{name}.svg")
        sys.stdout.write(f"docs/charts/{name}.svg\n")


if __name__ == "__main__":
    draw(*sys.argv[1:])
