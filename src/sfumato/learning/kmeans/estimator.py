"""Private k-means as an estimator of scikit-learn."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from sfumato.errors import InputError
from sfumato.learning.kmeans.budget import chosen_plan
from sfumato.learning.kmeans.domain import read_domain
from sfumato.learning.kmeans.fitting import charged, check_drawable, fitted
from sfumato.learning.kmeans.labelling import NearestCentres, not_labelled
from sfumato.learning.kmeans.plan import NO_NOISE, TableChange
from sfumato.learning.kmeans.source import (
    as_frame,
    column_names,
    is_private_table,
    opened_array,
    opened_table,
    with_columns,
)
from sfumato.learning.kmeans.validate import (
    is_without_noise,
    read_asked,
    read_dimensions,
    read_limit,
    relation_of_points,
)
from sfumato.printing import as_text, drawn
from sfumato.sampling import SeededSource, system_source
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.domain import L1Ball
    from sfumato.learning.kmeans.model import Centres
    from sfumato.learning.kmeans.plan import Plan
    from sfumato.learning.kmeans.source import Opened
    from sfumato.learning.kmeans.space import GridBox
    from sfumato.printing import Chart
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Number
    from sfumato.sampling import BitSource

    Reals = NDArray[np.float64]


#: How far from the middle centres of the textbook's algorithm are told apart, in radii of its ball.
_REACH = 4


class KMeans(NearestCentres):
    """Find k centres such that every point is near one of them, under differential privacy.

    Every coordinate is scaled by its bounds, so that all count alike.  Values outside their bounds
    are taken at the bound, and missing ones (NaN) in the middle; how many there were is not said.

    Parameters
    ----------
    n_clusters
        k, how many centres.
    epsilon
        ε, what the centres may cost.  ``math.inf`` with method "lloyd" and points that you hold is
        the plain algorithm: no noise is added, and nothing is private.
    delta
        δ, where Gaussian noise may be added; leave it out for pure ε.
    bounds
        The range of each coordinate, known without looking at the data: a pair for all, a pair
        for each, or a pair by the name of the column.  A private table declares its own.
    domain
        An ``sf.learning.L1Ball`` that points lie in, instead of bounds, as in the textbook; of a
        private table, instead of those that it declares.
    columns
        Which columns of a frame or a private table; all by default.
    method
        "auto" chooses by public numbers alone.  "lloyd" is the textbook's algorithm;
        "rounds" is Lloyd's with an even start and distances from the old centre; "grid" and "tree"
        begin with noisy counts of cells.
    rounds
        How many rounds of Lloyd's algorithm; by default 5 for "lloyd", and else by the expected
        error.
    size
        About how many people there are, if that is public: the choice is then better.  A wrong
        guess costs accuracy, never privacy.
    points_per_person
        How many points of one person count fully; if somebody has more, each of them weighs less.
    relation
        Which tables are neighbours: ``sf.privacy.AddRemove()``, or ``sf.privacy.Substitute()`` as
        in the textbook, which is the default of "lloyd".
    noise
        "auto", "laplace" or "gaussian": of the sums, where δ is given.
    random_state
        For tests alone: noise from a seed is noise that can be drawn again, so that nothing is
        private.

    Attributes
    ----------
    cluster_centers_
        The centres, one a row.
    counts_
        How many points are next to each, with noise.
    noise_
        The standard deviation of the noise in each coordinate of each centre, about.
    cost_
        The mean square distance of points from their centres, each coordinate scaled to [-1, 1],
        as far as the noisy cells tell; NaN where there are none.
    guarantee_, event_
        What is guaranteed, and what was done, for a ledger; where ε is infinite the guarantee says
        that there is none, and the event is None.
    plan_
        What was chosen, and why.
    receipt_
        Of the ledger that the private table declares; None where there is none.
    seeded_
        Whether the noise came from a seed, so that nothing is private.
    bounds_
        The lower and the upper bound of each coordinate; of a ball, those of the box around it.

    Notes
    -----
    Proof: :doc:`/proofs/kmeans`.

    Nothing else of the points is kept: no label, no exact cost, no number of rounds that depends
    on them.  ``predict`` labels points that the caller holds.

    *Privacy.*  Each step adds noise to numbers that one change moves by a known amount, and the
    steps compose; what is computed of noisy numbers is free.  For "lloyd" see theorem 5.3 of the
    textbook; for the others ``docs/learning/how-it-works``.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> points = np.repeat([[0.2, 0.2], [0.8, 0.7]], 5000, axis=0)
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(points)
    >>> sorted(model.cluster_centers_.round(1).tolist())
    [[0.2, 0.2], [0.8, 0.7]]
    >>> print(model.guarantee_)
    1-DP (add or remove one row)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        epsilon: Number | None = None,
        delta: Number | None = None,
        bounds: Any = None,
        domain: L1Ball | None = None,
        columns: Sequence[str] | None = None,
        method: str = "auto",
        rounds: int | None = None,
        size: int | None = None,
        points_per_person: int | None = None,
        relation: Relation | None = None,
        noise: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.epsilon = epsilon
        self.delta = delta
        self.bounds = bounds
        self.domain = domain
        self.columns = columns
        self.method = method
        self.rounds = rounds
        self.size = size
        self.points_per_person = points_per_person
        self.relation = relation
        self.noise = noise
        self.random_state = random_state

    def fit(
        self,
        X: Any,  # noqa: N803
        y: Any = None,  # noqa: ARG002
        *,
        people: Any = None,
        analyst: str | None = None,
        key: str | None = None,
    ) -> Self:
        """Find the centres; one call is one charge.

        Parameters
        ----------
        X
            Points as an array, a pandas or polars frame, a tensor of torch on any device, or a
            private table, of which rows stay in the engine.
        y
            Not used.
        people
            Whose each point is, where one person may own several: then a person is protected with
            all of them.
        analyst, key
            Of the ledger that a private table declares.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = pd.DataFrame({"id": range(2000), "age": [30, 70] * 1000})
        >>> table = sf.table(visits, unit="id", bounds={"age": (0, 100)})
        >>> model = sf.KMeans(n_clusters=2, epsilon=1).fit(table)
        >>> print(model.guarantee_)
        1-DP (add or remove one id)
        """
        opened = self._opened(X, people)
        plan = self._planned(opened)
        source = self._source()
        space = opened.space(reach=_reach(plan))
        opened.check(plan, space)
        check_drawable(plan, space)

        def compute() -> Centres:
            return replace(fitted(opened.points(space), plan, source), seeded=source.seeded)

        found, self.receipt_ = charged(opened, plan, compute, analyst=analyst, key=key)
        self._keep(found, plan, space)
        return self

    def fit_predict(self, X: Any, y: Any = None, **told: Any) -> NDArray[np.int64]:  # noqa: N803
        """Find the centres, and return which one each of the same points is nearest to.

        The labels tell of each point which centre is near: they are for whoever holds the points.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1))
        >>> model.fit_predict(np.zeros((5, 1))).shape
        (5,)
        """
        _check_held(X)
        return self.fit(X, y, **told).predict(X)

    def fit_transform(self, X: Any, y: Any = None, **told: Any) -> Reals:  # noqa: N803
        """Find the centres, and return how far each of the same points is from each.

        The distances are exact: they are for whoever holds the points.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1))
        >>> model.fit_transform(np.zeros((5, 1))).shape
        (5, 2)
        """
        _check_held(X)
        return self.fit(X, y, **told).transform(X)

    def plan(self, dimensions: int | None = None, *, table: Any = None) -> Plan:
        """Return what ``fit`` would do to points with so many coordinates; no row is read.

        Parameters
        ----------
        dimensions
            How many coordinates; may be left out where bounds or columns tell.
        table
            A private table, which tells more: whose its rows are.

        Examples
        --------
        >>> import sfumato as sf
        >>> model = sf.KMeans(n_clusters=5, epsilon=1, bounds={"age": (0, 110), "bmi": (10, 60)})
        >>> model.plan().dimensions
        2
        """
        if is_private_table(table):
            return self._planned(opened_table(self, table, None))
        if table is not None or is_private_table(dimensions):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "plan takes a private table as plan(table=patients), and of points in memory "
                "the number of coordinates, as plan(dimensions=2)",
            )
        domain = read_domain(self.domain, self.bounds)
        coordinates = read_dimensions(dimensions, self.bounds, self.columns, domain)
        if domain is not None:
            domain.middle(coordinates)
        people = self.points_per_person is not None
        relation = relation_of_points(self.relation, self.method, people=people)
        change = TableChange(relation, read_limit(self.points_per_person), 1)
        return chosen_plan(read_asked(self, coordinates), change, domain)

    def explain(self, dimensions: int | None = None, *, table: Any = None) -> str:
        """Return in words what was chosen and why, or before ``fit`` what would be.

        Parameters
        ----------
        dimensions, table
            Before ``fit``, as for ``plan``.

        Examples
        --------
        >>> import sfumato as sf
        >>> model = sf.KMeans(n_clusters=5, epsilon=1, bounds=(0, 1), size=100)
        >>> print(model.explain(dimensions=2).splitlines()[0])
        5 centres in 2 coordinates, by a grid of 64 cells
        """
        plan = getattr(self, "plan_", None) or self.plan(dimensions, table=table)
        said = str(plan)
        if getattr(self, "seeded_", False):
            said += tr("\nNOT PRIVATE: the noise came from random_state, and can be drawn again")
        return said

    def plot(
        self,
        of: Literal["centres", "cost"] = "centres",
        *,
        names: Sequence[str] | None = None,
        to: str | Path | None = None,
    ) -> Chart:
        """Draw what was found (``pip install 'sfumato[plots]'``); no point of the data is drawn.

        Parameters
        ----------
        of
            ``"centres"``: where they are between the bounds, how far off noise may have put each,
            and how many points are next to it.  ``"cost"``: what another ε would cost.
        names
            What coordinates are called, where the points that it was fitted to had no names.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> points = np.repeat([[0.2, 0.2], [0.8, 0.7]], 5000, axis=0)
        >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(points)
        >>> model.plot(names=["age", "height"]).to_dict()["title"]["text"]
        ['2 centres by age and height, ± 2 standard deviations of noise']
        """
        return drawn("kmeans", self, to=to, of=of, names=names)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:  # noqa: N803
        said: str = super().__repr__(N_CHAR_MAX)
        return f"{said}  # {self._unguarded()}" if self._unguarded() else said

    @property
    def _repr_html_(self) -> Callable[[], str]:
        drawn: Callable[[], str] = super()._repr_html_
        return lambda: self._warned(drawn())

    def _repr_mimebundle_(self, **told: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**told)
        return {
            kind: self._warned(shown) if kind == "text/html" else shown
            for kind, shown in bundle.items()
        }

    def _warned(self, page: str) -> str:
        said = self._unguarded()
        return f"<p><strong>{as_text(said)}</strong></p>{page}" if said else page

    def _unguarded(self) -> str:
        """Return that nothing is private, where no noise was or would be added."""
        plan = getattr(self, "plan_", None)
        if is_without_noise(self.epsilon) if plan is None else not plan.is_private:
            return tr(NO_NOISE)
        return ""

    def _opened(self, data: Any, people: Any) -> Opened:
        if is_private_table(data):
            opened = opened_table(self, data, people)
            self._name_features(opened.names, opened.dimensions)
            return opened
        matrix = with_columns(as_frame(data), self.columns)
        names = column_names(matrix)
        return opened_array(self, self._matrix(matrix, reset=True), people, names)

    def _planned(self, opened: Opened) -> Plan:
        asked = read_asked(self, opened.dimensions, opened.size)
        change = TableChange(opened.relation, opened.weight or 1, opened.fine)
        return chosen_plan(asked, change, opened.domain)

    def _source(self) -> BitSource:
        if self.random_state is None:
            return system_source()
        warnings.warn(
            tr(
                "random_state is for tests: whoever knows the seed can take the noise away, "
                "so that nothing is private; leave it out"
            ),
            UserWarning,
            stacklevel=3,
        )
        from sklearn.utils import check_random_state

        try:
            random = check_random_state(self.random_state)
        except ValueError:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "random_state must be a whole number from 0 to 2**32 - 1",
                "leave it out",
            ) from None
        return SeededSource(int(random.randint(2**31 - 1)))

    def _keep(self, found: Centres, plan: Plan, space: GridBox) -> None:
        self.cluster_centers_ = space.real(found.places)
        self.counts_ = found.counts
        self.noise_ = found.noise / space.scale
        self.cost_ = found.cost
        self.guarantee_, self.plan_ = plan.guarantee, plan
        self.event_ = plan.event if plan.is_private else None
        self.bounds_ = (space.low, space.high)
        self.seeded_ = found.seeded


def _reach(plan: Plan) -> int:
    """Return how far centres may lie, in half widths; the textbook's have a ball around a box."""
    if plan.printed is None:
        return 1
    return _REACH * (plan.dimensions if plan.domain is None else 1)


def _check_held(data: Any) -> None:
    """Refuse to label the rows of a private table, before anything is charged for."""
    if is_private_table(data):
        raise not_labelled()
