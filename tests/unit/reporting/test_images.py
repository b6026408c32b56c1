"""Pictures behind drawn regions: found by name inside one folder, told by their head, embedded once, never fetched."""

import base64
import os
import re
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

import accord
from accord.cli.app import app
from accord.errors import UsageError
from accord.pipeline.measure import measure
from accord.reporting import render_report, write_report
from accord.reporting.drawings import images as module
from accord.reporting.drawings.images import Images

EXAMPLES = Path("examples")


def paint(path, size=(8, 6), form="PNG"):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "#88aacc").save(path, form)
    return path


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "pictures"
    paint(inside / "a.png")
    paint(inside / "deep" / "b.jpg", form="JPEG")
    paint(inside / "other" / "b.jpg", (4, 4), "JPEG")
    paint(tmp_path / "outside.png")
    return inside


def drawn(folder, address):
    found = Images(folder)
    ground = found.ground(address, 100.0, 75.0)
    return ground, str(found.symbols)


@pytest.mark.parametrize(
    "address",
    [
        "a.png",
        "/data/upload/3/a.png",
        "/data/upload/3/0123abcd-a.png",
        "https://example.org/set/a.png?size=2#x",
        "s3://bucket/some/where/a.png",
        r"C-drive\set\a.png",
        "/data/local-files/?d=set/a.png",
        "set/a%2Epng",
        "C:a.png",
    ],
)
def test_pictures_are_found_by_the_name_the_task_knows(folder, address):
    ground, symbols = drawn(folder, address)
    assert str(ground.picture).startswith('<use href="#picture-1"')
    assert ground.note == ""
    data = base64.b64decode(re.search(r"data:image/png;base64,([A-Za-z0-9+/=]+)", symbols)[1])
    assert data == (folder / "a.png").read_bytes()


def test_names_are_tried_as_they_are_too(folder):
    paint(folder / "no. 1? #2%20.png")
    assert drawn(folder, "set/no. 1? #2%20.png")[1] != ""


def test_folders_in_the_address_tell_pictures_of_one_name_apart(folder):
    for name in ("deep", "other"):
        _, symbols = drawn(folder, f"https://example.org/x/{name}/b.jpg")
        data = base64.b64decode(re.search(r"data:image/jpeg;base64,([A-Za-z0-9+/=]+)", symbols)[1])
        assert data == (folder / name / "b.jpg").read_bytes()
    assert drawn(folder, "b.jpg")[1] == ""


@pytest.mark.parametrize(
    "address",
    [
        "../outside.png",
        "..%2Foutside.png",
        r"..\outside.png",
        "x/../../outside.png",
        "/data/local-files/?d=../outside.png",
        "a.png\0.jpg",
        "data:image/png;base64,AAAA",
        "deep",
        "",
        None,
        ".",
        "/",
        "http://[broken",
        "x" * 5000,
        "missing.png",
    ],
)
def test_nothing_outside_the_folder_is_read(folder, address):
    ground, symbols = drawn(folder, address)
    assert str(ground.picture) == symbols == ""
    assert "not in the folder" in ground.note


def test_absolute_addresses_stay_inside(folder, tmp_path):
    ground, symbols = drawn(folder, str(tmp_path / "outside.png"))
    assert (str(ground.picture), symbols) == ("", "")


def test_links_out_of_the_folder_are_refused_and_links_within_followed(folder, tmp_path):
    (folder / "out.png").symlink_to(tmp_path / "outside.png")
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop.png").symlink_to(folder / "loop.png")
    (folder / "in.png").symlink_to(folder / "a.png")
    for address in ("out.png", "up/outside.png", "loop.png"):
        assert drawn(folder, address)[1] == ""
    assert drawn(folder, "in.png")[1] != ""


def test_pipes_are_no_pictures(folder):
    os.mkfifo(folder / "pipe.png")
    assert drawn(folder, "pipe.png")[1] == ""


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<script>alert(1)</script>",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
        b"BM" + b"\0" * 60,
    ],
)
def test_what_is_no_picture_is_not_embedded_whatever_its_name(folder, content):
    (folder / "a.png").write_bytes(content)
    ground, symbols = drawn(folder, "a.png")
    assert (str(ground.picture), symbols) == ("", "")
    assert "too large to embed, or no PNG" in ground.note


def test_a_head_that_claims_too_many_pixels_is_refused(folder):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    (folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    assert drawn(folder, "a.png")[1] == ""


def test_large_files_and_large_reports_are_refused(folder, monkeypatch):
    size = (folder / "a.png").stat().st_size
    monkeypatch.setattr(module, "MOST_BYTES", size - 1)
    assert drawn(folder, "a.png")[1] == ""
    monkeypatch.setattr(module, "MOST_BYTES", size)
    monkeypatch.setattr(module, "MOST_TOGETHER", size)
    paint(folder / "c.png")
    found = Images(folder)
    assert found.ground("a.png", 10, 10).note == ""
    assert "too large" in found.ground("c.png", 10, 10).note


def test_a_picture_is_embedded_once(folder):
    found = Images(folder)
    grounds = [found.ground(address, 10, 10) for address in ("a.png", "x/a.png", "a.png")]
    assert len({str(ground.picture) for ground in grounds}) == 1
    assert str(found.symbols).count("data:image/png") == 1


def test_a_folder_that_is_none_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="is no folder"):
        Images(tmp_path / "nowhere")


@pytest.fixture(scope="module")
def harbour():
    dataset = accord.read(EXAMPLES / "harbour-export.json", config=EXAMPLES / "harbour-config.xml", context=True)
    return measure(dataset, {"only": ["boxes", "tracks"]}, page=True)


def test_regions_are_drawn_on_their_pictures(harbour, tmp_path):
    for number in range(1, 10):
        paint(tmp_path / f"harbour-{number:02d}.png")
    page = render_report(harbour, "html", images=tmp_path)
    assert page.count("<use href=") == 9
    assert page.count("Its picture is not in the folder of pictures.") == 1
    assert page.count("data:image/png") == 9
    assert page.count("harbour-01.png · agreement") == 1
    assert "<use" not in render_report(harbour, "html")


def test_pictures_are_for_html_only(harbour, tmp_path):
    with pytest.raises(UsageError, match="HTML only"):
        write_report(harbour, tmp_path / "report.zip", "csv", images=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "{}/r.md", "--images", "{}"], "is for HTML"),
        (["-o", "{}/r.html", "--images", "{}", "--no-content"], "contradict each other"),
        (["-o", "{}/r.html", "--images", "{}/nowhere"], "is no folder"),
    ],
)
def test_the_command_line_says_why_there_are_no_pictures(tmp_path, arguments, said):
    given = [argument.format(tmp_path) for argument in arguments]
    found = CliRunner().invoke(app, ["report", "examples/harbour-export.json", *given])
    assert found.exit_code != 0
    assert said in f"{found.output}{found.exception}"
    assert not list(tmp_path.iterdir())
