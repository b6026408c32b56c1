"""What runs inside the sandbox around custom code: one pair after the other, errors caught and named."""

from __future__ import annotations

from typing import Final

#: Labels kept of one pair.
MOST_LABELS: Final = 200

#: Printed texts are kept up to this many characters, and only in a test run.
MOST_PRINTED: Final = 10_000

#: A pair's outcome is ``[score, labels]``, or ``[None, type, message]`` for an error; a score of None is no score.
SOURCE: Final = f"""\
__printed = []
def __print(*values, sep=" ", end="\\n", file=None, flush=False):
    if __keep and sum([len(text) for text in __printed]) < {MOST_PRINTED}:
        __printed.append((sep.join([str(value) for value in values]) + end)[:{MOST_PRINTED}])
def __delete(box, key):
    if isinstance(box, dict):
        box.pop(key)
    elif isinstance(key, slice):
        box[key] = []
    else:
        box.pop(key)
def __number(value):
    if isinstance(value, (int, float, decimal.Decimal)):
        return float(value)
    try:
        if isinstance(value.numerator, int):
            return float(value)
    except AttributeError:
        pass
    return None
def __mean(result):
    labels = {{}}
    for label, value in result.items():
        number = __number(value)
        if number is not None and number == number:
            labels[str(label)[:200]] = number
    if len(labels) > {MOST_LABELS}:
        raise TypeError("agreement returned " + str(len(labels)) + " labels. Allowed: {MOST_LABELS}")
    return [math.fsum(labels.values()) / len(labels) if labels else None, labels]
def __plain(result):
    if result is None:
        return [None, {{}}]
    if isinstance(result, dict):
        return __mean(result)
    number = __number(result)
    if number is None:
        found = type(result).__name__
        raise TypeError("agreement returned a " + found + ". Allowed: a number, a dict of numbers, None")
    return [number if number == number else None, {{}}]
def __called(left, right, seed, options):
    random.seed(seed)
    return __plain(__module()(json.loads(left), json.loads(right), **options))
def __one(left, right, seed, options):
    try:
        return __called(left, right, seed, options)
    except BaseException as error:
        return [None, type(error).__name__, str(error)[:300]]
def __batch(texts, pairs, options):
    return [__one(texts[i], texts[j], seed, options) for i, j, seed in pairs]
def __watched(texts, pairs, options):
    found = None
    for i, j, seed in pairs:
        __tick(found)
        found = __one(texts[i], texts[j], seed, options)
    return found
"""
