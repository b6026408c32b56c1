"""The standard modules of the sandbox: what the interpreter has, and what Accord brings as source."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

#: Modules of the interpreter, with the names that it has.
_NATIVE: Final = {
    "math": "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2"
    " expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp"
    " lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt tan tanh tau"
    " trunc ulp",
    "itertools": "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile"
    " filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    "functools": "cache lru_cache partial reduce",
    "collections": "Counter OrderedDict defaultdict deque namedtuple abc",
    "json": "JSONDecodeError dumps loads",
    "re": "A ASCII DOTALL I IGNORECASE M MULTILINE Match NOFLAG Pattern S compile error escape findall finditer"
    " fullmatch match search split sub",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Clamped Context Decimal DecimalException DivisionByZero FloatOperation Inexact InvalidOperation"
    " Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP"
    " Rounded Subnormal Underflow getcontext localcontext setcontext",
    "random": "Random betavariate choice choices expovariate gammavariate gauss getrandbits getstate lognormvariate"
    " normalvariate paretovariate randbytes randint random randrange sample seed setstate shuffle triangular uniform"
    " vonmisesvariate weibullvariate",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "unicodedata": "category combining is_normalized lookup name normalize unidata_version",
}
_SOURCES: Final = ("statistics", "string", "fractions", "heapq", "operator", "textwrap", "difflib")

#: Names of ``collections.abc``, as the types of the interpreter that are one.
_ABSTRACT: Final = {
    "Collection": "(list, tuple, set, frozenset, dict, str, bytes)",
    "Container": "(list, tuple, set, frozenset, dict, str, bytes)",
    "Hashable": "(str, bytes, int, float, bool, tuple, frozenset, type(None))",
    "Iterable": "(list, tuple, set, frozenset, dict, str, bytes, range)",
    "Mapping": "(dict,)",
    "MutableMapping": "(dict,)",
    "MutableSequence": "(list,)",
    "MutableSet": "(set,)",
    "Sequence": "(list, tuple, str, bytes, range)",
    "Set": "(set, frozenset)",
    "Sized": "(list, tuple, set, frozenset, dict, str, bytes, range)",
}

#: Modules that are there without an import, as on the platform.
PRE_IMPORTED: Final[tuple[str, ...]] = (
    "math",
    "statistics",
    "itertools",
    "functools",
    "collections",
    "json",
    "re",
    "string",
    "datetime",
)
#: Functions that are there without an import, with their module.
TOP_LEVEL: Final = MappingProxyType({"mean": "statistics", "median": "statistics", "stdev": "statistics"})


@cache
def names() -> Mapping[str, frozenset[str]]:
    """Every module that may be imported, with its names."""
    found = {module: frozenset(text.split()) for module, text in _NATIVE.items()}
    found |= {module: frozenset(_public(_source(module))) for module in _SOURCES}
    return MappingProxyType(dict(sorted((found | {"collections.abc": frozenset(_ABSTRACT)}).items())))


@cache
def program() -> str:
    """Source that defines every module, run once at the start of a session.

    ``__facade(module)`` gives a module as a fresh object, so that nothing done to it outlives a pair.
    """
    native = "".join(f"import {module}\n" for module in _NATIVE)
    tables = "".join(f"__parts[{module!r}] = {_table(module)}\n" for module in _NATIVE)
    written = "".join(
        f"def __{module}():\n{indented(_source(module))}\n return {_dictionary(_public(_source(module)))}\n"
        f"__parts[{module!r}] = __{module}()\n"
        for module in _SOURCES
    )
    abstract = ", ".join(f"{name!r}: {types}" for name, types in _ABSTRACT.items())
    return f"{native}{_FACADE}__parts['collections.abc'] = {{{abstract}}}\n{tables}{written}"


_FACADE: Final = """\
class __Module:
    pass
__parts = {}
def __facade(name):
    module = __Module()
    for key, value in __parts[name].items():
        setattr(module, key, value)
    if name == "collections":
        module.abc = __facade("collections.abc")
    return module
def __seed(a=0):
    random.seed(0 if a is None else a)
def __random(a=None):
    return random.Random(random.getrandbits(64) if a is None else a)
"""

#: What a name of a module stands for, where it is not the interpreter's own.
_OWN: Final = MappingProxyType(
    {"random.seed": "__seed", "random.Random": "__random", "collections.OrderedDict": "dict", "collections.abc": "None"}
)


def _table(module: str) -> str:
    own = (f"{name!r}: {_OWN.get(f'{module}.{name}', f'{module}.{name}')}" for name in _NATIVE[module].split())
    return f"{{{', '.join(own)}}}"


def _dictionary(found: tuple[str, ...]) -> str:
    return f"{{{', '.join(f'{name!r}: {name}' for name in found)}}}"


def _source(module: str) -> str:
    return resources.files("accord.sandbox.modules").joinpath(f"{module}.py").read_text(encoding="utf-8")


def _public(source: str) -> tuple[str, ...]:
    """Names that a source defines, without those that begin with an underscore."""
    found: list[str] = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found.append(statement.name)
        elif isinstance(statement, ast.Assign):
            found += [target.id for target in statement.targets if isinstance(target, ast.Name)]
    return tuple(name for name in found if not name.startswith("_"))


def indented(source: str, inside: frozenset[int] = frozenset()) -> str:
    """Source moved right by one space, but for the lines (from 1) that begin ``inside`` a text."""
    lines = source.split("\n")
    return "\n".join(line if number in inside or not line else f" {line}" for number, line in enumerate(lines, 1))
