"""Operators as functions."""


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a**b


def neg(a):
    return -a


def pos(a):
    return +a


def abs(a):
    return a if a >= 0 else -a


def inv(a):
    return ~a


invert = inv


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def concat(a, b):
    return a + b


def contains(a, b):
    return b in a


def countOf(a, b):  # noqa: N802 - the name of the operator
    return sum([1 for item in a if item == b])


def indexOf(a, b):  # noqa: N802 - the name of the operator
    for place, item in enumerate(a):
        if item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def itemgetter(*items):
    if len(items) == 1:
        return lambda value: value[items[0]]
    return lambda value: tuple([value[item] for item in items])


def _follow(value, path):
    for name in path.split("."):
        if name.startswith("_"):
            raise AttributeError(f"attribute {name!r} is private")
        value = getattr(value, name)
    return value


def attrgetter(*attrs):
    if len(attrs) == 1:
        return lambda value: _follow(value, attrs[0])
    return lambda value: tuple([_follow(value, path) for path in attrs])
