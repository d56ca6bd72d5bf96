"""Environments for the peers of this race: `python -m benchmarks.groupby.environments FOLDER`.

`python -m benchmarks.environments FOLDER` makes those of all benchmarks.
"""

from __future__ import annotations

import sys

from benchmarks.environments import main
from benchmarks.groupby.task import PACKAGES

main(sys.argv[1:], PACKAGES)
