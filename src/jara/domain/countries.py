"""Countries as people write them: names, codes and short forms, ignoring case and accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

from jara.domain.errors import InvalidInput

Countries = Mapping[str, str]
"""The two-letter code of each country, by name."""

_SHOWN = 60
_NEAREST = 3
_BEGINNING = 3
"""Shorter texts are prefixes of too many names."""
_MARKS = "\u2018\u2019\u02bc`'."
_SHORT_FORMS = {
    "america": "US",
    "britain": "GB",
    "burma": "MM",
    "cape verde": "CV",
    "congo": "CG",
    "congo brazzaville": "CG",
    "congo kinshasa": "CD",
    "czech republic": "CZ",
    "dr congo": "CD",
    "drc": "CD",
    "east timor": "TL",
    "england": "GB",
    "great britain": "GB",
    "holland": "NL",
    "ivory coast": "CI",
    "macau": "MO",
    "macedonia": "MK",
    "northern ireland": "GB",
    "scotland": "GB",
    "swaziland": "SZ",
    "the bahamas": "BS",
    "the gambia": "GM",
    "the netherlands": "NL",
    "turkey": "TR",
    "uae": "AE",
    "uk": "GB",
    "united states of america": "US",
    "usa": "US",
    "vatican": "VA",
    "wales": "GB",
}
"""Other names of countries."""


def find_country(text: str, countries: Countries) -> str:
    """Return a country's name, given its name, code or short form.

    Raises:
        InvalidInput: there is no such country; the message suggests the closest names.
    """
    wanted = _fold(text)
    names = {_fold(name): name for name in countries}
    if wanted in names:
        return names[wanted]
    codes = {code: name for name, code in countries.items()}
    for code in (text.strip().upper(), _SHORT_FORMS.get(wanted, "")):
        if code in codes:
            return codes[code]
    begin = [one for one in names if len(wanted) >= _BEGINNING and one.startswith(wanted)]
    close = get_close_matches(wanted, names, n=_NEAREST, cutoff=0.7)
    nearest = " or ".join([names[one] for one in dict.fromkeys([*begin, *close])][:_NEAREST])
    hint = f"did you mean {nearest}?" if nearest else "write a name or a code of two letters."
    raise InvalidInput(f"'{text.strip()[:_SHOWN]}' is not in the list of countries; {hint}")


def settle_country(name: str, code: str, countries: Countries) -> tuple[str, str]:
    """Return the name and code of a country, given its name and optionally its code.

    Raises:
        InvalidInput: there is no such country, or the code belongs to another one.
    """
    found = find_country(name, countries)
    own = countries[found]
    if code and countries[find_country(code, countries)] != own:
        raise InvalidInput(
            f"The country '{found}' has the code {own}, but the code given is '{code}' "
            f"({find_country(code, countries)}); correct one of them."
        )
    return found, own


@lru_cache(maxsize=1024)  # each search folds the names of all countries
def _fold(text: str) -> str:
    """Normalise a name for comparison: case, accents, punctuation, ``&`` and ``St``."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(
        " " if sign == "-" else sign
        for sign in plain
        if not unicodedata.combining(sign) and sign not in _MARKS
    )
    words = letters.replace("&", " and ").split()
    return " ".join("saint" if word == "st" else word for word in words)
