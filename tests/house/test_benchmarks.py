"""The benchmarks run; their numbers are taken elsewhere, at full size."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_case_runs_at_a_thousandth_of_its_size() -> None:
    command = [sys.executable, "-m", "benchmarks", "--scale", "0.001", "--rounds", "1", "--no-peers"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith(("| T", "| I", "| W", "| S"))]
    assert len(rows) > 20
    assert not any("nan" in row for row in rows)


def test_rates_on_free_text_are_measured() -> None:
    command = [sys.executable, "-m", "benchmarks.text_rates", "--no-peers", "--rounds", "1"]
    command += ["--texts", "110", "--pairs", "40", "--largest", "100"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    for name in ("exact", "jaccard", "dice", "ngrams", "edit", "jaro", "token_sort", "embedding", "nli"):
        assert f"| `{name}` |" in done.stdout
    assert "2,475 of 4,950 pairs came from the cache" in done.stdout
