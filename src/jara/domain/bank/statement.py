"""Bank statements, independent of their file format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from jara.domain.errors import InvalidInput

TEXT_LENGTH_MAX = 1000
"""Longer texts are truncated; banks do not write any."""

_TEXTS = ("text", "party", "party_account", "bank_ref", "own_ref")
_SEPARATORS = re.compile(r"[\W_]+")
_OWN_LENGTH_MIN = 8
"""Shorter numbers are too common to identify an account without its bank."""
_MEANINGLESS = frozenset({"", "nonref", "notprovided", "none", "unknown", "0"})


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One booked line of a statement; control characters in its texts become spaces.

    Args:
        line: its line in the file.
        day: the day the bank booked it.
        cents: the signed amount; never zero.
        text: the text of the payer or the bank.
        party: the counterparty's name.
        party_account: the counterparty's account.
        bank_ref: the bank's own reference.
        own_ref: the reference that the payer set.
        is_reversal: whether the bank marks it as the reversal of another line.
        is_collective: whether the bank booked several payments as one and does not divide them.
    """

    line: int
    day: date
    cents: int
    text: str = ""
    party: str = ""
    party_account: str = ""
    bank_ref: str = ""
    own_ref: str = ""
    is_reversal: bool = False
    is_collective: bool = False

    def __post_init__(self) -> None:
        for name in _TEXTS:
            text = getattr(self, name)
            if not text.isprintable() or len(text) > TEXT_LENGTH_MAX:
                plain = "".join(sign if sign.isprintable() else " " for sign in text)
                object.__setattr__(self, name, plain[:TEXT_LENGTH_MAX].strip())

    @property
    def key(self) -> str:
        """The bank's reference, else the texts; equal when the line is imported again."""
        if self.is_numbered:
            return squeezed(self.bank_ref)
        return squeezed(f"{self.text} {self.own_ref} {self.party}")

    @property
    def is_numbered(self) -> bool:
        """Whether the bank gave it a reference of its own."""
        return squeezed(self.bank_ref) not in _MEANINGLESS

    @property
    def wording(self) -> str:
        """The text and the payer's reference without separators; similar in every format."""
        return squeezed(f"{self.text} {self.own_ref}")

    @property
    def words(self) -> str:
        """Text and references without separators, to search for references."""
        return squeezed(f"{self.text} {self.own_ref} {self.bank_ref}")


class Statement(NamedTuple):
    """A statement of one account.

    Args:
        line: the line of the file where it starts.
        account: the account's number, see `account_number`.
        form: the file format, such as ``camt.053``.
        first_day: the first day it covers.
        last_day: the last day it covers.
        opening_cents: the balance before its lines, if given.
        closing_cents: the balance after its lines, if given.
    """

    line: int
    account: str
    form: str
    first_day: date
    last_day: date
    opening_cents: int | None
    closing_cents: int | None
    lines: Sequence[StatementLine]

    @property
    def period(self) -> str:
        """Its days, for messages."""
        return f"{self.first_day} to {self.last_day}"


def account_number(text: str) -> str:
    """Normalise an account number for comparison: upper-case letters and digits only.

    Raises:
        InvalidInput: it has no letters or digits, or is too long.
    """
    number = "".join(sign for sign in text.upper() if sign.isalnum())
    if not 1 <= len(number) <= 64:  # noqa: PLR2004 - an IBAN has 34
        raise InvalidInput(f"'{text[:70]}' is not an account number.")
    return number


def is_same_account(number: str, other: str) -> bool:
    """Return whether two numbers mean one account; some formats omit country and bank."""
    shorter, longer = sorted((number, other), key=len)
    return number == other or (len(shorter) >= _OWN_LENGTH_MIN and longer.endswith(shorter))


def squeezed(text: str) -> str:
    """Return text in lower case without spaces and punctuation, since banks change both."""
    return _SEPARATORS.sub("", text.casefold())
