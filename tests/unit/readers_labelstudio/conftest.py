"""Small exports, written to a file and read."""

import json

import pytest

from accord.readers import read


@pytest.fixture
def load(tmp_path):
    """Write tasks (or text, or bytes) to a file and read it."""

    def write_and_read(*contents, names=None, **options):
        paths = []
        for number, content in enumerate(contents):
            path = tmp_path / (names[number] if names else f"export{number}.json")
            data = content if isinstance(content, str | bytes) else json.dumps(content)
            path.write_bytes(data.encode() if isinstance(data, str) else data)
            paths.append(path)
        return read(*paths, **options)

    return write_and_read


@pytest.fixture
def answer(load):
    """Read one annotation's items; returns the value of the one column, or of ``control``."""

    def read_items(*items, config=None, data=None, control=None, **options):
        task = {"id": 1, "data": data or {}, "annotations": [{"id": 1, "completed_by": 1, "result": list(items)}]}
        dataset = load([task], config=config, **options)
        column = dataset[control] if control else next(iter(dataset.columns.values()))
        return column.values[column.code[0]] if len(column.code) else None

    return read_items


@pytest.fixture
def exported():
    """Build tasks: ``exported({"1": {"ana": [items], "ben": [...]}})``."""

    def build(tasks, **more):
        number = iter(range(1, 10**6))
        return [
            {
                "id": int(task) if task.isdecimal() else task,
                "data": {},
                "annotations": [
                    {"id": next(number), "completed_by": {"email": f"{rater}@x.org"}, "result": items}
                    for rater, items in by_rater.items()
                ],
                **more,
            }
            for task, by_rater in tasks.items()
        ]

    return build
