"""What a check says: what was proved, what is trusted, and what could be done again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.audit.certificate.asked import Asked
    from sfumato.audit.certificate.parts import Part
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.taken import Taken
    from sfumato.privacy import Guarantee

__all__ = ["again", "proved", "trusted"]

_DERIVED_BARS = ("count", "people", "sum", "histogram", "quantiles", "minimum", "maximum")


def proved(promise: Guarantee, steps: list[Taken], how: str, asked: list[Asked]) -> tuple[str, ...]:
    """Return what was derived again and is as it is stated."""
    count = len([each for each in steps if each.event is not None])
    several = f"{count} charged steps" if count > 1 else "the one charged step"
    names = ", ".join(each.name for each in asked)
    moves = f"{several}: one change of “{promise.relation}” moves what is measured by no more than "
    return (
        moves + "is claimed, and the noise or the choice is that of the event",
        f"together they keep {promise}: {how}",
        f"each aggregate ({names}) is made of what was measured for it, and of nothing else",
        "the values, and what was done to them, follow from what was released",
    )


def trusted(
    setting: Setting, steps: list[Taken], asked: list[Asked], query: Part
) -> tuple[str, ...]:
    """Return what nobody can see in a certificate."""
    found = ["that the noise was drawn as it is stated, and that nobody kept it"]
    rows = "the engine read the rows that the question is about, and added them up"
    if setting.declared.person is not None:
        rows += f", with {setting.declared.person} telling people apart and nobody over a limit"
    found.append(f"that {rows}")
    if query["steps"].value:
        found.append("that the rows were filtered and derived as the question says")
    found.append("that what is declared (bounds, values, limits) was known without the data")
    if any(each.kind.startswith("choose_") or each.kind == "find_keys" for each in steps):
        found.append("that choices were made with the odds of their mechanisms")
    others = [each.name for each in asked if each.kind not in _DERIVED_BARS]
    if others:
        found.append(f"that the error bars of {', '.join(others)} are wide enough")
    return tuple(found)


def again(setting: Setting) -> tuple[str, ...]:
    """Return what would have to be done again to know more, and with what."""
    found = ["the question itself, on the same rows: it costs its ε again, and has other noise"]
    if setting.declared.person is not None:
        found.append("the largest contributions, on the same rows, by whoever holds them")
    return tuple(found)
