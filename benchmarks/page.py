"""The page of the documentation with all results: `python -m benchmarks page` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.headlines import HEADLINES, QUALITIES
from benchmarks.interpreters import ROOT
from benchmarks.measure import markdown
from benchmarks.reading import names, read

if TYPE_CHECKING:
    from fractions import Fraction

    from benchmarks.headlines import Headline, Other, Quality
    from benchmarks.reading import Cell

PAGE = ROOT / "docs" / "benchmarks.md"
MADE_BY = "`python -m …`"
WORK = ["work", "ours", "the floor", "ours / floor", "a peer", "peer / ours", MADE_BY]
ANSWER = ["answer", "measured", "ours", "a peer", "peer's", MADE_BY]
UNKNOWN = "–"
TOP = """\
# Benchmarks

<!-- Made by `python -m benchmarks page` from benchmarks/results. Change those, or the command. -->

Ours, a peer and a floor do the same work in one run, and ratios are compared: they travel from
machine to machine, seconds do not. The *floor* is the least that anyone would have to do, mostly
the bare query without privacy. The *peer* is the fastest of the other libraries that we know to do
this work; where two matter, both are here. Everything is read from the files in
`benchmarks/results`; the last column says which command wrote the file, and leads to all of it.

## How long it takes

Ratios are of times. `ours / floor` of 1 is the floor itself. `peer / ours` above 1 means that the
peer takes longer; below 1 it is faster than ours.
"""
QUALITY = """\
## How good the answer is

Less is better in every line. Where an audit proves no more than the ε of the guarantee, nothing was
found.
"""
AGAIN = """\
## Run it yourself

<!-- not run: it takes hours -->
```sh
make bench                                    # everything here, without peers
.venv/bin/python -m benchmarks risk survey    # or some of it
.venv/bin/python -m benchmarks page           # this page again, from the results that are there
```

Peers clash with each other, so each has an environment of its own. One command makes them all in a
folder, and prints where they are as the variable `SFUMATO_PEERS` wants it; Tumult needs Java 17
besides:

<!-- not run: it takes hours -->
```sh
export SFUMATO_PEERS=$(.venv/bin/python -m benchmarks.environments ../peers)
make bench
```

A peer that is nowhere is left out. A benchmark that cannot run, for want of a data set, of
PostgreSQL or of a GPU, says so, and the next one runs. All of it takes some hours on two cores.
`dit` is compared within the same interpreter: `.venv/bin/pip install dit`.
"""
ALL = """\
## All results

Each with the command that made it. What the other libraries can do is on
[a page of its own](comparison.md).
"""


def text() -> str:
    """Return the page."""
    parts = [
        f"{TOP}\n{markdown([WORK, *map(work_line, HEADLINES)])}",
        f"{QUALITY}\n{markdown([ANSWER, *map(answer_line, QUALITIES)])}",
        AGAIN,
        ALL,
        *map(section, names()),
    ]
    return "\n".join(parts)


def main() -> None:
    """Write the page."""
    PAGE.write_text(text(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} is made from {len(names())} files of results")


def work_line(line: Headline) -> list[str]:
    """Return a line of the table of times."""
    return [
        line.work,
        f"{_text(line.ours)} {line.unit}",
        UNKNOWN if line.floor is None else line.floor.name,
        _ratio(line, line.floor),
        UNKNOWN if line.peer is None else line.peer.name,
        _ratio(line, line.peer, turned=True),
        _link(line.ours.result),
    ]


def answer_line(line: Quality) -> list[str]:
    """Return a line of the table of answers."""
    return [
        line.work,
        line.measure,
        _text(line.ours),
        line.peer,
        _text(line.theirs),
        _link(line.ours.result),
    ]


def section(name: str) -> str:
    """Return the section of one result, which is included when the site is built."""
    return (
        f"### {name}\n\n"
        f"```{{include}} ../benchmarks/results/{read(name).name}.md\n"
        ":start-line: 2\n:heading-offset: 2\n:relative-images:\n```\n"
    )


def shown(ratio: Fraction) -> str:
    """Return a ratio in the two or three digits that one run bears."""
    return f"{float(f'{float(ratio):.2g}'):,.0f}" if ratio >= 10 else f"{float(ratio):.2f}"


def _ratio(line: Headline, other: Other | None, *, turned: bool = False) -> str:
    """Return our time over another's, or turned round; a dash where a run had no such peer."""
    if other is None:
        return UNKNOWN
    try:
        ratio = other.under(line.ours)
    except (LookupError, ValueError):
        return UNKNOWN
    return shown(1 / ratio if turned != line.speed else ratio)


def _text(cell: Cell) -> str:
    try:
        return cell.text
    except LookupError:
        return UNKNOWN


def _link(result: str) -> str:
    command = read(result).command.rpartition("python -m ")[2]
    return f"[`{command}`](#{result})"
