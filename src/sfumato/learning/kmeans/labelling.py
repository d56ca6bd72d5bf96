"""What can be done with centres: label points that the caller holds, and measure distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, MissingExtraError
from sfumato.learning.kmeans.points.arrays import nearest
from sfumato.learning.kmeans.source import (
    as_frame,
    as_matrix,
    check_tensor,
    column_names,
    is_private_table,
    is_tensor,
    with_columns,
)
from sfumato.learning.kmeans.space import space_of

try:
    from sklearn.base import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        TransformerMixin,
    )
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise MissingExtraError(purpose="k-means", extra="learn") from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.plan import Plan

    Reals = NDArray[np.float64]


def not_labelled() -> InputError:
    """Return the error about a private table whose rows would be labelled."""
    return InputError(
        "E-TABLE-NOT-LABELLED",
        "a private table is not labelled row by row",
        "give points that you hold",
    )


class NearestCentres(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Centres in a box or a ball, and the points nearest to each.

    Attributes
    ----------
    cluster_centers_
        The centres, one a row.
    bounds_
        The lower and the upper bound of each coordinate.
    plan_
        What was done, and in which ball if points lie in one.
    """

    columns: Sequence[str] | None
    cluster_centers_: Reals
    bounds_: tuple[Reals, Reals]
    plan_: Plan

    def predict(self, X: Any) -> NDArray[np.int64]:  # noqa: N803
        """Return which centre each point is nearest to; the points are the caller's own."""
        points, centres = self._scaled(X)
        return nearest(points, centres)

    def transform(self, X: Any) -> Reals:  # noqa: N803
        """Return how far each point is from each centre, each coordinate scaled to [-1, 1]."""
        from scipy.spatial.distance import cdist

        points, centres = self._scaled(X)
        return cdist(points, centres)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: N803, ARG002
        """Return minus the sum of square distances of the caller's points, scaled to [-1, 1]."""
        points, centres = self._scaled(X)
        return -float(((points - centres[nearest(points, centres)]) ** 2).sum())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _matrix(self, data: Any, *, reset: bool) -> Any:
        if is_tensor(data):
            check_tensor(data)
            if not reset:
                return self._matrix(data.detach().cpu().double().numpy(), reset=False)
            self._name_features(None, data.shape[1])
            return data
        try:
            with np.errstate(all="ignore"):
                return validate_data(
                    self,
                    as_matrix(data),
                    reset=reset,
                    dtype=np.float64,
                    ensure_all_finite=False,
                    ensure_min_samples=0,
                )
        except InputError:
            raise
        except ValueError as error:
            failure = InputError(
                "E-POINTS-SHAPE", "{sentence}", sentence=str(error).splitlines()[0]
            )
        raise failure

    def _name_features(self, names: list[str] | None, dimensions: int) -> None:
        self.n_features_in_ = dimensions
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _scaled(self, data: Any) -> tuple[Reals, Reals]:
        """Return the caller's points and the centres, each coordinate scaled to [-1, 1]."""
        check_is_fitted(self)
        if is_private_table(data):
            raise not_labelled()
        space = space_of(*self.bounds_, domain=self.plan_.domain)
        frame = as_frame(data)
        chosen = frame if column_names(frame) is None else with_columns(frame, self.columns)
        points = space.whole(self._matrix(chosen, reset=False)) / space.unit
        centres = (self.cluster_centers_ - space.middle) * space.scale / space.unit
        return points, centres
