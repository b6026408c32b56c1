"""Answers calls to scikit-learn, statsmodels, krippendorff, nltk and pingouin; runs in their environment.

Tables are units x raters with null for missing answers.
"""

import json
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")


def array(table):
    return np.array([[np.nan if x is None else x for x in row] for row in table], dtype=float)


def sklearn_kappa(a, b, labels, weights=None):
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(a, b, labels=labels, weights=weights))


def statsmodels_kappa(table, wt=None):
    from statsmodels.stats.inter_rater import cohens_kappa

    found = cohens_kappa(np.array(table), wt=wt)
    return {"kappa": float(found.kappa), "se": float(found.std_kappa)}


def statsmodels_fleiss(counts, method):
    from statsmodels.stats.inter_rater import fleiss_kappa

    return float(fleiss_kappa(np.array(counts), method=method))


def alpha(table, level, domain):
    import krippendorff

    return float(krippendorff.alpha(reliability_data=array(table).T, level_of_measurement=level, value_domain=domain))


def nltk_coefficient(triples, name, distance):
    from nltk.metrics import agreement, binary_distance, jaccard_distance, masi_distance

    known = {"binary": binary_distance, "jaccard": jaccard_distance, "masi": masi_distance}
    data = [(rater, unit, frozenset(x) if isinstance(x, list) else x) for rater, unit, x in triples]
    return float(getattr(agreement.AnnotationTask(data, distance=known[distance]), name)())


def icc(table):
    """Value, limits (two decimals) by Shrout and Fleiss's name."""
    import pandas as pd
    import pingouin

    rows = [(u, r, x) for u, row in enumerate(array(table)) for r, x in enumerate(row)]
    frame = pd.DataFrame(rows, columns=["unit", "rater", "x"])
    found = pingouin.intraclass_corr(frame, targets="unit", raters="rater", ratings="x")
    limits = found[next(name for name in found.columns if name.startswith("CI95"))]
    return {
        kind: {"value": float(value), "low": float(low), "high": float(high)}
        for kind, value, (low, high) in zip(found["Type"], found["ICC"], limits, strict=True)
    }


def friedman(table):
    """Kendall's W of raters who rank units, by the Friedman test."""
    import pandas as pd
    import pingouin

    rows = [(r, u, x) for u, row in enumerate(array(table)) for r, x in enumerate(row)]
    frame = pd.DataFrame(rows, columns=["rater", "unit", "x"])
    return float(pingouin.friedman(frame, dv="x", within="unit", subject="rater")["W"].iloc[0])


def scipy_ks(observed, expected):
    from scipy.stats import ks_2samp

    return float(ks_2samp(observed, expected, alternative="greater").statistic)


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
