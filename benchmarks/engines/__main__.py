"""A short run: `python -m benchmarks.engines --rows 300000`, printed and not kept."""

from __future__ import annotations

from argparse import ArgumentParser

from benchmarks.engines import measured


def main() -> None:
    """Read how many rows, and race over them."""
    parser = ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("--rows", type=int, default=300_000, help="how many rows")
    print("\n".join(measured(parser.parse_args().rows)))


main()
