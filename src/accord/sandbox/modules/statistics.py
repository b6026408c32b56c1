"""Averages, spread and correlation."""

import math


def _numbers(data, least, what):
    values = list(data)
    if len(values) < least:
        raise ValueError(f"{what} requires at least {least} data point{'s' if least > 1 else ''}")
    return values


def _total(values):
    return sum(values) if all(not isinstance(value, float) for value in values) else math.fsum(values)


def mean(data):
    values = _numbers(data, 1, "mean")
    total = _total(values)
    if isinstance(total, int) and total % len(values) == 0:
        return total // len(values)
    return total / len(values)


def fmean(data, weights=None):
    values = _numbers(data, 1, "fmean")
    if weights is None:
        return math.fsum(values) / len(values)
    shares = list(weights)
    if len(shares) != len(values):
        raise ValueError("data and weights must be the same length")
    whole = math.fsum(shares)
    if not whole:
        raise ValueError("sum of weights must be non-zero")
    return math.fsum([value * share for value, share in zip(values, shares)]) / whole


def geometric_mean(data):
    values = _numbers(data, 1, "geometric_mean")
    if any([value <= 0 for value in values]):
        raise ValueError("geometric mean requires a non-empty dataset containing positive numbers")
    return math.exp(math.fsum([math.log(value) for value in values]) / len(values))


def harmonic_mean(data, weights=None):
    values = _numbers(data, 1, "harmonic_mean")
    shares = [1] * len(values) if weights is None else list(weights)
    if len(shares) != len(values):
        raise ValueError("Number of weights does not match data size")
    if any([value < 0 for value in values]):
        raise ValueError("harmonic mean does not support negative values")
    if any([value == 0 for value in values]):
        return 0
    return math.fsum(shares) / math.fsum([share / value for value, share in zip(values, shares)])


def _sorted(data, what):
    return sorted(_numbers(data, 1, what))


def median(data):
    values = _sorted(data, "median")
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def median_low(data):
    values = _sorted(data, "median_low")
    return values[(len(values) - 1) // 2]


def median_high(data):
    values = _sorted(data, "median_high")
    return values[len(values) // 2]


def multimode(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def mode(data):
    found = multimode(data)
    if not found:
        raise ValueError("no mode for empty data")
    return found[0]


def _squares(values, centre):
    middle = _total(values) / len(values) if centre is None else centre
    return math.fsum([(value - middle) ** 2 for value in values])


def variance(data, xbar=None):
    values = _numbers(data, 2, "variance")
    return _squares(values, xbar) / (len(values) - 1)


def pvariance(data, mu=None):
    values = _numbers(data, 1, "pvariance")
    return _squares(values, mu) / len(values)


def stdev(data, xbar=None):
    values = _numbers(data, 2, "stdev")
    return math.sqrt(_squares(values, xbar) / (len(values) - 1))


def pstdev(data, mu=None):
    values = _numbers(data, 1, "pstdev")
    return math.sqrt(_squares(values, mu) / len(values))


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise ValueError("n must be at least 1")
    values = sorted(_numbers(data, 2, "quantiles"))
    if method not in ("exclusive", "inclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    found = []
    for i in range(1, n):
        if method == "inclusive":
            j, delta = divmod(i * (len(values) - 1), n)
            found.append((values[j] * (n - delta) + values[j + 1] * delta) / n)
        else:
            j = min(max(i * (len(values) + 1) // n, 1), len(values) - 1)
            delta = i * (len(values) + 1) - j * n
            found.append((values[j - 1] * (n - delta) + values[j] * delta) / n)
    return found


def _pairs(x, y, what):
    left, right = list(x), list(y)
    if len(left) != len(right):
        raise ValueError(f"{what} requires that both inputs have same number of data points")
    if len(left) < 2:
        raise ValueError(f"{what} requires at least two data points")
    a, b = math.fsum(left) / len(left), math.fsum(right) / len(right)
    return [value - a for value in left], [value - b for value in right], a, b


def _product(left, right):
    return math.fsum([a * b for a, b in zip(left, right)])


def covariance(x, y):
    left, right, _, _ = _pairs(x, y, "covariance")
    return _product(left, right) / (len(left) - 1)


def correlation(x, y):
    left, right, _, _ = _pairs(x, y, "correlation")
    spread = math.sqrt(_product(left, left) * _product(right, right))
    if not spread:
        raise ValueError("at least one of the inputs is constant")
    return _product(left, right) / spread


def linear_regression(x, y):
    left, right, a, b = _pairs(x, y, "linear_regression")
    spread = _product(left, left)
    if not spread:
        raise ValueError("x is constant")
    slope = _product(left, right) / spread
    return slope, b - slope * a
