"""The size of the house, room by room, and how much of it five everyday jobs load and pass.

`python -m benchmarks house` writes the results; `python -m benchmarks.house --src FOLDER` measures
the sources of another checkout by the same program, and `--json` prints figures only.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.interpreters import ROOT
from benchmarks.measure import RESULTS, markdown, save
from benchmarks.verbs import ASKED, EXAMPLES, SHELL

if TYPE_CHECKING:
    from collections.abc import Mapping

    Figures = dict[str, dict[str, int]]

SRC = ROOT / "src"
NAME = "house"
SIZES = ("files", "code lines", "docstring lines", "import lines", "functions", "exported names")
PASSED = ("modules loaded", "files passed", "functions passed")
NOTE = (
    "Code lines are neither blank, nor comments, nor docstrings; import lines are among them. "
    "Exported names are those of every `__all__`. A file is passed when one of its functions is "
    "called, in whichever thread; modules' and classes' bodies and comprehensions do not count."
)
#: What a reader of code does not see: whitespace and comments.
BLANK = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
CHARGE = """
import sfumato as sf
from sfumato.ledger import Ledger
with Ledger.create("ledger.db", key="key.pem") as ledger:
    book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    book.spend(sf.privacy.events.Pure(epsilon="0.1"), analyst="ada", purpose="by sex")
"""
FIT = """
import sfumato as sf
points = [[(7 * n) % 10 / 10, (3 * n) % 10 / 10] for n in range(100)]
sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(points)
"""
ACCOUNT = """
import sfumato as sf
sf.compose(sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1).event, count=100).epsilon(delta=1e-6)
"""
RISK = f"import sfumato as sf; sf.risk({str(EXAMPLES / 'patients.csv')!r}, quasi=['age', 'sex'])"
#: What is asked in a fresh interpreter, in an empty folder.
JOBS = {
    "the README's query": f"import sys\nsys.argv = {['sfumato', 'query', *ASKED]}\n{SHELL}",
    "`KMeans.fit`": FIT,
    "a charge to a new ledger": CHARGE,
    "`compose().epsilon()`": ACCOUNT,
    "`risk`": RISK,
}
#: Runs a job, the last argument, and writes which modules, files and functions it took to a file.
PROBE = """
import json, sys, threading
target, src, job = sys.argv[1:]
sys.path.insert(0, src)
OPTIMIZED, called = 1, set()
INSIDE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")

def watch(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & OPTIMIZED and code.co_name not in INSIDE:
        called.add(code)

ended = 0
threading.setprofile(watch)
sys.setprofile(watch)
try:
    exec(compile(job, "<job>", "exec"), {"__name__": "__main__"})
except SystemExit as leaving:
    ended = leaving.code
finally:
    sys.setprofile(None)
    threading.setprofile(None)
ours = {code for code in called if code.co_filename.startswith(src)}
names = [name for name in sys.modules if name.partition(".")[0] == "sfumato"]
files = {code.co_filename for code in ours}
found = {"modules loaded": len(names), "files passed": len(files), "functions passed": len(ours)}
with open(target, "w") as file:
    json.dump(found, file)
sys.exit(ended)
"""


def size(text: str) -> dict[str, int]:
    """Return the figures of one file."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    docstrings = {line for node in nodes for line in _docstring(node)}
    imports = {line for node in nodes for line in _lines(node, ast.Import, ast.ImportFrom)}
    functions = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    code = code_lines(text) - docstrings
    counted = (1, len(code), len(docstrings), len(imports & code), len(functions), _exported(tree))
    return dict(zip(SIZES, counted, strict=True))


def code_lines(text: str) -> set[int]:
    """Return the numbers of the lines that are neither blank nor comments."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    written = {number for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    spans = (range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in BLANK)
    return {number for span in spans for number in span} & written


def _docstring(node: ast.AST) -> range:
    if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        return _lines(node.body[0], ast.Expr)
    return range(0)


def _lines(node: ast.AST, *kinds: type[ast.stmt]) -> range:
    """Return the numbers of the lines of a statement, if it is one of some kinds."""
    if isinstance(node, ast.stmt) and isinstance(node, kinds):
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return range(0)


def _exported(tree: ast.Module) -> int:
    """Return how many names a module's ``__all__`` lists."""
    listed = [node.value for node in tree.body if isinstance(node, ast.Assign) and _is_all(node)]
    return sum(len(each.elts) for each in listed if isinstance(each, (ast.List, ast.Tuple)))


def _is_all(node: ast.Assign) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets)


def sizes(src: Path) -> Figures:
    """Return the figures of each room of a checkout's sources; the top is a room, too."""
    package = src / "sfumato"
    found: dict[str, Counter[str]] = {}
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).parts
        room = inside[0] if len(inside) > 1 else "the top"
        found.setdefault(room, Counter()).update(size(path.read_text(encoding="utf-8")))
    return {room: dict(found[room]) for room in sorted(found)}


def passed(src: Path, job: str) -> dict[str, int]:
    """Return how many of our modules a job loads, and how many files and functions it passes."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "passed.json"
        command = [sys.executable, "-c", PROBE, str(target), str(src.resolve()), job]
        environment = {**os.environ, "SFUMATO_SIGNING_KEY": str(Path(folder) / "key.pem")}
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, capture_output=True, text=True, check=False, env=environment
        )
        if done.returncode:
            sys.exit(f"a job ended with {done.returncode}: {done.stderr[-2000:]}")
        found: dict[str, int] = json.loads(target.read_text(encoding="utf-8"))
    return found


def measured(src: Path) -> dict[str, Figures]:
    """Return all figures of a checkout's sources."""
    jobs = {name: passed(src, job) for name, job in JOBS.items()}
    return {"rooms": sizes(src), "jobs": jobs}


def tables(found: dict[str, Figures]) -> str:
    """Return the figures as two Markdown tables, by room and by job."""
    rooms = found["rooms"]
    together = {name: sum(room[name] for room in rooms.values()) for name in SIZES}
    by_room = _table("room", SIZES, {**rooms, "all": together})
    return f"{by_room}\n{_table('job', PASSED, found['jobs'])}"


def _table(kind: str, columns: tuple[str, ...], figures: Mapping[str, dict[str, int]]) -> str:
    lines = [[name, *(f"{each[column]:,}" for column in columns)] for name, each in figures.items()]
    return markdown([[kind, *columns], *lines])


def kept() -> str:
    """Return the section of the results that says how the house was before, if there is one."""
    path = RESULTS / f"{NAME}.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    before = re.search(r"^## before\n.*?(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return before[0].strip() + "\n" if before else ""


def main() -> None:
    """Measure, print and save: as it is now, beside what was kept as before."""
    now = tables(measured(SRC))
    before = kept()
    text = f"{before}\n## now\n\n{now}" if before else f"## before\n\n{now}"
    save(NAME, f"python -m benchmarks {NAME}", text, note=NOTE)


def asked() -> None:
    """Measure what the command line names, and print it."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{NAME}", description=__doc__)
    parser.add_argument("--src", type=Path, default=SRC, help="the sources of another checkout")
    parser.add_argument("--json", action="store_true", help="print figures only")
    words = parser.parse_args()
    found = measured(words.src)
    print(json.dumps(found, indent=1) if words.json else tables(found))


if __name__ == "__main__":
    asked()
