"""What is refused, told by its code and by the argument that it is about, whatever the words."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.errors import InputError, SfumatoError
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["raises_code"]


@contextmanager
def raises_code(
    code: str,
    argument: str | None = None,
    *,
    kind: type[SfumatoError] = InputError,
    match: str | None = None,
) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Have a block refuse something.

    Parameters
    ----------
    code
        The code of the error.
    argument
        The first argument that the sentence names.
    kind
        The class of the error.
    match
        What the sentence says, where the code alone would not tell one mistake from another.
    """
    with pytest.raises(kind, match=match) as caught:
        yield caught
    named = [each for each in caught.value.refusal.given.values() if isinstance(each, Argument)]
    found = (caught.value.code, named[0].name if argument and named else None)
    assert found == (code, argument), str(caught.value)
