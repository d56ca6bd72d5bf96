"""A figure that the sources print, beside ours: a statement whose check is that they are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.audit import BookStatement, Finding
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    #: What is computed, as it is printed; and whether it is as it should be, if not as printed.
    Found = str | tuple[str, bool]


COMPOSITION_PART = mark("chapter, part on composition")
ENTROPY_NOTES = mark("notes on entropy")


def figures(
    *,
    name: str,
    where: str,
    title: str,
    text: str,
    printed: str,
    found: Callable[[Any], Found],
    instance: Any,
    twin: Any,
    wrong: str,
    citation: str = "",
) -> BookStatement:
    """Return the statement that what is found of an instance is what is printed.

    Parameters
    ----------
    name, where
        Its number or its name, and where it stands.
    title, text
        What it is about, and what is computed.
    printed
        The figure of the source, in words that are the same in every language.
    found
        Computes ours, in the same form; with whether it holds, where the source prints a bound.
    instance, twin, wrong
        What it is computed of, the same with something wrong, and what that is.
    citation
        A key of the references, where the figure is not the sources' own.
    """

    def check(given: Any) -> Finding:
        ours = found(given)
        shown, holds = (ours, ours == printed) if isinstance(ours, str) else ours
        return Finding(holds=holds, instances=1, figures=shown, ours=shown)

    return BookStatement(
        name=name,
        where=where,
        title=title,
        text=text,
        check=check,
        instance=instance,
        twin=twin,
        wrong=wrong,
        citation=citation,
        printed=printed,
    )
