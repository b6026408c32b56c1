"""One public function per coefficient, all alike.

Each takes ``data`` and keywords, and returns an Estimate:

data
    A Study, a units x raters array or list of lists (None or NaN = missing), or a dataframe.
level, weights, similarity
    How alike two answers are: a level of measurement (nominal, ordinal, interval, ratio, circular), a weight
    scheme (linear, quadratic, ordinal, radical, ratio, circular, bipolar) or matrix, or a metric's name, a function
    of two values, a matrix over the values. At most one of the three. By default alpha, sigma, ks and auc follow
    the level of the data, weighted kappa and AC2 take quadratic weights, and all others compare labels as equal or
    not; sets, texts, rankings and regions are compared by the usual metric of their kind.
domain
    What could have been said, in order. Category counts and ranks come from it.
ci, interval, resamples, seed
    Level of the interval (None = value only), its method (score, analytic, bootstrap, bca, jackknife, exact, none;
    None = the default of the coefficient), number of resamples, and the seed of everything random.
cluster
    Cluster of each unit (U,): units of one document, for example. Errors are computed on cluster sums.
generalise
    ``units``: the interval holds for these raters. ``units+raters``: for raters like these (five or more).
missing
    Values that mean "no answer", besides None, NaN and blank.
**options
    Options of the coefficient; an unknown one raises with suggestions.
"""

from accord.measures.alphas import auc, krippendorff_alpha, ks, sigma
from accord.measures.differences import mean_absolute_difference, sem
from accord.measures.kappas import cohen_kappa, conger_kappa, hubert_kappa, light_kappa, weighted_kappa
from accord.measures.numbers import bland_altman, icc, kendall_w, lin_ccc
from accord.measures.observed import percent_agreement, plurality
from accord.measures.pooled import (
    bennett_s,
    brennan_prediger,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    randolph_kappa,
    scott_pi,
)
from accord.measures.unitizing import alpha_u, gamma, gamma_cat, gamma_k

__all__ = [
    "alpha_u",
    "auc",
    "bennett_s",
    "bland_altman",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "gamma",
    "gamma_cat",
    "gamma_k",
    "gwet_ac1",
    "gwet_ac2",
    "hubert_kappa",
    "icc",
    "kendall_w",
    "krippendorff_alpha",
    "ks",
    "light_kappa",
    "lin_ccc",
    "mean_absolute_difference",
    "percent_agreement",
    "plurality",
    "randolph_kappa",
    "scott_pi",
    "sem",
    "sigma",
    "weighted_kappa",
]
