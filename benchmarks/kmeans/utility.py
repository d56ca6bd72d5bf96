"""The cost of private centres: `python -m benchmarks.kmeans.utility`.

The noise of ours comes from seeds, so that every figure but diffprivlib's on another version of
its libraries can be had again.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from benchmarks.drawing import Panel, picture
from benchmarks.interpreters import ROOT
from benchmarks.kmeans.asking import PEER, ask, label
from benchmarks.kmeans.clouds import Cloud, clouds
from benchmarks.measure import markdown, save
from sfumato.learning.kmeans.estimator import KMeans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EPSILONS = (0.05, 0.1, 0.5, 1, 2)
SEEDS = 20
PLAIN, AUTO, BLIND = "not private", "auto", "auto, no size"
DRAWN, LINES = ("S1", "Adult"), (PLAIN, AUTO, "rounds", "grid", "lloyd", PEER)
PICTURE = ROOT / "docs" / "learning" / "cost-against-epsilon.svg"
NOTE = (
    f"Mean square distance of points from the nearest centre, coordinates scaled to [-1, 1]: mean "
    f"± standard deviation over {SEEDS} seeds; lower is better."
)


@dataclass(frozen=True)
class Found:
    """The costs of one method at one ε."""

    costs: Sequence[float]

    def __str__(self) -> str:
        mean, spread = fmean(self.costs), stdev(self.costs)
        places = 5 if mean < 0.1 else 4
        return f"{mean:.{places}f} ± {spread:.{places}f}"

    @property
    def mean(self) -> float:
        """The mean cost."""
        return fmean(self.costs)

    @property
    def sure(self) -> float:
        """The mean less two standard errors."""
        return self.mean - 2 * stdev(self.costs) / math.sqrt(len(self.costs))


@dataclass(frozen=True)
class Compared:
    """What every method costs at every ε, and what the best centres cost without privacy."""

    cloud: Cloud
    plain: float
    found: Mapping[str, Mapping[float, Found]]

    @classmethod
    def of(cls, cloud: Cloud) -> Compared:
        """Run everything."""
        ours = {
            name: {epsilon: _ours(cloud, epsilon, told) for epsilon in EPSILONS}
            for name, told in ways(cloud).items()
        }
        return cls(cloud, _plain(cloud), ours | _peers(cloud))

    def table(self) -> str:
        """Return the table of one cloud."""
        lines = [["ε", *self.found, "reference", "auto beats both"]]
        for epsilon in EPSILONS:
            reference = self.cloud.references.get(epsilon)
            shown = "–" if reference is None else f"{reference:g}"
            row = [str(each[epsilon]) for each in self.found.values()]
            lines.append([f"{epsilon:g}", *row, shown, self._verdict(epsilon, reference)])
        return f"## {self.cloud}\n\nNot private: {self.plain:.5f}.\n\n{markdown(lines)}"

    def _verdict(self, epsilon: float, reference: float | None) -> str:
        """Tell if auto is no worse than the reference within noise, and better than the peer."""
        auto, peer = self.found[AUTO][epsilon], self.found.get(PEER, {}).get(epsilon)
        agreed = [] if reference is None else [auto.sure <= reference]
        agreed += [] if peer is None else [auto.mean < peer.mean]
        return "–" if not agreed else "yes" if all(agreed) else "NO"

    def panel(self) -> Panel:
        """Return what is drawn of one cloud."""
        costs = {
            name: {e: each.mean for e, each in row.items()} for name, row in self.found.items()
        }
        costs[PLAIN] = dict.fromkeys(EPSILONS, self.plain)
        lines = {name: list(costs[name].items()) for name in LINES if name in costs}
        return Panel(f"cost of {self.cloud}", lines)


def ways(cloud: Cloud) -> dict[str, dict[str, Any]]:
    """Return what ours are told, by the name of the column."""
    size = len(cloud.points)
    return {
        AUTO: {"size": size},
        BLIND: {},
        "rounds": {"size": size, "method": "rounds"},
        "grid": {"size": size, "method": "grid"},
        "lloyd": {"method": "lloyd", "rounds": 5},
    }


def _ours(cloud: Cloud, epsilon: float, told: Mapping[str, Any]) -> Found:
    costs = []
    for seed in range(SEEDS):
        model = KMeans(
            cloud.clusters, epsilon=epsilon, bounds=(-1, 1), random_state=seed, **told
        ).fit(cloud.points)
        costs.append(cloud.cost(model.cluster_centers_))
    return Found(costs)


def _peers(cloud: Cloud) -> dict[str, dict[float, Found]]:
    answer = ask(cloud.points, cloud.clusters, EPSILONS, seeds=SEEDS)
    if answer is None:
        return {}
    rows = answer.centres.items()
    return {PEER: {epsilon: Found([cloud.cost(each) for each in row]) for epsilon, row in rows}}


def _plain(cloud: Cloud) -> float:
    from sklearn.cluster import KMeans as Plain

    model = Plain(cloud.clusters, n_init=10, random_state=0).fit(cloud.points)
    return cloud.cost(model.cluster_centers_)


def main() -> None:
    """Measure, print and save."""
    warnings.filterwarnings("ignore", message="random_state is for tests")
    compared = [Compared.of(cloud) for cloud in clouds()]
    text = "\n".join([_said(), *(each.table() for each in compared)])
    save("kmeans", "SFUMATO_PEERS=PYTHON python -m benchmarks kmeans", text, note=NOTE)
    panels = [each.panel() for each in compared if each.cloud.name in DRAWN]
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(panels, across="ε"), encoding="utf-8")


def _said() -> str:
    return f"""\
`auto`, `rounds` and `grid` are told how many people there are.  `lloyd` is the textbook's algorithm
in 5 rounds, where a neighbour has another row instead of one; for the rest it has one more or less.
The peer is {label()}, with the same bounds.
The reference, where one is known, is the best of five earlier methods, made anew from their papers
apart from this project, and of two libraries.  Auto beats both where its mean less two standard
errors is at most the reference, and its mean is below that of {PEER}.
"""


if __name__ == "__main__":
    main()
