"""Time one package on every noise: `python -m benchmarks.noises MODULE`, as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from contextlib import redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING

from benchmarks.noises.noise import NOISES, SINGLE
from benchmarks.noises.timing import median_seconds, seconds_a_draw

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.noises.noise import Noise


def seconds_or_reason(measure: Callable[[Noise], float], noise: Noise) -> float | str:
    """Return what was measured, or the name of the error that a package ran into."""
    try:
        return measure(noise)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def main(module: str) -> None:
    """Print the times; what a package itself prints goes to the other stream."""
    warnings.simplefilter("ignore")
    peer = import_module(f"benchmarks.noises.{module}")
    measures: dict[str, tuple[Callable[[Noise], float], tuple[Noise, ...]]] = {
        "vector": (lambda noise: seconds_a_draw(peer.vector(noise)), NOISES),
        "single": (lambda noise: median_seconds(peer.single(noise)), SINGLE),
    }
    with redirect_stdout(sys.stderr):
        said = {
            way: {str(noise): seconds_or_reason(measure, noise) for noise in noises}
            for way, (measure, noises) in measures.items()
        }
    print(json.dumps(said))


main(*sys.argv[1:])
