"""Files with flipped, missing and foreign bytes give answers or an error that names the file.

Where a format has checksums, the answers are those that were written.
"""

import csv
import io
import json
import random
import zipfile

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import accord
from accord.errors import DataError
from accord.readers.decoding import decoding

ROWS = [(f"t{n // 3:02d}", ("ann", "bob", "cem")[n % 3], ("cat", "dog", "é-llama")[n * n % 7 % 3]) for n in range(90)]
NAMES = ("item", "rater", "label")
DAMAGES = 120


def parquet(**options):
    def write(path):
        pq.write_table(pa.Table.from_pylist([dict(zip(NAMES, row, strict=True)) for row in ROWS]), path, **options)

    return write


def delimited(separator, encoding="utf-8"):
    return lambda path: path.write_bytes(_delimited([NAMES, *ROWS], separator).encode(encoding))


def _delimited(rows, separator):
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue()


def records(end, around="{}"):
    lines = [json.dumps(dict(zip(NAMES, row, strict=True)), ensure_ascii=False) for row in ROWS]
    return lambda path: path.write_text(around.format(end.join(lines)), encoding="utf-8")


def excel(path):
    pd.DataFrame(ROWS, columns=NAMES).to_excel(path, index=False)


def open_document(path):
    spaces = ("office", "table", "text")
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in spaces)
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = ("".join(map(cell.format, row)) for row in (NAMES, *ROWS))
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        book.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{manifest}"/>')
        book.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:spreadsheet>"
            f'<table:table table:name="one">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )


def _annotations():
    for number, (item, rater, label) in enumerate(ROWS):
        yield {
            "id": int(item[1:]),
            "text": f"text of {item}",
            "annotator": ("ann", "bob", "cem").index(rater),
            "annotation_id": number,
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "lead_time": 1.5,
            "label": label,
        }


def compact(path):
    found = list(_annotations())
    if path.suffix == ".json":
        path.write_text(json.dumps(found), encoding="utf-8")
    else:
        text = _delimited(
            [list(found[0]), *(list(row.values()) for row in found)], "," if path.suffix == ".csv" else "\t"
        )
        path.write_text(text, encoding="utf-8")


def export(path):
    tasks = {}
    for found in _annotations():
        task = tasks.setdefault(found["id"], {"id": found["id"], "data": {"text": found["text"]}, "annotations": []})
        item = {"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": [found["label"]]}}
        task["annotations"].append({"id": found["annotation_id"], "completed_by": found["annotator"], "result": [item]})
    path.write_text(json.dumps(list(tasks.values())), encoding="utf-8")


#: name -> ending, writer, what the reader is told, whether the format notices every change of an answer
FORMATS = {
    "CSV": (".csv", delimited(","), {}, False),
    "TSV": (".tsv", delimited("\t"), {}, False),
    "CSV in UTF-16": (".csv", delimited(";", "utf-16"), {}, False),
    "JSON lines": (".jsonl", records("\n"), {}, False),
    "JSON": (".json", records(", ", "[{}]"), {}, False),
    "Parquet": (".parquet", parquet(), {}, False),
    "Parquet, plain": (".parquet", parquet(compression="none", use_dictionary=False), {}, False),
    "Parquet with checksums": (".parquet", parquet(write_page_checksum=True), {}, True),
    "Parquet, zstd with checksums": (".parquet", parquet(compression="zstd", write_page_checksum=True), {}, True),
    "Excel": (".xlsx", excel, {}, True),
    "OpenDocument": (".ods", open_document, {}, True),
    "Label Studio JSON": (".json", export, {}, False),
    "Label Studio JSON-MIN": (".json", compact, {"value": "label"}, False),
    "Label Studio CSV": (".csv", compact, {"value": "label"}, False),
    "Label Studio TSV": (".tsv", compact, {"value": "label"}, False),
}


def damaged(content, seed):
    """Bytes flipped, cut off, removed or replaced."""
    chance = random.Random(seed)
    found, at = bytearray(content), chance.randrange(len(content))
    match seed % 4:
        case 0:
            del found[at:]
        case 1:
            for _ in range(chance.choice((1, 1, 2, 8))):
                found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
        case 2:
            del found[at : at + chance.randrange(1, 64)]
        case 3:
            found[at : at + 16] = chance.randbytes(chance.randrange(1, 32))
    return bytes(found)


def answers(dataset):
    return sorted(
        (dataset.units[unit], dataset.raters[rater].name, str(column.values[code]))
        for column in dataset.columns.values()
        for unit, rater, code in zip(column.unit.tolist(), column.rater.tolist(), column.code.tolist(), strict=True)
    )


@pytest.mark.parametrize("kind", FORMATS)
def test_damage_is_read_or_named(tmp_path, kind):
    ending, write, options, checked = FORMATS[kind]
    path = tmp_path / f"t{ending}"
    write(path)
    whole, content = answers(accord.read(path, **options)), path.read_bytes()
    assert len(whole) == len(ROWS)
    refused = []
    for seed in range(DAMAGES):
        path.write_bytes(damaged(content, seed))
        try:
            found = answers(accord.read(path, **options))
        except DataError as error:
            refused.append(str(error))
        else:
            assert not checked or found == whole, seed
    assert len(refused) > DAMAGES / 8
    for words in refused:
        assert str(path) in words
        assert words.isprintable(), words
        assert len(words) < 1000, words


class PanicException(BaseException):  # the name that decoders written in Rust use
    pass


def test_what_a_library_does_not_foresee_is_an_error_of_the_file(tmp_path):
    for failure in (
        KeyError("x"),
        OSError(5, "broken"),
        OverflowError(),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"),
        PanicException("index out of bounds"),
    ):
        with pytest.raises(DataError, match=r"a\.bin: no book: .+\."), decoding(tmp_path / "a.bin", "no book"):
            raise failure
    with pytest.raises(DataError, match="more memory than there is"), decoding(tmp_path / "a.bin", "no book"):
        raise MemoryError
    with pytest.raises(KeyboardInterrupt), decoding(tmp_path / "a.bin", "no book"):
        raise KeyboardInterrupt
