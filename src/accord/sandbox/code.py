"""Custom code, read and checked without running it."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from accord.sandbox.failures import CustomCodeError, Failure, FailureKind
from accord.sandbox.refusals import refusal
from accord.sandbox.rewriting import program

MOST_CODE: Final = 100_000
#: Declarations a code may make with ``NAME = True`` outside of functions.
DECLARATIONS: Final = ("symmetric", "comparable_across_units")


@dataclass(frozen=True)
class CustomCode:
    """A custom metric that may run: the text, and what it declares of itself.

    ``symmetric`` says that the order of the annotations does not matter; ``comparable_across_units`` that scores of
    annotations of different tasks mean something, so that chance can be computed.
    """

    text: str
    name: str
    program: str
    symmetric: bool = False
    comparable_across_units: bool = False

    @classmethod
    def of(cls, text: str, name: str = "custom") -> CustomCode:
        """Check a text and make it ready to run.

        Raises
        ------
        CustomCodeError
            If it is no Python (``syntax``), or holds what the sandbox does not run (``sandbox``).

        Examples
        --------
        >>> CustomCode.of("def agreement(a, b): return float(a == b)").version
        '902fa55b2c63'
        >>> CustomCode.of("import os").failure
        Traceback (most recent call last):
        accord.sandbox.failures.CustomCodeError: custom: sandbox error, line 1: import of os is refused. ...
        """
        clean = text.replace("\r\n", "\n").replace("\r", "\n")
        tree = _parsed(clean, name)
        found = refusal(tree)
        if found is not None:
            raise CustomCodeError(found, name)
        try:
            ready = program(clean, tree)
        except CustomCodeError as error:
            raise CustomCodeError(error.failure, name) from None
        return cls(text, name, ready, **_declared(tree))

    @cached_property
    def version(self) -> str:
        """First 12 digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _parsed(text: str, name: str) -> ast.Module:
    if len(text) > MOST_CODE:
        words = f"the code has {len(text):,} characters. Allowed: {MOST_CODE:,}"
        raise CustomCodeError(Failure(FailureKind.SANDBOX, words), name)
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise CustomCodeError(Failure(FailureKind.SYNTAX, str(error.msg), error.lineno), name) from None
    except (RecursionError, MemoryError):
        raise CustomCodeError(Failure(FailureKind.SYNTAX, "the code nests too deeply"), name) from None
    except ValueError as error:  # null bytes, lone surrogates
        raise CustomCodeError(Failure(FailureKind.SYNTAX, str(error)), name) from None


def _declared(tree: ast.Module) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=bool(value))) if name in DECLARATIONS:
                found[name] = value
    return found
