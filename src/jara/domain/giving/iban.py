"""IBANs, and the QR code that banking apps scan."""

from __future__ import annotations

import re

from jara.domain.errors import InvalidInput

_COUNTRIES = (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT "
    "NL NO PL PT RO RS SE SI SK SM VA"
)
SEPA = frozenset(_COUNTRIES.split())
"""The countries of the SEPA schemes, as the first two letters of an IBAN."""

HOLDER_LENGTH_MAX = 70
"""The maximum length of the payee's name in the code (EPC069-12)."""

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", re.ASCII)
_REMAINDER = 1


def parse_iban(text: str) -> str:
    """Parse an IBAN, ignoring white space.

    Raises:
        InvalidInput: it is not an IBAN, or its check digits are wrong.
    """
    found = "".join(text.split()).upper()
    if _IBAN.fullmatch(found) is None or _check(found) != _REMAINDER:
        raise InvalidInput(f"'{text[:40]}' is not an IBAN; a digit may be wrong.")
    return found


def print_iban(iban: str) -> str:
    """Format an IBAN in groups of four."""
    return " ".join(iban[place : place + 4] for place in range(0, len(iban), 4))


def is_sepa(iban: str) -> bool:
    """Return whether an account can receive SEPA credit transfers."""
    return iban[:2] in SEPA


def epc_code(iban: str, holder: str, words: str) -> str:
    """Return the content of a QR code for a transfer in euros (EPC069-12, version 002).

    It has no amount, since pledges are in US dollars and the payer's bank knows the rate.

    Args:
        iban: a SEPA account.
        holder: the name of its owner.
        words: the text of the transfer, such as the reference.
    """
    head = ("BCD", "002", "1", "SCT", "", holder[:HOLDER_LENGTH_MAX], iban)
    return "\n".join((*head, "", "", "", words))


def _check(iban: str) -> int:
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97
