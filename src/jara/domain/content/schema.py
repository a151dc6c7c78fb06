"""A kind of content: the fields of its documents, and how to check and complete one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.content.fields import Document, Field, normalise
from jara.domain.content.values import slugify
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents, format_dollars, parse_cents
from jara.domain.projects import Milestone

DERIVED = frozenset({"id", "slug"})
"""Keys that follow from the title."""


class ContentKind(NamedTuple):
    """A kind of content.

    Args:
        name: its plural, which is also its name in the store, in files and in the API.
        command: its command on the command line.
        noun: the word for one item, used in messages.
        help: one line for the command line.
        fields: the fields of its documents, in the order of files.
        columns: the fields that the command line lists, with their headings.
        title: the field that people know an item by; ids and slugs are made from it.
        account: the parent of its ledger accounts; empty where it has none.
        check: checks rules across several fields; raises InvalidInput.
        card: the fields that the API lists; empty for all of them.
        is_listed: whether the API lists its documents as they are, under its name.
    """

    name: str
    command: str
    noun: str
    help: str
    fields: tuple[Field, ...]
    columns: Mapping[str, str]
    title: str = "title"
    account: str = ""
    check: Callable[[Document], None] | None = None
    card: tuple[str, ...] = ()
    is_listed: bool = True

    @property
    def has_slug(self) -> bool:
        """Whether an item has an address of its own."""
        return any(field.name == "slug" for field in self.fields)

    def field(self, name: str) -> Field:
        """Return the field of that name.

        Raises:
            InvalidInput: the kind has none.
        """
        for field in self.fields:
            if field.name == name:
                return field
        known = ", ".join(field.name for field in self.fields)
        raise InvalidInput(f"A {self.noun} has no key '{name}'; the keys are {known}.")

    def complete(self, document: Mapping[str, Any]) -> Document:
        """Return a document as it is stored: checked, with derived fields filled in.

        Raises:
            InvalidInput: a value breaks a rule; the message names the item and the key.
        """
        own = {key: value for key, value in document.items() if value is not None}
        if "id" not in own:
            if not own.get(self.title):
                self._require_title(own)
            own["id"] = slugify(str(own.get(self.title, "")))
        what = f"{self.noun} '{own['id']}'"
        if self.has_slug and "slug" not in own:
            own["slug"] = slugify(str(own.get(self.title, "")))
        if own.get("sample") is False:
            del own["sample"]
        made = normalise(what, self.fields, own)
        self._derive(made)
        try:
            _check_shown_amount(made)
            if self.check is not None:
                self.check(made)
        except InvalidInput as error:
            raise InvalidInput(f"The {what}: {error.message}") from error
        return made

    def _require_title(self, document: Document) -> None:
        """Name every missing key, before the id that follows from the title."""
        fields = [field for field in self.fields if field.name not in DERIVED]
        normalise(self.noun, fields, {k: v for k, v in document.items() if k != "slug"})

    def _derive(self, document: Document) -> None:
        if self.account and "account" not in document:
            document["account"] = f"{self.account}:{document['slug']}"
        if self.account and "amountCents" in document and "amount" not in document:
            document["amount"] = format_dollars(document["amountCents"])
        for milestone in document.get("milestones", ()):
            if milestone.get("completed", "completedOn" in milestone):
                # Without a date of its own, it was completed on the day it was planned for.
                milestone.setdefault("completedOn", milestone["date"])
                milestone["completed"] = True
            else:
                milestone.pop("completedOn", None)


def milestones_of(document: Mapping[str, Any]) -> tuple[Milestone, ...]:
    """Return a project's milestones from its document."""
    return tuple(
        Milestone(
            id=item["id"],
            title=item["title"],
            due_on=date.fromisoformat(item["date"]),
            cost_cents=item["costCents"],
            completed_on=date.fromisoformat(item["completedOn"]) if item.get("completed") else None,
        )
        for item in document.get("milestones", ())
    )


def _check_shown_amount(document: Document) -> None:
    """Refuse an ``amount`` text that differs from ``amountCents``."""
    if "amount" not in document:
        return
    shown, cents = document["amount"], document["amountCents"]
    if shown != format_dollars(cents) and parse_cents(shown) != cents:
        raise InvalidInput(
            f"'amount' shows '{shown}', but 'amountCents' is {format_cents(cents)}; "
            "omit 'amount' to derive it."
        )
