"""An entry in one of our files, and its external id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from jara.domain.books.account import GRANTS, OPENING, PAYEE_PARENTS
from jara.domain.books.journal import EntryKind, JournalEntry, Posting

_OWN_ID = re.compile(r"[A-Z2-7]{16}|[a-z2-7]{16}", re.ASCII)
_PAYEES = tuple(f"{parent}:" for parent in PAYEE_PARENTS)


class FileEntry(NamedTuple):
    """One entry of a file.

    Args:
        line: the line it begins on.
        entry_id: the id the file gives it.
        entry: the entry, without its links to others: the file has ids, the books have
            log indexes.
        reverses_id: the id, in the same file or the books, of the entry it undoes.
        of_id: the id of the payment that it refunds, disputes or restores.
    """

    line: int
    entry_id: str
    entry: JournalEntry
    reverses_id: str | None = None
    of_id: str | None = None


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
    if OPENING in accounts:
        return EntryKind.OPENING
    if any(posting.account == GRANTS and posting.cents < 0 for posting in postings):
        return EntryKind.GRANT
    spent = [p.account for p in postings if p.account.startswith("expenses:") and p.cents > 0]
    if spent:
        if all(account.startswith(_PAYEES) for account in spent):
            return EntryKind.DISBURSEMENT
        staff = all(account == "expenses:staff" for account in spent)
        return EntryKind.SALARY if staff else EntryKind.EXPENSE
    if all(account.startswith(("assets:", "equity:transfers")) for account in accounts):
        return EntryKind.TRANSFER
    return EntryKind.MANUAL


class SeenIds:
    """The ids seen so far in a file, as 64-bit hashes to save memory."""

    def __init__(self) -> None:
        """Start empty."""
        self._hashes: set[int] = set()

    def add(self, entry_id: str) -> bool:
        """Add an id; return whether it is new."""
        before = len(self._hashes)
        self._hashes.add(hash(entry_id))
        return len(self._hashes) > before
