"""The page of tasks names every verb of the shell, and only what there is."""

from __future__ import annotations

import re
from operator import attrgetter

import sfumato
from tests.cli.commands import help_pages, the_command
from tests.docs.pages import DOCS

PAGE = (DOCS / "how-to.md").read_text(encoding="utf-8")


def verbs() -> set[str]:
    """Every command that does something by itself, as it is typed."""
    named = {name for name, _ in help_pages(the_command())}
    groups = {name for name in named if any(other.startswith(f"{name} ") for other in named)}
    return (named - groups) | {"sfumato demo"}


def test_every_verb_is_listed_and_no_other() -> None:
    listed = set(re.findall(r"`(sfumato [a-z ]+)`", PAGE))
    assert listed == verbs()


def test_every_name_in_python_is_there() -> None:
    names = re.findall(r"`sf\.([\w.]+)`", PAGE)
    assert len(names) > 80
    for name in names:
        attrgetter(name)(sfumato)


def test_every_capability_at_the_top_is_listed() -> None:
    listed = set(re.findall(r"`sf\.(\w+)", PAGE))
    assert set(sfumato.__all__) - listed == {"SfumatoError", "__version__"}
