"""Accord measures how well people, and models, agree when they annotate the same things.

Read an export and measure it (``read``, ``measure``), or hand one question's answers to a coefficient
(``krippendorff_alpha`` and the others). Every result carries its interval, its counts and its recipe.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.coefficients.estimate import Estimate, Interval
    from accord.errors import AccordError, DataError, UsageError
    from accord.measures import (
        alpha_u,
        auc,
        bennett_s,
        bland_altman,
        brennan_prediger,
        cohen_kappa,
        conger_kappa,
        fleiss_kappa,
        gamma,
        gwet_ac1,
        gwet_ac2,
        hubert_kappa,
        icc,
        kendall_w,
        krippendorff_alpha,
        ks,
        light_kappa,
        lin_ccc,
        percent_agreement,
        plurality,
        randolph_kappa,
        scott_pi,
        sigma,
        weighted_kappa,
    )
    from accord.pipeline.measure import measure
    from accord.pipeline.plan import ControlPlan, Plan
    from accord.pipeline.report import Report
    from accord.readers import read
    from accord.readers.arrays import from_contingency, from_counts, from_long, from_matrix
    from accord.similarity.metric import similarity
    from accord.study import Study
    from accord.values import EMPTY
    from accord.version import __version__

__all__ = [
    "EMPTY",
    "AccordError",
    "ControlPlan",
    "DataError",
    "Estimate",
    "Interval",
    "Plan",
    "Report",
    "Study",
    "UsageError",
    "__version__",
    "alpha_u",
    "auc",
    "bennett_s",
    "bland_altman",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "from_contingency",
    "from_counts",
    "from_long",
    "from_matrix",
    "gamma",
    "gwet_ac1",
    "gwet_ac2",
    "hubert_kappa",
    "icc",
    "kendall_w",
    "krippendorff_alpha",
    "ks",
    "light_kappa",
    "lin_ccc",
    "measure",
    "percent_agreement",
    "plurality",
    "randolph_kappa",
    "read",
    "scott_pi",
    "sigma",
    "similarity",
    "weighted_kappa",
]

_HOME = {
    "AccordError": "accord.errors",
    "ControlPlan": "accord.pipeline.plan",
    "DataError": "accord.errors",
    "EMPTY": "accord.values",
    "Estimate": "accord.coefficients.estimate",
    "Interval": "accord.coefficients.estimate",
    "Plan": "accord.pipeline.plan",
    "Report": "accord.pipeline.report",
    "Study": "accord.study",
    "UsageError": "accord.errors",
    "__version__": "accord.version",
    "alpha_u": "accord.measures",
    "auc": "accord.measures",
    "bennett_s": "accord.measures",
    "bland_altman": "accord.measures",
    "brennan_prediger": "accord.measures",
    "cohen_kappa": "accord.measures",
    "conger_kappa": "accord.measures",
    "fleiss_kappa": "accord.measures",
    "from_contingency": "accord.readers.arrays",
    "from_counts": "accord.readers.arrays",
    "from_long": "accord.readers.arrays",
    "from_matrix": "accord.readers.arrays",
    "gamma": "accord.measures",
    "gwet_ac1": "accord.measures",
    "gwet_ac2": "accord.measures",
    "hubert_kappa": "accord.measures",
    "icc": "accord.measures",
    "kendall_w": "accord.measures",
    "krippendorff_alpha": "accord.measures",
    "ks": "accord.measures",
    "light_kappa": "accord.measures",
    "lin_ccc": "accord.measures",
    "measure": "accord.pipeline.measure",
    "percent_agreement": "accord.measures",
    "plurality": "accord.measures",
    "randolph_kappa": "accord.measures",
    "read": "accord.readers",
    "scott_pi": "accord.measures",
    "sigma": "accord.measures",
    "weighted_kappa": "accord.measures",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing the package costs nothing."""
    if name == "similarity":  # a package that can be called, so that it is the same thing however it was loaded
        return import_module("accord.similarity")
    if name not in _HOME:
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
