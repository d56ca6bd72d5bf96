"""Several lines in one picture, told apart by colour and by dash."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import DASHES, MAIN, PALETTE, WIDTH, altair
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing.layout import cut
from sfumato.privacy import Guarantee

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["named_lines", "read_named", "told_apart"]

_LONGEST = 40
_LETTER, _SYMBOL = 6, 45


def told_apart(names: Sequence[str], *, legend: bool = True, field: str = "name") -> dict[str, Any]:
    """Return how lines of a field are told apart; one line needs no legend."""
    alt, count = altair(), len(names)
    if count == 1:
        return {"color": alt.ColorValue(MAIN)}
    kept = [(each * -(-count // len(each)))[:count] for each in (PALETTE, DASHES)]
    shown_as = {
        "orient": "bottom",
        "columns": _columns(names),
        "symbolType": "stroke",
        "symbolSize": 500,
        "labelLimit": _LETTER * _LONGEST,
    }
    shared: dict[str, Any] = {"title": None, "sort": None, "legend": shown_as if legend else None}
    return {
        "color": alt.Color(f"{field}:N", **shared, scale=alt.Scale(domain=[*names], range=kept[0])),
        "strokeDash": alt.StrokeDash(
            f"{field}:N", **shared, scale=alt.Scale(domain=[*names], range=kept[1])
        ),
    }


def _columns(names: Sequence[str]) -> int:
    """Return how many names stand in a row, so that rows are few and about equally long."""
    room = max(1, WIDTH // (_SYMBOL + _LETTER * max(map(len, names))))
    return math.ceil(len(names) / math.ceil(len(names) / room))


def named_lines(names: Sequence[object]) -> list[str]:
    """Return names for a legend: short, and no two alike."""
    kept: list[str] = []
    for place, name in enumerate(names, 1):
        short = cut(str(name), _LONGEST)
        kept.append(f"{short} ({place})" if short in kept else short)
    return kept


def read_named(guarantees: Any) -> dict[str, Guarantee]:
    """Return guarantees by the names of their lines, or refuse in one sentence."""
    given = guarantees if isinstance(guarantees, Mapping) else {}
    if not given or not all(isinstance(each, Guarantee) for each in given.values()):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "give guarantees by their names, such as {{'basic': sf.PureDP(epsilon=1)}}, not "
            "{guarantees}",
            guarantees=shown(guarantees),
        )
    return dict(zip(named_lines(list(given)), given.values(), strict=True))
