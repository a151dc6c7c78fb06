"""The ways to pay a pledge, and their references."""

from collections.abc import Container, Iterable, Iterator
from datetime import date
from enum import StrEnum

from jara.domain.errors import InvalidInput
from jara.domain.giving.billing_day import nth_charge_on
from jara.domain.lookup import plain_text

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""31 characters (a prime number), without lookalikes."""
_VALUES = {sign: place for place, sign in enumerate(ALPHABET)}
_MARK = "J"
_DRAWN = 6
_LENGTH = len(_MARK) + _DRAWN + 1
HOLDER_LENGTH_MAX = 70
"""The maximum length of the payee's name in the code (EPC069-12)."""


class PaymentWay(StrEnum):
    """How a pledge is paid."""

    CARD = "card"
    TRANSFER = "transfer"
    CASH = "cash"
    MOBILE = "mobile"
    CHEQUE = "cheque"
    """Last, because sealed ballots hold the place of a way in this list."""

    @property
    def phrase(self) -> str:
        """The method in a sentence: 'paid by ...'."""
        return {"transfer": "bank transfer", "mobile": "mobile money"}.get(self, self.value)


class PaymentProof(StrEnum):
    """Who besides the operator that booked it says that a payment was made."""

    PROVIDER = "provider"
    STATEMENT = "statement"
    OPERATORS = "operators"
    """A second operator signed it."""
    TRUST = "trust"
    """Nobody; it was booked when no operator had a key and there was no limit."""
    NONE = "none"
    """Nobody yet; it gives no vote."""


_WORDS = {
    **{way.value: way for way in PaymentWay if way is not PaymentWay.CARD},
    **dict.fromkeys(("bank transfer", "e-transfer", "interac", "virement"), PaymentWay.TRANSFER),
    **dict.fromkeys(("especes", "comptant", "argent comptant"), PaymentWay.CASH),
    **dict.fromkeys(("mobile money", "momo"), PaymentWay.MOBILE),
    "check": PaymentWay.CHEQUE,
}


def parse_way(text: str) -> PaymentWay:
    """Return the way to pay that a cell of a file names, in English or French.

    Raises:
        InvalidInput: it names none, or the card.
    """
    way = _WORDS.get(plain_text(text).strip())
    if way is None:
        ways = ", ".join(way for way in PaymentWay if way is not PaymentWay.CARD)
        raise InvalidInput(f"'{text.strip()[:20]}' is not a way to pay: {ways}.")
    return way


def make_reference(draw: bytes) -> str:
    """Return a reference from six random bytes: a mark, six characters and a check character.

    The check character detects any wrong character and any two swapped neighbours.
    """
    body = "".join(ALPHABET[byte % len(ALPHABET)] for byte in draw[:_DRAWN])
    return f"{_MARK}{body}{_check_sign(body)}"


def print_reference(reference: str) -> str:
    """Format a reference in two groups of four."""
    return f"{reference[:4]}-{reference[4:]}"


def parse_reference(text: str) -> str:
    """Parse a reference, ignoring case, spaces and punctuation.

    Raises:
        InvalidInput: it is not a reference, or its check character is wrong.
    """
    reference = "".join(sign for sign in text.upper() if sign.isalnum())
    if not _is_reference(reference):
        raise InvalidInput(
            f"'{text[:20]}' is not a payment reference like J7K3-QXW2; a character may be wrong."
        )
    return reference


def references_in(words: str) -> Iterator[str]:
    """Yield every reference in a text without spaces and punctuation."""
    upper = words.upper()
    place = upper.find(_MARK)
    while place >= 0:
        window = upper[place : place + _LENGTH]
        if _is_reference(window):
            yield window
        place = upper.find(_MARK, place + 1)


def near_references(words: str, known: Container[str]) -> set[str]:
    """Return the known references that a text names with one wrong character.

    One character is another one, missing, added, or swapped with its neighbour. The check character
    shows that such a text is no reference itself. `words` is the text without spaces and
    punctuation.
    """
    upper = words.upper()
    near: set[str] = set()
    for place, sign in enumerate(upper):
        mark_is_wrong = (
            _MARK + upper[place + 1 : place + _LENGTH],
            _MARK + upper[place : place + _LENGTH - 1],
            _MARK + sign + upper[place + 2 : place + _LENGTH],
        )
        near.update(text for text in mark_is_wrong if len(text) == _LENGTH and text in known)
        window = upper[place : place + _LENGTH + 1]
        # Words mostly have more than one sign that no reference has; the variants are many.
        if sign == _MARK and sum(one not in _VALUES for one in window[:-2]) <= 1:
            near.update(text for text in _variants(window) if text in known)
    return near


def _variants(text: str) -> Iterator[str]:
    """Yield what a text that begins with the mark is with one of its other characters right."""
    for place in range(1, _LENGTH):
        before, after = text[:place], text[place:]
        for sign in ALPHABET:
            yield before + sign + text[place + 1 : _LENGTH]
            yield before + sign + after[: _LENGTH - place - 1]
        yield before + after[1 : _LENGTH - place + 1]
        yield before + after[1:2] + after[:1] + after[2 : _LENGTH - place]


def end_of_months(payments: Iterable[tuple[date, int]]) -> date | None:
    """Return the first day after the months that payments, in any order, cover in a row."""
    *_, end = [None, *ends_of_months(sorted(payments))]
    return end


def ends_of_months(payments: Iterable[tuple[date, int]]) -> Iterator[date | None]:
    """Yield the first day that each payment and those before it do not cover, if they cover any.

    Months that follow each other are counted from the first payment, so that a short month does not
    move the day: 31 January, 28 February, 31 March. Each payment has its day and its months; they
    are in order of the day.
    """
    until: date | None = None
    anchor, covered = date.min, 0
    for day, months in payments:
        if months:
            if until is None or day > until:
                anchor, covered = day, 0
            covered += months
            until = nth_charge_on(anchor, covered)
        yield until


def _is_reference(text: str) -> bool:
    if len(text) != _LENGTH or text[0] != _MARK or not _VALUES.keys() >= set(text[1:]):
        return False
    return text[-1] == _check_sign(text[1:-1])


def _check_sign(body: str) -> str:
    weighted = sum((place + 2) * _VALUES[sign] for place, sign in enumerate(body))
    return ALPHABET[-weighted % len(ALPHABET)]


def epc_code(iban: str, holder: str, words: str) -> str:
    """Return the content of a QR code for a transfer in euros (EPC069-12, version 002).

    It has no amount: the payer's bank may use another currency than the books. `iban` is a SEPA
    account, `holder` the name of its owner, and `words` the text of the transfer, such as the
    reference.
    """
    head = ("BCD", "002", "1", "SCT", "", holder[:HOLDER_LENGTH_MAX], iban)
    return "\n".join((*head, "", "", "", words))
