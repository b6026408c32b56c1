"""The cache of scores: nothing asked twice, nothing lost when killed, no text in the file."""

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from accord.equivalence.cached import Cached, ScoreStore, cached, default_cache, key_of
from accord.errors import DataError, UsageError


class Model:
    name, symmetric, chunk = "model", False, 2

    def __init__(self, fingerprint="one", answered=True):
        self.fingerprint, self.answered, self.asked = fingerprint, answered, []

    def attempt(self, left, right):
        self.asked.extend(zip(left, right, strict=True))
        score = np.array([np.nan if a == "?" else len(a) / 10 for a in left])
        return score, np.full(len(left), self.answered)

    def score(self, left, right):
        return self.attempt(left, right)[0]


def test_a_second_run_asks_nothing(tmp_path):
    first, second = Model(), Model()
    pairs = ["a", "bb", "ccc", "?"], ["x", "x", "x", "x"]
    before = cached(first, tmp_path / "scores").score(*pairs)
    again = cached(second, tmp_path / "scores")
    assert np.array_equal(again.score(*pairs), before, equal_nan=True)
    assert second.asked == []
    assert (again.hits, again.calls) == (4, 0)


def test_order_and_fingerprint_are_part_of_the_key(tmp_path):
    cached(Model(), tmp_path / "scores").score(["a"], ["b"])
    turned, other = Model(), Model("two")
    cached(turned, tmp_path / "scores").score(["b"], ["a"])
    cached(other, tmp_path / "scores").score(["a"], ["b"])
    assert turned.asked == [("b", "a")]
    assert other.asked == [("a", "b")]
    assert key_of("ab", "c") != key_of("a", "bc")


def test_what_failed_is_asked_again(tmp_path):
    cached(Model(answered=False), tmp_path / "scores").score(["a"], ["b"])
    later = Model()
    cached(later, tmp_path / "scores").score(["a"], ["b"])
    assert later.asked == [("a", "b")]


def test_no_text_is_stored(tmp_path):
    model = cached(Model(), tmp_path / "scores")
    model.score(["a secret finding"], ["x"])
    model.store.close()
    assert b"secret" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_off_keeps_nothing_and_no_name_is_refused():
    model = Model()
    assert cached(model, "off") is model
    with pytest.raises(UsageError, match="file name"):
        cached(model, "")


def test_place_of_the_default_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ACCORD_CACHE", str(tmp_path))
    assert default_cache() == tmp_path / "scores.sqlite"


@pytest.mark.parametrize("content", [b"not a database, and longer than the header of one would have to be" * 20])
def test_a_file_that_is_no_cache_is_named(tmp_path, content):
    path = tmp_path / "scores"
    path.write_bytes(content)
    with pytest.raises(DataError, match="--cache off") as told:
        cached(Model(), path)
    assert str(path) in str(told.value)


def test_a_killed_run_keeps_what_was_paid_for(tmp_path):
    script = textwrap.dedent(
        f"""
        import time, numpy as np
        from accord.equivalence.cached import cached
        class Slow:
            name = fingerprint = "slow"; symmetric = True; chunk = 5
            def score(self, left, right):
                print("asked", flush=True)
                time.sleep(0.05)
                return np.full(len(left), 0.5)
        cached(Slow(), {str(tmp_path / "scores")!r}).score([str(k) for k in range(500)], ["x"] * 500)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=os.environ)
    for _ in range(4):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    store = ScoreStore(tmp_path / "scores")
    kept = store.get([key_of("slow", str(k), "x") for k in range(500)])
    assert 15 <= len(kept) < 500
    assert set(kept.values()) == {0.5}


def test_writers_wait_for_each_other(tmp_path):
    stores = [ScoreStore(tmp_path / "scores") for _ in range(2)]
    for number, store in enumerate(stores * 20):
        store.put([(key_of(str(number)), number / 100)])
    keys = [key_of(str(number)) for number in range(40)]
    assert stores[0].get(keys) == {key: number / 100 for number, key in enumerate(keys)}


def test_hits_are_counted(tmp_path):
    model = Cached(Model(), ScoreStore(tmp_path / "scores"))
    model.score(["a", "bb"], ["x", "x"])
    model.score(["bb", "ccc"], ["x", "x"])
    assert (model.hits, model.calls) == (1, 3)
