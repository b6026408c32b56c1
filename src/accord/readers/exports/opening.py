"""Opening what others wrote: text, JSON and XML, with errors that name file and line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.exports.entries import Entry
from accord.readers.json_stream import behind_mark
from accord.readers.json_text import JsonText

#: XML elements may lie this deep in each other; no export comes near it.
DEEPEST: Final = 200


def text_of(entry: Entry) -> str:
    """Text of a document in UTF-8, line breaks as they are.

    Raises
    ------
    DataError
        It is no text, or in another encoding.
    """
    return decoded(entry.content(), entry.shown)


def decoded(content: bytes, file: str) -> str:
    """Text of bytes in UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "Save the file as UTF-8."
        raise DataError.at(f"this is not UTF-8 (byte {error.start}).", file=file, line=line, hint=hint) from None
    if "\0" in text:
        raise DataError.at("there is a NUL in the text.", file=file, line=text.count("\n", 0, text.index("\0")) + 1)
    return text


def objects_of(entry: Entry, notices: Notices) -> Iterator[dict[str, Any]]:
    """JSON objects of a document: a list, one a line, or one after the other with commas between them."""
    text = _json_text(entry, notices)
    values = text.items() if text.peek() == "[" else _one_after_another(text)
    for number, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise DataError.at("this is no object.", file=entry.shown, task=str(number), found=str(value))
        yield value
    text.finish()


def _one_after_another(text: JsonText) -> Iterator[Any]:
    while text.peek():
        yield text.value()
        text.take(",")


def json_of(entry: Entry, notices: Notices) -> Any:
    """The one JSON value of a document."""
    text = _json_text(entry, notices)
    value = text.value()
    text.finish()
    return value


def first_object(entry: Entry, notices: Notices) -> dict[str, Any]:
    """First JSON object of a document, in a list or alone; empty where that is no object."""
    text = _json_text(entry, notices)
    text.take("[")
    value = text.value()
    return value if isinstance(value, dict) else {}


def _json_text(entry: Entry, notices: Notices) -> JsonText:
    file = behind_mark(io.BytesIO(entry.content()), entry.shown)
    return JsonText(file, entry.shown, strict=notices.strict, repaired=notices.add)


def xml_of(entry: Entry) -> Any:
    """Root element of an XML document; document types and entities are refused.

    Raises
    ------
    DataError
        It is not well-formed, declares a document type, or nests too deeply.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    depth, root = 0, None
    try:
        for event, element in iterparse(io.BytesIO(entry.content()), ("start", "end"), forbid_dtd=True):
            root = element if root is None else root
            depth += 1 if event == "start" else -1
            if depth > DEEPEST:
                raise DataError.at("the XML nests too deeply.", file=entry.shown)
    except ParseError as error:
        what = f"this is not well-formed XML: {error}."
        raise DataError.at(what, file=entry.shown, line=error.position[0]) from None
    except DefusedXmlException as error:
        what = f"the XML declares a document type or entities ({type(error).__name__})."
        raise DataError.at(what, file=entry.shown, hint="Remove the DOCTYPE; an export needs none.") from None
    except (ValueError, LookupError) as error:
        raise DataError.at(f"the XML cannot be decoded: {error}.", file=entry.shown) from None
    return root


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without the breaks; only line feeds break lines."""
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line.removesuffix("\r")


def listed_objects(given: Any, what: str, file: str) -> list[dict[str, Any]]:
    """List of objects, or an error that says what should be one."""
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
        raise DataError.at(f"{what} is no list of objects.", file=file, found=str(given))
    return given
