"""What everyone is asked: count, sum and mean of x for each group, people bounded, at ε = 1."""

from __future__ import annotations

from dataclasses import dataclass

#: A group, then its count, sum and mean.
Answer = list[tuple[int, float, float, float]]

GROUPS = 100
LOW, HIGH = 0.0, 100.0
MOST_GROUPS, MOST_ROWS_EACH = 5, 10
MOST_ROWS = MOST_GROUPS * MOST_ROWS_EACH
EPSILON, DELTA = 1.0, 1e-6


@dataclass(frozen=True)
class Package:
    """Another package, in the version that is compared, and what it needs to read Parquet."""

    name: str
    version: str
    extra: str = ""
    also: tuple[str, ...] = ()

    @property
    def requirements(self) -> list[str]:
        """What pip installs."""
        return [f"{self.name}{self.extra}=={self.version}", *self.also]


@dataclass(frozen=True)
class Contestant:
    """One way to answer: a module of this package, and one of the ways that it knows.

    `most_rows` is the largest table that it is asked about.  A peer answers once, others in
    `turns` processes, `rounds` times in each.
    """

    label: str
    module: str
    way: str
    package: Package | None = None
    most_rows: int = 1_000_000_000
    turns: int = 1
    rounds: int = 1


PLAIN, FLOOR, DECLARED, CHOSEN, UNKNOWN = (
    Contestant(label, module, way, turns=3, rounds=3)
    for label, module, way in (
        ("plain GROUP BY, not private", "floor", "plain"),
        ("**floor**: GROUP BY person, group, then by group", "floor", "floor"),
        ("**sfumato**, limits declared", "ours", "declared"),
        ("**sfumato**, limits chosen privately", "ours", "chosen"),
        ("**sfumato**, unknown keys", "ours", "unknown"),
    )
)
HOUSE = (PLAIN, FLOOR, DECLARED, CHOSEN, UNKNOWN)

OPENDP = Package("opendp", "0.16.0", extra="[polars]")
SMARTNOISE = Package("smartnoise-sql", "1.0.10", also=("pyarrow",))
PIPELINEDP = Package("pipeline-dp", "0.3.1", also=("pyarrow",))
TUMULT = Package("tmlt.analytics", "0.21.0")
PACKAGES = (OPENDP, SMARTNOISE, PIPELINEDP, TUMULT)
PEERS = (
    Contestant("OpenDP 0.16.0 (Polars)", "opendp_peer", "known", OPENDP),
    Contestant("OpenDP 0.16.0, unknown keys", "opendp_peer", "unknown", OPENDP),
    Contestant("SmartNoise SQL 1.0.10 (pandas)", "smartnoise_peer", "known", SMARTNOISE),
    Contestant("PipelineDP 0.3.1 (local)", "pipelinedp_peer", "known", PIPELINEDP, 1_000_000),
    Contestant("Tumult Analytics 0.21.0 (Spark)", "tumult_peer", "known", TUMULT, 100_000),
)
