"""Options under names that others give them: the error says what it is called here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["meant_option"]

#: Other words for options; a verb is offered only what it has.
_WORDS = {
    "--k": "clusters n-clusters num-clusters centres centers n",
    "--epsilon": "e eps budget privacy-budget",
    "--delta": "d",
    "--unit": "u id person person-id user user-id privacy-unit key-column",
    "--person": "id user unit",
    "--keys": "groups group group-by by values categories",
    "--bounds": "b range ranges clip min max lower upper",
    "--limit": "limits rows max-rows contribution max-contributions",
    "--types": "type dtype dtypes schema",
    "--columns": "column features cols variables",
    "--column": "columns sensitive target",
    "--quasi": "q qi identifiers quasi-identifiers on columns known",
    "--on": "quasi columns by keys",
    "--sensitive": "s secret target column confidential",
    "--publish": "columns group-by by tables",
    "--given": "known conditional",
    "--output": "o out save to file csv",
    "--plot": "p chart figure picture image draw png svg",
    "--html": "page report",
    "--replace": "f force overwrite",
    "--confidence": "level alpha ci",
    "--analyst": "user name who",
    "--purpose": "why reason",
    "--rounds": "iterations max-iter n-iter",
    "--at-least": "k threshold min",
    "--suppression": "suppress drop",
    "--bands": "bins width widths",
    "--remove": "drop names",
    "--samples": "n draws runs",
    "--truth": "probability p q",
    "--within": "error margin precision",
    "--choices": "answers options values",
    "--question": "q name",
}


def meant_option(given: str, options: Collection[str]) -> str | None:
    """Return which of some options is meant by another word, or by a dash too few."""
    word = given.lstrip("-").replace("_", "-").lower()
    if f"--{word}" in options:
        return f"--{word}"
    known = (name for name, words in _WORDS.items() if name in options and word in words.split())
    return next(known, None)
