"""Draw from one mechanism: `python -m benchmarks.audited MODULE NUMBER SIZE FILE`, as .npy."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any


def main(module: str, number: str, size: str, file: str) -> None:
    """Save two rows of outputs, one a value; what a package prints is not ours to read."""
    warnings.simplefilter("ignore")
    numpy: Any = import_module("numpy")
    peer = import_module(f"benchmarks.audited.{module}")
    case = peer.CASES[int(number)]
    draw = peer.sampler(case)
    numpy.save(file, numpy.array([draw(value, int(size)) for value in case.values]))


main(*sys.argv[1:])
