"""Run as a program: verbs in one process that cannot import some modules; tells how each ended."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from typing import Any

__all__: list[str] = []


class _Blind:
    """A finder of modules that does not find some of them, as if they were not installed."""

    def __init__(self, finder: Any, hidden: list[str]) -> None:
        self._finder = finder
        self._hidden = hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)

    def find_spec(self, fullname: str, *more: Any) -> Any:
        known = fullname.partition(".")[0] not in self._hidden
        return self._finder.find_spec(fullname, *more) if known else None


def _run(words: list[str]) -> dict[str, Any]:
    from sfumato.cli import main

    sys.argv = ["sfumato", *words]
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    sys.meta_path[:] = [_Blind(finder, asked["hidden"]) for finder in sys.meta_path]
    sys.stdout.write(json.dumps([_run(words) for words in asked["commands"]]))
