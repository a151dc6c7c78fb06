"""What the legal texts say, now and in each version.

They are Jinja templates of values and choices alone. A text may say something else where a value
is missing::

    {% if privacy_officer and contact_email %}Write to {{ privacy_officer }} at {{ contact_email }}.
    {% elif contact_email %}Write to {{ contact_email }}.
    {% else %}Write to us.{% endif %}
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Annotated, NamedTuple

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import SandboxedEnvironment

from jara.documents import Json
from jara.domain.coming_change import TERMS_NOTICE
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.legal.places import EFFECTIVE, OLD_MARK, ORGANISATION, PLACES, Place, new_form
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
from jara.services.organisation import OwnTexts, own_values, read_identity
from jara.store.unit_of_work import UnitOfWork

_NODES = frozenset({"Template", "Output", "TemplateData", "Name", "If", "And", "Or", "Not"})
"""What a text may have of Jinja: values, and choices by whether they are there."""


class _Absent(str):
    """Stands for a value that is missing; a choice takes it for false."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


# Texts are Markdown; `fill_places` gets a function that escapes values.
_TEMPLATES = SandboxedEnvironment(
    autoescape=False, keep_trailing_newline=True, undefined=StrictUndefined
)


@lru_cache(maxsize=16)
def _template(text: str) -> Template:
    return _TEMPLATES.from_string(text)


def check_places(text: str) -> None:
    """Check that a text has only values and choices, and that their places exist.

    Raises:
        InvalidInput: it has something else; the message names it and the line.
    """
    if old := OLD_MARK.search(text):
        raise InvalidInput(
            f"{old[0]} is the form of Jara 0.2; write {new_form(old[0])}. `jara legal export` "
            "writes the text that is in effect in the new form."
        )
    try:
        tree = _TEMPLATES.parse(text)
    except TemplateSyntaxError as error:
        raise InvalidInput(f"Line {error.lineno} of the text: {error.message}") from None
    for node in tree.find_all(nodes.Node):
        if type(node).__name__ not in _NODES:
            raise InvalidInput(
                f"Line {node.lineno} of the text: only values, {{{{ place }}}}, and choices, "
                "{% if place %}, are allowed."
            )
    for name in sorted(places_of(text) - PLACES.keys()):
        places = ", ".join(f"{{{{ {one} }}}}" for one in PLACES)
        raise InvalidInput(f"{{{{ {name} }}}} is not a place of a legal text; there are {places}.")


@lru_cache(maxsize=16)
def places_of(text: str) -> frozenset[str]:
    """Return the names of the places that a text uses, also in parts that are not shown."""
    return frozenset(find_undeclared_variables(_TEMPLATES.parse(text)))


def fill_places(
    text: str, values: Mapping[str, str], absent: str, write: Callable[[str], str] = str
) -> str:
    """Return a checked text with its values.

    `absent` stands for a value that is missing where the text has no other words; `write` writes a
    value, for example with its characters escaped.
    """
    words = {name: write(value) for name, value in values.items() if value}
    return _template(text).render({**dict.fromkeys(PLACES, _Absent(absent)), **words})


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

    `own` are the organisation's values; by default those of now.
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
