"""IBANs: account numbers with a country and check digits (ISO 13616)."""

import re

from jara.domain.errors import InvalidInput

_COUNTRIES = (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT "
    "NL NO PL PT RO RS SE SI SK SM VA"
)
SEPA = frozenset(_COUNTRIES.split())
"""The countries of the SEPA schemes, as the first two letters of an IBAN."""
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", re.ASCII)
_EUROPEAN = re.compile(r"[A-Z]{2}[0-9]{2}(?=(?:[A-Z]*[0-9]){8})[A-Z0-9]{11,30}", re.ASCII)
_MODULUS, _REMAINDER = 97, 1


def has_iban_form(text: str) -> bool:
    """Return whether a text without spaces, in upper case, is an IBAN but for its check digits."""
    return _IBAN.fullmatch(text) is not None


def is_iban(text: str) -> bool:
    """Return whether a text without spaces, in upper case, is an IBAN with right check digits."""
    return has_iban_form(text) and _check(text) == _REMAINDER


def resembles_iban(text: str) -> bool:
    """Return whether a text is an IBAN, or has the form of a European one with wrong digits."""
    return is_iban(text) or (is_sepa(text) and _EUROPEAN.fullmatch(text) is not None)


def parse_iban(text: str) -> str:
    """Parse an IBAN, ignoring white space.

    Raises:
        InvalidInput: it is not an IBAN, or its check digits are wrong.
    """
    iban = "".join(text.split()).upper()
    if not is_iban(iban):
        raise InvalidInput(f"'{text[:40]}' is not an IBAN; a digit may be wrong.")
    return iban


def make_iban(country: str, number: str) -> str:
    """Return the IBAN of a national account number, with its check digits."""
    check = _MODULUS + _REMAINDER - _check(f"{country}00{number}")
    return f"{country}{check:02d}{number}"


def print_iban(iban: str) -> str:
    """Format an IBAN in groups of four."""
    return " ".join(iban[place : place + 4] for place in range(0, len(iban), 4))


def is_sepa(iban: str) -> bool:
    """Return whether an account can receive SEPA credit transfers."""
    return iban[:2] in SEPA


def _check(iban: str) -> int:
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % _MODULUS
