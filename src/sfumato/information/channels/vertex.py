"""The channel of least expected loss: a linear program, solved by columns, finished exactly.

Under a linear requirement each column of a channel is a mixture of rays, so that only the sums of
the rows are left as equations: as many as there are inputs.  Rays are found one by one, where one
has a negative reduced cost; the floats only lead to a basis, and the basis is solved in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpq, fmpq_mat

from sfumato.errors import InternalError, MissingExtraError
from sfumato.numeric import as_fmpq
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sfumato.information.channels.requirements import LinearRequirement, Ray
    from sfumato.information.validate import Floats

    #: An output and a ray; None stands for what is left of the cap.
    Column = tuple[int, Ray] | None


_ROUNDS, _PIVOTS, _PER_ROW = 400, 20, 12
_PRECISE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_TINY, _TIED = 1e-9, 1e-8


def program(costs: Any, **given: Any) -> Any:
    """Solve a linear program in floats, by the simplex method if it can; numbers are 0 or more."""
    try:
        from scipy import optimize
    except ImportError:
        raise MissingExtraError(purpose=mark("a linear program"), extra="optimize") from None
    linprog: Any = optimize.linprog
    found = linprog(costs, bounds=(0, None), method="highs-ds", options=_PRECISE, **given)
    if found.x is None or found.status != 0:
        found = linprog(costs, bounds=(0, None), method="highs-ipm", **given)
    if found.x is None:
        raise InternalError(
            "E-INTERNAL",
            "the linear program ended without a solution ({status})",
            status=found.status,
        )
    return found


@dataclass(frozen=True)
class NearSolution:
    """What floats know of a linear program: a channel, and its dual variables.

    Attributes
    ----------
    matrix
        p(y|x).
    multipliers
        Of the rows of the cone, one column an output.
    prices
        Of the sums of the rows, and of the cap, if there is one.
    """

    matrix: Floats
    multipliers: Floats
    prices: Floats


def near_solution(requirement: LinearRequirement, costs: Floats) -> NearSolution:
    """Return a channel of least Σ p(y|x)·costs[x][y], as floats see it."""
    try:
        from scipy import sparse
    except ImportError:
        raise MissingExtraError(purpose=mark("a linear program"), extra="optimize") from None
    cone, (inputs, outputs) = requirement.cone(), costs.shape
    size = cone.shape[1]
    walls = sparse.kron(sparse.eye_array(outputs), cone, format="csr")
    most = np.zeros(walls.shape[0])
    if requirement.cap is not None:
        last = np.tile(np.eye(size)[-1], outputs)
        walls = sparse.vstack([walls, sparse.csr_array(last[np.newaxis])], format="csr")
        most = np.append(most, float(requirement.cap))
    wide = np.vstack([costs, np.zeros((size - inputs, outputs))])
    found = program(
        wide.T.ravel(),
        A_ub=walls,
        b_ub=most,
        A_eq=sparse.kron(np.ones((1, outputs)), np.eye(inputs, size), format="csr"),
        b_eq=np.ones(inputs),
    )
    multipliers = -found.ineqlin.marginals[: outputs * len(cone)].reshape(outputs, -1)
    matrix = found.x.reshape(outputs, size)[:, :inputs]
    cap = found.ineqlin.marginals[outputs * len(cone) :]
    return NearSolution(
        np.maximum(matrix.T, 0.0),
        np.maximum(multipliers.T, 0.0),
        np.append(found.eqlin.marginals, cap),
    )


@dataclass(frozen=True)
class Vertex:
    """A channel of least expected loss, and prices that show how good it is.

    Attributes
    ----------
    rows
        p(y|x): exact, with sums of 1 where the basis was feasible.
    prices
        One for each input: the dual variable of the sum of its row.
    """

    rows: list[list[fmpq]]
    prices: list[fmpq]


class LeastLoss:
    """The linear program of the least Σ p(y|x)·costs[x][y] under a linear requirement."""

    def __init__(self, requirement: LinearRequirement, costs: Sequence[Sequence[fmpq]]) -> None:
        self._requirement = requirement
        self._costs = [list(each) for each in zip(*costs, strict=True)]
        self._near = np.array([[float(each) for each in column] for column in self._costs])
        self._inputs, self._cap = len(costs), requirement.cap
        self._enough = _TINY * (float(np.abs(self._near).max()) or 1.0)
        self._ratio = float(requirement.ratio)
        self._known: dict[Column, Floats] = {}
        self._prices = np.zeros(self._inputs)

    def solved(self) -> Vertex:
        """Return the best channel there is."""
        found = self._by_levels() if self._requirement.has_levels else self._by_rounds()
        basis = self._basis(found)
        shares, prices = self._solution(basis)
        for _ in range(_PIVOTS):
            entering = self._entering(prices)
            if entering is None or min(shares) < 0:
                break
            basis = self._exchanged(basis, shares, entering)
            shares, prices = self._solution(basis)
        seen = [as_fmpq(Fraction(each)) for each in self._prices[: self._inputs].tolist()]
        best = max(prices[: self._inputs], seen, key=self._bound)
        return Vertex(self._channel(basis, shares), best)

    def _bound(self, prices: list[fmpq]) -> fmpq:
        """Return what prices prove: no channel has less loss."""
        weights = [
            [cost - price for cost in row]
            for row, price in zip(zip(*self._costs, strict=True), prices, strict=True)
        ]
        floor: fmpq = self._requirement.floor(weights, as_fmpq(self._requirement.ratio))
        return sum(prices, fmpq(0)) + floor

    def _add(self, columns: Iterable[Column]) -> None:
        for each in columns:
            self._known[each] = np.array([float(value) for value in self._exact(each)])

    def _first(self) -> Iterator[Column]:
        """Return columns to begin with, which can make up a channel."""
        if self._cap is not None:
            yield None
        rays = list(self._requirement.first_rays())
        for y in range(len(self._costs)):
            for ray in rays:
                yield y, ray

    def _exact(self, column: Column) -> list[fmpq]:
        """Return the coefficients of a column of the program."""
        if column is None:
            return [fmpq(0)] * self._inputs + [fmpq(1)]
        values = self._requirement.values(column[1])
        return values if self._cap is None else [*values, fmpq(1)]

    def _cost(self, column: Column) -> fmpq:
        if column is None:
            return fmpq(0)
        y, ray = column
        pairs = zip(self._costs[y], self._requirement.values(ray), strict=True)
        return sum((cost * value for cost, value in pairs), fmpq(0))

    def _bounds(self) -> list[fmpq]:
        ones = [fmpq(1)] * self._inputs
        return ones if self._cap is None else [*ones, as_fmpq(self._cap)]

    def _by_rounds(self) -> list[Column]:
        """Return columns of a best basis, the surest first: add those of negative reduced cost."""
        self._add(self._first())
        for _ in range(_ROUNDS):
            shares, prices = self._master()
            new = [each for each in self._cheaper(prices) if each not in self._known]
            if not new:
                break
            self._add(new)
        self._prices = prices
        return self._ordered(shares, prices)

    def _by_levels(self) -> list[Column]:
        """Return columns of a best basis, the surest first: those of a solution in floats.

        A column is a mixture of its levels, and rays that cost nothing at the dual variables may
        be among the basis, too.
        """
        near = near_solution(self._requirement, self._near.T)
        self._add(self._first())
        for y, column in enumerate(near.matrix.T):
            self._add((y, ray) for ray in self._requirement.levels(column))
            weights = self._near[y] - near.prices[: self._inputs]
            tied = np.abs(weights) < _TIED * (np.abs(self._near).max() or 1.0)
            weights[tied] = 0.0
            self._add((y, ray) for ray in self._tied_rays(weights, np.flatnonzero(tied)))
        self._prices = near.prices
        shares, _ = self._master()
        return self._ordered(shares, near.prices)

    def _tied_rays(self, weights: Floats, tied: NDArray[np.int64]) -> Iterator[Ray]:
        """Return the cheapest ray, and that with each input that costs nothing on the high side."""
        for place in (None, *tied.tolist()):
            lowered = weights.copy()
            if place is not None:
                lowered[place] = -1.0
            for _, ray in self._requirement.cheapest(lowered.tolist(), self._ratio):
                yield ray

    def _master(self) -> tuple[Floats, Floats]:
        """Return the best shares of the columns that are known, and the prices of the rows."""
        matrix = np.array(list(self._known.values())).T
        found = program(
            self._near_costs(), A_eq=matrix, b_eq=[float(each) for each in self._bounds()]
        )
        return found.x, found.eqlin.marginals

    def _ordered(self, shares: Floats, prices: Floats) -> list[Column]:
        columns = list(self._known)[: len(shares)]
        matrix = np.array([self._known[each] for each in columns])
        reduced = np.abs(self._near_costs()[: len(shares)] - matrix @ prices)
        order = np.lexsort((reduced, np.where(shares > _TINY, -shares, 0.0)))
        return [columns[each] for each in order]

    def _near_costs(self) -> Floats:
        return np.array([self._near_cost(each) for each in self._known])

    def _near_cost(self, column: Column) -> float:
        if column is None:
            return 0.0
        return float(self._near[column[0]] @ self._known[column][: self._inputs])

    def _cheaper(self, prices: Floats) -> Iterator[Column]:
        """Return columns that would lower the loss, as far as floats can tell."""
        cap = prices[self._inputs :].sum()
        for y, costs in enumerate(self._near):
            weights = (costs - prices[: self._inputs]).tolist()
            for value, ray in self._requirement.cheapest(weights, self._ratio):
                if value - cap < -self._enough:
                    yield y, ray

    def _basis(self, candidates: list[Column]) -> list[Column]:
        """Return the first columns that are independent, as many as there are rows."""
        rows = len(self._bounds())
        first = [*candidates[: _PER_ROW * rows], *((0, each) for each in self._peaks())]
        coefficients = [self._exact(each) for each in first]
        reduced, rank = fmpq_mat(coefficients).transpose().rref()
        found: list[Column] = []
        for place, column in enumerate(first):
            if len(found) < rank and reduced[len(found), place] != 0:
                found.append(column)
        return found

    def _peaks(self) -> list[Ray]:
        return list(self._requirement.first_rays())

    def _matrix(self, basis: list[Column]) -> fmpq_mat:
        return fmpq_mat([self._exact(each) for each in basis]).transpose()

    def _solution(self, basis: list[Column]) -> tuple[list[fmpq], list[fmpq]]:
        """Return the shares of the columns in a basis, and the prices of the rows."""
        matrix, size = self._matrix(basis), len(basis)
        shares = matrix.solve(fmpq_mat(size, 1, self._bounds()))
        prices = matrix.transpose().solve(fmpq_mat(size, 1, [self._cost(each) for each in basis]))
        return shares.entries(), prices.entries()

    def _entering(self, prices: list[fmpq]) -> Column:
        """Return the column that would lower the loss most, exactly; None where none does."""
        own, cap = prices[: self._inputs], sum(prices[self._inputs :], fmpq(0))
        ratio, best, found = as_fmpq(self._requirement.ratio), fmpq(0), None
        for y, costs in enumerate(self._costs):
            weights = [cost - price for cost, price in zip(costs, own, strict=True)]
            for value, ray in self._requirement.cheapest(weights, ratio):
                if value - cap < best:
                    best, found = value - cap, (y, ray)
        return found

    def _exchanged(self, basis: list[Column], shares: list[fmpq], entering: Column) -> list[Column]:
        """Return the basis with a column that enters, and without that which first reaches 0."""
        right = fmpq_mat(len(basis), 1, self._exact(entering))
        change = self._matrix(basis).solve(right).entries()
        falling = [place for place, each in enumerate(change) if each > 0]
        leaving = min(falling, key=lambda place: shares[place] / change[place])
        return [*basis[:leaving], entering, *basis[leaving + 1 :]]

    def _channel(self, basis: list[Column], shares: list[fmpq]) -> list[list[fmpq]]:
        rows = [[fmpq(0)] * len(self._costs) for _ in range(self._inputs)]
        for column, share in zip(basis, shares, strict=True):
            if column is not None and share > 0:
                y, ray = column
                for row, value in zip(rows, self._requirement.values(ray), strict=True):
                    row[y] += share * value
        return rows
