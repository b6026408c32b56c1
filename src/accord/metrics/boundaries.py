"""Boundaries of boxes, ellipses, polygons and masks: how much of each lies near the other."""

from __future__ import annotations

import numpy as np

from accord.metrics.drawings import DRAWN_KINDS, NO_PIXELS, Drawings, drawing_columns, drawings_of, grid_sizes
from accord.metrics.grids import grown, in_rows, rim
from accord.metrics.nearness import TOLERANCE, UNIT, harmonic_mean, line_agreement, radius_of, shared_sizes, sides_of
from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import region_metrics
from accord.metrics.runs import Runs, RunSets
from accord.metrics.sizes import distinct_on
from accord.values import FloatArray, Index


def boundary_agreement(pool: Pool, left: Index, right: Index, /, *, tolerance: float, unit: str) -> FloatArray:
    """Agreement of boundaries in pairs, (N,); NaN where sizes are unknown or differ, or neither has a boundary."""
    drawings: Drawings = pool.shapes
    masks = drawings.is_mask[left] | drawings.is_mask[right]
    score = np.full(len(left), np.nan)
    lines, rims = np.flatnonzero(~masks), np.flatnonzero(masks)
    if len(lines):
        score[lines] = _outlines(drawings, left[lines], right[lines], tolerance, unit)
    if len(rims):
        score[rims] = _rims(drawings, left[rims], right[rims], tolerance, unit)
    return score


def _outlines(drawings: Drawings, left: Index, right: Index, tolerance: float, unit: str) -> FloatArray:
    """Agreement of the outlines of areas; two equal ones without area score 1."""
    import shapely

    sizes = shared_sizes(drawings.sizes[left], drawings.sizes[right], unit)
    score = np.full(len(left), np.nan)
    use = np.flatnonzero(~np.isnan(sizes[:, 0]))
    numbers, images, (i, j) = distinct_on(left[use], right[use], sizes[use])
    lines = shapely.boundary(drawings.outlines.shapes[numbers])
    sides = sides_of(lines, images)
    score[use] = line_agreement(sides, i, j, radius_of(images, tolerance, unit))
    sources = drawings.outlines.drawn
    for k in use[np.isnan(score[use])].tolist():
        score[k] = 1.0 if sources[left[k]] == sources[right[k]] else np.nan
    return score


def _rims(drawings: Drawings, left: Index, right: Index, tolerance: float, unit: str) -> FloatArray:
    """Agreement of boundary pixels on the grid of the mask; two masks without any pixel score 1."""
    sizes = grid_sizes(drawings, left, right)
    score = np.full(len(left), np.nan)
    use = np.flatnonzero(~np.isnan(sizes[:, 0]))
    numbers, grids, (i, j) = distinct_on(left[use], right[use], sizes[use])
    reach = np.minimum(radius_of(grids, tolerance, unit), np.hypot(*grids.T)).tolist()
    rims = [
        _rim(drawings.on_grid(number, (int(width), int(height))), int(width), radius)
        for number, (width, height), radius in zip(numbers.tolist(), grids.tolist(), reach, strict=True)
    ]
    known = np.array([one is not None for one in rims], dtype=np.bool_)
    pairs = [one or (NO_PIXELS, NO_PIXELS) for one in rims]
    sets = RunSets([edge for edge, _ in pairs] + [near for _, near in pairs])
    shares = [sets.shared(a, b + len(pairs)) / np.maximum(sets.length[a], 1) for a, b in ((i, j), (j, i))]
    empty = (sets.length[i] == 0) & (sets.length[j] == 0)
    nothing = np.where(drawings.is_mask[left[use]] & drawings.is_mask[right[use]], 1.0, np.nan)
    agreement = np.where(empty, nothing, harmonic_mean(*shares))
    score[use] = np.where(known[i] & known[j], agreement, np.nan)
    return score


def _rim(runs: Runs | None, width: int, radius: float) -> tuple[Runs, Runs] | None:
    """Boundary pixels, and all pixels within the radius of one; None if there are too many runs."""
    margin = max(1, int(radius))
    rows = None if runs is None else in_rows(runs, width, margin)
    if rows is None:
        return None
    edge = rim(rows, width + 2 * margin)
    near = grown(edge, radius, width + 2 * margin)
    return None if near is None else (edge, near)


region_metrics(
    "boundary_f1",
    "boundary",
    geometry=Geometry(drawing_columns, boundary_agreement, effort=500.0),
    prepare=drawings_of,
    kinds=DRAWN_KINDS,
    reference="Csurka et al. 2013, BMVC, What is a good evaluation measure for semantic segmentation?",
    about="Harmonic mean of the shares of two boundaries that lie near each other",
    options={"tolerance": TOLERANCE, "unit": UNIT},
)
