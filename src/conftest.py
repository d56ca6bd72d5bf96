"""Examples of docstrings are run where there are some; most modules have none."""

from __future__ import annotations

import importlib
from pathlib import Path

SOURCE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a module without an example, which would be imported for nothing.

    The others are imported by their names first: pytest would run their files a second time, and
    put the new module over what the package has under the same name (`audit` is a function, too).
    """
    if collection_path.suffix != ".py" or collection_path == Path(__file__):
        return None
    if ">>> " not in collection_path.read_text("utf-8"):
        return True
    importlib.import_module(module_of(collection_path))
    return None


def module_of(path: Path) -> str:
    """Return the name of the module in a file."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
