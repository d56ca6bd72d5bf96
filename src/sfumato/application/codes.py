"""In how few bits a table says its columns: a code, beside their entropy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sfumato import information
from sfumato.data import asked_names, count_groups, open_source
from sfumato.errors import InputError
from sfumato.printing import NotPrivate, aligned, counted, cut, listed, rounded, share
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.data import GroupCounts

    Values = tuple[str | None, ...]


#: How many values may occur, how many of them are printed, and how much of each.
_MOST, _ROWS, _VALUE, _CODEWORD = 200_000, 20, 30, 30
_EMPTY = mark("(empty)")


@dataclass(frozen=True, kw_only=True)
class CodeReport(NotPrivate):
    """A Huffman code of the values of some columns, and what an arithmetic code takes.

    Attributes
    ----------
    columns
        The columns; one value of each makes an outcome.
    code
        The code; its distribution has the counts.
    rows
        How many rows were counted.
    arithmetic
        How many bits an arithmetic code of all rows takes at most.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.application import code_columns
    >>> report = code_columns(pd.DataFrame({"ill": ["no", "no", "flu", "no"]}), columns="ill")
    >>> report.code.codewords, report.arithmetic
    ({('no',): '0', ('flu',): '1'}, 5)
    """

    columns: tuple[str, ...]
    code: information.PrefixCode
    rows: int
    arithmetic: int

    def findings(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.application import code_columns
        >>> ill = pd.DataFrame({"ill": ["no", "no", "flu", "no"]})
        >>> print(code_columns(ill, columns="ill"))
        a Huffman code of ill takes 1.000 bits a row; entropy 0.8113 bits
        all rows: 4 bits by it, at most 5 by an arithmetic code; information content 3.245
        value  share  −log2 p  length  codeword
        no      75 %   0.4150       1  0
        flu     25 %    2.000       1  1
        4 rows, 2 outcomes
        each row is one observation
        not private: exact figures, for the data owner
        """
        mean, entropy = self.code.expected_length, self.code.entropy.upper
        hidden = len(self.code.lengths) - _ROWS
        return [
            tr(
                "a Huffman code of {columns} takes {mean} bits a row; entropy {entropy} bits",
                columns=listed(self.columns),
                mean=rounded(float(mean)),
                entropy=rounded(entropy),
            ),
            tr(
                "all rows: {huffman:,} bits by it, at most {arithmetic:,} by an arithmetic code; "
                "information content {information}",
                huffman=int(mean * self.rows),
                arithmetic=self.arithmetic,
                information=rounded(entropy * self.rows),
            ),
            *self._table(),
            *([tr("{others} not shown", others=counted(hidden, "other"))] if hidden > 0 else []),
            f"{counted(self.rows, 'row')}, {counted(len(self.code.lengths), 'outcome')}",
            tr("each row is one observation"),
        ]

    def figures(self) -> dict[str, Any]:
        """Return the figures ready for JSON.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.application import code_columns
        >>> code_columns(pd.DataFrame({"x": ["a", "b"]}), columns="x").figures()["codewords"]
        [{'value': ['a'], 'rows': 1, 'codeword': '0'}, {'value': ['b'], 'rows': 1, 'codeword': '1'}]
        """
        numbers, _ = self.code.distribution.integers
        return {
            "unit": "bits",
            "columns": list(self.columns),
            "rows": self.rows,
            "entropy": self.code.entropy.upper,
            "expected_length": float(self.code.expected_length),
            "arithmetic": self.arithmetic,
            "codewords": [
                {"value": list(values), "rows": count, "codeword": word}
                for count, (values, word) in zip(numbers, self._codewords(), strict=True)
            ],
        }

    def _codewords(self) -> Iterable[tuple[Values, str]]:
        return cast("dict[Values, str]", self.code.codewords).items()

    def _table(self) -> list[str]:
        code = self.code
        chances = code.distribution.probabilities.tolist()[:_ROWS]
        cells = [
            (
                cut(", ".join(each or tr(_EMPTY) for each in values), _VALUE),
                share(chance),
                rounded(code.ideal_lengths[values]),
                str(len(word)),
                cut(word, _CODEWORD),
            )
            for chance, (values, word) in zip(chances, self._codewords(), strict=False)
        ]
        return aligned([_HEADER, *cells], right={1, 2, 3})


_HEADER = (mark("value"), mark("share"), mark("−log2 p"), mark("length"), mark("codeword"))


def code_columns(data: Any, *, columns: str | Iterable[str]) -> CodeReport:
    """Make a Huffman code of the values of columns: how few bits say a row.

    Parameters
    ----------
    data
        A path (CSV or Parquet), or a pandas, polars or Arrow table.
    columns
        The column or columns whose combinations are the outcomes.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.application import code_columns
    >>> table = pd.DataFrame({"sex": ["F", "F", "M", "M"], "ill": ["no", "no", "no", "yes"]})
    >>> code_columns(table, columns=["sex", "ill"]).code.codewords
    {('F', 'no'): '0', ('M', 'no'): '10', ('M', 'yes'): '11'}
    """
    names = asked_names(columns)
    source = open_source(data)
    source.check_columns(names)
    found = count_groups(source, names, with_keys=True)
    if found.counts.size > _MOST:
        raise InputError(
            "E-TOO-LARGE",
            "a code of {count:,} values is too large to print",
            "at most {most:,} are coded here; name columns with fewer",
            count=found.counts.size,
            most=_MOST,
        )
    counts = _counted(found)
    return CodeReport(
        columns=names,
        code=information.huffman(counts),
        rows=found.rows,
        arithmetic=information.arithmetic_length(counts),
    )


def _counted(found: GroupCounts) -> dict[Values, int]:
    """Return how often each combination of values occurs, the most frequent first."""
    keys = [] if found.keys is None else found.keys.columns
    texts = [[None if each is None else str(each) for each in key.to_pylist()] for key in keys]
    counts: dict[Values, int] = {}
    for values, number in zip(zip(*texts, strict=True), found.counts.tolist(), strict=True):
        counts[values] = counts.get(values, 0) + number
    ranked = sorted(counts, key=lambda values: (-counts[values], [each or "" for each in values]))
    return {values: counts[values] for values in ranked}
