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
from sfumato.learning import KMeans, L1Ball
from sfumato.privacy import Substitute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EPSILONS = (0.05, 0.1, 0.5, 1, 2)
SEEDS = 20
PLAIN, AUTO, BLIND = "not private", "auto", "auto, no size"
TEXTBOOK = "lloyd"
DRAWN, LINES = ("S1", "Adult"), (PLAIN, AUTO, "rounds", "grid", PEER)
IN_BALL = (PLAIN, AUTO, TEXTBOOK)
PICTURES = ROOT / "docs" / "learning"
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
    in_ball: Mapping[str, Mapping[float, Found]]

    @classmethod
    def of(cls, cloud: Cloud) -> Compared:
        """Run everything."""
        box, ball = {"bounds": (-1, 1)}, {"domain": L1Ball(radius=cloud.radius)}
        found = _ours(cloud, ways(cloud), box) | _peers(cloud)
        return cls(cloud, _plain(cloud), found, _ours(cloud, textbook_ways(cloud), ball))

    def tables(self) -> str:
        """Return the tables of one cloud."""
        return f"{self._in_box()}\n{self._in_ball()}"

    def _in_ball(self) -> str:
        """Return the comparison with the textbook, in its own domain."""
        lines = [["ε", *self.in_ball, "auto is lower"]]
        for epsilon in EPSILONS:
            *autos, textbook = found = [each[epsilon] for each in self.in_ball.values()]
            lower = all(each.mean < textbook.mean for each in autos)
            lines.append([f"{epsilon:g}", *map(str, found), "yes" if lower else "NO"])
        title = f"In the L1 ball of radius {self.cloud.radius:.3f}: {self.cloud}"
        return f"## {title}\n\nNot private: {self.plain:.5f}.\n\n{markdown(lines)}"

    def _in_box(self) -> str:
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

    def panels(self) -> tuple[Panel, Panel]:
        """Return what is drawn of one cloud, in the box and in the ball."""
        return self._panel(self.found, LINES), self._panel(self.in_ball, IN_BALL)

    def _panel(self, found: Mapping[str, Mapping[float, Found]], names: Sequence[str]) -> Panel:
        costs = {name: {e: each.mean for e, each in row.items()} for name, row in found.items()}
        costs[PLAIN] = dict.fromkeys(EPSILONS, self.plain)
        lines = {name: list(costs[name].items()) for name in names if name in costs}
        return Panel(f"cost of {self.cloud}", lines)


def ways(cloud: Cloud) -> dict[str, dict[str, Any]]:
    """Return what ours are told, by the name of the column."""
    size = len(cloud.points)
    return {
        AUTO: {"size": size},
        BLIND: {},
        "rounds": {"size": size, "method": "rounds"},
        "grid": {"size": size, "method": "grid"},
    }


def textbook_ways(cloud: Cloud) -> dict[str, dict[str, Any]]:
    """Return what ours are told where they stand beside the textbook's, of neighbours too."""
    size, substitute = len(cloud.points), {"relation": Substitute()}
    return {
        AUTO: {"size": size},
        "auto, substitution": {"size": size, **substitute},
        TEXTBOOK: {"method": "lloyd", "rounds": 5, **substitute},
    }


def _ours(
    cloud: Cloud, asked: Mapping[str, Mapping[str, Any]], domain: Mapping[str, Any]
) -> dict[str, dict[float, Found]]:
    return {
        name: {epsilon: _found(cloud, epsilon, {**told, **domain}) for epsilon in EPSILONS}
        for name, told in asked.items()
    }


def _found(cloud: Cloud, epsilon: float, told: Mapping[str, Any]) -> Found:
    costs = []
    for seed in range(SEEDS):
        model = KMeans(cloud.clusters, epsilon=epsilon, random_state=seed, **told)
        costs.append(cloud.cost(model.fit(cloud.points).cluster_centers_))
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
    text = "\n".join([_said(), *(each.tables() for each in compared)])
    save("kmeans", "SFUMATO_PEERS=PYTHON python -m benchmarks kmeans", text, note=NOTE)
    drawn = [each.panels() for each in compared if each.cloud.name in DRAWN]
    names = ("cost-against-epsilon.svg", "textbook-against-epsilon.svg")
    for name, panels in zip(names, zip(*drawn, strict=True), strict=True):
        (PICTURES / name).write_text(picture(panels, across="ε"), encoding="utf-8")


def _said() -> str:
    return f"""\
`auto`, `rounds` and `grid` are told how many people there are.  A neighbour has one row more or
less.  `lloyd` is the textbook's algorithm in 5 rounds, where a neighbour has another row instead of
one, and it is compared in its own domain: an L1 ball that just holds the points, for `auto` as for
it, and for `auto` with its neighbours as well.  The peer is {label()}, with the same bounds.
The reference, where one is known, is the best of five earlier methods, made anew from their papers
apart from this project, and of two libraries.  Auto beats both where its mean less two standard
errors is at most the reference, and its mean is below that of {PEER}.
"""


if __name__ == "__main__":
    main()
