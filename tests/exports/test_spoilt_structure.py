"""Exports whose structure is broken: whatever stands in the place of what, they are read or refused by name."""

import json
import random
import re

import pytest
from carriers import CARRIERS

from accord.errors import AccordError
from accord.readers import read
from accord.readers.exports.catalog import EXPORTS

ODD = [None, True, -1, 1.5, 1e308, 10**30, "", "x", "NaN", [], [[]], {}, {"a": 1}, [1, 2], ["a", None], [{}]]
WORDS = ["", "-1", "1e999", "nan", "x", "9" * 20, "0", "1,2;3", "\t", "B-", "<NA>"]
ROUNDS = 12


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def misplaced(value, rng):
    """The value with another one in some place of it, or nothing there."""
    value = json.loads(json.dumps(value))
    *path, key = rng.choice([path for path in places(value) if path])
    holder = value
    for step in path:
        holder = holder[step]
    if rng.random() < 0.2:
        del holder[key]
    else:
        holder[key] = rng.choice(ODD)
    return value


def spoil(path, rng):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        text = json.dumps(misplaced(json.loads(text), rng))
    elif path.suffix in (".jsonl", ".ndjson"):
        text = "\n".join(json.dumps(misplaced(json.loads(line), rng)) for line in text.splitlines())
    else:
        found = list(re.finditer(r'"[^"]*"' if text.lstrip().startswith("<") else r"\S+", text))
        if found:
            one = rng.choice(found)
            word = rng.choice(WORDS)
            text = text[: one.start()] + (f'"{word}"' if one[0][0] == '"' else word) + text[one.end() :]
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", EXPORTS)
def test_misplaced_parts(name, tmp_path):
    if name == "uima":
        pytest.importorskip("cassis", reason="dkpro-cassis is not installed")
    rng = random.Random(5)
    kinds = [kind for kind, writers in CARRIERS.items() if name in writers]
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        kind = kinds[number % len(kinds)]
        sources = CARRIERS[kind][name](kind, folder)
        files = sorted(path for path in folder.rglob("*") if path.suffix in EXPORTS[name].endings)
        for path in rng.sample(files, 2) if len(files) > 1 else files:
            spoil(path, rng)
        try:
            dataset = read(*sources, format=name)
        except AccordError as error:
            message = str(error)
            assert str(folder) in message
        else:
            assert dataset.raters
