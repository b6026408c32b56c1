"""Pictures of tasks from a folder, embedded behind the regions that were drawn on them; never from the network."""

from __future__ import annotations

import base64
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from markupsafe import Markup

from accord.errors import UsageError
from accord.reporting.markup import element, join

#: Kinds of files that are embedded; told from their content, not their name.
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
#: Bytes of one picture, and of all pictures of a report.
MOST_BYTES = 4 << 20
MOST_TOGETHER = 48 << 20
MOST_PIXELS = 50_000_000
#: Folders before a name that are looked for too.
DEEPEST = 8
#: What the editor puts before the name of an uploaded file.
_UPLOADED = re.compile(r"^[0-9a-f]{8}-(?=.)")


@dataclass(frozen=True, slots=True)
class Ground:
    """What a drawing lies on: a picture, or a sentence why there is none."""

    picture: Markup
    note: str = ""


BLANK = Ground(Markup(""))


class Images:
    """Pictures in a folder by the names under which tasks know them; each is embedded once.

    Raises
    ------
    UsageError
        If there is no such folder.
    """

    def __init__(self, folder: str | Path) -> None:
        if not Path(folder).is_dir():
            raise UsageError(f"--images {folder} is no folder.")
        self._folder = Path(folder).resolve()
        self._found: dict[Path, str | None] = {}
        self._symbols: list[Markup] = []
        self._room = MOST_TOGETHER

    def ground(self, address: str | None, width: float, height: float) -> Ground:
        """Picture of a task, stretched over a canvas, under a veil that keeps what is drawn on it readable."""
        path = None if not address else self._find(address)
        if path is None:
            return Ground(BLANK.picture, "Its picture is not in the folder of pictures.")
        if path not in self._found:
            self._found[path] = self._embedded(path)
        name = self._found[path]
        if name is None:
            return Ground(BLANK.picture, "Its picture is too large to embed, or no PNG, JPEG, WebP or GIF.")
        drawn = element("use", href=f"#{name}", width=width, height=height)
        veil = element("rect", width=width, height=height, class_="veil")
        return Ground(join(drawn, veil))

    @property
    def symbols(self) -> Markup:
        """Everything embedded so far, for one place of the page."""
        return join(*self._symbols)

    def _find(self, address: str) -> Path | None:
        """File whose name, or name with its folders, ends the address; None outside the folder."""
        for parts in _readings(address):
            for start in range(max(0, len(parts) - DEEPEST), len(parts)):
                for name in dict.fromkeys((parts[-1], _UPLOADED.sub("", parts[-1]))):
                    path = self._inside(PurePosixPath(*parts[start:-1], name))
                    if path is not None:
                        return path
        return None

    def _inside(self, name: PurePosixPath) -> Path | None:
        """Regular file of this name, once every link is followed."""
        try:
            path = (self._folder / name).resolve(strict=True)
            return path if path.is_relative_to(self._folder) and path.is_file() else None
        except (OSError, ValueError, RuntimeError):
            return None

    def _embedded(self, path: Path) -> str | None:
        """Add a picture to the page; None where it is none, or too large."""
        data = _read(path)
        form = None if data is None or len(data) > self._room else _form(data)
        if data is None or form is None:
            return None
        self._room -= len(data)
        name = f"picture-{len(self._symbols) + 1}"
        address = f"data:{TYPES[form]};base64,{base64.b64encode(data).decode()}"
        image = element("image", href=address, width="100", height="100", preserveAspectRatio="none")
        self._symbols.append(element("symbol", image, id=name, viewBox="0 0 100 100", preserveAspectRatio="none"))
        return name


def _readings(address: str) -> Iterator[list[str]]:
    """Folders and name in an address: as a path, as a URL, as the editor's own for files on its machine."""
    yield _parts(address)
    try:
        split = urlsplit(address)
        local = parse_qs(split.query).get("d", [""])[0]
    except ValueError:
        return
    yield _parts(local if split.path.endswith("/local-files/") else unquote(split.path))


def _parts(path: str) -> list[str]:
    """Folders and name of a path; none where one of them leads elsewhere."""
    parts = re.split(r"[/\\]", path)
    return [] if ".." in parts or "\0" in path else [part for part in parts if part not in ("", ".")]


def _read(path: Path) -> bytes | None:
    """Content of a file; None if it cannot be read or is too large."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError:
        return None
    return data if 0 < len(data) <= MOST_BYTES else None


def _form(data: bytes) -> str | None:
    """Kind of picture by its head; None for anything else, and for pictures with too many pixels."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=tuple(TYPES)) as image:
                width, height = image.size
                form = image.format
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return form if form in TYPES and 0 < width * height <= MOST_PIXELS else None
