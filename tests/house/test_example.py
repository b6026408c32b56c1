"""The shipped examples are what their scripts write, and the server's demo is one of them."""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import accord

EXAMPLES = Path(__file__).parents[2] / "examples"
WRITTEN = {
    "make_example.py": ("support-export.json", "support-sentiment-long.csv", "support-sentiment-wide.csv"),
    "make_regions.py": ("harbour-export.json",),
}


@pytest.mark.parametrize("script", WRITTEN)
def test_scripts_write_the_shipped_files(tmp_path: Path, script: str) -> None:
    for module in EXAMPLES.glob("*.py"):
        shutil.copy(module, tmp_path)
    subprocess.run([sys.executable, tmp_path / script], check=True, timeout=60)
    for name in WRITTEN[script]:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name


def test_the_demo_of_the_server_is_the_example() -> None:
    shipped = Path(accord.__file__).parent / "service" / "example"
    assert (
        gzip.decompress((shipped / "support-export.json.gz").read_bytes())
        == (EXAMPLES / "support-export.json").read_bytes()
    ), "write it anew with: gzip -9n"
    assert (shipped / "support-config.xml").read_bytes() == (EXAMPLES / "support-config.xml").read_bytes()
