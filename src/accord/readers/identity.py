"""Who made an annotation, as exports say it: ids, e-mails, cards of a user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from accord.readers.builder import DatasetBuilder, Identity

_PLAIN: Final = (int, str, type(None))


def identity_of(user: Any) -> Identity | None:
    """Identity of a user given as number, text or card; None if nothing is said."""
    if isinstance(user, Mapping):
        return _of_card(user)
    if isinstance(user, bool) or user is None or user == "":
        return None
    if isinstance(user, int):
        return "id", str(user)
    if isinstance(user, float):
        return "id", str(int(user)) if user.is_integer() else str(user)
    if not isinstance(user, str):
        return None
    text = user.strip()
    if not text:
        return None
    if "@" in text:
        return "email", text.lower()
    return ("id", text) if text.isdecimal() else ("name", text)


def _of_card(card: Mapping[str, Any]) -> Identity | None:
    email = card.get("email")
    if isinstance(email, str) and email.strip():
        return "email", email.strip().lower()
    found = identity_of(card.get("id")) if not isinstance(card.get("id"), Mapping) else None
    if found is not None:
        return found
    name = " ".join(str(card[key]) for key in ("first_name", "last_name", "username") if card.get(key))
    return ("name", name) if name else None


def rater_of(annotation: Mapping[str, Any], builder: DatasetBuilder) -> int:
    """Number of the identity behind an annotation; e-mails and ids that occur together are linked."""
    user = annotation.get("completed_by")
    key = (user.get("id"), user.get("email")) if type(user) is dict else (user, None)
    known = builder.users.get(key) if _is_plain(*key) else None
    return _new_rater(annotation, user, key, builder) if known is None else known


def _is_plain(identity: Any, email: Any) -> bool:
    """Whether these are numbers and texts, which are equal only if they are the same."""
    return type(identity) in _PLAIN and type(email) in _PLAIN


def _new_rater(annotation: Mapping[str, Any], user: Any, key: tuple[Any, Any], builder: DatasetBuilder) -> int:
    found = identity_of(user)
    if found is None:
        username = annotation.get("created_username")
        if isinstance(username, str):
            found = identity_of(username.split(",")[0])
        return builder.identity(*found) if found else builder.identity("none", str(len(builder.files)))
    if found[0] == "email" and isinstance(user, Mapping) and user.get("id") is not None:
        builder.emails.setdefault(str(user["id"]), set()).add(found[1])
    rater = builder.identity(*found)
    if _is_plain(*key) and key != (None, None):
        builder.users[key] = rater
    return rater


def same_person(one: Any, other: Any) -> bool | None:
    """Whether two ways of naming a user mean the same one; None if that cannot be told."""
    left, right = _names(one), _names(other)
    shared = left.keys() & right.keys()
    return any(left[key] == right[key] for key in shared) if shared else None


def _names(user: Any) -> dict[str, str]:
    if isinstance(user, Mapping):
        known = {}
        if user.get("id") is not None:
            known["id"] = str(user["id"])
        if isinstance(user.get("email"), str):
            known["email"] = user["email"].strip().lower()
        return known
    found = identity_of(user)
    return {found[0]: found[1]} if found else {}
