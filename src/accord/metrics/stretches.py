"""Where along straight sides their distance from other sides is small, exactly."""

from __future__ import annotations

import numpy as np

from accord.values import FloatArray


def near_stretch(sides: FloatArray, others: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
    """Where along each side (0 to 1) its distance from another side is within the radius, first and last, (p,) each.

    What is near a side is a disc round either end and a strip between: together they are convex, so that a straight
    line meets them in one stretch. First exceeds last where nothing is near.
    """
    start, along = sides[:, 0], sides[:, 1] - sides[:, 0]
    parts = [_in_disc(start - others[:, end], along, radius) for end in (0, 1)]
    parts.append(_in_strip(start - others[:, 0], along, others[:, 1] - others[:, 0], radius))
    lows, highs = (np.stack(side) for side in zip(*parts, strict=True))
    return np.maximum(lows.min(axis=0), 0.0), np.minimum(highs.max(axis=0), 1.0)


def _in_disc(start: FloatArray, along: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
    """Where lines start + t along run through the disc round 0; infinities where they do not."""
    a, b = (along**2).sum(axis=1), (start * along).sum(axis=1)
    c = (start**2).sum(axis=1) - radius**2
    inside = b**2 - a * c
    root, a = np.sqrt(np.maximum(inside, 0.0)), np.where(a > 0, a, np.nan)
    low, high = (-b - root) / a, (-b + root) / a
    point, miss = np.isnan(a), np.where(np.isnan(a), c > 0, inside < 0)
    return (
        np.where(miss, np.inf, np.where(point, 0.0, low)),
        np.where(miss, -np.inf, np.where(point, 1.0, high)),
    )


def _in_strip(start: FloatArray, along: FloatArray, side: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
    """Where lines start + t along are beside a side from 0, no farther off than the radius."""
    length = np.hypot(*side.T)
    unit = side / np.where(length > 0, length, 1.0)[:, None]
    forward = [(v * unit).sum(axis=1) for v in (start, along)]
    across = [v[:, 1] * unit[:, 0] - v[:, 0] * unit[:, 1] for v in (start, along)]
    low, high = _between(forward[0], forward[1], np.zeros(len(length)), length)
    reach = np.full(len(length), radius)
    low_across, high_across = _between(across[0], across[1], -reach, reach)
    low, high = np.maximum(low, low_across), np.minimum(high, high_across)
    miss = (low > high) | (length == 0)
    return np.where(miss, np.inf, low), np.where(miss, -np.inf, high)


def _between(start: FloatArray, step: FloatArray, least: FloatArray, most: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where least <= start + t step <= most; infinities for always and never."""
    moving = step != 0
    safe = np.where(moving, step, 1.0)
    ends = (least - start) / safe, (most - start) / safe
    inside = (least <= start) & (start <= most)
    low = np.where(moving, np.minimum(*ends), np.where(inside, -np.inf, np.inf))
    high = np.where(moving, np.maximum(*ends), np.where(inside, np.inf, -np.inf))
    return low, high
