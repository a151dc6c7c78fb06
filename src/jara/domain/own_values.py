"""The values that an organisation sets about itself, declared once.

Options of the command line, documents, the API, the doctor's list and the places of the legal
texts follow from `OWN_VALUES`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.member import parse_email
from jara.domain.language import parse_language
from jara.domain.organisation import (
    ADDRESS_MAX,
    LEGAL_NAME_MAX,
    NAME_MAX,
    IdentityPart,
    Logo,
    parse_colour,
    parse_words,
)
from jara.domain.web_address import is_web_address, parse_site_address

_TITLE_MAX = 120
_URL_MAX = 300
REFUND_DAYS = range(2, 366)


class OwnValue(NamedTuple):
    """One value."""

    part: IdentityPart  # its name in documents
    what: str  # what it is, in a sentence: ``the postal address``
    help: str  # of its option on the command line
    parse: Callable[[str], str]
    """Checks a text and returns it as it is stored; raises `InvalidInput`."""
    metavar: str = "TEXT"  # stands for the value in the help of the option
    place: str = ""  # its name in the legal texts; empty if they have no place for it
    is_agreed: bool = False
    """Whether members agreed to it, so that a change waits like one of the text."""
    site_name: str = ""  # the site that a social link leads to; empty for any other value
    is_expected: bool = False  # whether an organisation that is live should have it

    @property
    def option(self) -> str:
        """Its option on the command line: ``--legal-name``."""
        return f"--{self.name}"

    @property
    def name(self) -> str:
        """Its name on the command line: ``legal-name``."""
        return self.part.name.lower().replace("_", "-")


def _parse_refund_days(text: str) -> str:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and int(digits[:9]) in REFUND_DAYS):
        raise InvalidInput(
            f"'{text}' is not a number of days from {REFUND_DAYS[0]} to {REFUND_DAYS[-1]}."
        )
    return str(int(digits))


def _parse_url(text: str) -> str:
    if not (text.isascii() and is_web_address(text)):
        raise InvalidInput(f"'{text}' is not an address that begins with https://.")
    if len(text) > _URL_MAX:
        raise InvalidInput(f"The address has {len(text)} characters; it has at most {_URL_MAX}.")
    return text


def _parse_site(text: str) -> str:
    try:
        return parse_site_address(text)
    except ValueError as error:
        raise InvalidInput(f"'{text}' is not the address of a site: it {error}.") from None


def _text(
    part: IdentityPart,
    what: str,
    help: str,  # noqa: A002 - as Typer calls it
    *,
    most: int = _TITLE_MAX,
    place: str = "",
    is_agreed: bool = False,
) -> OwnValue:
    """Declare a text on one line; the legal texts need it if they have a place for it."""
    parse = partial(parse_words, what=part.name.lower().replace("_", " "), most=most)
    return OwnValue(
        part, what, help, parse, place=place, is_agreed=is_agreed, is_expected=bool(place)
    )


def _social(part: IdentityPart, site_name: str) -> OwnValue:
    return OwnValue(
        part,
        f"the page on {site_name}",
        f"The organisation's page on {site_name}.",
        _parse_url,
        metavar="URL",
        site_name=site_name,
    )


OWN_VALUES: Mapping[IdentityPart, OwnValue] = {
    one.part: one
    for one in (
        _text(IdentityPart.NAME, "the name", "Name on site, emails and reports.", most=NAME_MAX),
        _text(
            IdentityPart.LEGAL_NAME, "the legal name", "Legal name, if different.",
            most=LEGAL_NAME_MAX,
        ),
        _text(
            IdentityPart.ADDRESS, "the postal address", "Postal address, on one line.",
            most=ADDRESS_MAX, place="postal_address",
        ),
        OwnValue(
            IdentityPart.CONTACT, "the contact address", "Public email address.", parse_email,
            metavar="EMAIL", place="contact_email", is_expected=True,
        ),
        OwnValue(
            IdentityPart.COLOUR, "the colour", "Colour of buttons and links; dark.", parse_colour,
            metavar="#RRGGBB",
        ),
        OwnValue(
            IdentityPart.LOGO, "the logo", "SVG or PNG, at most 256 KiB; or -.",
            lambda text: Logo.parse(text).text(), metavar="FILE",
        ),
        _text(
            IdentityPart.PROVINCE, "the province whose law applies",
            "Province or territory whose law applies.", place="province", is_agreed=True,
        ),
        OwnValue(
            IdentityPart.REFUND_DAYS, "for how many days a contribution is refunded on request",
            "Days in which a contribution is refunded on request.", _parse_refund_days,
            metavar="DAYS", place="refund_days", is_agreed=True, is_expected=True,
        ),
        _text(
            IdentityPart.PRIVACY_OFFICER, "the privacy officer",
            "Name or title of the person responsible for privacy.", place="privacy_officer",
        ),
        _text(
            IdentityPart.HOSTING, "the company that runs the server",
            "Company that runs the server.", place="hosting_provider",
        ),
        _text(
            IdentityPart.MAIL_PROVIDER, "the company that delivers the emails",
            "Company that delivers the emails.", place="mail_provider",
        ),
        OwnValue(
            IdentityPart.CHAT, "the address of the chat", "Address of the members' chat.",
            _parse_url, metavar="URL", is_expected=True,
        ),
        _social(IdentityPart.FACEBOOK, "Facebook"),
        _social(IdentityPart.INSTAGRAM, "Instagram"),
        _social(IdentityPart.LINKEDIN, "LinkedIn"),
        _social(IdentityPart.X, "X"),
        _social(IdentityPart.YOUTUBE, "YouTube"),
        OwnValue(
            IdentityPart.LANGUAGE, "the language", "Language of whoever has chosen none: en or fr.",
            parse_language, metavar="CODE",
        ),
        OwnValue(
            IdentityPart.SITE_URL, "the address of the site",
            "Address of the site, such as https://give.example.", _parse_site, metavar="URL",
        ),
    )
}  # fmt: skip
"""Every value, in the order in which it is shown."""

PARTS = {value.name: part for part, value in OWN_VALUES.items()}
"""The parts by their names on the command line."""

SOCIAL = {part: value.site_name for part, value in OWN_VALUES.items() if value.site_name}
"""The social links, and the name of the site that each leads to."""
