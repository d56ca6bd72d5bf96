"""Estimates of unique people where the truth is known: `python -m benchmarks.risk.known`.

A population of 50,000 classes of 1 + NB(1/2, 1/5) people, and simple random samples of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import markdown, save
from sfumato.risk.exposure.uniqueness import estimate_uniqueness

if TYPE_CHECKING:
    from sfumato.risk import Uniqueness

SHARES = (0.02, 0.05, 0.1, 0.3, 0.5, 0.8)
SEEDS = 6
CLASSES = 50_000


def main() -> None:
    """Measure, print and save."""
    lines = [["share in the sample", "Zayatz", "Pitman", "slid negative binomial", "chosen"]]
    for share in SHARES:
        ratios = [_ratios(seed, share) for seed in range(SEEDS)]
        lines.append([f"{share:g}", *(f"{each:.2f}" for each in np.mean(ratios, axis=0))])
    note = f"The estimate over the truth, mean of {SEEDS} samples; 1 is right."
    save("risk_population", "python -m benchmarks.risk.known", markdown(lines), note=note)


def _ratios(seed: int, share: float) -> list[float]:
    """Return the estimates of one sample over the truth."""
    random = np.random.default_rng(seed)
    people = 1 + random.negative_binomial(0.5, 0.2, CLASSES)
    rows = int(share * people.sum())
    shown = random.multivariate_hypergeometric(people, rows, method="marginals")
    sizes, counts = np.unique(shown[shown > 0], return_counts=True)
    sample = dict(zip(sizes.tolist(), counts.tolist(), strict=True))
    found = estimate_uniqueness(sample, int(people.sum()))
    return [each / float((people == 1).sum()) for each in _estimates(found)]


def _estimates(found: Uniqueness) -> list[float]:
    return [found.zayatz, found.pitman or np.nan, found.slid or np.nan, found.uniques]


if __name__ == "__main__":
    main()
