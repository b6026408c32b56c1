"""Which layout a table has, which column is what, and that the report says so."""

import pytest

from accord.dataset import Role
from accord.errors import DataError, UsageError
from accord.readers.tables import read_tables
from accord.study import study_of


def answers(dataset, control=None):
    """Set of (unit, rater, value) of one control, by name."""
    column = dataset[control or next(iter(dataset.columns))]
    cells = zip(column.unit.tolist(), column.rater.tolist(), column.code.tolist(), strict=True)
    return {(dataset.units[u], dataset.raters[r].name, column.values[c]) for u, r, c in cells}


EXPECTED = {("1", "ann", "x"), ("1", "bob", "y"), ("2", "ann", "x")}
LONG = [[1, "ann", "x"], [1, "bob", "y"], [2, "ann", "x"]]


def long(unit, rater, value, **more):
    columns = list(zip(*LONG, strict=True))
    return dict(zip((unit, rater, value), columns, strict=True)) | more


@pytest.mark.parametrize(
    "unit", ["item", "Task", "unit_id", "taskId", "ITEM ID", "document", "id", "example", "doc-id"]
)
def test_unit_columns_by_name(unit):
    data = read_tables(long(unit, "annotator", "label"))
    assert answers(data) == EXPECTED
    assert f"item = {unit!r}" in data.report.shape


@pytest.mark.parametrize(
    "rater", ["annotator", "Rater", "worker_id", "coder", "judge", "completed_by", "User", "labeler", "annotator email"]
)
def test_rater_columns_by_name(rater):
    data = read_tables(long("item", rater, "label"))
    assert answers(data) == EXPECTED
    assert f"rater = {rater!r}" in data.report.shape


@pytest.mark.parametrize("value", ["label", "Value", "answer", "rating", "score", "category", "whatever"])
def test_value_columns_by_name_or_as_the_only_one_left(value):
    data = read_tables(long("item", "rater", value))
    assert list(data.columns) == [value]
    assert answers(data) == EXPECTED


def test_the_unit_may_be_the_only_column_left():
    assert answers(read_tables(long("passage", "rater", "label"))) == EXPECTED


def test_columns_given_win_over_names():
    data = read_tables(long("a", "b", "c", label=["p", "q", "r"], item=[7, 8, 9]), unit="a", rater="b", value="c")
    assert answers(data) == EXPECTED
    assert "not used: 'label', 'item'" in data.report.shape


@pytest.mark.parametrize("option", [{"unit": "nope"}, {"rater": "nope"}, {"value": "nope"}, {"text": "nope"}])
def test_columns_given_must_exist(option):
    with pytest.raises(UsageError, match=r"no column 'nope'.*Columns: item, rater, label"):
        read_tables(long("item", "rater", "label"), **option)


def test_two_candidates_are_ambiguous():
    with pytest.raises(DataError, match=r"several columns may hold the unit: 'item', 'task'.*--unit item"):
        read_tables(long("item", "rater", "label", task=[1, 2, 3]))
    assert answers(read_tables(long("item", "rater", "label", task=[1, 2, 3]), unit="item")) == EXPECTED


def test_answers_that_cannot_be_told_are_asked_for():
    table = long("item", "rater", "tone", kind=["p", "q", "p"])
    with pytest.raises(DataError, match=r"which column holds the answers.*--value C"):
        read_tables(table)
    both = read_tables(table, value="tone,kind")
    assert list(both.columns) == ["tone", "kind"]
    assert answers(both, "tone") == EXPECTED
    assert answers(both, "kind") == {("1", "ann", "p"), ("1", "bob", "q"), ("2", "ann", "p")}
    assert list(read_tables(table, value=["kind"]).columns) == ["kind"]


def test_a_control_column_makes_controls():
    rows = {"item": [1, 1, 2, 2], "question": ["p", "q", "p", "q"], "rater": ["a"] * 4, "label": ["x", 1, "y", 2]}
    data = read_tables(rows)
    assert answers(data, "p") == {("1", "a", "x"), ("2", "a", "y")}
    assert answers(data, "q") == {("1", "a", 1), ("2", "a", 2)}
    assert data["p"].values == ("x", "y")
    assert "control = 'question'" in data.report.shape


def test_a_question_that_only_repeats_the_item_is_no_control():
    rows = {"item": [1, 1, 2, 2], "question": ["p", "p", "q", "q"], "rater": ["a", "b"] * 2, "label": ["x", "y"] * 2}
    data = read_tables(rows)
    assert list(data.columns) == ["label"]
    assert "not used: 'question'" in data.report.shape
    assert list(read_tables(rows, control="question").columns) == ["p", "q"]


def test_two_questions_on_halves_of_the_items_are_controls():
    rows = {"item": range(8), "question": ["p"] * 4 + ["q"] * 4, "rater": ["a"] * 8, "label": ["x"] * 8}
    assert list(read_tables(rows).columns) == ["p", "q"]


def test_wide_tables():
    data = read_tables({"item": ["1", "2"], "ann": ["x", "x"], "bob": ["y", None]})
    assert answers(data) == EXPECTED
    assert data.report.shape == "columns: wide table, item = 'item', raters = 'ann', 'bob'; 'label' = labels."
    assert data["label"].missing == 1


def test_wide_tables_keep_the_order_of_raters():
    data = read_tables({"item": ["1", "2"], "zoe": ["x", "x"], "bob": ["y", "x"]})
    assert [rater.name for rater in data.raters] == ["zoe", "bob"]


def test_wide_tables_without_an_item_column():
    data = read_tables({"r1": ["x", "y"], "r2": ["x", "x"]})
    assert list(data.units) == ["1", "2"]
    assert "items numbered by row" in data.report.shape
    overlapping = read_tables({"ann": ["x", "y", "y"], "bob": ["x", "x", "y"]})
    assert len(overlapping.raters) == 2
    named = read_tables({"": ["i", "j"], "ann": ["x", "y"], "bob": ["x", "x"]})
    assert list(named.units) == ["i", "j"]
    unique = read_tables({"passage": ["p", "q", "r"], "ann": ["x", "y", "x"], "bob": ["x", "x", "x"]})
    assert "item = 'passage'" in unique.report.shape


def test_a_first_column_that_may_be_items_or_answers_is_ambiguous():
    with pytest.raises(DataError, match=r"which column holds the unit.*--unit C"):
        read_tables({"a": [1, 2, 3], "b": [1, 2, 2], "c": [3, 1, 2]})


def test_columns_that_are_no_raters():
    texts = {"item": [1, 2], "text": ["hello", "bye"], "ann": ["x", "y"], "bob": ["x", "x"]}
    assert [rater.name for rater in read_tables(texts).raters] == ["ann", "bob"]
    odd = {"item": [1, 2], "passage": ["hello", "bye"], "ann": ["x", "y"], "bob": ["x", "x"]}
    with pytest.raises(DataError, match=r"'passage' shares no answer.*--rater ann,bob"):
        read_tables(odd)
    assert [rater.name for rater in read_tables(odd, rater="ann,bob").raters] == ["ann", "bob"]
    numbered = {"item": [1, 2], "category": ["x", "y"], "r1": ["x", "y"], "r2": ["x", "x"]}
    with pytest.raises(DataError, match=r"'category' is not called like the other raters.*--rater r1,r2"):
        read_tables(numbered)


def test_gold_in_a_wide_table_is_a_reference():
    data = read_tables({"item": [1, 2], "gold": ["x", "y"], "r1": ["x", "y"], "r2": ["x", "x"]})
    assert {rater.name: rater.role for rater in data.raters} == {
        "gold": Role.REFERENCE,
        "r1": Role.RATER,
        "r2": Role.RATER,
    }
    assert study_of(data, "label").rater_names == ["r1", "r2"]


def test_an_item_with_two_rows_in_a_wide_table():
    with pytest.raises(DataError, match=r"item '1' of column 'item' has several rows \(lines 1 and 3\)"):
        read_tables({"item": [1, 2, 1], "ann": ["x", "y", "x"], "bob": ["x", "x", "x"]})


def test_a_row_a_rater_is_refused_in_words():
    with pytest.raises(DataError, match=r"one row seems to hold one rater.*Transpose it"):
        read_tables({"rater": ["a", "b"], "i1": ["x", "y"], "i2": ["x", "x"], "i3": ["x", "x"]})


def test_counts_tables():
    counts = {"item": ["i", "j", "k"], "yes": [3, 2, 0], "no": [0, 2, 4], "maybe": [1, 0, 0]}
    data = read_tables(counts)
    study = study_of(data, "label")
    assert study.slots
    assert study.values == ("yes", "no", "maybe")
    assert (study.U, study.R, study.C, study.domain) == (3, 4, 12, 3)
    assert study.counts.tolist() == [5, 6, 1]
    assert "counts table: 3 items x 3 categories" in data.report.shape


def test_counts_that_do_not_add_up_alike_need_the_shape():
    counts = {"item": ["i", "j", "k"], "yes": [3, 2, 0], "no": [0, 2, 1]}
    assert read_tables(counts).raters[0].name == "yes"
    assert study_of(read_tables(counts, shape="counts"), "label").m.tolist() == [3, 4, 1]


@pytest.mark.parametrize("write", [int, str, float])
def test_a_negative_number_among_counts_is_no_rating(write):
    cells = {"yes": [3, 2, 0, 1], "no": [0, 2, 4, 2], "maybe": [1, 0, 0, -1]}
    for bad in (-1, -2, 0 - 5):
        cells["maybe"][3] = bad
        table = {"item": list("ijkl")} | {name: list(map(write, column)) for name, column in cells.items()}
        with pytest.raises(
            DataError, match=r"row 4: column 'maybe' holds something that is not a count.*none negative"
        ):
            read_tables(table)
    cross = {"": ["yes", "no"], "yes": [20, -5], "no": [3, 4]}
    with pytest.raises(DataError, match=r"row 2: column 'yes' holds something that is not a count.*--rater"):
        read_tables({name: column if not name else list(map(write, column)) for name, column in cross.items()})


def test_negative_ratings_are_ratings():
    ratings = {"item": list("ijk"), "one": [-1, 0, 1], "two": [-1, 1, 1], "three": [0, 0, 2]}
    assert [rater.name for rater in read_tables(ratings).raters] == ["one", "two", "three"]


def test_infinity_among_whole_numbers_is_no_count():
    with pytest.raises(DataError, match="infinity is not an answer"):
        read_tables({"item": ["i", "j"], "one": [float("inf"), 1.0], "two": [1.0, 2.0]})


def test_ratings_of_raters_that_add_up_alike_are_not_counts():
    data = read_tables({"item": ["i", "j"], "r1": [1, 2], "r2": [2, 1]})
    assert [rater.name for rater in data.raters] == ["r1", "r2"]


@pytest.mark.parametrize("bad", [-1, 1.5, None, "x"])
def test_counts_are_whole(bad):
    with pytest.raises(DataError, match=r"row 2: column 'no' holds something that is not a count"):
        read_tables({"item": ["i", "j"], "yes": [3, 2], "no": [0, bad]}, shape="counts")


def test_cross_tables_in_any_order_of_rows():
    table = {"first": ["no", "yes"], "yes": [10, 20], "no": [15, 5]}
    data = read_tables(table)
    study = study_of(data, "label")
    assert study.values == ("yes", "no")
    assert [row.tolist() for row in study.matrix[[0, 20, 25, 35]]] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert study.U == 50
    assert not study.slots
    assert "cross table of two raters over 2 labels" in data.report.shape


def test_cross_tables_must_be_square():
    with pytest.raises(DataError, match="same labels"):
        read_tables({"item": ["no", "yes"], "yes": [10, 20], "maybe": [15, 5]}, shape="contingency")


def test_unknown_shape():
    with pytest.raises(UsageError, match="Allowed: long, wide, counts, contingency"):
        read_tables(long("item", "rater", "label"), shape="tall")


def test_files_of_one_rater_each(tmp_path):
    for rater, lines in (("ann", "1,x\n2,x\n"), ("bob", "1,y\n")):
        (tmp_path / f"{rater}.csv").write_text(f"item,label\n{lines}")
    data = read_tables([tmp_path / "ann.csv", tmp_path / "bob.csv"])
    assert answers(data) == EXPECTED
    assert data.report.codes["rater-from-file"] == 2
    assert "file" not in data.clusters


def test_files_of_different_items_are_clusters(tmp_path):
    for name, lines in (("p", "1,a,x\n1,b,x\n"), ("q", "2,a,x\n3,b,x\n")):
        (tmp_path / f"{name}.csv").write_text(f"item,rater,label\n{lines}")
    data = read_tables([tmp_path / "p.csv", tmp_path / "q.csv"])
    assert data.clusters["file"].tolist() == [0, 1, 1]
    assert list(data.units) == ["1", "2", "3"]


def test_files_of_different_layout_are_refused(tmp_path):
    (tmp_path / "long.csv").write_text("item,rater,label\n1,a,x\n")
    (tmp_path / "wide.csv").write_text("item,r1,r2\n1,a,x\n")
    with pytest.raises(DataError, match=r"this table is wide, but .*long.csv is long"):
        read_tables([tmp_path / "long.csv", tmp_path / "wide.csv"])


def test_columns_as_clusters():
    table = long("item", "rater", "label", book=["A", "A", "B"])
    assert read_tables(table, fields=["book"]).clusters["book"].tolist() == [0, 1]
    wide = read_tables({"item": [1, 2], "book": ["B", "A"], "r1": ["x", "y"], "r2": ["x", "x"]}, fields=["book"])
    assert wide.clusters["book"].tolist() == [0, 1]
    assert len(wide.raters) == 2
    with pytest.raises(DataError, match=r"item '1' has two values in column 'book'.*'B' and 'A'|'A' and 'B'"):
        read_tables(long("item", "rater", "label", book=["A", "B", "B"]), fields=["book"])
    with pytest.raises(UsageError, match="no column 'page'"):
        read_tables(table, fields=["page"])


def test_times_become_annotations():
    table = long("item", "rater", "label", created_at=["2026-01-02", "2026-01-01T12:00:00Z", None], lead_time=[1, 2, 3])
    data = read_tables(table)
    assert data.annotations.created.tolist()[:2] == [1767312000.0, 1767268800.0]
    assert data.annotations.created[2] != data.annotations.created[2]
    assert data.annotations.lead_time.tolist() == [1.0, 2.0, 3.0]
    assert data["label"].annotation.tolist() == [0, 1, 2]
    with pytest.raises(DataError, match=r"row 1: column 'created_at' holds something that is not a time. Found: soon"):
        read_tables(table | {"created_at": ["soon", None, None]})


def test_first_answers_of_a_table():
    table = {"item": [1, 1, 1], "rater": ["a", "b", "c"], "label": ["x", "y", "z"], "timestamp": [3, 1, 2]}
    assert study_of(read_tables(table), "label", first=2).rater_names == ["b", "c"]


def test_an_item_or_rater_without_a_name():
    with pytest.raises(DataError, match=r"row 2: column 'item' is blank"):
        read_tables(long("item", "rater", "label") | {"item": [1, " ", 2]})
    with pytest.raises(DataError, match=r"row 3: column 'rater' is blank"):
        read_tables(long("item", "rater", "label") | {"rater": ["a", "b", float("nan")]})


def test_a_table_without_rows():
    with pytest.raises(DataError, match="no rows"):
        read_tables({"item": [], "rater": [], "label": []})


def test_columns_of_different_length():
    with pytest.raises(UsageError, match=r"differ in length \(item: 1, label: 2\)"):
        read_tables({"item": [1], "label": [1, 2]})
