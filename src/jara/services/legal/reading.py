"""What the legal texts say, now and in each version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import Json
from jara.domain.coming_change import TERMS_NOTICE
from jara.domain.errors import NotFound
from jara.domain.legal.places import EFFECTIVE, ORGANISATION, PLACES, Place
from jara.domain.legal.versions import (
    Content,
    LegalText,
    Status,
    Version,
    Wording,
    order_versions,
    wording_of,
)
from jara.domain.own_values import OWN_VALUES
from jara.domain.voting.tally import DEFAULT_RULE, VoteRule, rule_in_force
from jara.services.context import Context
from jara.services.legal.templates import places_of
from jara.services.organisation import OwnTexts, own_values, read_identity
from jara.store.unit_of_work import UnitOfWork


def places_in(wording: Wording) -> frozenset[str]:
    """Return the places that a text uses in any language."""
    return frozenset().union(*(places_of(one.text) for one in wording.contents.values()))


class LegalPage(NamedTuple):
    """A version of a legal text, with what stands around it."""

    text: LegalText
    version: Version | None  # the version; None as long as the text was never put into effect
    wording: Wording
    versions: tuple[Version, ...]
    rule: VoteRule = DEFAULT_RULE  # when a proposal passes that opens today

    @property
    def holds(self) -> bool:
        """Whether it holds today, or would if it was put into effect."""
        return self.version is None or self.version.status is Status.IN_FORCE

    @property
    def missing(self) -> tuple[str, ...]:
        """The places that it uses and that have no value."""
        used = places_in(self.wording)
        return tuple(name for name in PLACES if name in used and not self._has(name))

    def _has(self, name: str) -> bool:
        if name == EFFECTIVE:
            return self.version is not None
        return not PLACES[name].remedy or name in self.wording.values


def show_legal(context: Context, text: LegalText, number: int | None = None) -> LegalPage:
    """Return the version of a text that holds today, or the one with a number.

    Raises:
        NotFound: there is no version with this number.
    """
    with context.store.read() as work:
        return read_legal(context, work, text, number)


def read_legal(
    context: Context, work: UnitOfWork, text: LegalText, number: int | None = None
) -> LegalPage:
    """Return a version within a transaction; see `show_legal`."""
    versions = tuple(order_versions(work.legal.versions(text), context.today()))
    present = present_values(context, work)
    rule = rule_in_force(work.log.vote_rules(), context.today())
    if number is None:
        version = next((one for one in versions if one.status is Status.IN_FORCE), None)
    else:
        version = next((one for one in versions if one.change.number == number), None)
        if version is None:
            raise NotFound(
                f"There is no version {{number}} of the {text.phrase}.", number=str(number)
            )
    if version is None:
        return LegalPage(text, None, shipped_wording(context, text, present), versions, rule)
    wording = wording_of(versions, version.change.number)
    if version.status in {Status.IN_FORCE, Status.UPCOMING}:
        wording = wording._replace(values=_with_present(wording.values, present))
    return LegalPage(text, version, wording, versions, rule)


def latest_wording(
    context: Context, text: LegalText, versions: tuple[Version, ...], present: Mapping[str, str]
) -> Wording:
    """Return what a text says after the last change that was made; without one, as shipped."""
    held = [one for one in versions if one.status is not Status.WITHDRAWN]
    if not held:
        return shipped_wording(context, text, present)
    return wording_of(versions, held[-1].change.number)


def shipped_wording(context: Context, text: LegalText, values: Mapping[str, str]) -> Wording:
    """Return what a text says as it comes with Jara."""
    contents = context.rules.legal_texts(text)
    return Wording(
        {language: Content(words, None) for language, words in contents.items()},
        is_own=False,
        values=values,
    )


def present_values(
    context: Context, work: UnitOfWork, own: OwnTexts | None = None
) -> dict[str, str]:
    """Return the values of the organisation and of the settings that are there, by place.

    Args:
        own: the organisation's values; by default those of now.
    """
    values, rules = own_values(work) if own is None else own, context.rules
    days = {"log_days": rules.log_days, "backup_days": rules.backup_days}
    return {
        ORGANISATION: read_identity(context, work, values).formal_name,
        "site_url": rules.site_url,
        "notice_days": str(TERMS_NOTICE.days),
        **{
            one.place: values[part]
            for part, one in OWN_VALUES.items()
            if one.place and part in values
        },
        **{place: str(number) for place, number in days.items() if number is not None},
    }


def _with_present(agreed: Mapping[str, str], present: Mapping[str, str]) -> dict[str, str]:
    """Return the values of today; those that members agreed to are the version's."""
    return {
        **{place: text for place, text in present.items() if not PLACES[place].is_agreed},
        **{place: text for place, text in agreed.items() if PLACES[place].is_agreed},
    }


def missing_places(context: Context, work: UnitOfWork) -> list[Place]:
    """Return the places that have no value in the texts that hold, or will."""
    names = {name for page in _latest_pages(context, work) for name in page.missing}
    return [one for name, one in PLACES.items() if name in names]


def _latest_pages(context: Context, work: UnitOfWork) -> Iterator[LegalPage]:
    for text in LegalText:
        page = read_legal(context, work, text)
        upcoming = [one.change.number for one in page.versions if one.status is Status.UPCOMING]
        yield page if not upcoming else read_legal(context, work, text, upcoming[-1])


class ListedVersion(NamedTuple):
    """A version in a list; its languages are those that readers get, also from earlier ones."""

    text: LegalText
    version: int
    valid_from: Annotated[date, Json("from")]
    until: date | None
    status: Status
    languages: tuple[str, ...]
    why: str


def list_versions(context: Context) -> list[ListedVersion]:
    """Return every version of both texts, in the order in which they hold."""
    with context.store.read() as work:
        return [
            one
            for text in LegalText
            for one in listed(order_versions(work.legal.versions(text), context.today()))
        ]


def listed(versions: Sequence[Version]) -> list[ListedVersion]:
    """Return the versions of a text as a list shows them."""
    return [
        ListedVersion(
            change.text,
            change.number,
            change.valid_from,
            until,
            status,
            tuple(wording_of(versions, change.number).contents),
            change.why,
        )
        for change, status, until in versions
    ]
