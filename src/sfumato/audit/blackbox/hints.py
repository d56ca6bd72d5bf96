"""What may help to understand what an audit saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.blackbox.raised import Raised
from sfumato.audit.blackbox.vectors import whole_keys
from sfumato.printing.wording import all_of_these
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.blackbox.pool import Pool

__all__ = ["SEEDED", "constant_hints", "why_untested"]

SEEDED = mark("calls repeat themselves: is the generator seeded inside the function?")


def constant_hints(pool: Pool) -> tuple[str, ...]:
    """Say on which dataset every output is the same, if it is neither None nor an exception."""
    sides = pool.sides(pool.sample.column(whole_keys))
    firsts = (pool.sample.outputs[0], pool.sample.outputs[pool.first])
    same = [
        tr("on d{side}", side=side)
        for side, (keys, output) in enumerate(zip(sides, firsts, strict=True))
        if (keys == keys[0]).all() and output is not None and not isinstance(output, Raised)
    ]
    if not same:
        return ()
    asked = tr("is there no noise, or is the generator seeded inside the function?")
    return (tr("every output {same} is the same: {asked}", same=all_of_these(same), asked=asked),)


def why_untested(pool: Pool) -> str:
    """Say why there was no event to test."""
    if any(each.varies for each in pool.sample.fields.values()):
        return tr(
            "no two outputs are alike, and they are no numbers; say what to look at: features="
        )
    return tr("all outputs on both datasets look the same")
