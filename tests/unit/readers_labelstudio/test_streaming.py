"""Memory follows the answers kept, not the file."""

import json
import tracemalloc

from accord.readers import read


def export(path, tasks, text):
    """Write tasks of two annotations with one choice each, on texts of some length."""
    with path.open("w") as file:
        file.write("[")
        for n in range(tasks):
            annotations = [
                {
                    "id": 2 * n + k,
                    "completed_by": k,
                    "result": [
                        {
                            "id": "r",
                            "from_name": "c",
                            "to_name": "t",
                            "type": "choices",
                            "value": {"choices": ["AB"[n % 2]]},
                        }
                    ],
                }
                for k in (1, 2)
            ]
            file.write(("," if n else "") + json.dumps({"id": n, "data": {"text": text}, "annotations": annotations}))
        file.write("]")


def peak(path):
    tracemalloc.start()
    dataset = read(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most, dataset


def test_memory_does_not_grow_with_the_data_of_the_tasks(tmp_path):
    path = tmp_path / "long.json"
    export(path, tasks=600, text="x" * 50_000)
    assert path.stat().st_size > 30e6
    most, dataset = peak(path)
    assert dataset.answers == 1200
    assert most < 6e6


def test_memory_for_each_answer_is_small(tmp_path):
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    export(small, tasks=2_000, text="x")
    export(large, tasks=12_000, text="x")
    grown = peak(large)[0] - peak(small)[0]
    assert grown / 20_000 < 700  # bytes an annotation with one answer, names and tables included
