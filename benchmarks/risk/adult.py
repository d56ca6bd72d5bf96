"""Figures of UCI Adult beside references: `python -m benchmarks.risk.adult [FOLDER]`.

The folder has `adult.csv` (30,162 rows) as distributed with ARX.  The references were computed
apart from this project, with Nelder and Mead's search for the likeliest distribution of Pitman.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.interpreters import ROOT
from benchmarks.measure import markdown, save
from sfumato.data import open_source
from sfumato.risk import risk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.data import Source
    from sfumato.risk import Exposure

SMALL, LARGE = 301_620, 3_016_200
DEFAULT = ROOT.parent / "shared" / "data" / "adult"


@dataclass(frozen=True)
class Reference:
    """What is expected of some quasi-identifiers, to the digits given."""

    title: str
    columns: tuple[str, ...]
    classes: str
    uniques: str
    pairs: str
    entropy: str
    theta: str
    alpha: str
    small: tuple[str, str]
    large: tuple[str, str]


ALL = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
)
REFERENCES = (
    Reference(
        "sex, age, race",
        ("sex", "age", "race"),
        classes="528",
        uniques="62",
        pairs="59",
        entropy="7.28979112",
        theta="89.429991",
        alpha="0.00436367",
        small=("92.66", "38.42"),
        large=("93.59", "64.04"),
    ),
    Reference(
        "+ native-country",
        ("sex", "age", "race", "native-country"),
        classes="2087",
        uniques="1215",
        pairs="338",
        entropy="7.86332401",
        theta="13.355056",
        alpha="0.58634162",
        small=("4812.85", "4951.26"),
        large=("18567.11", "18651.13"),
    ),
    Reference(
        "all 8",
        ALL,
        classes="18109",
        uniques="14021",
        pairs="2026",
        entropy="13.59510497",
        theta="2559.863788",
        alpha="0.70003156",
        small=("72139.03", "82637.15"),
        large=("361577.91", "674264.16"),
    ),
)


def main(folder: str | None = None) -> None:
    """Measure, print and save."""
    path = Path(folder) if folder else DEFAULT
    if not (path / "adult.csv").is_file():
        sys.exit(f"there is no adult.csv in {path}; name the folder that has it")
    source = open_source(path / "adult.csv")
    lines = [["quasi-identifiers", "figure", "sfumato", "reference", "agrees"]]
    for reference in REFERENCES:
        lines += _compared(reference, source)
    save("risk_adult", "python -m benchmarks.risk.adult", markdown(lines), note=_NOTE)


_NOTE = (
    "Agrees: to the last digit of the reference, or, for the likeliest distribution of Pitman, to "
    "1e-5 of it, which is how near the reference's search came: ours are likelier (a test shows it "
    "by balls of 60 digits)."
)


def _compared(reference: Reference, source: Source) -> Iterator[list[str]]:
    small, large = (
        risk(source, quasi=reference.columns, population=size, combinations=1, rows=0)
        for size in (SMALL, LARGE)
    )
    for figure, ours, theirs, fitted in _figures(reference, small, large):
        yield [reference.title, figure, *_beside(ours, theirs, fitted=fitted)]


def _figures(
    wanted: Reference, small: Exposure, large: Exposure
) -> Iterator[tuple[str, float, str, bool]]:
    classes = small.classes
    yield "classes", classes.total, wanted.classes, False
    yield "uniques", classes.uniques, wanted.uniques, False
    yield "pairs", classes.of_size(2), wanted.pairs, False
    yield "entropy, bits", classes.entropy, wanted.entropy, False
    distribution = small.population.distribution if small.population else None
    if distribution is not None:
        yield "Pitman θ", distribution.theta, wanted.theta, True
        yield "Pitman α", distribution.alpha, wanted.alpha, True
    for size, report, theirs in ((SMALL, small, wanted.small), (LARGE, large, wanted.large)):
        if report.population is not None:
            pitman = report.population.pitman or math.nan
            yield f"N={size}: uniques by Pitman", pitman, theirs[0], True
            yield f"N={size}: uniques by Zayatz", report.population.zayatz, theirs[1], False


def _beside(ours: float, theirs: str, *, fitted: bool) -> list[str]:
    shown = f"{ours:.{len(theirs.partition('.')[2])}f}"
    near = fitted and math.isclose(ours, float(theirs), rel_tol=1e-5)
    same = "yes" if shown == theirs else "to 1e-5" if near else "NO"
    return [shown, theirs, same]


if __name__ == "__main__":
    main(*sys.argv[1:])
