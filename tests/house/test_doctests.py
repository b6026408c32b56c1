"""Every example in a docstring runs."""

import doctest
import importlib
import pkgutil

import pytest

import accord

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(accord.__path__, "accord.") if not module.name.endswith("__main__")
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0
