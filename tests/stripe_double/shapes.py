"""Objects with all fields of the SDK's types, null by default."""

from typing import Any

Doc = dict[str, Any]

ONLY_EXPANDED = {
    "invoice": ("payments", "confirmation_secret"),
    "charge": ("refunds",),
    "customer": ("sources", "subscriptions", "tax", "tax_ids"),
}
"""Fields that are omitted unless they are requested."""


def field_names(kind: type) -> set[str]:
    """Return the fields of one of the SDK's classes."""
    return {
        name
        for name, annotation in kind.__annotations__.items()
        if not str(annotation).startswith("typing.ClassVar") and not name.startswith("_")
    } - {"deleted"}


def blank(kind: type, object_id: str, created: int, **values: Any) -> Doc:
    """Return an object of one of the SDK's classes."""
    name: str = kind.OBJECT_NAME  # type: ignore[attr-defined] # each class of the SDK has it
    names = field_names(kind)
    unknown = values.keys() - names
    if unknown:
        raise AssertionError(f"{name} has no {', '.join(sorted(unknown))}")
    doc: Doc = dict.fromkeys(sorted(names - {*ONLY_EXPANDED.get(name, ())}))
    doc |= {"id": object_id, "object": name}
    doc |= {
        key: value
        for key, value in (("created", created), ("livemode", False), ("metadata", {}))
        if key in names
    }
    return doc | values


def listing(docs: list[Doc], url: str, *, has_more: bool = False) -> Doc:
    """Return a list object."""
    return {"object": "list", "data": docs, "has_more": has_more, "url": url}
