"""Makes examples/shoppers.csv, a made-up table of a shop's customers: nobody in it exists.

Run ``python examples/make_shoppers.py > examples/shoppers.csv`` to make it again; the numbers come
from a fixed seed, so that it is the same each time.  Each customer is of one of three kinds, and
lies around its middle by the mean of three even chances.
"""

from __future__ import annotations

import csv
import sys
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

SHOPPERS = 3000
HEADER = ("customer", "orders", "basket")
#: How likely a kind is, its orders a year and its basket, and how far from these it reaches.
KINDS = (
    (0.5, (40, 25), (20, 20)),
    (0.3, (14, 70), (12, 40)),
    (0.2, (5, 150), (5, 60)),
)


def shoppers(seed: int = 1957) -> Iterator[tuple[object, ...]]:
    """Yield one row a customer: who often buys little, sometimes some, or rarely much."""
    chance = Random(seed).random  # noqa: S311, since nothing about it is secret
    for customer in range(SHOPPERS):
        kind = chance()
        often = 0 if kind < KINDS[0][0] else 1 if kind < KINDS[0][0] + KINDS[1][0] else 2
        _, middle, reach = KINDS[often]
        orders, basket = (
            at + off * (2 * (chance() + chance() + chance()) / 3 - 1)
            for at, off in zip(middle, reach, strict=True)
        )
        yield 10_000 + customer, round(orders), f"{basket:.2f}"


def write(file: TextIO) -> None:
    """Write the table in the order of the customers."""
    table = csv.writer(file, lineterminator="\n")
    table.writerow(HEADER)
    table.writerows(shoppers())


if __name__ == "__main__":
    write(sys.stdout)
