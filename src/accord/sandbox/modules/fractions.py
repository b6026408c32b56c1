"""Exact fractions. They add, subtract, multiply, divide and tell equal from unequal; compare sizes as floats."""

import math


def _exact(value):
    if isinstance(value, int):
        return int(value), 1
    if isinstance(value, float):
        part, exponent = math.frexp(value)
        shift = exponent - 53
        whole = int(part * 2**53)
        return (whole * 2**shift, 1) if shift >= 0 else (whole, 2**-shift)
    if isinstance(value, str):
        return _parsed(value.strip())
    return value.numerator, value.denominator


def _parsed(text):
    if "/" in text:
        above, below = text.split("/")
        return int(above), int(below)
    if "e" in text or "E" in text:
        number, exponent = text.lower().split("e")
        above, below = _parsed(number)
        power = int(exponent)
        return (above * 10**power, below) if power >= 0 else (above, below * 10**-power)
    whole, _, places = text.partition(".")
    return int(whole + places), 10 ** len(places)


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        above, below = _exact(numerator)
        if denominator is not None:
            over, under = _exact(denominator)
            above, below = above * under, below * over
        if below == 0:
            raise ZeroDivisionError(f"Fraction({above}, 0)")
        common = math.gcd(above, below)
        sign = -1 if below < 0 else 1
        self.numerator = sign * above // common
        self.denominator = sign * below // common

    def limit_denominator(self, max_denominator=1000000):
        if self.denominator <= max_denominator:
            return Fraction(self.numerator, self.denominator)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        low, high = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        near, far = abs(high - self), abs(low - self)
        return high if near.numerator * far.denominator <= far.numerator * near.denominator else low

    def __add__(self, other):
        if isinstance(other, float):
            return float(self) + other
        n, d = _exact(other)
        return Fraction(self.numerator * d + n * self.denominator, self.denominator * d)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if isinstance(other, float):
            return float(self) * other
        n, d = _exact(other)
        return Fraction(self.numerator * n, self.denominator * d)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        if isinstance(other, float):
            return float(self) / other
        n, d = _exact(other)
        return Fraction(self.numerator * d, self.denominator * n)

    def __rtruediv__(self, other):
        if isinstance(other, float):
            return other / float(self)
        return Fraction(other) / self

    def __floordiv__(self, other):
        n, d = _exact(other)
        return (self.numerator * d) // (self.denominator * n)

    def __mod__(self, other):
        return self - Fraction(other) * (self // other)

    def __pow__(self, power):
        if not isinstance(power, int):
            return float(self) ** float(power)
        if power >= 0:
            return Fraction(self.numerator**power, self.denominator**power)
        return Fraction(self.denominator**-power, self.numerator**-power)

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __eq__(self, other):
        if isinstance(other, (int, float, Fraction)):
            n, d = _exact(other)
            return self.numerator * d == n * self.denominator
        return False

    def __hash__(self):
        return hash((self.numerator, self.denominator))

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return int(math.copysign(1, self.numerator)) * (abs(self.numerator) // self.denominator)

    def __round__(self, digits=None):
        return round(float(self), digits) if digits is not None else round(float(self))

    def __bool__(self):
        return self.numerator != 0

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"
