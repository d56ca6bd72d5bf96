"""Make the golden files of today's version: `python -m tests.golden make 0.1.0-2026-11-19`.

They are made once for a version and kept: what later versions have to read.  Whoever means to
change what is printed writes those pages anew, `python -m tests.golden print 0.1.0-2026-11-19`,
and looks at the difference.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from tests.golden.documents import documents
from tests.golden.figures import FIGURES
from tests.golden.printed import VERBS, said
from tests.golden.surface import surface
from tests.golden.versions import HERE, MEANT, NAMES, PRINTED

if TYPE_CHECKING:
    from pathlib import Path


def make(folder: Path) -> None:
    """Write documents of every kind, what they mean, and the public names."""
    folder.mkdir()
    documents(folder)
    meant = {part: read(folder) for part, read in FIGURES.items()}
    text = json.dumps(meant, indent=1, ensure_ascii=False)
    (folder / MEANT).write_text(f"{text}\n", encoding="utf-8")
    (folder / NAMES).write_text(surface(), encoding="utf-8")
    put_down(folder)


def put_down(folder: Path) -> None:
    """Write what each verb prints."""
    (folder / PRINTED).mkdir(exist_ok=True)
    for name in VERBS:
        (folder / PRINTED / f"{name}.txt").write_text(said(name, folder), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("what", choices=("make", "print"))
    parser.add_argument("version", help="the version and its date")
    asked = parser.parse_args()
    {"make": make, "print": put_down}[asked.what](HERE / asked.version)
