"""Questions to a sparse vector one by one, each chosen after the answers before it."""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from sfumato.errors import BudgetError, InputError
from sfumato.mechanisms.released import Released
from sfumato.sampling import BitSource, discrete_laplace

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event


class _Comparison(Protocol):
    """What a session asks of its mechanism."""

    @property
    def positives(self) -> int: ...
    @property
    def threshold_scale(self) -> Fraction: ...
    @property
    def query_scale(self) -> Fraction: ...
    @property
    def event(self) -> Event: ...
    @property
    def guarantee(self) -> Guarantee: ...
    def leads(self, values: Any) -> NDArray[Any]: ...


class SparseVectorSession:
    """One run of the sparse vector technique: one noisy threshold, and one charge for all answers.

    Threads may share it.  It is not copied, pickled or continued in a child process: two copies
    would answer twice under one threshold.  Made by ``SparseVector.start``.

    Notes
    -----
    Proof: :doc:`/proofs/sparse-vector`.

    Examples
    --------
    >>> from sfumato.mechanisms.sparse.vector import SparseVector
    >>> from sfumato.sampling import SeededSource
    >>> session = SparseVector(epsilon=1, sensitivity=1, threshold=100).start(SeededSource(1))
    >>> session.ask(3), session.ask(500)
    (False, True)
    >>> session.finished
    True
    """

    def __init__(self, mechanism: _Comparison, source: BitSource) -> None:
        self.mechanism = mechanism
        self._source = source
        self._lock = Lock()
        self._process = os.getpid()
        self._answers: list[bool] = []
        self._left = mechanism.positives
        self._threshold = self._noise(mechanism.threshold_scale)

    @property
    def finished(self) -> bool:
        """Whether all positive answers were given.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> SparseVector(epsilon=1, sensitivity=1).start().finished
        False
        """
        return self._left == 0

    @property
    def released(self) -> Released[tuple[bool, ...]]:
        """The answers so far, with what the whole session costs, however many there are.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> session = SparseVector(epsilon=1, sensitivity=1).start()
        >>> print(session.released.value, session.released.guarantee)
        () 1-DP (add or remove one row)
        """
        mechanism = self.mechanism
        answers = tuple(self._answers)
        return Released(answers, mechanism.event, mechanism.guarantee, self._source.seeded)

    def __repr__(self) -> str:
        answered = len(self.released.value)
        return f"<SparseVectorSession of {self.mechanism!r}, {answered:,} answered>"

    def ask(self, value: Any) -> bool:
        """Tell whether a query is above the threshold, by noisy numbers.

        Parameters
        ----------
        value
            The true answer to a query, which may be chosen after the answers before it.

        Examples
        --------
        >>> from sfumato.mechanisms.sparse.vector import SparseVector
        >>> session = SparseVector(epsilon=1, sensitivity=1).start()
        >>> session.ask(1e6)
        True
        >>> session.ask(1e6)
        Traceback (most recent call last):
            ...
        sfumato.errors.BudgetError: this session has given all of its positive answers, 1; \
start another one, which is charged anew
        """
        if value is None:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "a query's answer must be a number, not None",
                "write ask(12.5), say",
            )
        lead = int(self.mechanism.leads([value])[0])
        with self._lock:
            self._check_open()
            answer = lead + self._noise(self.mechanism.query_scale) >= self._threshold
            self._left -= answer
            self._answers.append(answer)
        return answer

    def _noise(self, scale: Fraction) -> int:
        return int(discrete_laplace(scale, 1, source=self._source)[0])

    def _check_open(self) -> None:
        if self.finished:
            raise BudgetError(
                "E-SESSION-OVER",
                "this session has given all of its positive answers, {positives}",
                "start another one, which is charged anew",
                positives=self.mechanism.positives,
            )
        if os.getpid() != self._process:
            raise BudgetError(
                "E-PROCESS-FORKED",
                "this session belongs to another process",
                "start another, charged anew",
            )

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "E-NOT-COPIED",
            "a SparseVectorSession is not copied or pickled: two copies would answer twice "
            "under one threshold",
            "start another one where it is needed",
        )
