"""From custom code to a function that the sandbox's interpreter runs, with the same line numbers but for two more.

The whole code becomes the body of ``__module``, called anew for each pair: what a pair leaves in variables or modules
is gone with it.
"""

from __future__ import annotations

import ast
import io
import symtable
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from accord.errors import shorten
from accord.sandbox import library
from accord.sandbox.failures import CustomCodeError, Failure, FailureKind

#: Lines of the program before the first of the code.
LINES_BEFORE: Final = 2
_TYPES: Final = frozenset({"bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
#: Methods that are called on the type itself.
_OF_TYPES: Final = frozenset({"from_bytes", "fromhex", "fromkeys", "maketrans"})


@dataclass(frozen=True, slots=True)
class _Edit:
    """New text for the place of a node."""

    node: ast.stmt | ast.expr
    text: str


def program(text: str, tree: ast.Module) -> str:
    """Write checked code as the function ``__module``."""
    edits = [edit for node in _statements(tree) for edit in _edit(node, text)]
    edits += [_Edit(node, f"(lambda *a: a[0].{node.attr}(*a[1:]))") for node in _unbound_methods(tree)]
    body = library.indented(_applied(text, edits), _inside_texts(text))
    return f"def __module():\n {_header(tree)}\n{body}\n return agreement\n"


def _statements(tree: ast.Module) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements that are written anew, and whether they stand outside of every function."""
    inside = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Delete):
            yield node, id(node) not in inside


def _edit(found: tuple[ast.stmt, bool], text: str) -> Iterator[_Edit]:
    node, outside = found
    match node:
        case ast.Import(names=names):
            yield _assignment(node, [_import(alias) for alias in names])
        case ast.ImportFrom(module=str(module), names=names):
            yield _assignment(node, list(_members(module, names)))
        case ast.Global(names=globals_) if outside:
            yield _Edit(node, "pass")
            _check_globals(globals_, text, node.lineno)
        case ast.Global(names=globals_):
            _check_globals(globals_, text, node.lineno)
            yield _Edit(node, f"nonlocal {', '.join(globals_)}")
        case ast.Delete(targets=targets):
            yield _Edit(node, f"({', '.join(_deletion(target) for target in targets)})")


def _import(alias: ast.alias) -> tuple[str, str]:
    if alias.asname is None:
        top = alias.name.partition(".")[0]
        return top, _facade(top)
    return alias.asname, _facade(alias.name)


def _members(module: str, names: list[ast.alias]) -> Iterator[tuple[str, str]]:
    for alias in names:
        wanted = sorted(library.names()[module]) if alias.name == "*" else [alias.name]
        for name in wanted:
            yield alias.asname or name, f"{_facade(module)}.{name}"


def _assignment(node: ast.stmt, pairs: list[tuple[str, str]]) -> _Edit:
    names, values = zip(*pairs, strict=True)
    return _Edit(node, f"{', '.join(names)} = ({', '.join(values)})")


def _facade(module: str) -> str:
    return f"__m_{module.replace('.', '_')}"


def _check_globals(names: list[str], text: str, line: int) -> None:
    table = symtable.symtable(text, "custom", "exec")
    bound = {symbol.get_name() for symbol in table.get_symbols() if _is_bound(symbol)}
    missing = [name for name in names if name not in bound]
    if missing:
        words = f"global {shorten(missing[0])}: assign the name outside of functions first"
        raise CustomCodeError(Failure(FailureKind.SANDBOX, words, line))


def _is_bound(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _deletion(target: ast.expr) -> str:
    if isinstance(target, ast.Tuple | ast.List):
        return f"({', '.join(map(_deletion, target.elts))})"
    if not isinstance(target, ast.Subscript):
        raise CustomCodeError(Failure(FailureKind.SANDBOX, "del takes items such as x[i] here", target.lineno))
    key = target.slice
    if isinstance(key, ast.Slice):
        bounds = (key.lower, key.upper, key.step)
        place = f"slice({', '.join('None' if bound is None else ast.unparse(bound) for bound in bounds)})"
    else:
        place = ast.unparse(key)
    return f"__delete({ast.unparse(target.value)}, {place})"


def _unbound_methods(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Methods taken from a type, as in ``key=str.lower``, which the interpreter lacks; not in formatted texts."""
    whole = (ast.JoinedStr, ast.Delete)
    left = {id(inner) for node in ast.walk(tree) if isinstance(node, whole) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if name in _TYPES:
                if attr not in _OF_TYPES and id(node) not in left:
                    yield node


def _header(tree: ast.Module) -> str:
    """One line that makes the modules and functions the code names."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    modules = {module for module in library.PRE_IMPORTED if module in used}
    modules |= {module for name, module in library.TOP_LEVEL.items() if name in used}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name if alias.asname else alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules.add(node.module)
    parts = [f"{_facade(module)} = __facade({module!r})" for module in sorted(modules)]
    parts += [f"{module} = {_facade(module)}" for module in library.PRE_IMPORTED if module in used]
    parts += [f"{name} = {_facade(module)}.{name}" for name, module in library.TOP_LEVEL.items() if name in used]
    return "; ".join([*parts, "print = __print"])


def _applied(text: str, edits: list[_Edit]) -> str:
    """Put new texts in place, the last first; a text takes as many lines as what it replaces."""
    lines = [line.encode() for line in text.split("\n")]
    for edit in sorted(edits, key=lambda edit: (edit.node.lineno, edit.node.col_offset), reverse=True):
        first, last = edit.node.lineno - 1, (edit.node.end_lineno or edit.node.lineno) - 1
        before, after = lines[first][: edit.node.col_offset], lines[last][edit.node.end_col_offset :]
        new = edit.text.replace("\n", " ").encode()
        if last > first:
            new = new.removesuffix(b")") + b"\n" * (last - first) + b")"
        lines[first : last + 1] = (before + new + after).split(b"\n")
    return b"\n".join(lines).decode()


def _inside_texts(text: str) -> frozenset[int]:
    """Lines that begin inside a text over several lines: they must stay as they are."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.end[0] > token.start[0] and token.type not in (tokenize.NEWLINE, tokenize.NL):
            found.update(range(token.start[0] + 1, token.end[0] + 1))
    return frozenset(found)
