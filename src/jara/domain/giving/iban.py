"""Accounts at banks as payers write them, and the code that banking apps scan."""

from __future__ import annotations

import re

from jara.domain.errors import InvalidInput

_COUNTRIES = (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT "
    "NL NO PL PT RO RS SE SI SK SM VA"
)
SEPA = frozenset(_COUNTRIES.split())
"""The countries of the SEPA schemes, by the first two letters of their IBANs."""

HOLDER_LENGTH_MAX = 70
"""The longest name of a payee in the code (EPC069-12)."""

_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", re.ASCII)
_REMAINDER = 1


def parse_iban(text: str) -> str:
    """Return an IBAN without blanks.

    Raises:
        InvalidInput: it is not one; a digit may be wrong.
    """
    found = "".join(text.split()).upper()
    if _IBAN.fullmatch(found) is None or _check(found) != _REMAINDER:
        raise InvalidInput(f"'{text[:40]}' is not an IBAN; a digit may be wrong.")
    return found


def print_iban(iban: str) -> str:
    """Return an IBAN as it is printed, in groups of four."""
    return " ".join(iban[place : place + 4] for place in range(0, len(iban), 4))


def is_sepa(iban: str) -> bool:
    """Return whether an account can be reached by SEPA credit transfers."""
    return iban[:2] in SEPA


def epc_code(iban: str, holder: str, words: str) -> str:
    """Return what a QR code for a transfer in euros holds (EPC069-12, version 002).

    It has no amount: pledges are in US dollars, and the payer's bank knows the rate.

    Args:
        iban: a SEPA account.
        holder: who has it.
        words: the text of the transfer, such as the reference.
    """
    head = ("BCD", "002", "1", "SCT", "", holder[:HOLDER_LENGTH_MAX], iban)
    return "\n".join((*head, "", "", "", words))


def _check(iban: str) -> int:
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97
