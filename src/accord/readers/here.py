"""What the reader knows of the task it is in: its data, the texts in it, and what annotators should share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from accord.readers.codes import Notices
from accord.readers.config_model import LabelConfig, ObjectTag

_ADDRESS: Final = ("http://", "https://", "/data/", "s3://", "gs://", "azure-blob://")
_TEXT_KEYS: Final = ("text", "dialogue", "dialog", "html", "content", "body", "question")


@dataclass(frozen=True, slots=True)
class Shown:
    """Text that was shown: ``wide`` says that it has characters that UTF-16 writes as two units."""

    text: str
    wide: bool


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Paragraphs that were shown, and where each begins when they are joined by line breaks."""

    texts: tuple[str, ...]
    begins: tuple[int, ...]


class Here:
    """The task being read.

    ``fits`` counts by scope how many spans fit their text if offsets count characters, and UTF-16 units.
    """

    def __init__(self, notices: Notices, config: LabelConfig | None) -> None:
        self.notices = notices
        self.config = config
        self.objects: Mapping[str, ObjectTag] = config.objects if config is not None else {}
        self.data: Any = {}
        self.scope = 0
        self._texts: dict[Any, Shown | None] = {}
        self._dialogues: dict[str, Dialogue | None] = {}
        self._shared: dict[tuple[str, str], set[Any]] = {}
        self.unclear = False
        self.fits: dict[int, list[int]] = {}

    def enter(self, data: Any, scope: int) -> None:
        """Start a task."""
        self.data = data if isinstance(data, dict) else {}
        self.scope = scope
        self._texts.clear()
        self._dialogues.clear()
        self._shared.clear()

    def share(self, code: str, what: str, value: Any) -> None:
        """Remember a fact that all annotators of a task should share; ``code`` counts if they do not."""
        self._shared.setdefault((code, what), set()).add(value)

    def leave(self) -> None:
        """End a task: count what annotators do not share."""
        for (code, what), values in self._shared.items():
            if len(values) > 1:
                self.notices.add(code, f"{what}: {sorted(map(str, values))}")

    def object(self, name: Any) -> ObjectTag | None:
        """Object tag of a name, None without a config."""
        return self.objects.get(name) if isinstance(name, str) else None

    def field(self, name: Any) -> Any:
        """Data behind an object; without a config the field of its name, or the only text of the task."""
        tag = self.object(name)
        if tag is not None:
            return self.data.get(tag.key)
        if self.objects or not isinstance(name, str):
            return None
        for key in (name, *_TEXT_KEYS):
            if key in self.data:
                return self.data[key]
        texts = [value for value in self.data.values() if isinstance(value, str)]
        return texts[0] if len(texts) == 1 else None

    def shown(self, name: Any) -> Shown | None:
        """Text of an object, None where it is not in the data."""
        try:
            return self._texts[name]
        except KeyError:
            text = self.field(name)
            known = isinstance(text, str) and not (text.startswith(_ADDRESS) and " " not in text)
            found = self._texts[name] = Shown(text, self._counts_units(name) and is_wide(text)) if known else None
            return found
        except TypeError:
            return None

    def _counts_units(self, name: Any) -> bool:
        """Whether offsets may count UTF-16 units, which only exports of other tools rule out."""
        tag = self.object(name)
        return tag is None or tag.attributes.get("offsets") != "characters"

    def dialogue(self, name: Any) -> Dialogue | None:
        """Paragraphs of an object, None where they are not in the data."""
        key = name if isinstance(name, str) else ""
        if key not in self._dialogues:
            self._dialogues[key] = self._find_dialogue(name)
        return self._dialogues[key]

    def _find_dialogue(self, name: Any) -> Dialogue | None:
        tag = self.object(name)
        text_key = tag.attributes.get("textkey", "text") if tag is not None else "text"
        found = self.field(name)
        if not isinstance(found, list):
            lists = [value for value in self.data.values() if isinstance(value, list)] if not self.objects else []
            found = lists[0] if len(lists) == 1 else None
        if not isinstance(found, list):
            return None
        turns = [turn.get(text_key) if isinstance(turn, Mapping) else turn for turn in found]
        texts = tuple(turn for turn in turns if isinstance(turn, str))
        if not texts or len(texts) < len(turns):
            return None
        begins, at = [], 0
        for text in texts:
            begins.append(at)
            at += len(text) + 1
        return Dialogue(texts, tuple(begins))


def is_wide(text: str) -> bool:
    """Whether a text has characters that UTF-16 writes as two units."""
    return not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) != 2 * len(text)


def from_utf16(text: str, offset: int) -> int:
    """Offset in characters of an offset in UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * max(offset, 0)]
    return len(units.decode("utf-16-le", "replace")) + max(
        0, offset - len(text.encode("utf-16-le", "surrogatepass")) // 2
    )
