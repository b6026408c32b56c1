"""The shipped example is what its script writes."""

import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
WRITTEN = ("support-export.json", "support-sentiment-long.csv", "support-sentiment-wide.csv")


def test_script_writes_the_shipped_files(tmp_path: Path) -> None:
    for script in EXAMPLES.glob("*.py"):
        shutil.copy(script, tmp_path)
    subprocess.run([sys.executable, tmp_path / "make_example.py"], check=True, timeout=60)
    for name in WRITTEN:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name
