"""Label configs: which questions were asked, about what, with which answers allowed.

Tag and attribute names are case-insensitive, as in the editor; entities and external references are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from accord.readers.config_model import LabelConfig, ObjectTag, Question
from accord.readers.config_parsed import from_parsed
from accord.readers.config_xml import from_xml, load

__all__ = ["LabelConfig", "ObjectTag", "Question", "parse_label_config"]


def parse_label_config(source: str | bytes | Path | Mapping[str, Any]) -> LabelConfig:
    """Parse a label config.

    Parameters
    ----------
    source
        XML as text or bytes, a path of an XML or JSON file, or the parsed form that the API gives: a mapping of
        control names to ``type``, ``to_name``, ``inputs``, ``labels``.

    Raises
    ------
    DataError
        The config is not well-formed, holds entities, nests too deeply, or names a control twice.

    Examples
    --------
    >>> from accord.readers.label_config import parse_label_config
    >>> config = parse_label_config(
    ...     '<View><Text name="t" value="$text"/>'
    ...     '<Choices name="mood" toName="t"><Choice value="good"/><Choice value="bad"/></Choices></View>'
    ... )
    >>> config.controls[0].name, config.controls[0].domain
    ('mood', ('good', 'bad'))
    """
    content, file = load(source)
    config = from_parsed(content, file) if isinstance(content, Mapping) else from_xml(content, file)
    return LabelConfig(questions=MappingProxyType(config.questions), objects=MappingProxyType(config.objects))
