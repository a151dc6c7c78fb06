"""Expands the ids in an answer to objects if requested."""

import copy
from typing import Any

from tests.stripe_double import invoices
from tests.stripe_double.account import Account, Doc, Refusal
from tests.stripe_double.shapes import ONLY_EXPANDED


def show(account: Account, doc: Doc, paths: list[str]) -> Doc:
    """Return a copy of an answer in which the paths are expanded."""
    shown = copy.deepcopy(doc)
    for path in paths:
        _expand(account, shown, path.split("."), path)
    return shown


def _expand(account: Account, doc: Any, parts: list[str], path: str) -> None:
    if isinstance(doc, list):
        for item in doc:
            _expand(account, item, parts, path)
        return
    if doc.get("deleted"):
        return  # a deleted object has only its id
    name, *rest = parts
    if doc.get("object") == "invoice" and name in ONLY_EXPANDED["invoice"]:
        original = account.get("invoice", doc["id"])
        doc.setdefault(name, copy.deepcopy(invoices.included(account, original, name)))
    if name not in doc:
        message = f"This property cannot be expanded ({path})."
        raise Refusal(400, message, param="expand")
    value = doc[name]
    if isinstance(value, str):
        found = account.find(value)
        if found is None:
            raise Refusal(400, f"This property cannot be expanded ({path}).", param="expand")
        doc[name] = value = copy.deepcopy(found)
    if rest and value is not None:
        _expand(account, value, rest, path)
