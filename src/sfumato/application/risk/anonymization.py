"""A file of people generalised to k-anonymity, for the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data import check_free
from sfumato.errors import InputError
from sfumato.risk import anonymize, bands, check_output, date_bands, prefixes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.risk import Anonymized, Hierarchy


def anonymize_file(
    file: str,
    *,
    output: str = "",
    replace: bool = False,
    hierarchies: Mapping[str, Hierarchy | str],
    **wishes: Any,
) -> Anonymized:
    """Generalise a file of people, and write the outcome into another.

    Parameters
    ----------
    file
        A CSV or Parquet file.
    output
        Where the generalised table goes; nothing is written without it.
    replace
        Whether an earlier table may be there.
    hierarchies, wishes
        As in ``sfumato.risk.anonymize``.
    """
    if output:
        check_output(output)
        read = [file, *(each for each in hierarchies.values() if isinstance(each, str))]
        check_free(output, replace=replace, spared=tuple(read))
    found = anonymize(file, hierarchies=hierarchies, **wishes)
    if output:
        found.write(output, replace=replace)
    return found


def read_hierarchies(
    *,
    files: Mapping[str, str],
    widths: Mapping[str, Sequence[str]],
    steps: Mapping[str, Sequence[str]],
    codes: Sequence[str],
) -> dict[str, Hierarchy | str]:
    """Return the hierarchy of each column from what the shell was told.

    Parameters
    ----------
    files
        Columns whose hierarchy is in a file.
    widths
        Columns of numbers, and how wide their bands are.
    steps
        Columns of dates, and their steps.
    codes
        Columns of codes, which are cut short.
    """
    named = [*files, *widths, *steps, *codes]
    for name in named:
        if named.count(name) > 1:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "the column {name!r} is given two hierarchies",
                "give it one",
                name=name,
            )
    return {
        **files,
        **{name: bands(*each) for name, each in widths.items()},
        **{name: date_bands(*each) for name, each in steps.items()},
        **{name: prefixes() for name in codes},
    }
