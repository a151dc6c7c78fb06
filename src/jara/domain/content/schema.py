"""A kind of content: the fields of its documents, and how to check and complete one."""

from collections.abc import Callable, Collection, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from jara.domain.content.fields import Document, Field, Form, normalise
from jara.domain.content.translations import check_languages, split_languages
from jara.domain.content.values import slugify
from jara.domain.countries import Countries, find_country
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.measures import Measure, MeasuredResult, Measurement, compare_measures
from jara.domain.money import format_cents, format_dollars, parse_cents
from jara.domain.projects import Milestone

DERIVED = frozenset({"id", "slug"})
"""Keys that follow from the title."""

MEASURE = (
    Field("id", Form.LINE, verbatim=True),
    Field("name", Form.LINE, required=True),
    Field("unit", empty=""),
    Field("baseline", Form.NUMBER, empty=0),
    Field("target", Form.NUMBER, required=True),
    Field("by", Form.DAY, required=True),
    Field("costPerUnit", Form.FLAG),
)
"""The keys of a measure, in projects and proposals; without an id, its name gives one."""


class ContentKind(NamedTuple):
    """A kind of content."""

    name: str  # its plural, which is also its name in the store, in files and in the API
    command: str  # its command on the command line
    noun: str  # the word for one item, used in messages
    help: str  # one line for the command line
    fields: tuple[Field, ...]  # the fields of its documents, in the order of files
    columns: Mapping[str, str]  # the fields that the command line lists, with their headings
    title: str = "title"  # the field that people know an item by; ids and slugs are made from it
    account: str = ""  # the parent of its ledger accounts; empty where it has none
    check: Callable[[Document], None] | None = None
    """Checks rules across several fields; raises InvalidInput."""
    card: tuple[str, ...] = ()  # the fields that the API lists; empty for all of them
    is_listed: bool = True  # whether the API lists its documents as they are, under its name

    @property
    def has_slug(self) -> bool:
        """Whether an item has an address of its own."""
        return "slug" in self._names

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    def field(self, name: str) -> Field:
        """Return the field of that name.

        Raises:
            InvalidInput: the kind has none.
        """
        for field in self.fields:
            if field.name == name:
                return field
        known = ", ".join(self._names)
        raise InvalidInput(f"A {self.noun} has no key '{name}'; the keys are {known}.")

    def complete(
        self,
        document: Mapping[str, Any],
        languages: Collection[Language] = (ENGLISH,),
        stored: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    ) -> Document:
        """Return a document as it is stored: checked, with derived fields filled in.

        The document may carry other `languages` than its own. `stored` are the documents of now by
        id; their translations stay.

        Raises:
            InvalidInput: a value breaks a rule; the message names the item and the key.
        """
        plain, beside = split_languages(self._names, document, languages)
        own = {key: value for key, value in plain.items() if value is not None}
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
        before = stored.get(made["id"], {})
        return made | check_languages(
            what, self.fields, made, beside, languages=languages, before=before
        )

    def with_country_codes(
        self, document: Mapping[str, Any], countries: Countries
    ) -> Mapping[str, Any]:
        """Return a document with each country replaced by its code.

        Raises:
            InvalidInput: there is no such country.
        """
        codes: Document = {}
        for field in self.fields if countries else ():
            value = document.get(field.name)
            if field.form is Form.COUNTRY and isinstance(value, str) and value:
                try:
                    codes[field.name] = countries[find_country(value, countries)]
                except InvalidInput as error:
                    what = f"'{field.name}' of the {self.noun}"
                    raise InvalidInput(f"{what}: {error.message}") from None
        return {**document, **codes}

    def _require_title(self, document: Document) -> None:
        """Name every missing key, before the id that follows from the title."""
        fields = [field for field in self.fields if field.name not in DERIVED]
        normalise(self.noun, fields, {k: v for k, v in document.items() if k != "slug"})

    def _derive(self, document: Document) -> None:
        if self.account and "account" not in document:
            document["account"] = f"{self.account}:{document['slug']}"
        if self.account and "amountCents" in document and "amount" not in document:
            document["amount"] = str(format_dollars(document["amountCents"]))
        for milestone in document.get("milestones", ()):
            if milestone.get("completed", "completedOn" in milestone):
                # Without a date of its own, it was completed on the day it was planned for.
                milestone.setdefault("completedOn", milestone["date"])
                milestone["completed"] = True
            else:
                milestone.pop("completedOn", None)
        for measure in document.get("measures", ()):
            measure.setdefault("id", slugify(measure["name"]))


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


def measures_of(document: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Return the measures of a project or proposal from its document."""
    return tuple(
        Measure(
            id=item.get("id") or slugify(item["name"]),
            name=item["name"],
            unit=item.get("unit", ""),
            baseline=item.get("baseline", 0),
            target=item["target"],
            due_on=date.fromisoformat(item["by"]),
            has_unit_cost=item.get("costPerUnit", True),
        )
        for item in document.get("measures", ())
    )


def measurements_of(document: Mapping[str, Any]) -> tuple[Measurement, ...]:
    """Return what was measured in a project, from its document."""
    return tuple(
        Measurement(
            item["measure"], item["value"], date.fromisoformat(item["date"]), item.get("note", "")
        )
        for item in document.get("measurements", ())
    )


def measured_results(
    document: Mapping[str, Any], *, paid_cents: int, on: date
) -> tuple[MeasuredResult, ...]:
    """Return a project's measures beside what was measured by a day, from its document."""
    return compare_measures(
        measures_of(document), measurements_of(document), paid_cents=paid_cents, on=on
    )


def _check_shown_amount(document: Document) -> None:
    """Refuse an ``amount`` text that differs from ``amountCents``."""
    if "amount" not in document:
        return
    shown, cents = document["amount"], document["amountCents"]
    try:
        is_same = shown == format_dollars(cents) or parse_cents(shown) == cents
    except InvalidInput:
        is_same = False
    if not is_same:
        raise InvalidInput(
            f"'amount' shows '{shown}', but 'amountCents' is {format_cents(cents)}; "
            "omit 'amount' to derive it."
        )
