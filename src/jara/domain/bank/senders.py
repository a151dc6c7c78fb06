"""Senders: whose payments the lines of one payer are, as operators said once by hand.

An e-transfer names its sender and has no reference. Who matches such a line with a member is
remembered, by the payer's account or, without one, by the words of the line.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple
from unicodedata import combining, normalize

from jara.domain.bank.statement import StatementLine, payer_number
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents

APART = timedelta(days=15)
"""Closer lines of one sender may be of two people: of any two monthly lines, two are this close."""
MONTHS_MAX = 12
"""The most months that a line pays by itself."""

_WORDS = re.compile(r"[^\W_]+")
_LETTERS_MIN, _OWN_LETTERS_MIN = 4, 2
"""A shorter text names nobody, and neither does a name that has only words of banks."""
_BANK_WORDS = """
account accounts accepted an atm autodeposit automatique bank banking banque bill branch by card
cash check cheque cheques chq compte counter credit creditor de depot deposit deposited deposits
direct don du e eft email etransfer etrnsfr for from gift giro guichet incoming interac internet
inward mobile money of online order par paye payment payments pos pour received recu ref reference
sent sepa standing succursale tfr the to trans transfer transferred transfert trf vers versement
virement web wire your
"""
_NOBODY = frozenset(_BANK_WORDS.split())
"""Words of banks; a line with no other words names nobody."""


class Share(NamedTuple):
    """A member's part of what a sender pays; `cents` is None for the whole, whatever it is."""

    member_id: str
    cents: int | None


class SenderName(NamedTuple):
    """What a sender's lines have in common: ``account`` or ``text``, and its letters and digits."""

    kind: str
    text: str


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents."""
    plain = normalize("NFKD", text.casefold())
    return _WORDS.findall("".join(sign for sign in plain if not combining(sign)))


def name_of_sender(line: StatementLine) -> SenderName | None:
    """Return what identifies the sender of a line; None if its words name nobody.

    Numbers differ from one line to the next, so words with digits do not count.
    """
    number = payer_number(line.party_account)
    if number:
        return SenderName("account", number)
    words = [
        word
        for word in words_of(f"{line.text} {line.party}")
        if not any(sign.isdigit() for sign in word)
    ]
    own = [word for word in words if word not in _NOBODY]
    if sum(map(len, own)) < _LETTERS_MIN:
        return None
    return SenderName("text", " ".join(words))


def digest_of_sender(key: str, shares: Iterable[Share]) -> str:
    """Return the hash of a remembered sender that a second operator signs."""
    parts = sorted((one.member_id, one.cents or 0) for one in shares)
    return sha256(repr((key, parts)).encode()).hexdigest()


def divide(cents: int, shares: Sequence[Share]) -> list[int]:
    """Return the amount of each share of a line.

    Raises:
        InvalidInput: a share is missing or not positive, or they do not add up to the line.
    """
    if len(shares) == 1 and shares[0].cents in {None, cents}:
        return [cents]
    amounts = [one.cents or 0 for one in shares]
    if len({one.member_id for one in shares}) < len(shares):
        raise InvalidInput("Name each member once.")
    if min(amounts) <= 0 or sum(amounts) != cents:
        raise InvalidInput(
            f"The amounts add up to {format_cents(sum(amounts))}; the line has "
            f"{format_cents(cents)}. Say them as --member MEMBER=AMOUNT."
        )
    return amounts


def fits_promises(cents: int, shares: Sequence[Share], dollars: Mapping[str, int]) -> bool:
    """Return whether a line pays whole months of each member's promise, in dollars a month."""
    amounts = [cents if share.cents is None else share.cents for share in shares]
    return sum(amounts) == cents and all(
        _is_months(amount, dollars.get(share.member_id, 0) * 100)
        for amount, share in zip(amounts, shares, strict=True)
    )


def _is_months(cents: int, month: int) -> bool:
    return month > 0 and cents % month == 0 and 1 <= cents // month <= MONTHS_MAX


class NameIndex:
    """Finds the members whose whole name is in a text."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Index members by their names; each has its id and its name."""
        self._by_word: defaultdict[str, list[tuple[frozenset[str], str]]] = defaultdict(list)
        for member_id, name in names:
            words = words_of(name)
            if sum(len(word) for word in words if word not in _NOBODY) >= _OWN_LETTERS_MIN:
                self._by_word[max(words, key=len)].append((frozenset(words), member_id))

    def members_in(self, line: StatementLine) -> set[str]:
        """Return the ids of the members whose name is in the text of a line or its payer.

        Nobody is called "Interac Transfer": such a name would be in every line.

        "Ama Mensah-Agyei" is not Ama Mensah, if both are members.
        """
        words = set(words_of(f"{line.text} {line.party}"))
        matches = [
            (name, member_id)
            for word in words
            for name, member_id in self._by_word.get(word, ())
            if name <= words
        ]
        return {
            member_id
            for name, member_id in matches
            if not any(name < other for other, _ in matches)
        }
