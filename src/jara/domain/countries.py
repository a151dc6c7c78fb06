"""Countries as people write them: names, codes and short forms, in any case and accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

from jara.domain.errors import InvalidInput

Countries = Mapping[str, str]
"""The name of each country, and its code of two letters."""

_SHOWN = 60
_NEAREST = 3
_BEGINNING = 3
"""Fewer signs begin the names of too many countries."""
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
"""What a country is also called."""


def find_country(text: str, countries: Countries) -> str:
    """Return the name of the country that a name, a code or a short form means.

    Raises:
        InvalidInput: none is; the message has the nearest names.
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
    """Return the country's name and code; without a code it follows from the name.

    Raises:
        InvalidInput: there is no such country, or the code is another country's.
    """
    found = find_country(name, countries)
    own = countries[found]
    if code and countries[find_country(code, countries)] != own:
        raise InvalidInput(
            f"The country '{found}' has the code {own}, but the code given is '{code}' "
            f"({find_country(code, countries)}); correct one of them."
        )
    return found, own


@lru_cache(maxsize=1024)  # the names of all countries are folded for each search
def _fold(text: str) -> str:
    """Return a name without case, accents, apostrophes and hyphens."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(
        " " if sign == "-" else sign
        for sign in plain
        if not unicodedata.combining(sign) and sign not in _MARKS
    )
    words = letters.replace("&", " and ").split()
    return " ".join("saint" if word == "st" else word for word in words)
