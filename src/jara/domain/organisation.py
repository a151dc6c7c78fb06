"""The organisation itself: its name, address, contact, colour and logo, and its payment mode."""

import re
import unicodedata
from colorsys import hls_to_rgb, rgb_to_hls
from enum import StrEnum
from typing import NamedTuple

from jara.domain.currency import DEFAULT_CURRENCY
from jara.domain.errors import InvalidInput
from jara.domain.time_zone import UTC_ZONE

DEFAULT_NAME = "Jara"
"""The software's name, used until the organisation sets its own."""

NAME_MAX = 60
LEGAL_NAME_MAX = 120
ADDRESS_MAX = 300

_FORBIDDEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")
"""Some scripts need them inside words; other invisible characters only serve to deceive."""

READABLE = 4.5
"""The minimum contrast of text (WCAG 2.2, 1.4.3)."""
PAGE, WHITE = "#f7f2e8", "#ffffff"
"""The darkest background of the light pages, and the text on a button."""
DARK_PAGE, DARK_TEXT = "#181b3f", "#13153a"
"""The brightest background of the dark pages, and the text on a button there."""
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_STEP = 0.01


class IdentityPart(StrEnum):
    """A value that an organisation can set about itself; `own_values` says what each is."""

    NAME = "name"
    LEGAL_NAME = "legalName"
    ADDRESS = "address"
    CONTACT = "contact"
    COLOUR = "colour"
    LOGO = "logo"
    PROVINCE = "province"
    REFUND_DAYS = "refundDays"
    PRIVACY_OFFICER = "privacyOfficer"
    HOSTING = "hosting"
    MAIL_PROVIDER = "mailProvider"
    CHAT = "chat"
    FACEBOOK = "facebook"
    INSTAGRAM = "instagram"
    LINKEDIN = "linkedin"
    X = "x"
    YOUTUBE = "youtube"
    LANGUAGE = "language"
    SITE_URL = "siteUrl"


class Logo(NamedTuple):
    """An image on the site: its path, and its size in pixels to reserve space on pages."""

    path: str
    width: int
    height: int

    @property
    def is_png(self) -> bool:
        """Whether it is a bitmap, not a vector image."""
        return self.path.endswith(".png")

    def text(self) -> str:
        """Serialise it for the database."""
        return f"{self.path}#{self.width}x{self.height}"

    @classmethod
    def parse(cls, text: str) -> "Logo":
        """Parse the output of `text`.

        Raises:
            ValueError: it has another format.
        """
        path, _, size = text.partition("#")
        width, height = size.split("x")
        return cls(path, int(width), int(height))


class Identity(NamedTuple):
    """The organisation's names, address and appearance."""

    name: str  # the name on the site, in emails and in reports
    legal_name: str = ""  # the legal name; empty if it equals the name
    address: str = ""  # the postal address on one line; may be empty
    contact: str = ""  # the public email address; may be empty
    colour: str = ""  # the colour of buttons and links as ``#rrggbb``; empty for the site's own
    logo: Logo | None = None  # the image beside the name; None for the site's own logo
    has_own_words: bool = False  # whether the organisation set its name, legal name or address
    currency: str = DEFAULT_CURRENCY  # the code of the currency of its books
    time_zone: str = UTC_ZONE.name

    @property
    def formal_name(self) -> str:
        """The legal name, else the name."""
        return self.legal_name or self.name

    @property
    def letterhead(self) -> str:
        """Legal name and address in one line; the address alone if it starts with a name."""
        if not self.address:
            return self.formal_name
        if self.address.startswith((self.formal_name, self.name)):
            return self.address
        return f"{self.formal_name}, {self.address}"

    @property
    def imprint(self) -> str:
        """The letterhead if the organisation set it and it is more than the name, else empty."""
        is_said = self.letterhead == self.name
        return self.letterhead if self.has_own_words and not is_said else ""


def parse_words(text: str, what: str, most: int) -> str:
    """Return a name or an address on one line, in NFC.

    Raises:
        InvalidInput: it is empty, too long, or has a line break or an invisible character.
    """
    words = unicodedata.normalize("NFC", text).strip()
    for sign in words:
        kind = unicodedata.category(sign)
        if kind in _FORBIDDEN or (kind == "Cf" and sign not in _JOINERS):
            raise InvalidInput(
                f"The {what} has the character U+{ord(sign):04X}, which cannot be printed; "
                "write it on one line, without control characters."
            )
    if not any(unicodedata.category(sign)[0] not in "CZ" for sign in words):
        raise InvalidInput(f"The {what} is empty; `jara organisation unset` restores the default.")
    if len(words) > most:
        raise InvalidInput(f"The {what} has {len(words)} characters; it has at most {most}.")
    return words


class Shades(NamedTuple):
    """The colours derived from one."""

    light: str  # the colour itself
    light_hover: str  # the same on hover
    dark: str  # lighter, for the dark pages
    dark_hover: str  # the same on hover


def parse_colour(text: str) -> str:
    """Parse a colour that is readable for links and buttons.

    Raises:
        InvalidInput: it is not in the form ``#rrggbb``, or its contrast is too low.
    """
    colour = text.strip().lower()
    if _COLOUR.fullmatch(colour) is None:
        raise InvalidInput(f"'{text}' is not a colour like #1b5e4a.")
    for other, where in ((WHITE, "white text"), (PAGE, "the page")):
        ratio = contrast(colour, other)
        if ratio < READABLE:
            shown = int(ratio * 100) / 100  # never rounded up to the limit
            raise InvalidInput(
                f"The colour {colour} has a contrast of {shown:.2f}:1 with {where} ({other}); "
                f"at least {READABLE}:1 can be read (WCAG 2.2). Choose a darker one."
            )
    return colour


def shades_of(colour: str) -> Shades:
    """Return the shades of a colour, with the same hue and with readable contrast."""
    hue, lightness, saturation = rgb_to_hls(*(value / 255 for value in _channels(colour)))

    def shade(share: float) -> str:
        channels = hls_to_rgb(hue, min(1.0, share), saturation)
        return "#" + "".join(f"{round(value * 255):02x}" for value in channels)

    bright = lightness
    while min(contrast(shade(bright), ground) for ground in (DARK_PAGE, DARK_TEXT)) < READABLE:
        bright += _STEP
    return Shades(colour, shade(lightness * 0.75), shade(bright), shade(bright + 0.1))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(value / 255) for value in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004 - of the definition


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


class Cards(StrEnum):
    """Who takes payments by card; an organisation may change from none to Stripe, and back."""

    STRIPE = "stripe"
    SANDBOX = "sandbox"
    NONE = "none"


class PaymentMode(StrEnum):
    """Whether an organisation is a real one; chosen once, when it is created.

    One that takes no cards is live: its members pay in other ways.
    """

    SANDBOX = "sandbox"
    TEST = "test"
    LIVE = "live"

    @property
    def is_sandbox(self) -> bool:
        """Whether payments are simulated, without a provider."""
        return self is PaymentMode.SANDBOX
