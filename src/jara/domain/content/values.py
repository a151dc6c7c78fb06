"""Validation of the texts, links and codes of projects, grants, team and proposals."""

import re
import unicodedata
from enum import StrEnum

from jara.domain.errors import InvalidInput
from jara.domain.web_address import is_site_path, is_web_address

SLUG_MAX = 80
"""Maximum length of a slug, which is part of links and account names."""

TITLE_MAX = 200
TEXT_MAX = 20_000
HTML_MAX = 200_000
URL_MAX = 2_000

_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", re.ASCII)
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_CODE = re.compile(r"[A-Z]{2}", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNDECOMPOSED = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
)


class Category(StrEnum):
    """The category of a project, a grant or a proposal (spec §3)."""

    CIVIC = "civic"
    WATER = "water"
    HEALTHCARE = "healthcare"
    EDUCATION = "education"
    BUSINESS = "business"
    AGRICULTURE = "agriculture"


def slugify(title: str) -> str:
    """Turn a title into a slug: ``Clean Water, Añá`` gives ``clean-water-ana``.

    Raises:
        InvalidInput: the title has no letter or digit that has an ASCII form.
    """
    lowered = title.casefold().translate(_UNDECOMPOSED)
    folded = unicodedata.normalize("NFKD", lowered)
    spelled = "".join(c for c in folded if not unicodedata.combining(c) and c not in "'’ʼ")
    slug = re.sub(r"[^a-z0-9]+", "-", spelled).strip("-")[:SLUG_MAX].rstrip("-")
    if not slug:
        raise InvalidInput(f"'{title}' has no letters for a link; choose a slug yourself.")
    return slug


def check_id(text: str) -> None:
    """Reject a text that cannot be the id of a proposal.

    Raises:
        InvalidInput: it has other characters than letters, digits, hyphens and dots.
    """
    if _ID.fullmatch(text) is None:
        raise InvalidInput(f"'{text[:40]}' is not an id; use letters, digits, hyphens and dots.")


def check_slug(text: str) -> None:
    """Reject a text that cannot be part of a link and an account name.

    Raises:
        InvalidInput: it is not lower-case letters and digits, joined by hyphens.
    """
    if len(text) > SLUG_MAX or _SLUG.fullmatch(text) is None:
        raise InvalidInput(
            f"'{text[:SLUG_MAX]}' is not a slug; write at most {SLUG_MAX} lower-case letters and "
            "digits, joined by single hyphens."
        )


def check_line(what: str, text: str) -> None:
    """Reject a title that is empty, longer than 200 characters or longer than one line."""
    if not text.strip():
        raise InvalidInput(f"The {what} is empty; it needs a text.")
    if len(text) > TITLE_MAX:
        raise InvalidInput(
            f"The {what} has {len(text)} characters; at most {TITLE_MAX} are allowed."
        )
    # A fast path: nearly every text is printable.
    if not text.isprintable() and any(
        unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in text
    ):
        raise InvalidInput(f"The {what} contains a control character; write one plain line.")


def check_text(what: str, text: str, *, required: bool = False, length_max: int = TEXT_MAX) -> None:
    """Reject a text that is too long or that the public log cannot store."""
    if required and not text.strip():
        raise InvalidInput(f"The {what} is empty; it needs a text.")
    if len(text) > length_max:
        raise InvalidInput(
            f"The {what} has {len(text)} characters; at most {length_max} are allowed."
        )
    if "\0" in text or _SURROGATE.search(text) is not None:
        raise InvalidInput(f"The {what} contains a character that cannot be stored.")


def check_url(what: str, url: str) -> None:
    """Reject a link that is neither https nor a path of this site; empty means none."""
    if url and (len(url) > URL_MAX or not (is_web_address(url) or is_site_path(url))):
        raise InvalidInput(
            f"The {what} is '{url[:80]}'; write a link that starts with https:// or "
            "a path that starts with /."
        )


def check_country_code(code: str) -> None:
    """Reject a code that is not two capital letters (ISO 3166); empty means none."""
    if code and _CODE.fullmatch(code) is None:
        raise InvalidInput(f"'{code}' is not a country code; write two capital letters like TZ.")
