"""Entries as files hold them: their form, their tags, and JSON."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO
from urllib.parse import quote, unquote

from jara.documents import json_text
from jara.domain.books.account import (
    GRANTS,
    OPENING,
    PAYEE_PARENTS,
    STAFF,
    TRANSFERS,
    AccountType,
    is_below,
    nearest,
)
from jara.domain.books.journal import EntryKind, PostedEntry, Posting
from jara.domain.errors import InvalidInput

_OWN_ID = re.compile(r"[A-Z2-7]{16}|[a-z2-7]{16}", re.ASCII)

IdOf = Callable[[int], str]
"""Returns the id of the entry at a log index, for links between entries."""


def outside_id(entry_id: str, prefix: str) -> str:
    """Return the external id of a file's entry.

    An id of our own books (16 base32 characters) becomes ``entry:<id>`` in any file, so that
    our own export is recognised in the books it came from and in those it was imported
    into. Any other becomes ``<prefix>:<id>``.
    """
    if _OWN_ID.fullmatch(entry_id):
        return f"entry:{entry_id}"
    return f"{prefix}:{entry_id}"


def kind_by_accounts(postings: Sequence[Posting]) -> EntryKind:
    """Return an entry's kind by its accounts, for files that do not name it.

    Pledges and gifts stay `manual`: those kinds promise a split by the fund policy,
    which a handwritten file need not follow.
    """
    accounts = {posting.account for posting in postings}
    if any(is_below(account, OPENING) for account in accounts):
        return EntryKind.OPENING
    if any(is_below(posting.account, GRANTS) and posting.cents < 0 for posting in postings):
        return EntryKind.GRANT
    debited = [posting.account for posting in postings if posting.cents > 0]
    spent = [account for account in debited if is_below(account, AccountType.EXPENSES)]
    if spent:
        if all(nearest(account, PAYEE_PARENTS) for account in spent):
            return EntryKind.DISBURSEMENT
        staff = all(is_below(account, STAFF) for account in spent)
        return EntryKind.SALARY if staff else EntryKind.EXPENSE
    if all(is_below(one, AccountType.ASSETS) or is_below(one, TRANSFERS) for one in accounts):
        return EntryKind.TRANSFER
    return EntryKind.MANUAL


class SeenIds:
    """The ids seen so far in a file, as 64-bit hashes to save memory."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def add(self, entry_id: str) -> bool:
        """Add an id; return whether it is new."""
        before = len(self._hashes)
        self._hashes.add(hash(entry_id))
        return len(self._hashes) > before


# This encodes characters that begin a comment or end a tag, control characters, the two
# line separators, blanks at either end, and percent signs that look like an encoding.
_UNSAFE = re.compile(r"[;,\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$|%(?=[0-9A-Fa-f]{2})")


def encoded(text: str) -> str:
    """Return the text encoded, so that it stays on its line and in its tag."""
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), text)


def decoded(text: str) -> str:
    """Return the text as it was before `encoded`.

    Raises:
        InvalidInput: the encoded bytes are not UTF-8, or contain a zero byte.
    """
    try:
        result = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput(f"The percent signs in '{text}' do not encode UTF-8.") from None
    if "\0" in result:
        raise InvalidInput(f"'{text}' encodes a zero byte.")
    return result


def entry_document(posted: PostedEntry, id_of: IdOf) -> dict[str, object]:
    """Return an entry as a document: camelCase, cents, ISO dates.

    Like the public leaf, it leaves out external ids, contributors' keys and an operator's
    own words.
    """
    entry = posted.entry
    document: dict[str, object] = {
        "id": posted.id,
        "index": posted.index,
        "bookedAt": posted.booked_at.isoformat().replace("+00:00", "Z"),
        "date": entry.day.isoformat(),
        "kind": str(entry.kind),
        "description": entry.description,
        "reference": entry.reference,
        "source": entry.source,
        "postings": [
            {"account": p.account, "fund": str(p.fund), "cents": p.cents} for p in entry.postings
        ],
    }
    if entry.reverses is not None:
        document["reverses"] = id_of(entry.reverses)
    if entry.of is not None:
        document["of"] = id_of(entry.of)
    if entry.true_day is not None:
        document["trueDate"] = entry.true_day.isoformat()
    if entry.foreign is not None:
        foreign = entry.foreign
        document["foreign"] = {
            "currency": foreign.currency,
            "amountMinor": foreign.amount_minor,
            "rate": foreign.rate,
            **({} if foreign.receipt is None else {"receipt": foreign.receipt}),
        }
    return document


def write_entries_json(entries: Iterable[PostedEntry], out: TextIO, id_of: IdOf) -> None:
    """Write entries as a JSON list, one document per line, in bounded memory."""
    separator = "[\n"
    for posted in entries:
        out.write(separator + json_text(entry_document(posted, id_of)))
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")
