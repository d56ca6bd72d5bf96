"""The headlines: which cells of the kept results say how ours compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.reading import Cell, cell

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True)
class Other:
    """The floor or a peer: its name, and its figure, in our unit or so many of it.

    Where a result keeps a ratio only, that is `ratio`: ours over the other's.
    """

    name: str
    figure: Cell | None = None
    units: int = 1
    ratio: Cell | None = None

    def under(self, ours: Cell) -> Fraction:
        """Return our figure over the other's."""
        if self.figure is not None:
            return ours.value / (self.units * self.figure.value)
        if self.ratio is not None:
            return self.ratio.value
        message = f"{self.name} has neither a figure nor a ratio"
        raise LookupError(message)


@dataclass(frozen=True)
class Headline:
    """One line: the work, our figure, the floor, and the peer that comes nearest to ours.

    Where `speed` is set, the figures are speeds: more is better.
    """

    work: str
    unit: str
    ours: Cell
    floor: Other | None = None
    peer: Other | None = None
    speed: bool = False


@dataclass(frozen=True)
class Quality:
    """One line about how good an answer is: what is measured, ours, and the best peer's."""

    work: str
    measure: str
    ours: Cell
    peer: str
    theirs: Cell


GROUP_BY = "`GROUP BY` person, group"
FLOOR_ROW = "**floor**: GROUP BY person, group, then by group"
LARGE, SMALL = "10,000,000 rows", "100,000 rows"
SAMPLED = "a: 10,000 Gaussian, σ=1, rate 0.01, δ=1e-05"
DRAWS = "million draws a second"
ENGINES = "10,000,000 rows of 1,000,000 people"
SLOW_DISK = "The same where every flush takes a millisecond longer"
WHOLE, REAL = "integer Laplace, scale 10", "real Gaussian, scale 10"
ONE_RELEASE, ONE_REPORT = "median µs of one release", "µs of one report"

HEADLINES = (
    Headline(
        "count, sum and mean by 100 groups, 10 million rows of a million people",
        "s",
        cell("groupby", "seconds", "**sfumato**, limits declared", table=LARGE),
        Other(GROUP_BY, cell("groupby", "seconds", FLOOR_ROW, table=LARGE)),
        Other("OpenDP", cell("groupby", "seconds", "OpenDP 0.16.0 (Polars)", table=LARGE)),
    ),
    Headline(
        "the same, 100,000 rows",
        "s",
        cell("groupby", "seconds", "**sfumato**, limits declared", table=SMALL),
        Other(GROUP_BY, cell("groupby", "seconds", FLOOR_ROW, table=SMALL)),
        Other(
            "SmartNoise", cell("groupby", "seconds", "SmartNoise SQL 1.0.10 (pandas)", table=SMALL)
        ),
    ),
    Headline(
        "count and sum by 100 groups of 10 million rows, on PostgreSQL",
        "ms",
        cell("engines", "sfumato (ms)", "PostgreSQL", table=ENGINES),
        Other(
            GROUP_BY,
            ratio=cell("engines", "sfumato / bare bounded aggregate", "PostgreSQL", table=ENGINES),
        ),
    ),
    Headline(
        "the same, on Spark",
        "ms",
        cell("engines", "sfumato (ms)", "Spark", table=ENGINES),
        Other(
            GROUP_BY,
            ratio=cell("engines", "sfumato / bare bounded aggregate", "Spark", table=ENGINES),
        ),
    ),
    Headline(
        "exact whole-number Laplace noise, scale 10",
        "million a second",
        cell("noise", "mechanism", WHOLE, table=DRAWS),
        Other("numpy's floats, not exact", cell("noise", "numpy", WHOLE, table=DRAWS)),
        Other("python-dp", cell("noise", "python-dp 1.1.5", WHOLE, table=DRAWS)),
        speed=True,
    ),
    Headline(
        "exact real Gaussian noise, scale 10",
        "million a second",
        cell("noise", "mechanism", REAL, table=DRAWS),
        Other("numpy's floats, not exact", cell("noise", "numpy", REAL, table=DRAWS)),
        Other("python-dp, not exact", cell("noise", "python-dp 1.1.5", REAL, table=DRAWS)),
        speed=True,
    ),
    Headline(
        "one number released",
        "µs",
        cell("noise", "ours", WHOLE, table=ONE_RELEASE),
        Other(
            "`secrets.randbelow`",
            ratio=cell("noise", "ours / secrets.randbelow(2**64)", WHOLE, table=ONE_RELEASE),
        ),
        Other("python-dp", cell("noise", "python-dp 1.1.5", WHOLE, table=ONE_RELEASE)),
    ),
    Headline(
        "ε of 10,000 sampled Gaussian steps, against the peer with the narrowest answer",
        "ms",
        cell("accounting", "ours (ms)", SAMPLED),
        peer=Other("dp-accounting", ratio=cell("accounting", "ours / narrowest peer", SAMPLED)),
    ),
    Headline(
        "the same, against the fastest peer, whose ε is larger",
        "ms",
        cell("accounting", "ours (ms)", SAMPLED),
        peer=Other("autodp", ratio=cell("accounting", "ours / fastest peer", SAMPLED)),
    ),
    Headline(
        "a charge to a ledger in SQLite, where a flush takes a tenth of a millisecond",
        "ms",
        cell("ledger", "ours (ms)", "spend, pure ε", "SQLite"),
        Other(
            "a durable `INSERT`", ratio=cell("ledger", "ours / floor", "spend, pure ε", "SQLite")
        ),
    ),
    Headline(
        "the same, where a flush takes a millisecond",
        "ms",
        cell("ledger", "ours (ms)", "spend, pure ε", "SQLite", table=SLOW_DISK),
        Other(
            "a durable `INSERT`",
            ratio=cell("ledger", "ours / floor", "spend, pure ε", "SQLite", table=SLOW_DISK),
        ),
    ),
    Headline(
        "k of three million people, five quasi-identifiers",
        "ms",
        cell("risk", "sfumato (ms)", "k", "3,000,000"),
        Other(
            "`GROUP BY` in DuckDB", ratio=cell("risk", "sfumato / bare DuckDB", "k", "3,000,000")
        ),
        Other("pycanon", ratio=cell("risk", "sfumato / pycanon", "k", "3,000,000")),
    ),
    Headline(
        "the best generalisation of 30,162 people to k = 5, proved",
        "ms",
        cell("generalising", "ms", "sfumato, optimal", "0%"),
        Other(
            "one `GROUP BY` in DuckDB",
            ratio=cell("generalising", "/ bare GROUP BY", "sfumato, optimal", "0%"),
        ),
        Other("anjana, not proved", cell("generalising", "ms", "anjana 1.2.3", "0%")),
    ),
    Headline(
        "ten rounds of k-means, a million points, 8 coordinates, 8 centres",
        "ms",
        cell("kmeans-speed", "ms", "lloyd"),
        Other("scikit-learn, not private", cell("kmeans-speed", "ms", "scikit-learn")),
        Other("diffprivlib", cell("kmeans-speed", "ms", "diffprivlib")),
    ),
    Headline(
        "a round of k-means, 100 million points, 16 coordinates, 32 centres, on a GPU",
        "ms",
        cell("kmeans-device", "ms", "sums"),
        Other("reading the points once", cell("kmeans-device", "ms", "reading once")),
        Other("plain torch, not private", cell("kmeans-device", "ms", "plain torch")),
    ),
    Headline(
        "a survey of a million people, 100 choices, by randomized response",
        "ms",
        cell("survey", "ms", "response"),
        Other("`np.bincount`, not private", ratio=cell("survey", "/ bincount", "response")),
        Other("multi-freq-ldpy", cell("survey", "multi-freq-ldpy (s)", "response"), units=1000),
    ),
    Headline(
        "the same, by the protocol with the least error",
        "ms",
        cell("survey", "ms", "subset"),
        Other("`np.bincount`, not private", ratio=cell("survey", "/ bincount", "subset")),
        Other("multi-freq-ldpy", cell("survey", "multi-freq-ldpy (s)", "subset"), units=1000),
    ),
    Headline(
        "one person's report",
        "µs",
        cell("survey", "sfumato", "response", table=ONE_REPORT),
        peer=Other(
            "pure-ldp, coins not secret", cell("survey", "pure-ldp", "response", table=ONE_REPORT)
        ),
    ),
    Headline(
        "ten million reports in a CSV file",
        "s of processors",
        cell("survey-files", "s", "response, csv"),
        Other("`GROUP BY` in DuckDB", ratio=cell("survey-files", "/ floor", "response, csv")),
    ),
    Headline(
        "entropy of a joint table of a million outcomes",
        "ms",
        cell("information", "sfumato (ms)", "entropy, 1,000,000 outcomes"),
        Other("numpy", ratio=cell("information", "sfumato / numpy", "entropy, 1,000,000 outcomes")),
        Other("dit", ratio=cell("information", "sfumato / dit", "entropy, 1,000,000 outcomes")),
    ),
    Headline(
        "entropy of five columns of a file of ten million rows",
        "ms",
        cell("columns", "sfumato (ms)", "entropy of 5 columns, 10,000,000 rows"),
        Other(
            "`GROUP BY` in DuckDB",
            ratio=cell(
                "columns", "sfumato / bare GROUP BY", "entropy of 5 columns, 10,000,000 rows"
            ),
        ),
    ),
    Headline(
        "`import sfumato`",
        "ms",
        cell("import_time", "sfumato (ms)", "import sfumato"),
        Other("`import numpy`", ratio=cell("import_time", "sfumato / numpy", "import sfumato")),
        Other("`import pandas`", ratio=cell("import_time", "sfumato / pandas", "import sfumato")),
    ),
)

QUALITIES = (
    Quality(
        "count by 100 groups, 10 million rows, ε = 1 for a person",
        "median relative error, with what limits leave out",
        cell("groupby", "error of count", "**sfumato**, limits chosen privately", table=LARGE),
        "SmartNoise",
        cell("groupby", "error of count", "SmartNoise SQL 1.0.10 (pandas)", table=LARGE),
    ),
    Quality(
        "real Laplace noise that guarantees ε = 1",
        "the ε that outputs alone prove",
        cell("audit_peers", "ε is at least", "sfumato 0.1.0", "Laplace, real"),
        "diffprivlib",
        cell("audit_peers", "ε is at least", "diffprivlib 0.6.6", "Laplace, real"),
    ),
    Quality(
        "real Laplace noise that guarantees ε = 1",
        "the ε that outputs alone prove",
        cell("audit_peers", "ε is at least", "sfumato 0.1.0", "Laplace, real"),
        "OpenDP",
        cell("audit_peers", "ε is at least", "opendp 0.16.0", "laplace, real"),
    ),
    Quality(
        "10,000 sampled Gaussian steps",
        "certified ε",
        cell("accounting", "ε upper", "a", "sfumato bounds"),
        "dp-accounting, PLD 1e-5",
        cell("accounting", "ε upper", "a", "dp-accounting PLD 1e-5"),
    ),
    Quality(
        "k-means of Adult, 5 centres, ε = 0.1",
        "mean square distance from the nearest centre",
        cell("kmeans", "auto", "0.1", table="Adult"),
        "diffprivlib",
        cell("kmeans", "diffprivlib", "0.1", table="Adult"),
    ),
    Quality(
        "k-means of Adult, 5 centres, ε = 1",
        "mean square distance from the nearest centre",
        cell("kmeans", "auto", "1", table="Adult"),
        "diffprivlib",
        cell("kmeans", "diffprivlib", "1", table="Adult"),
    ),
    Quality(
        "a survey of 10,000 people, 100 choices, ε = 1, unbiased shares",
        "mean square error times people",
        cell("survey-error", "sfumato", "1", "**auto**: subset; peers' best"),
        "pure-ldp",
        cell("survey-error", "pure-ldp", "1", "**auto**: subset; peers' best"),
    ),
    Quality(
        "the same, ε = 0.5, shares cut at 0 and scaled to the sum 1",
        "mean square error times people",
        cell("survey-error", "consistent", "0.5", "**auto**: subset; peers' best"),
        "multi-freq-ldpy",
        cell("survey-error", "multi-freq-ldpy", "0.5", "**auto**: subset; peers' best"),
    ),
    Quality(
        "Adult generalised to k = 5 by whole columns, no row suppressed",
        "bits lost",
        cell("generalising", "bits lost", "sfumato, optimal", "0%"),
        "anjana",
        cell("generalising", "bits lost", "anjana 1.2.3", "0%"),
    ),
)
