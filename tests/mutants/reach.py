"""Which tests reach each line, and how long each takes, in a file of JSON (a plugin of pytest).

The file is the one that SFUMATO_REACH names; lines are looked at in the folder that
SFUMATO_REACHED names.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from coverage import Coverage

FILE: Final = "SFUMATO_REACH"
FOLDER: Final = "SFUMATO_REACHED"
PLUGIN: Final = __name__


class Reached:
    """The lines that each test runs, and its seconds of the processor."""

    def __init__(self, lines: Coverage) -> None:
        self._lines = lines
        self._seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._lines.switch_context(item.nodeid)
        start = time.process_time()
        yield
        self._seconds[item.nodeid] = time.process_time() - start
        self._lines.switch_context("")

    def pytest_sessionfinish(self) -> None:
        self._lines.stop()
        data = self._lines.get_data()
        lines = {
            file: {line: sorted(filter(None, tests)) for line, tests in by_line.items()}
            for file in sorted(data.measured_files())
            if (by_line := data.contexts_by_lineno(file))
        }
        found = json.dumps({"seconds": self._seconds, "lines": lines})
        Path(os.environ[FILE]).write_text(found, "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    from coverage import Coverage

    lines = Coverage(data_file=None, include=[f"{os.environ[FOLDER]}/*"], config_file=False)
    config.pluginmanager.register(Reached(lines))
    lines.start()
