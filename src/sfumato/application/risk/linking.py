"""Linking a release with background knowledge, as a front end asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.risk import link

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.risk import Linkage

__all__ = ["link_release"]


def link_release(
    release: str,
    *,
    known: str | None = None,
    person: Mapping[str, str] | None = None,
    on: Sequence[str] = (),
    sensitive: str,
    who: str | None = None,
) -> Linkage:
    """Link a release with a table of people, or with one person.

    Parameters
    ----------
    release, known
        Paths of files.
    person
        What is known of one person, instead of a table.
    on, sensitive, who
        Those of :func:`sfumato.risk.link`; without ``on`` all that is known of the person.
    """
    if (known is None) == (not person):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a table of people or one person is needed, and not both",
            "give either, such as --known people.csv or --person age=56",
        )
    return link(release, known or person, on=on or None, sensitive=sensitive, who=who)
