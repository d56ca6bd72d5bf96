"""A short run: `python -m benchmarks.groupby --rows 1000000`, printed and not kept."""

from __future__ import annotations

from argparse import ArgumentParser

from benchmarks.groupby.contest import short_run


def main() -> None:
    """Read how many rows, and race over them."""
    parser = ArgumentParser(prog="python -m benchmarks.groupby", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows: 10,000 or more")
    rows = parser.parse_args().rows
    if rows < 10_000:
        parser.error(f"a race takes 10,000 rows or more, not {rows:,}; write --rows 1000000")
    short_run(rows)


main()
