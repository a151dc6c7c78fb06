"""Bank statements, independent of their file format."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.iban import has_iban_form, make_iban

TEXT_LENGTH_MAX = 1000
"""Longer texts are truncated; banks do not write any."""

_TEXTS = ("text", "party", "party_account", "bank_ref", "own_ref")
_SEPARATORS = re.compile(r"[\W_]+")
_NUMBER_LENGTH_MAX = 64
"""Nearly twice the length of an IBAN."""
_OWN_LENGTH_MIN = 8
"""Shorter numbers are too common to identify an account without its bank."""
_MEANINGLESS = frozenset(
    {"", "nonref", "noref", "notprovided", "notavailable", "none", "unknown", "0"}
)
_GERMAN = re.compile(r"([1-8][0-9]{7})\s*/\s*([0-9]{1,3}|[0-9]{5,10})", re.ASCII)
"""Bank code and number; with four digits at the end it is a Czech number and its bank code."""
GERMAN_LENGTH = 10
"""The length of an account's number without its bank code; shorter ones lack zeros."""
_GERMAN_IBAN = re.compile(r"DE[0-9]{20}", re.ASCII)
_POLISH = re.compile(r"[0-9]{26}", re.ASCII)
_BANK_CODE_LENGTHS = {"AT": 5, "CH": 5, "DE": 8, "DK": 4, "LI": 5}
"""Where the number after the bank code is shorter than in the IBAN, which fills it with zeros."""
_MASK = "XXX"


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One booked line of a statement; control characters in its texts become spaces."""

    line: int  # its line in the file
    day: date  # the day the bank booked it
    cents: int  # the signed amount; never zero
    text: str = ""  # the text of the payer or the bank
    party: str = ""  # the counterparty's name
    party_account: str = ""  # the counterparty's account
    bank_ref: str = ""  # the bank's own reference
    own_ref: str = ""  # the reference that the payer set
    is_reversal: bool = False  # whether the bank marks it as the reversal of another line
    is_collective: bool = False
    """Whether the bank booked several payments as one and does not divide them."""
    fee_cents: int = 0  # the charge that the bank took off, at least 0; `cents` is what is left

    def __post_init__(self) -> None:
        for name in _TEXTS:
            text = getattr(self, name)
            if not text.isprintable() or len(text) > TEXT_LENGTH_MAX:
                plain = "".join(sign if sign.isprintable() else " " for sign in text)
                object.__setattr__(self, name, plain[:TEXT_LENGTH_MAX].strip())

    @property
    def gross_cents(self) -> int:
        """The amount before the charge: what was given or paid."""
        return self.cents + self.fee_cents

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

    @property
    def label(self) -> str:
        """The text, the counterparty and its account, as people read them."""
        return " ".join(part for part in (self.text, self.party, self.party_account) if part)


class Statement(NamedTuple):
    """A statement of one account."""

    line: int  # the line of the file where it starts
    account: str  # the account's number, see `account_number`; empty if the file names none
    form: str  # the file format, such as ``camt.053``
    first_day: date
    last_day: date
    opening_cents: int | None  # the balance before its lines, if given
    closing_cents: int | None  # the balance after its lines, if given
    lines: Sequence[StatementLine]
    """Its booked lines; none if the account is not in the currency of the books."""
    currency: str = ""  # the currency of the account; empty for that of the books
    kind: str = "account"  # what has the number, for messages
    file: str = ""  # the name of its file, if that came in an archive
    corrected: tuple[str, ...] = ()  # the bank's references of lines that it takes back or replaces

    @property
    def period(self) -> str:
        """Its days, for messages."""
        return f"{self.first_day} to {self.last_day}"


def account_number(text: str) -> str:
    """Normalise an account number for comparison: upper-case letters and digits only.

    A German bank code and number, ``87052000/123456789``, and a Polish number without its country
    become the IBAN that they mean, so that one account has one number.

    Raises:
        InvalidInput: it has no letters or digits, or is too long.
    """
    german = _GERMAN.fullmatch(text.strip())
    if german is not None:
        return make_iban("DE", german[1] + german[2].zfill(GERMAN_LENGTH))
    number = "".join(sign for sign in text.upper() if sign.isalnum())
    if not 1 <= len(number) <= _NUMBER_LENGTH_MAX:
        raise InvalidInput(f"'{text[:70]}' is not an account number.")
    number = number.removeprefix("IBAN") or number
    return f"PL{number}" if _POLISH.fullmatch(number) else number


def payer_number(text: str) -> str:
    """Return the number that identifies a payer's account; empty if the text does not.

    Placeholders, texts and numbers that the bank masked identify nobody.
    """
    signs = "".join(sign for sign in text.upper() if sign.isalnum())
    is_masked = "*" in text or _MASK in signs
    is_number = len(set(signs)) > 1 and len(signs) <= _NUMBER_LENGTH_MAX
    if is_masked or reference(text) == "" or not is_number:
        return ""
    number = account_number(text)
    # The bank code and number alone make the same IBAN, with the right check digits.
    return make_iban("DE", number[4:]) if _GERMAN_IBAN.fullmatch(number) else number


def is_same_number(number: str, other: str) -> bool:
    """Return whether two numbers mean one account: an IBAN, and its bank code and number.

    The check digits of an IBAN do not distinguish accounts.
    """
    shorter, iban = sorted((number, other), key=len)
    if number == other or not has_iban_form(iban):
        return number == other
    if shorter[:2] == iban[:2] and has_iban_form(shorter):
        return shorter[4:] == iban[4:]
    length = _BANK_CODE_LENGTHS.get(iban[:2])
    if length is None:
        return False
    bank, own = iban[4 : 4 + length], iban[4 + length :]
    is_of_bank = shorter.startswith(bank) and len(shorter) > length
    return is_of_bank and shorter[length:].lstrip("0") == own.lstrip("0")


def is_same_account(number: str, other: str) -> bool:
    """Return whether two numbers mean one of our accounts; some formats omit country and bank."""
    shorter, longer = sorted((number, other), key=len)
    is_end = len(shorter) >= _OWN_LENGTH_MIN and longer.endswith(shorter)
    return is_end or is_same_number(number, other)


def reference(text: str) -> str:
    """Return a reference; empty if the text only means that there is none."""
    return "" if squeezed(text) in _MEANINGLESS else text.strip()


def squeezed(text: str) -> str:
    """Return text in lower case without spaces and punctuation, since banks change both."""
    return _SEPARATORS.sub("", text.casefold())
