"""Answers calls to pycocotools; runs in its environment. Bitmaps are lists of rows of 0 and 1."""

import json
import sys

import numpy as np
from pycocotools import mask


def box_iou(a, b):
    """Table of overlaps of boxes (x, y, width, height), crowd flag off."""
    return np.asarray(mask.iou(np.array(a, dtype=float), np.array(b, dtype=float), [0] * len(b))).tolist()


def encode(bitmaps):
    """Compressed strings of bitmaps."""
    return [mask.encode(np.asfortranarray(np.array(rows, dtype=np.uint8)))["counts"].decode() for rows in bitmaps]


def mask_iou(size, a, b):
    """Table of overlaps of masks given as compressed strings, crowd flag off."""
    left, right = ([{"size": size, "counts": counts} for counts in side] for side in (a, b))
    return np.asarray(mask.iou(left, right, [0] * len(right))).tolist()


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"result": globals()[request.pop("call")](**request)}
        except Exception as problem:  # noqa: BLE001 - the caller must see every problem
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
