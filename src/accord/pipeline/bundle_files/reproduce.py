"""Recompute every number of this folder with Accord and compare: python reproduce.py."""

from pathlib import Path

from accord.pipeline.bundle import reproduce_bundle

rows = reproduce_bundle(Path(__file__).resolve().parent)
for row in rows:
    print(f"{row.control}\t{row.number}\t{row.written}\t{row.again}\t{'same' if row.same else 'DIFFERS'}")
print(f"{len(rows)} numbers, {sum(not row.same for row in rows)} differ")
raise SystemExit(0 if all(row.same for row in rows) else 1)
