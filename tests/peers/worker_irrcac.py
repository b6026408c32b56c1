"""Answers calls to irrCAC; runs in its environment.

Tables are units x raters with null for missing answers; categories are numbers.
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
from irrCAC.raw import CAC

warnings.simplefilter("ignore")

METHODS = ("fleiss", "gwet", "conger", "bp", "krippendorff")


def coefficients(table, categories, weights):
    """Value, standard error, observed and expected agreement of each coefficient; null where irrCAC fails."""
    frame = pd.DataFrame([[np.nan if x is None else x for x in row] for row in table])
    return {method: one(frame, categories, weights, method) for method in METHODS}


def one(frame, categories, weights, method):
    try:
        cac = CAC(frame, weights=weights, categories=categories, digits=15)
        found = getattr(cac, method)()["est"]
    except Exception:  # noqa: BLE001 - irrCAC raises all kinds where a coefficient is undefined
        return None
    return {
        "value": float(found["coefficient_value"]),
        "se": float(found["se"]),
        "observed": float(found["pa"]),
        "expected": float(found["pe"]),
        "low": float(found["confidence_interval"][0]),
        "high": float(found["confidence_interval"][1]),
    }


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
