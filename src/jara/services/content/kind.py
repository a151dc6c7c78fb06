"""A kind of content: how one of its documents is completed and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jara.domain.books.account import account_type
from jara.domain.content import check_slug, slugify
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents, format_dollars, parse_cents
from jara.services.content.schema import Document, Field, normalise


@dataclass(frozen=True, slots=True)
class ContentKind:
    """A kind of content.

    Args:
        name: its word in the plural, which is also its name in the store.
        noun: one of them, in sentences.
        fields: the keys of its documents.
        check: builds the domain value, which refuses what breaks a rule.
        title: the key that people know an item by.
        account: the parent of its ledger accounts; empty where it has none.
    """

    name: str
    noun: str
    fields: tuple[Field, ...]
    check: Callable[[Document], object]
    title: str = "title"
    account: str = ""

    @property
    def has_slug(self) -> bool:
        """Whether an item has an address of its own."""
        return any(field.name == "slug" for field in self.fields)

    def field(self, name: str) -> Field:
        """Return the key of that name.

        Raises:
            InvalidInput: the kind has none.
        """
        for field in self.fields:
            if field.name == name:
                return field
        known = ", ".join(field.name for field in self.fields)
        raise InvalidInput(f"A {self.noun} has no key '{name}'; the keys are {known}.")

    def complete(self, document: Mapping[str, Any]) -> Document:
        """Return a document as it is kept: checked, with what follows from it filled in.

        Raises:
            InvalidInput: a value breaks a rule; the message names the item and the key.
        """
        own = {key: value for key, value in document.items() if value is not None}
        if "id" not in own:
            own["id"] = slugify(str(own.get(self.title, "")))
        what = f"{self.noun} '{own['id']}'"
        if self.has_slug and "slug" not in own:
            own["slug"] = slugify(str(own.get(self.title, "")))
        if own.get("sample") is False:
            del own["sample"]
        made = normalise(what, self.fields, own)
        self._derive(made)
        try:
            self._check_names(made)
            self._check_shown_amount(made)
            self.check(made)
        except InvalidInput as error:
            raise InvalidInput(f"The {what}: {error.message}") from error
        return made

    def _derive(self, document: Document) -> None:
        if self.account and "account" not in document:
            document["account"] = f"{self.account}:{document['slug']}"
        if "amountCents" in document and "amount" not in document and self.account:
            document["amount"] = format_dollars(document["amountCents"])
        for milestone in document.get("milestones", ()):
            if milestone.get("completed", "completedOn" in milestone):
                # A file of the past says no more than that it was done on its date.
                milestone.setdefault("completedOn", milestone["date"])
                milestone["completed"] = True
            else:
                milestone.pop("completedOn", None)

    def _check_shown_amount(self, document: Document) -> None:
        """Refuse a text that shows another amount than the one that is added up."""
        if "amount" not in document:
            return
        shown, cents = document["amount"], document["amountCents"]
        if shown != format_dollars(cents) and parse_cents(shown) != cents:
            raise InvalidInput(
                f"'amount' shows '{shown}', but 'amountCents' is {format_cents(cents)}; "
                "leave 'amount' out to have it written."
            )

    def _check_names(self, document: Document) -> None:
        check_slug(document["id"])
        if self.has_slug:
            check_slug(document["slug"])
        if "account" in document:
            account_type(document["account"])
