"""Each fault can be put where it is said to be, and changes the program."""

from __future__ import annotations

import ast
from collections import Counter

from tests.mutants.faults import ROOT, faults


def test_each_fault_is_a_program_that_differs_from_ours() -> None:
    wrong = []
    for each in faults():
        text = (ROOT / each.path).read_text("utf-8")
        if text.count(each.old) != 1:
            wrong.append(
                f"{each.room}: {each.name}: its text is there {text.count(each.old)} times"
            )
        elif ast.dump(ast.parse(text)) == ast.dump(ast.parse(text.replace(each.old, each.new))):
            wrong.append(f"{each.room}: {each.name} changes nothing")
    assert wrong == []


def test_faults_have_names_of_their_own_and_tests_that_are_there() -> None:
    twice = [name for name, times in Counter(each.name for each in faults()).items() if times > 1]
    lost = {test for each in faults() for test in each.tests if not _is_there(test)}
    assert (twice, lost) == ([], set())


def _is_there(test: str) -> bool:
    """Whether a file or a folder is there, and in it each class and function of the name."""
    file, *names = test.partition("[")[0].split("::")
    path = ROOT / file
    if not names or not path.exists():
        return path.exists()
    found: ast.AST | None = ast.parse(path.read_text("utf-8"))
    for name in names:
        inside = getattr(found, "body", [])
        found = next((each for each in inside if getattr(each, "name", None) == name), None)
    return found is not None
