"""``read_terminology``: a name or a path in, a terminology out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from accord.errors import UsageError
from accord.terminology.concepts import Terminology
from accord.terminology.mesh import read_mesh
from accord.terminology.obo import read_obo
from accord.terminology.packaged import hpo, icd10cm, wordnet
from accord.terminology.tables import CONCEPTS, read_csv, read_icd11, read_meddra

PACKAGED: MappingProxyType[str, Callable[[], Terminology]] = MappingProxyType(
    {"hpo": hpo, "icd10cm": icd10cm, "wordnet": wordnet}
)
FORMS = "hpo, icd10cm, wordnet; an .obo file; MeSH's .xml; ICD-11's .txt or .tsv; a folder with concepts.csv or pt.asc"


def read_terminology(source: str) -> Terminology:
    """Read a terminology by the name of a packaged one, or from a file or folder.

    Raises
    ------
    UsageError
        If there is nothing of that name, or its form is not known.
    DataError
        If it cannot be read.
    """
    if source.lower() in PACKAGED:
        return PACKAGED[source.lower()]()
    path = Path(source)
    if not path.exists():
        raise UsageError(f"There is no terminology {source!r}. Allowed: {FORMS}.")
    return _reader(path)(path)


def _reader(path: Path) -> Callable[[Path], Terminology]:
    if path.is_dir():
        if (path / CONCEPTS).exists():
            return read_csv
        if (path / "pt.asc").exists():
            return read_meddra
    else:
        ending = "".join(path.suffixes[-2:] if path.suffix == ".gz" else path.suffixes[-1:]).lower()
        if path.name == "data.noun":
            return wordnet
        readers = {".obo": read_obo, ".xml": read_mesh, ".xml.gz": read_mesh, ".txt": read_icd11, ".tsv": read_icd11}
        if ending in readers:
            return readers[ending]
    raise UsageError(f"{path} is no terminology of a known form. Allowed: {FORMS}.")
