"""Many small cases in one test."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Test = Callable[..., None]

__all__ = ["cases", "rings"]


def cases(names: str | Sequence[str], values: Iterable[Any]) -> Callable[[Test], Test]:
    """As ``pytest.mark.parametrize``, in one test: for cases that are quick and share nothing.

    All of them are tried; those that fail are told together, each with what it was given.
    """
    keys = [each.strip() for each in names.split(",")] if isinstance(names, str) else [*names]
    listed = [dict(zip(keys, each if keys[1:] else [each], strict=True)) for each in values]
    assert listed, "there is no case"

    def several(test: Test) -> Test:
        @wraps(test)
        def tried(*others: Any, **more: Any) -> None:
            failures = []
            for given in listed:
                try:
                    test(*others, **more, **given)
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001
                    failure.add_note(f"with {shown(given)}")
                    failures.append(failure)
            if failures:
                message = f"{len(failures)} of {len(listed)} cases"
                raise BaseExceptionGroup(message, failures)

        whole = inspect.signature(test)
        others = [each for name, each in whole.parameters.items() if name not in keys]
        tried.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]
        return tried

    return several


def rings(values: Iterable[Any], *, first: Iterable[Any]) -> list[Any]:
    """Values of ``pytest.mark.parametrize``, of which the first ring of tests tries some."""
    listed, quick = list(values), list(first)
    assert all(each in listed for each in quick), "the first ring tries values of the full one"
    return [
        each
        if each in quick
        else pytest.param(*(each if isinstance(each, tuple) else [each]), marks=pytest.mark.full)
        for each in listed
    ]


def shown(given: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r:.200}" for name, value in given.items())
