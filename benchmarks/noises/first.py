"""Time the first draw of a process: `python -m benchmarks.noises.first NUMBER`, in seconds."""

from __future__ import annotations

import sys

from benchmarks.interpreters import run
from benchmarks.measure import undisturbed
from benchmarks.noises import ours
from benchmarks.noises.noise import NOISES, Noise

LIMIT = 60


def first_in_a_process(noise: Noise) -> float:
    """Return the seconds of the first draw, without the imports."""
    number = str(NOISES.index(noise))
    return float(run(sys.executable, "-m", "benchmarks.noises.first", number, limit=LIMIT).stdout)


def main(number: str) -> None:
    """Print the seconds of the first draw of a noise."""
    noise = NOISES[int(number)]
    draw, values = ours.sampler(noise), ours.values(noise, 1)
    print(undisturbed(lambda: draw(noise.scale, values))[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
