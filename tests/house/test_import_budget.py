"""Importing the package is cheap, and the numeric kernels need numpy and scipy alone."""

import subprocess
import sys

import pytest

HEAVY = (
    "scipy.stats",
    "pandas",
    "pyarrow",
    "shapely",
    "rapidfuzz",
    "altair",
    "vl_convert",
    "PIL",
    "jinja2",
    "typer",
    "rich",
)

BARE_INSTALL = """
import importlib, pkgutil, sys

ALLOWED = set(sys.stdlib_module_names) | {"numpy", "scipy", "accord"}

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in ALLOWED and not name.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"{name} is not part of a bare install", name=name)

sys.meta_path.insert(0, NothingElse())
import numpy as np
import accord.coefficients, accord.inference
for package in (accord.coefficients, accord.inference):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)

from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.similarity.core import Identity
from accord.study import Study

code = np.array([0, 0, 1, 1, 0, 1, 2, 2, 1, 1, 0, 0], dtype=np.int32)
study = Study(
    unit=np.repeat(np.arange(6, dtype=np.int32), 2), rater=np.tile(np.arange(2, dtype=np.int32), 6), code=code,
    values=("a", "b", "c"), domain=3, unit_names=tuple("uvwxyz"), rater_names=("r", "s"),
)
for key in ("krippendorff_alpha", "cohen_kappa", "gwet_ac1"):
    for interval in ("score", "bootstrap"):
        result = estimate(COEFFICIENTS.catalog()[key], study, Identity(3), interval=interval, resamples=100)
        assert result.interval.low < result.value < result.interval.high, result
"""


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    return set(python("import sys, accord; print(*sys.modules)").split())


@pytest.mark.parametrize("module", HEAVY)
def test_import_accord_does_not_load(module: str, loaded: set[str]) -> None:
    assert "accord" in loaded
    assert module not in loaded


def test_kernels_run_with_numpy_and_scipy_alone() -> None:
    python(BARE_INSTALL)
