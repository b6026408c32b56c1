"""What a reader of another tool's export is given, and the questions it meets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Final, TypeAlias

from accord.dataset import Control
from accord.readers.codes import Notices
from accord.readers.config_model import LabelConfig, ObjectTag, Question
from accord.readers.config_tags import LEVELS, kind_of_tag, tag_name
from accord.readers.exports.entries import Entry
from accord.values import Kind, Level

Task: TypeAlias = dict[str, Any]
Item: TypeAlias = dict[str, Any]

#: Name of the control of relations between regions.
RELATIONS: Final = "relations"
#: Name of the control of areas on images: boxes, ellipses, outlines and masks, which raters draw of the same things.
OBJECTS: Final = "objects"
#: Type of the answer items of each form of question.
TYPES: Final[Mapping[str, str]] = {
    "spans": "labels",
    "boxes": "rectanglelabels",
    "ellipses": "ellipselabels",
    "polygons": "polygonlabels",
    "masks": "brushlabels",
    "keypoints": "keypointlabels",
    "vectors": "vectorlabels",
    "tracks": "videorectangle",
    "choices": "choices",
    "rating": "rating",
    "number": "number",
    "ranking": "ranker",
    "text": "textarea",
}
#: Says that offsets count characters, so that nothing needs to be guessed.
_COUNTED: Final = {"offsets": "characters"}


@dataclass(slots=True)
class Export:
    """Questions and objects met while files are read.

    ``images``, ``categories`` and ``skeletons`` (names of key points) are what files say of ids in them and later ones.
    """

    notices: Notices
    questions: dict[str, Question] = field(default_factory=dict)
    objects: dict[str, ObjectTag] = field(default_factory=dict)
    images: dict[str, Any] = field(default_factory=dict)
    categories: dict[str, str] = field(default_factory=dict)
    skeletons: dict[str, list[str]] = field(default_factory=dict)

    def ask(
        self,
        name: str,
        form: str,
        about: str,
        *,
        labels: Iterable[Any] = (),
        multiple: bool | None = None,
        per_region: bool = False,
        counted: bool = True,
    ) -> str:
        """Declare a question; what several files say of its labels is put together.

        Returns its name, which differs from the one given where that is taken by another sort of question.

        Parameters
        ----------
        form
            A key of ``TYPES``.
        about
            Kind of object: ``text``, ``audio``, ``image`` or ``video``.
        counted
            Offsets in text are known to count characters.
        labels
            What could be said, in order; none where the export does not tell.
        """
        sort = kind_of_tag(TYPES[form]).is_region, per_region
        while name in self.questions and _sort(self.questions[name].control) != sort:
            name = f"{name} ({form})"
        known = self.questions.get(name)
        if known is None:
            self.objects.setdefault(
                about, ObjectTag(name=about, tag=about, key=about, attributes=_COUNTED if counted else {})
            )
            known = self.questions[name] = _question(name, form, about, multiple, per_region)
        domain = known.control.domain or ()
        given = tuple(dict.fromkeys((*domain, *labels)))
        if given != domain:
            control = replace(known.control, domain=given, declared=True)
            self.questions[name] = replace(known, control=control)
        return name

    def relate(self) -> None:
        """Declare that regions have relations."""
        if any(question.control.kind is Kind.RELATIONS for question in self.questions.values()):
            return
        name = RELATIONS if RELATIONS not in self.questions else f"{RELATIONS} (links)"
        self.questions[name] = Question(control=Control(name=name, kind=Kind.RELATIONS, tag="Relations"))

    def config(self) -> LabelConfig:
        """All questions and objects met."""
        return LabelConfig(questions=self.questions, objects=self.objects)


def _sort(control: Control) -> tuple[bool, bool]:
    """What questions of one name must share: whether they mark regions, and whether they are about one."""
    return control.kind.is_region, control.per_region


def _question(name: str, form: str, about: str, multiple: bool | None, per_region: bool) -> Question:
    kind = kind_of_tag(TYPES[form])
    kind = Kind.LABELS if multiple and kind is Kind.LABEL else kind
    control = Control(
        name=name,
        kind=kind,
        tag=tag_name(TYPES[form]),
        level=LEVELS.get(kind, Level.NOMINAL),
        objects=(about,),
        per_region=per_region,
    )
    return Question(control=control, multiple=multiple)


@dataclass(frozen=True, slots=True)
class Source:
    """One file, folder or archive: its documents, and the rater it is named after.

    ``document`` names the document of a source that is one file, None in folders and archives, whose documents have
    names of their own. ``rater_is`` is what the caller said that stands for a rater: ``tier``, ``file``, or "" where
    nothing was said. ``several`` says that other sources are read with it.
    """

    entries: Sequence[Entry]
    shown: str
    rater: str
    export: Export
    format: ExportFormat
    document: str | None = None
    rater_is: str = ""
    several: bool = False

    @property
    def notices(self) -> Notices:
        """Where irregularities are counted."""
        return self.export.notices

    def documents(self) -> Iterator[tuple[str, Entry]]:
        """Documents of the format and their names, each made the place of what is counted.

        A source that is one file is meant whatever its name.
        """
        for entry in self.entries:
            if self.document is None and not self.format.is_document(entry):
                continue
            name = entry.place if self.document is None else self.document
            self.notices.file, self.notices.task = entry.shown, name
            yield name, entry


@dataclass(frozen=True, slots=True)
class Look:
    """First look at a document: the beginning of its text, its first JSON object, the name of its XML root."""

    entry: Entry
    head: str
    record: Mapping[str, Any]
    root: str


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One format of another tool.

    ``raters`` says where its raters are. ``endings`` are those of its documents, and ``lists`` names of files that
    have such an ending and are none; ``folders`` are names of folders that belong to the format. ``recognises`` tells
    a document by its content. ``absent`` says that a document that others have and a rater has not means nothing on
    it. ``one_a_folder`` and ``one_a_file`` say that a folder, a file holds the work of one rater, so that a folder of
    several holds that of several.
    ``nothing`` is the question (name, form, about) where nobody marked anything. ``tiers`` says that a document has
    tiers, which can be raters or questions. ``unit`` and ``note`` say what a unit is and what is worth knowing.
    """

    key: str
    title: str
    raters: str
    endings: tuple[str, ...]
    tasks: Callable[[Source], Iterator[Task]]
    recognises: Callable[[Look], bool]
    unit: str
    note: str = ""
    lists: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    absent: bool = False
    one_a_folder: bool = False
    one_a_file: bool = False
    nothing: tuple[str, str, str] | None = None
    tiers: bool = False

    def is_document(self, entry: Entry) -> bool:
        """Whether a file is a document of this format, by its name."""
        name = PurePosixPath(entry.name).name
        is_other = name in self.lists or name.casefold().startswith("readme")
        return entry.ending in self.endings and not is_other
