"""Codes cut short, categories in groups, and values that are not told at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.risk.generalising.hierarchy import STAR, Hierarchy, Label, Level
from sfumato.risk.generalising.values import as_text
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Groups", "Prefixes", "Suppress", "groups", "prefixes", "suppress"]


def prefixes(*lengths: int) -> Hierarchy:
    """Make a hierarchy of codes that are cut short: 190146, 19014*, 1901**, and so on to ``*``.

    Parameters
    ----------
    lengths
        How many characters each level keeps, most first; one fewer on each where none is given.

    Examples
    --------
    >>> from sfumato.risk import prefixes
    >>> [level.labels[0] for level in prefixes(3, 2).levels(["190146", "190118"])]
    ['190***', '19****', '*']
    """
    if list(lengths) != sorted(set(lengths), reverse=True) or any(each < 1 for each in lengths):
        raise InputError(
            "E-HIERARCHY-FORM",
            "prefixes keep fewer characters on each level, as 3, 2, 1",
            "not {lengths}",
            lengths=lengths,
        )
    return Prefixes(lengths)


def groups(first: Mapping[Any, str], *above: Mapping[str, str]) -> Hierarchy:
    """Make a hierarchy of categories in named groups, then ``*``.

    Parameters
    ----------
    first
        The group of each value.
    above
        The group of each group, on the levels above.

    Examples
    --------
    >>> from sfumato.risk import groups
    >>> kinds = groups({"flu": "infection", "measles": "infection", "asthma": "chronic"})
    >>> [level.labels for level in kinds.levels(["flu", "asthma"])]
    [('infection', 'chronic'), ('*', '*')]
    """
    written = {as_text(value): label for value, label in first.items()}
    return Groups((written, *(dict(each) for each in above)))


def suppress() -> Hierarchy:
    """Make the hierarchy of one step: a value is told, or ``*``.

    Examples
    --------
    >>> from sfumato.risk import suppress
    >>> suppress().levels(["male", "female"])
    [Level(name='suppressed', labels=('*', '*'))]
    """
    return Suppress()


@dataclass(frozen=True)
class Prefixes(Hierarchy):
    """Codes that are cut short; see :func:`prefixes`."""

    lengths: tuple[int, ...] = ()

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the codes with fewer and fewer characters, then ``*``."""
        codes = [None if each is None else as_text(each) for each in values]
        longest = max((len(each) for each in codes if each is not None), default=0)
        kept = self.lengths or range(longest - 1, 0, -1)
        steps = [
            Level(_first(length), tuple(_cut(code, length, longest) for code in codes))
            for length in kept
        ]
        return [*steps, Level("suppressed", (STAR,) * len(values))]


@dataclass(frozen=True)
class Groups(Hierarchy):
    """Categories in named groups; see :func:`groups`."""

    maps: tuple[Mapping[str, str], ...]

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the groups, the groups of groups, then ``*``."""
        labels: list[Label] = [None if each is None else as_text(each) for each in values]
        steps = []
        for number, each in enumerate(self.maps, start=1):
            labels = [None if label is None else _group(label, each) for label in labels]
            steps.append(Level(_grouped(number), tuple(labels)))
        return [*steps, Level("suppressed", (STAR,) * len(values))]


@dataclass(frozen=True)
class Suppress(Hierarchy):
    """Values that are told or not; see :func:`suppress`."""

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return ``*`` for every value."""
        return [Level("suppressed", (STAR,) * len(values))]


def _first(length: int) -> str:
    return tr("first character") if length == 1 else tr("first {length} characters", length=length)


def _grouped(number: int) -> str:
    return tr("groups") if number == 1 else tr("groups of level {number}", number=number)


def _cut(code: str | None, length: int, longest: int) -> Label:
    return None if code is None else code[:length].ljust(longest, STAR)


def _group(label: str, group_of: Mapping[str, str]) -> str:
    if label not in group_of:
        raise InputError(
            "E-HIERARCHY-INCOMPLETE",
            "the groups do not say where {label!r} belongs",
            "name a group for it",
            label=label[:60],
        )
    return group_of[label]
