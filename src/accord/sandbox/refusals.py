"""What custom code must not contain: read off the syntax tree, for clear messages before anything runs.

The boundary is the sandbox itself; nothing here stands for safety.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from accord.errors import listed, shorten
from accord.sandbox import library
from accord.sandbox.failures import Failure, FailureKind

#: Names that reach beyond the code, or differ from run to run.
REFUSED_NAMES = frozenset(
    {
        *("breakpoint", "compile", "delattr", "dir", "eval", "exec", "exit", "getattr", "globals", "help", "id"),
        *("input", "locals", "memoryview", "object", "open", "quit", "setattr", "super", "vars"),
    }
)
_OF_NAMED_TUPLES = frozenset({"_asdict", "_fields", "_make", "_replace"})


_PRIVATE = "the name {} is refused: it begins with two underscores"


def refusal(tree: ast.Module) -> Failure | None:
    """Return the first thing in the code, by line, that the sandbox does not run."""
    found = [failure for node in ast.walk(tree) for failure in _refused(node)]
    if found:
        return min(found, key=lambda failure: failure.line or 0)
    if not any(_defines(statement) for statement in tree.body):
        return Failure(FailureKind.SYNTAX, "there is no function agreement(annotation_1, annotation_2)")
    return None


def _defines(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "agreement"
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(isinstance(target, ast.Name) and target.id == "agreement" for target in targets)


def _refused(node: ast.AST) -> Iterator[Failure]:
    words = _words(node)
    if words:
        yield Failure(FailureKind.SANDBOX, words, getattr(node, "lineno", None))


def _words(node: ast.AST) -> str | None:
    """Why a node is refused, None if it is not."""
    match node:
        case ast.Import(names=names):
            return next((words for alias in names if (words := _module(alias.name))), None)
        case ast.ImportFrom(module=module, names=names, level=level):
            if level or module is None:
                return "relative imports are refused"
            return _module(module) or next((words for alias in names if (words := _member(module, alias.name))), None)
        case ast.Name(id=name) if name in REFUSED_NAMES or _is_private(name):
            return f"{shorten(name)} is refused"
        case ast.Attribute(attr=name) if name.startswith("_") and name not in _OF_NAMED_TUPLES:
            return f"the attribute {shorten(name)} is refused: it begins with an underscore"
        case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            return "async and await are refused"
        case ast.Yield() | ast.YieldFrom():
            return "yield is refused: collect the values in a list"
        case ast.Delete(targets=targets) if any(isinstance(item, ast.Name | ast.Attribute) for item in _flat(targets)):
            return "del takes items such as x[i] here, not names"
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if _is_private(name) and not name.endswith("__"):
            return _PRIVATE.format(shorten(name))
        case ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)) if _is_private(name):
            return _PRIVATE.format(shorten(name))
    return None


def _is_private(name: str) -> bool:
    return name.startswith("__")


def _flat(targets: list[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from _flat(target.elts)
        else:
            yield target


def _module(name: str) -> str | None:
    if name in library.names():
        return None
    return f"import of {shorten(name)} is refused. Allowed: {listed(list(library.names()))}"


def _member(module: str, name: str) -> str | None:
    has = library.names()[module]
    if name == "*" or name in has:
        return None
    return f"{module} has no {shorten(name)} in the sandbox. It has: {listed(sorted(has), most=60)}"
