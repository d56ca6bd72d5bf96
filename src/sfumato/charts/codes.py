"""The length of a code beside the entropy."""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import (
    WIDTH,
    altair,
    finished,
    in_bits,
    in_figures,
    of_shares,
    rows,
    words,
)
from sfumato.printing import INK, MAIN, places
from sfumato.translation import said, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.information import PrefixCode
    from sfumato.printing import Chart


#: How wide a letter is, the least share that has a bar, and how many bars are set apart.
_LETTER, _LEAST, _FEW = 7, 1 / WIDTH, 40


def prefix_code(code: PrefixCode) -> Chart:
    """Draw the lengths of codewords beside -log2 p, over the shares of their outcomes.

    Areas are true: that of the bars is the mean length, that below the dark steps the entropy.

    Parameters
    ----------
    code
        A code of `huffman`, say.

    Examples
    --------
    >>> import sfumato as sf
    >>> code = sf.information.huffman({"a": 2, "b": 1})
    >>> sf.charts.prefix_code(code).to_dict()["title"]["text"]
    ['Huffman code: 1 bit on average, 0.0817 above the entropy']
    """
    alt, found = altair(), _columns(code)
    across = tr("share of all values, the most frequent first")
    x = of_shares(alt.X, "left", across)
    y = alt.Y("bits:Q", title=tr("bits"), axis=alt.Axis(tickMinStep=1))
    base = alt.Chart(rows(found)).encode(x=x, x2=alt.X2("right:Q"), y=y)
    between = {"stroke": "white"} if len(found) <= _FEW else {}
    bars = base.mark_rect(color=MAIN, opacity=0.35, **between).encode(y2=alt.YDatum(0))
    ideal = base.mark_rule(color=INK, strokeWidth=2).encode(y=alt.Y("ideal:Q", title=tr("bits")))
    low = alt.Chart(rows(found)).encode(x=of_shares(alt.X, "middle", across), y=alt.YDatum(0))
    over = code.redundancy.upper
    mean = in_bits(float(code.expected_length))
    name = said(code.name)
    title = (
        tr(
            "{name}: {mean} on average, {over} above the entropy",
            name=name,
            mean=mean,
            over=in_figures(over),
        )
        if over
        else tr("{name}: {mean} on average, which is the entropy", name=name, mean=mean)
    )
    return finished(
        alt.layer(
            bars,
            ideal,
            words(low, "word", dy=-22, fontSize=11, font="monospace"),
            words(low, "label", dy=-8, fontSize=11),
        ),
        title,
        tr("bars: bits of each codeword, whose area is the mean length"),
        tr("dark: the information content −log2 p, whose area is the entropy"),
    )


def _columns(code: PrefixCode) -> list[dict[str, Any]]:
    """Return what stands side by side: outcomes, or several that are narrower than a line."""
    chances = {each: float(chance) for each, chance in code.distribution.items()}
    ranked = sorted(
        (each for each in code.lengths if chances[each]),
        key=lambda each: (-chances[each], code.lengths[each]),
    )
    ends = list(accumulate(chances[each] for each in ranked))
    parts = groupby(
        zip(ranked, ends, strict=True),
        key=lambda pair: pair[0] if chances[pair[0]] >= _LEAST else int(pair[1] / (4 * _LEAST)),
    )
    found, left = [], 0.0
    for _, pairs in parts:
        group = [each for each, _ in pairs]
        share = sum(chances[each] for each in group)
        found.append(
            {
                "left": left,
                "right": left + share,
                "middle": left + share / 2,
                "bits": sum(chances[each] * code.lengths[each] for each in group) / share,
                "ideal": sum(chances[each] * code.ideal_lengths[each] for each in group) / share,
                **_labels(code, group, share),
            }
        )
        left += share
    return found


def _labels(code: PrefixCode, group: Sequence[Any], share: float) -> dict[str, str]:
    """Return the name of an outcome and its codeword, where there is room for them."""
    room = WIDTH * share / _LETTER
    word, label = code.codewords[group[0]], str(group[0])
    alone = len(group) == 1
    return {
        "word": word if alone and len(word) <= room else "",
        "label": label if alone and places(label) <= room else "",
    }
