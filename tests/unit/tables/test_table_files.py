"""Files as people have them, good and bad: what is wrong is said with file and line."""

import json
import resource

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError, DataError, UsageError
from accord.readers.arrow_columns import raw_column
from accord.readers.tables import read_tables
from accord.values import EMPTY, Kind, Level

PIECES = [
    b"item,r1,r2\n",
    b"item,rater,label\n",
    b'"',
    b",",
    b"\n",
    b"\r",
    b"1",
    b"a,b,c\n",
    b"1,x,y\n",
    b"[]",
    b"\xff\xfe",
]
PIECES += [
    b'{"item": 1, "r1": 2, "r2": [1]}\n',
    b"{",
    b"}",
    b"inf",
    b"nan",
    b"\xef\xbb\xbf",
    b"\xc3\xa9",
    b"\0",
    b"1e999",
]
ROWS = [("1", "ann", "x"), ("1", "bob", "y"), ("2", "ann", "x")]
EXPECTED = set(ROWS)


def answers(dataset, control=None):
    column = dataset[control or next(iter(dataset.columns))]
    cells = zip(column.unit.tolist(), column.rater.tolist(), column.code.tolist(), strict=True)
    return {(dataset.units[u], dataset.raters[r].name, column.values[c]) for u, r, c in cells}


def text_of(separator=",", end="\n"):
    return "".join(separator.join(row) + end for row in [("item", "rater", "label"), *ROWS])


@pytest.fixture
def write(tmp_path):
    def make(name, content, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_delimited_text_in_every_encoding(write, separator, encoding):
    content = text_of(separator).replace("x", "\u00e9\U0001f642")
    if encoding.endswith("-bom"):
        content, encoding = "\ufeff" + content, encoding.removesuffix("-bom")
    data = read_tables(write("a.csv", content, encoding))
    assert answers(data) == {(u, r, v.replace("x", "\u00e9\U0001f642")) for u, r, v in ROWS}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
def test_every_line_end(write, end):
    assert answers(read_tables(write("a.csv", text_of(end=end)))) == EXPECTED


@pytest.mark.parametrize("name, separator", [("a.tsv", "\t"), ("a.tab", "\t"), ("a.txt", ";"), ("A.CSV", ",")])
def test_endings(write, name, separator):
    assert answers(read_tables(write(name, text_of(separator)))) == EXPECTED


def test_cells_with_separators_quotes_and_breaks(write):
    data = read_tables(write("a.csv", 'item,r1,r2\n1,"a, b","say ""hi"""\n2,"two\nlines",x\n"3",a\'b,\n'))
    assert answers(data) == {
        *[("1", "r1", "a, b"), ("1", "r2", 'say "hi"'), ("2", "r1", "two\nlines"), ("2", "r2", "x"), ("3", "r1", "a'b")]
    }


BAD_CSV = {
    "empty": (b"", "the file is empty"),
    "blank lines": (b"\n\n \n", "the file is empty|one column"),
    "one column": (b"item\n1\n2\n", r"line 1: the table has one column"),
    "no end of the header": (b"item," * 300_000, r"line 1: the first line has more than"),
    "header only": (b"item,rater,label\n", "no rows"),
    "duplicated header": (b"item,r1,r1\n1,a,b\n", r"line 1: two columns are called 'r1'"),
    "short row": (b"item,r1,r2\n1,a,b\n2,a\n", r"line 3: .*Found: 2 cells. Allowed: 3 cells"),
    "long row": (b"item,r1,r2\n1,a,b,c\n", r"line 2: .*Found: 4 cells. Allowed: 3 cells"),
    "short row after a break": (b'item,r1,r2\n1,"a\nb",c\n\n2,a\n', r"line 5: .*Found: 2 cells"),
    "NUL": (b"item,r1,r2\n1,a,b\n2,\0,b\n", r"line 3: the file holds a NUL byte"),
    "Latin-1": ("item,r1,r2\n1,a,b\n2,caf\xe9,b\n".encode("latin-1"), r"line 3: .*not UTF-8.*0xE9.*Latin-1"),
    "UTF-16 without mark": ("item,r1,r2\n1,a,b\n".encode("utf-16-le"), r"line 1: the file holds a NUL byte.*UTF-16"),
    "half a character": ("item,r1,r2\n1,a,\xe9".encode()[:-1], r"not UTF-8|within a character"),
    "open quote": (b'item,r1,r2\n1,a,b\n2,"a,b\n3,a,b\n', r"line 3: a quoted cell is never closed"),
    "infinity": (b"item,r1,r2\n1,1.5,inf\n", r"control label: infinity is not an answer. Found: inf"),
    "blank item": (b"item,r1,r2\n1,a,b\n,a,b\n", r"line 3: column 'item' is blank"),
    "two answers": (b"item,rater,label\n1,a,x\n1,b,x\n1,a,y\n", r"'a' gave 2 answers to item '1' \(lines 2, 4\)"),
    "two rows": (b"item,r1,r2\n7,a,b\n\n7,a,b\n", r"item '7' .*\(lines 2 and 4\)"),
    "lists of objects": (b'item,r1,r2\n1,"[{""a"": 1}]",x\n', r"control label: a set of labels holds plain labels"),
}


@pytest.mark.parametrize("case", BAD_CSV)
def test_bad_csv_names_file_and_place(write, case):
    content, message = BAD_CSV[case]
    path = write("bad.csv", content)
    with pytest.raises(DataError, match=message) as caught:
        read_tables(path)
    assert str(path) in str(caught.value)


def test_a_quote_in_the_middle_of_a_cell_is_a_letter(write):
    assert answers(read_tables(write("a.csv", 'item,r1,r2\n1,5" pipe,b\n'))) == {
        ("1", "r1", '5" pipe'),
        ("1", "r2", "b"),
    }


def test_a_very_long_line(write):
    size = 20_000_000
    data = read_tables(write("a.csv", b"item,r1,r2\n1," + b"x" * size + b",y\n2,y,y\n"), rater="r1,r2")
    assert len(data["label"].values[0]) == size


def test_a_hundred_thousand_labels(write):
    lines = "".join(f"{i},label {i},label {i + 1}\n" for i in range(100_000))
    data = read_tables(write("a.csv", f"item,r1,r2\n{lines}"))
    assert len(data["label"].values) == 100_001
    assert len(data.units) == 100_000


JSON_LINES = "".join(json.dumps(dict(zip(("item", "rater", "label"), row, strict=True))) + "\n" for row in ROWS)


def test_json_lines_and_lists(write):
    assert answers(read_tables(write("a.jsonl", JSON_LINES))) == EXPECTED
    assert answers(read_tables(write("b.ndjson", "\ufeff" + JSON_LINES.replace("\n", "\r\n\r\n")))) == EXPECTED
    listed = json.dumps([json.loads(line) for line in JSON_LINES.splitlines()], indent=1)
    assert answers(read_tables(write("c.json", listed))) == EXPECTED


def test_json_keeps_types_apart(write):
    data = read_tables(write("a.jsonl", '{"item": 1, "r1": "1", "r2": "01"}\n{"item": 2, "r1": "1", "r2": null}\n'))
    assert data["label"].values == ("01", "1")
    data = read_tables(write("b.jsonl", '{"item": 1, "r1": 1, "r2": 1.0}\n{"item": 2, "r1": 2, "r2": NaN}\n'))
    assert data["label"].values == (1, 2)
    assert data["label"].missing == 1


BAD_JSON = {
    "empty": ("", "the file is empty"),
    "cut": ('{"item": 1, "r1": 1, "r2": 1}\n\n{"item": 1, "r1"', r"line 3: this is not JSON"),
    "a list": ("[1, 2]\n", r"line 1: each line holds one JSON object"),
    "infinity": ('{"item": 1, "r1": Infinity, "r2": 1}\n', r"line 1: infinity is not an answer"),
    "deep": ('{"item": 1, "r1": ' + "[" * 100_000 + "]" * 100_000 + ', "r2": 1}\n', r"line 1: .*nested too deeply"),
    "digits": ('{"item": 1, "r1": ' + "1" * 5000 + ', "r2": 1}\n', r"line 1: a number has too many digits"),
    "object": ('{"item": 1, "r1": {"a": 1}, "r2": 1}\n', r"an answer is an object"),
    "types": ('{"item": 1, "r1": 1, "r2": "1"}\n', r"control label: .*1 \(int\) and '1' \(str\)"),
    "truth": ('{"item": 1, "r1": 1, "r2": true}\n', r"control label: .*1 \(int\) and True \(bool\)"),
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_bad_json_names_the_place(write, case):
    content, message = BAD_JSON[case]
    with pytest.raises(DataError, match=message):
        read_tables(write("bad.jsonl", content))


def test_latin_1_json(write):
    with pytest.raises(DataError, match=r"line 2: the file is not UTF-8"):
        read_tables(write("a.jsonl", '{"item": 1}\n{"item": "\xe9"}\n'.encode("latin-1")))


def test_json_that_is_no_table(write):
    with pytest.raises(DataError, match="list of objects"):
        read_tables(write("a.json", '{"a": 1}'))
    with pytest.raises(DataError, match="row 2: each row is an object"):
        read_tables(write("b.json", '[{"item": 1, "r1": 1}, 2]'))
    with pytest.raises(DataError, match="line 2: this is not JSON"):
        read_tables(write("c.json", '[\n{"item": 1,}]'))


@pytest.fixture
def frame():
    return pd.DataFrame(ROWS, columns=["item", "rater", "label"])


def test_parquet(tmp_path, frame):
    frame.to_parquet(tmp_path / "a.parquet")
    assert answers(read_tables(tmp_path / "a.parquet")) == EXPECTED
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 is not enough PAR1")
    with pytest.raises(DataError, match="not a Parquet file"):
        read_tables(tmp_path / "bad.parquet")


def test_excel_sheets(tmp_path, frame):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame().to_excel(book, sheet_name="cover", index=False)
        frame.to_excel(book, sheet_name="round 1", index=False, startrow=2, startcol=0)
        frame.replace("x", "z").to_excel(book, sheet_name="round 2", index=False)
    data = read_tables(path)
    assert answers(data) == EXPECTED
    assert data.report.shape.startswith("Excel sheet 'round 1'; one of 3 sheets: long table")
    assert ("1", "ann", "z") in answers(read_tables(f"{path}#round 2"))
    assert ("1", "ann", "z") in answers(read_tables(path, sheet="round 2"))
    with pytest.raises(DataError, match=r"no sheet 'x'.*Allowed: cover, round 1, round 2"):
        read_tables(path, sheet="x")
    with pytest.raises(DataError, match="sheet is empty"):
        read_tables(path, sheet="cover")


def test_excel_numbers_dates_and_lines(tmp_path):
    path = tmp_path / "book.xlsx"
    pd.DataFrame({"item": [1, 2], "r1": [1, 2], "r2": [1, None]}).to_excel(path, index=False)
    assert read_tables(path)["label"].values == (1, 2)
    dates = pd.to_datetime(["2026-01-01", "2026-01-02"])
    pd.DataFrame({"item": [1, 2], "r1": dates, "r2": [dates[0], None]}).to_excel(path, index=False)
    data = read_tables(path)["label"]
    assert data.control.kind is Kind.DATETIME
    assert data.values == ("2026-01-01", "2026-01-02")
    pd.DataFrame({"item": [1, None], "r1": ["a", "b"], "r2": ["a", "b"]}).to_excel(path, index=False)
    with pytest.raises(DataError, match="line 3: column 'item' is blank"):
        read_tables(path)


def test_damaged_workbook(write):
    with pytest.raises(DataError, match="workbook cannot be read"):
        read_tables(write("a.xlsx", b"PK\x03\x04 and nothing more"))


@pytest.mark.parametrize("source", ["nothing.csv", "nothing.csv#sheet"])
def test_no_such_file(tmp_path, source):
    with pytest.raises(DataError, match=f"{source}: there is no such file"):
        read_tables(tmp_path / source)


def test_unknown_ending_and_folder(write, tmp_path):
    with pytest.raises(UsageError, match=r"does not end in \.docx"):
        read_tables(write("a.docx", b""))
    with pytest.raises(DataError, match="no such file"):
        read_tables(tmp_path)
    with pytest.raises(DataError, match="nothing to read"):
        read_tables([])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, lambda rows: pl.DataFrame(rows).lazy()])
def test_frames(make):
    rows = dict(zip(("item", "rater", "label"), (list(column) for column in zip(*ROWS, strict=True)), strict=True))
    assert answers(read_tables(make(rows))) == EXPECTED


def test_frame_types():
    wide = {"item": [1, 2], "r1": ["a", "b"], "r2": ["a", None]}
    assert read_tables(pd.DataFrame(wide).astype({"r1": "category"}))["label"].values == ("a", "b")
    integers = pd.DataFrame({"item": [1, 2], "r1": pd.array([1, None], dtype="Int64"), "r2": [1, 2]})
    assert read_tables(integers)["label"].values == (1, 2)
    truth = pd.DataFrame({"item": [1, 2], "r1": [True, False], "r2": [True, None]})
    assert read_tables(truth)["label"].values == (False, True)
    lists = {"item": [1, 2], "r1": [["a"], ["b", "a"]], "r2": [[], ["a", "b"]]}
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        column = read_tables(make(lists))["label"]
        assert column.control.kind is Kind.LABELS
        assert column.values == (frozenset("ab"), frozenset("a"), EMPTY)
    with pytest.raises(DataError, match=r"1 \(int\) and '1' \(str\)"):
        read_tables(pd.DataFrame({"item": [1, 2], "r1": [1, "1"], "r2": [1, 1]}))
    with pytest.raises(DataError, match="infinity"):
        read_tables(pl.DataFrame({"item": [1, 2], "r1": [1.5, float("inf")], "r2": [1.0, 1.0]}))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_numbers_between_those_given_are_no_values_and_no_units(make):
    data = read_tables(make({"item": [7, 3], "r1": [1, 5], "r2": [5, 1]}))
    assert list(data.units) == ["3", "7"]
    assert data["label"].values == (1, 5)
    assert data["label"].code.tolist() == [1, 0, 0, 1]


def test_categories_that_nobody_used_are_no_values():
    said = pd.Categorical(["b", "c"], categories=["a", "b", "c", "d"])
    data = read_tables(pd.DataFrame({"item": pd.Categorical(["i", "j"], ["h", "i", "j"]), "r1": said, "r2": said}))
    assert data["label"].values == ("b", "c")
    assert list(data.units) == ["i", "j"]


def test_the_index_of_a_frame_names_items_only_where_nothing_else_does(frame):
    assert answers(read_tables(frame.iloc[1:])) == EXPECTED - {ROWS[0]}
    wide = pd.DataFrame({"ann": ["x", "y"], "bob": ["x", "x"]}, index=["i", "j"])
    assert list(read_tables(wide).units) == ["i", "j"]
    named = wide.rename_axis("passage")
    assert "item = 'passage'" in read_tables(named, unit="passage").report.shape


LARGE_NAMES = {
    "text": lambda i: f"unit {i} {'x' * (i % 7)}",
    "numbers": lambda i: str(i - 40_000),
    "numbers far apart": lambda i: str(i * 10**12),
    "numbers with zeros": lambda i: f"{i:07}",
    "numbers but one": lambda i: str(i) if i else "+0",
}


@pytest.mark.parametrize("kind", LARGE_NAMES)
def test_large_dictionaries_of_many_chunks_are_one(kind):
    rng = np.random.default_rng(3)
    names = np.array([LARGE_NAMES[kind](i) for i in range(90_000)])
    picks = rng.integers(0, len(names), 300_000)
    column = pa.chunked_array([pa.array(names[part]).dictionary_encode() for part in np.array_split(picks, 7)])
    raw = raw_column(column)
    assert np.array(list(raw.distinct))[raw.codes].tolist() == names[picks].tolist()
    assert len(set(raw.distinct)) == len(raw.distinct)
    first = {}
    for place, code in enumerate(raw.codes.tolist()):
        first.setdefault(code, place)
    assert list(first) == sorted(first)


def test_reading_is_lean(write):
    rows = 400_000
    lines = "".join(f"{i // 4},r{i % 4},label {i % 11}\n" for i in range(rows))
    path = write("a.csv", f"item,rater,label\n{lines}")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    data = read_tables(path)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert data.answers == rows
    assert grown < 1.5 * 12 * rows + 200e6


def test_numbers_in_text_files(write):
    whole = read_tables(write("a.csv", "item,r1,r2\n1,1,2\n2,2,1.0\n"))["label"]
    assert (whole.values, whole.control.kind, whole.control.level) == ((1, 2), Kind.LABEL, Level.NOMINAL)
    decimals = read_tables(write("b.csv", "item,r1,r2\n1,-1.5,2\n2,1e3,nan\n"))["label"]
    assert (decimals.values, decimals.control.kind, decimals.control.level) == (
        *((-1.5, 2, 1000), Kind.NUMBER, Level.INTERVAL),
    )
    assert decimals.missing == 1
    many = read_tables(write("c.csv", "item,r1,r2\n" + "".join(f"{i},{i},{i}\n" for i in range(21))))["label"]
    assert (many.control.kind, many.control.level) == (Kind.NUMBER, Level.INTERVAL)
    zeros = read_tables(write("d.csv", "item,r1,r2\n1,01,1\n2,1,01\n"))["label"]
    assert (zeros.values, zeros.control.kind) == (("01", "1"), Kind.LABEL)
    some = read_tables(write("e.csv", "item,r1,r2\n1,1,x\n2,x,1\n"))["label"]
    assert some.values == ("1", "x")


def test_marks_of_missing_answers_do_not_make_numbers_text(write):
    path = write("a.csv", "item,r1,r2\n1,1,NA\n2,2,1\n")
    assert read_tables(path)["label"].values == ("1", "2", "NA")
    assert read_tables(path).report.codes == {"looks-missing": 1}
    column = read_tables(path, missing=["NA"])["label"]
    assert (column.values, column.missing) == ((1, 2), 1)


def test_sets_in_cells(write):
    column = read_tables(write("a.csv", 'item,r1,r2\n1,"[""b"",""a""]","[""a"",""b""]"\n2,[],a\n3,,[b]\n'))["label"]
    assert column.control.kind is Kind.LABELS
    assert column.values == (frozenset(["[b]"]), frozenset("ab"), frozenset("a"), EMPTY)
    assert column.missing == 1


def test_free_text(write):
    path = write("a.csv", "item,rater,answer\n1,a,12\n1,b, \n2,a,yes\n")
    column = read_tables(path, text="answer")["answer"]
    assert column.control.kind is Kind.TEXT
    assert column.values == ("12", "yes")
    assert column.missing == 1
    wide = read_tables(write("b.csv", "item,passage,ann,bob\n1,p,It is so.,No.\n"), text="ann,bob")["label"]
    assert wide.control.kind is Kind.TEXT
    assert wide.values == ("It is so.", "No.")


CONFIG = """<View><Text name="t" value="$text"/>
<Choices name="mood" toName="t"><Choice value="3"/><Choice value="2"/><Choice value="1"/></Choices>
<Rating name="stars" toName="t" maxRating="5"/></View>"""


def test_a_label_config_decides(write):
    rows = "item,control,rater,label\n1,mood,a,3\n1,mood,b,1\n1,stars,a,3\n1,stars,b,1\n2,mood,a,4\n2,stars,a,2\n"
    data = read_tables(write("a.csv", rows), config=CONFIG)
    assert data["mood"].values == ("3", "2", "1", "4")
    assert data["mood"].outside == ("4",)
    assert data["mood"].control.declared
    assert data["stars"].values == (1, 2, 3, 4, 5)
    assert (data["stars"].control.kind, data["stars"].control.level) == (Kind.RATING, Level.ORDINAL)
    assert data.report.codes == {"unknown-value": 1}


def test_a_label_config_names_the_control_of_a_wide_table(write):
    path = write("a.csv", "item,r1,r2\n1,3,1\n2,2,2\n")
    assert list(read_tables(path, config=CONFIG, control="stars").columns) == ["stars"]
    with pytest.raises(UsageError, match="declares mood, stars, but the table answers label"):
        read_tables(path, config=CONFIG)
    single = '<View><Text name="t" value="$x"/><Rating name="stars" toName="t"/></View>'
    assert read_tables(path, config=single)["stars"].control.level is Level.ORDINAL
    with pytest.raises(DataError, match=r"control stars: .*not a number. Found: x"):
        read_tables(write("b.csv", "item,r1,r2\n1,x,1\n"), config=single)


def test_near_equal_labels_are_told_and_nfc_ones_joined(write):
    path = write("a.csv", "item,r1,r2\n1,Yes,yes\n2,caf\xe9,cafe\u0301\n")
    data = read_tables(path)
    assert data["label"].values == ("Yes", "caf\xe9", "yes")
    assert data.report.codes == {"near-equal-label": 1, "nfc": 1}
    with pytest.raises(DataError, match=f"{path}, control label: nfc"):
        read_tables(path, strict=True)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=40), st.sampled_from(["csv", "jsonl"]))
def test_noise_never_gives_a_traceback(write, pieces, ending):
    try:
        data = read_tables(write(f"noise.{ending}", b"".join(pieces)))
    except AccordError:
        return
    assert all(len(column.code) == len(column.unit) for column in data.columns.values())


@pytest.mark.parametrize("cut", range(0, 120, 7))
def test_no_cut_file_gives_a_traceback(write, cut):
    whole = 'item,rater,label\n1,ann,"x ""y""\nz"\n2,bob,\xe9\n3,"ann",x\n'.encode() * 2
    try:
        data = read_tables(write("cut.csv", whole[:cut]))
    except AccordError:
        return
    assert data.answers > 0
