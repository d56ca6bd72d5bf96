"""What steps have to do with each other: charges that are shared, and what rests on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.certificate.noise import check_noise
from sfumato.audit.certificate.parts import refute

if TYPE_CHECKING:
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.taken import Taken

__all__ = ["check_found", "check_together"]

#: What may share a charge: the parts of a column, and the rows without it.
_JOINT = {"sum", "absent"}


def check_together(steps: list[Taken]) -> None:
    """Check that what shares a charge adds no more than one, relative to the noise of each.

    A row adds as much to both parts of a column together as one row to a count, or one to the
    rows without it: in L1, and all the more in L2.  A limit on values bounds each sum by itself,
    so that together they could move by as much each.
    """
    sharing: dict[int, list[Taken]] = {}
    for step in steps:
        if step.together is not None:
            if step.together >= step.place:
                refute(
                    "steps[{place}] is measured with a step that is not charged for it",
                    place=step.place,
                )
            sharing.setdefault(step.together, []).append(step)
    for place, others in sharing.items():
        _check_charge(steps[place], others)


def _check_charge(first: Taken, others: list[Taken]) -> None:
    """Check that some steps may share the charge of the first."""
    name, alike = f"steps[{others[0].place}]", [first, *others]
    if first.event is None or first.kind != "measure":
        refute("{name} is measured with a step that is not charged for it", name=name)
    shapes = {(each.measured.kind, each.measured.turned) for each in alike}
    columns = {each.measured.part_of for each in alike if each.measured.kind == "sum"}
    kinds = {each.measured.kind for each in alike}
    if len(shapes) < len(alike) or len(columns) != 1 or None in columns or kinds - _JOINT:
        refute("{name} is measured with what it does not share a charge with", name=name)
    if len({(each.limit, each.measured.present) for each in alike}) > 1:
        refute("{name} is measured with what is limited otherwise", name=name)
    if first.limit is not None and first.limit.weighing == "value":
        refute("{name} shares a charge, and each sum has a limit on its own values", name=name)
    for each in others:
        if each.noise is not None:
            check_noise(each.noise, each.sensitivity, first.event, f"steps[{each.place}]")


def check_found(steps: list[Taken], setting: Setting) -> None:
    """Check that everything found privately has its step, before what rests on it."""
    order = ["find_keys", "find_bounds", "choose_limit"]
    places = [order.index(each.kind) if each.kind in order else len(order) for each in steps]
    if places != sorted(places):
        refute("the steps are not in the order in which they can be taken")
    bounds = [each.said["name"] for each in steps if each.kind == "find_bounds"]
    if sorted(bounds) != sorted(setting.content.bounds):
        refute("the bounds that were found are not those of the steps that find them")
    chosen = [each for each in steps if each.kind == "choose_limit"]
    names = [name for each in chosen for name in each.said["names"]]
    if sorted(names) != sorted(setting.content.limits):
        refute("the limits that were chosen are not those of the steps that choose them")
    used = {each.limit.name: each.limit.weighing for each in steps if each.limit is not None}
    for each in chosen:
        _check_chosen(each, used)


def _check_chosen(step: Taken, used: dict[str, str]) -> None:
    """Check that one histogram is for what it can choose: rows, or groups, or one sum's values."""
    kinds = [used.get(name) for name in step.said["names"]]
    alone = step.said["weighing"] in ("people", "value")
    if not kinds or None in kinds or kinds[0] != step.said["weighing"]:
        refute("steps[{place}] chooses a limit that nothing rests on", place=step.place)
    if (alone and len(kinds) > 1) or {"people", "value"} & {*kinds[1:]}:
        refute("steps[{place}] chooses limits that are not of one kind", place=step.place)
