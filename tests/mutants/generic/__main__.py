"""Generic mutants: a random sample of what the operators of cosmic-ray make of some folders.

`python -m tests.mutants.generic` tries 25 of each, with the tests of the first ring and of the room
that reach the line, the quickest first.  It needs `pip install cosmic-ray coverage`.  A mutant that
no test catches is a missing test, or a program that does the same: that is for a reader to judge.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import random
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutants import reach
from tests.mutants.faults import ROOT, Fault
from tests.mutants.trials import NO_PROGRAM, RINGS, SEEN, UNCOLLECTED, Copy

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Folders of the package, and the tests of the room.
ROOMS: Final = {
    "privacy": ("tests/privacy", "src/sfumato/privacy"),
    "mechanisms": ("tests/mechanisms", "src/sfumato/mechanisms"),
    "tables/plan": ("tests/tables", "src/sfumato/tables/plan"),
    "ledger": ("tests/ledger", "src/sfumato/ledger"),
}
#: Seconds of tests for a mutant.
_MOST = 60.0


@dataclass(frozen=True)
class Reach:
    """The tests that reach each line of each file, and the seconds each takes."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]

    @classmethod
    def of(cls, copy: Copy, room: str) -> Reach:
        """Run the tests of a room, which must pass, and see what they reach."""
        file, folder = copy.folder / "reach.json", copy.folder / "src" / "sfumato" / room
        failing = copy.failing(
            ["-m", RINGS["first"], *ROOMS[room]],
            **{"PYTEST_PLUGINS": reach.PLUGIN, reach.FILE: str(file), reach.FOLDER: str(folder)},
        )
        if failing:
            sys.exit(f"the tests fail where there is no mutant: {sorted(failing)}")
        found = json.loads(file.read_text("utf-8"))
        lines = found["lines"].items()
        return cls(
            found["seconds"], {str(Path(name).relative_to(folder)): of for name, of in lines}
        )

    def tests(self, file: str, line: int) -> tuple[str, ...]:
        """Tests of a line, the quickest first; of the file where it is run when it is imported."""
        here = self.lines.get(file, {})
        found = here.get(str(line)) or {test for tests in here.values() for test in tests}
        left = _MOST
        chosen: list[str] = []
        for test in sorted(found, key=lambda each: (self.seconds[each], each)):
            left -= self.seconds[test]
            if left < 0 and chosen:
                break
            chosen.append(test)
        return tuple(chosen)


@dataclass(frozen=True)
class Mutant:
    """A program that differs from ours in one place."""

    room: str
    file: str
    line: int
    old: str
    new: str

    def fault(self, found: Reach) -> Fault:
        tests = found.tests(self.file, self.line)
        file = f"{self.room}/{self.file}"
        return Fault(f"line {self.line}", self.room, file, self.old, self.new, tests)

    def __str__(self) -> str:
        lines = difflib.unified_diff(self.old.splitlines(), self.new.splitlines(), n=0, lineterm="")
        changed = [f"`{line[0]} {line[1:].strip()}`" for line in islice(lines, 3, None)]
        return f"{self.room}/{self.file}:{self.line}: {' '.join(changed)}"


def mutants(room: str, seed: int) -> Iterator[Mutant]:
    """Yield mutants in a random order: each place is as likely, then each operator there."""
    folder, chance = ROOT / "src" / "sfumato" / room, random.Random(f"{seed} {room}")  # noqa: S311
    texts = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}
    places = {(path, start): kinds for path in texts for start, kinds in _places(texts[path])}
    for path, start in chance.sample(sorted(places), len(places)):
        operator, occurrence = chance.choice(places[path, start])
        new = mutate_code(texts[path], get_operator(operator)(), occurrence)
        if new is not None and _meaning(new) not in (None, _meaning(texts[path])):
            yield Mutant(room, str(path.relative_to(folder)), start[0], texts[path], new)


def _places(text: str) -> list[tuple[tuple[int, int], list[tuple[str, int]]]]:
    """Where operators apply, and which, each with how many times it did before."""
    found = defaultdict(list)
    nodes = list(ast_nodes(get_ast(text)))
    for name in sorted(operator_names()):
        if not (kind := get_operator(name)).arguments():
            operator = kind()
            starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
            for occurrence, start in enumerate(starts):
                found[start].append((name, occurrence))
    return list(found.items())


def _meaning(text: str) -> str | None:
    """What a program does: without annotations, which nobody reads, or None where it is none."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(...)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return ast.dump(tree)


def main() -> int:
    """Try mutants, print those that are missed, and the rate of each room."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants.generic",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--room", action="append", choices=ROOMS)
    parser.add_argument("--seed", type=int, default=32)
    parser.add_argument("--number", type=int, default=25, help="mutants of a room")
    given = parser.parse_args()
    print("| room | mutants | caught | of these before a test ran |\n| --- | ---: | ---: | ---: |")
    missed = []
    with tempfile.TemporaryDirectory(prefix="sfumato-mutants-") as folder:
        copy = Copy(Path(folder))
        for room in given.room or ROOMS:
            found = Reach.of(copy, room)
            chosen = list(islice(mutants(room, given.seed), given.number))
            came = {each: _came(each, found, copy) for each in chosen}
            # What catches no error but an unknown name fails where a test comes to it.
            left = [each for each in chosen if came[each] not in (*SEEN, NO_PROGRAM)]
            early = sum(each == UNCOLLECTED for each in came.values())
            print(f"| {room} | {len(came)} | {len(came) - len(left)} | {early} |", flush=True)
            missed += left
    print("".join(f"\n- {each}" for each in missed))
    return 0


def _came(mutant: Mutant, found: Reach, copy: Copy) -> str:
    fault = mutant.fault(found)
    came = copy.trial(fault, "first").came
    print(f"{came}: {mutant} ({len(fault.tests)} tests)", file=sys.stderr, flush=True)
    return came


if __name__ == "__main__":
    sys.exit(main())
