"""The R script of a bundle, run by R: base R, psych, vcd and lme4 find Accord's numbers."""

import shutil
import subprocess

import numpy as np
import pytest

pytestmark = [
    pytest.mark.r,
    pytest.mark.skipif(shutil.which("Rscript") is None, reason="Rscript is not installed"),
]


def run_r(folder):
    done = subprocess.run(["Rscript", "reproduce.R"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bundle(accord, tmp_path, text, *options):
    path, folder = tmp_path / "answers.csv", tmp_path / "bundle"
    path.write_text(text)
    ran = accord("score", path, "--bundle", folder, *options)
    assert ran.code == 0, ran.err
    return folder


def test_labels_of_two_raters(accord, wide, tmp_path):
    folder = bundle(accord, tmp_path, wide.read_text())
    out = run_r(folder)
    for what in ("percent_agreement", "krippendorff_alpha (nominal)", "cohen_kappa (psych)", "cohen_kappa (vcd)"):
        assert any(what in line and line.rstrip().endswith("same") for line in out.splitlines()), out
    assert "0 numbers differ" in out


def numbers(rng, missing):
    truth = rng.normal(50, 10, 40)
    rows = truth[:, None] + rng.normal(0, 4, (40, 3)) + np.array([0, 2, -1])
    cells = [["" if rng.random() < missing else f"{x:.2f}" for x in row] for row in rows]
    return "item,ann,ben,cy\n" + "".join(f"{i},{','.join(row)}\n" for i, row in enumerate(cells))


def test_numbers_complete_by_psych(accord, tmp_path):
    out = run_r(bundle(accord, tmp_path, numbers(np.random.default_rng(0), 0.0)))
    (line,) = [line for line in out.splitlines() if "icc A,1 (psych)" in line]
    assert line.rstrip().endswith("same")


def test_numbers_with_gaps_beside_lme4(accord, tmp_path):
    out = run_r(bundle(accord, tmp_path, numbers(np.random.default_rng(1), 0.2)))
    (line,) = [line for line in out.splitlines() if "lme4" in line]
    words = line.split()
    reml, ours = float(words[words.index("R") + 1]), float(words[words.index("components)") + 1])
    assert abs(reml - ours) < 0.03


def test_a_changed_table_is_noticed(accord, wide, tmp_path):
    folder = bundle(accord, tmp_path, wide.read_text())
    table = folder / "control-1.csv"
    lines = table.read_text().splitlines()
    lines[1] = lines[1].replace("0,0,0,", "0,0,1,", 1)
    table.write_text("\n".join(lines) + "\n")
    done = subprocess.run(["Rscript", "reproduce.R"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "DIFFERS" in done.stdout
