"""Imports entries from Jara's own file formats: all or nothing, each entry once.

Entries refer to each other by id in files and by log index in the books. References are
translated here; an entry may refer only to earlier ones.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from jara.domain.books.account import AccountType, Fund, account_type
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import JournalEntry, PostedEntry
from jara.domain.books.outflow import refuse_provider_kind
from jara.domain.books.years import require_near
from jara.domain.errors import Conflict, DuplicateEntry, InvalidInput, NotFound, YearLocked
from jara.records.journal import CommitmentRecord
from jara.services.audit import record_act
from jara.services.authority import limits_in_force, read_control
from jara.services.books import bookkeeping, imports
from jara.services.books.imports import DryRun, ImportOutcome, Progress, Rejected, RejectedAsWhole
from jara.services.books.outflows import NeedsApproval, VoteTaken
from jara.services.books.posting import Books, fund_balances
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_BATCH_ENTRIES = 1000
_OWN = "entry:"
"""The prefix of the external id of an entry imported from another Jara."""
_FAULTS = (InvalidInput, DuplicateEntry, NotFound, YearLocked)
_OWN_MONEY = (AccountType.ASSETS, AccountType.LIABILITIES)


class FileEntry(NamedTuple):
    """One entry of a file."""

    line: int  # the line it begins on
    entry_id: str  # the id the file gives it
    entry: JournalEntry
    """The entry, without its links to others: the file has ids, the books have log indexes."""
    reverses_id: str | None = None  # the id, in the same file or the books, of the entry it undoes
    of_id: str | None = None  # the id of the payment that it refunds, disputes or restores


def import_entries(
    context: Context,
    entries: Iterable[FileEntry],
    *,
    faults: Sequence[Rejected] = (),
    partial: bool = False,
    progress: Progress | None = None,
    future: bool = False,
    dry_run: bool = False,
) -> ImportOutcome:
    """Import the entries of a file in one transaction.

    Args:
        entries: in the file's order; each has an external id.
        faults: items rejected by the reader, which may append more while entries are read.
        partial: post the valid entries even if others are rejected.
        progress: called with the number of entries done.
        future: whether entries may be dated more than a week ahead.
        dry_run: validate the import, then roll it back.

    Returns:
        The outcome; without `partial`, one rejected entry means that nothing is posted.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    source = iter(entries)
    posted = skipped = 0
    rejected: list[Rejected] = []
    is_accepted = True
    try:
        with context.store.write() as work:
            first = work.log.size()
            importer = _Importer(context, work, future=future)
            while batch := list(islice(source, _BATCH_ENTRIES)):
                importer.load(batch)
                for item in batch:
                    try:
                        is_new = importer.post(item)
                        posted, skipped = posted + is_new, skipped + (not is_new)
                    except _FAULTS as error:
                        rejected.append(Rejected(item.line, error.message))
                if progress is not None:
                    progress(len(batch))
            importer.keep_commitments()
            imports.require_whole([*rejected, *faults], partial=partial)
            imports.require_real(dry_run=dry_run)
            facts = {"posted": posted, "skipped": skipped, "rejected": len(rejected)}
            facts |= imports.import_facts(imports.new_import_id(context), work, first=first)
            record_act(context, work, imports.IMPORT_ACTION, "entries", facts=facts)
    except (DryRun, RejectedAsWhole) as ending:
        is_accepted = isinstance(ending, DryRun)
    rejected += faults
    return ImportOutcome(
        read=posted + skipped + len(rejected),
        posted=posted if is_accepted else 0,
        skipped=skipped if is_accepted else 0,
        rejected=tuple(sorted(rejected, key=lambda item: item.line)),
    )


class _Importer:
    """Posts the entries of one file; looks up known entries once for each batch."""

    def __init__(self, context: Context, work: UnitOfWork, *, future: bool) -> None:
        self._work = work
        self._future = future
        self._today = context.today()
        # Before there are keys or limits, and into empty books, an import restores. Later ones
        # must not bypass the second operator, nor the votes.
        control = read_control(context, work)
        self._is_first = not work.journal.count()
        self._is_limited = limits_in_force(context, control).is_set
        is_restored = not (self._is_limited and work.journal.count())
        self._is_restored = is_restored and not control.needs_keys
        self._books = Books(context, work, is_limited=not self._is_restored)
        self._balances: dict[Fund, int] | None = None
        self._now = context.now()
        self._has_undone = bool(work.operations.audit(action=imports.UNDO_ACTION))
        self._places: dict[int, int] = {}
        """Log index by the hash of an entry's id, to save memory."""
        self._known: dict[str, int] = {}
        self._found: dict[int, PostedEntry] = {}
        self._held: Counter[str] = Counter()
        self._paid: Counter[str] = Counter()

    def load(self, batch: Sequence[FileEntry]) -> None:
        outside = {item.entry.external_id for item in batch if item.entry.external_id}
        self._known = self._work.journal.known_external_ids(outside)
        own = {name.removeprefix(_OWN) for name in outside if name.startswith(_OWN)}
        ids = self._work.journal.known_ids(own)
        self._known.update((_OWN + name, index) for name, index in ids.items())
        self._found = self._work.journal.many(sorted(set(self._known.values())))

    def post(self, item: FileEntry) -> bool:
        """Post an entry unless it is in the books; return whether it was posted."""
        entry, outside = item.entry, item.entry.external_id
        if self._has_undone and outside is not None:
            entry = self._named_anew(entry, outside)
        if item.reverses_id is not None or item.of_id is not None:
            reverses, of = self._place(item.reverses_id), self._place(item.of_id)
            entry = replace(entry, reverses=reverses, of=of)
        index = self._known.get(entry.external_id or "")
        if index is not None:
            _require_same(entry, self._found[index], item.entry_id)
            self._places[hash(item.entry_id)] = index
            return False
        if not self._future:
            require_near(entry.day, today=self._today)
        self._check(entry)
        try:
            posted = self._books.post(entry, is_new=True)
        except NeedsApproval as error:
            how = "" if isinstance(error, VoteTaken) else " Use `jara ledger post`."
            raise InvalidInput(f"{error.message}{how}") from error
        if self._balances is not None:
            for fund, cents in bookkeeping.own_money(entry).items():
                self._balances[fund] += cents
        self._places[hash(item.entry_id)] = posted.index
        if entry.external_id is not None:
            self._known[entry.external_id] = posted.index
            self._found[posted.index] = posted
        self._note_committed(entry)
        return True

    def _named_anew(self, entry: JournalEntry, outside: str) -> JournalEntry:
        """Give an entry of an undone import a new external id, so that it can be posted again."""
        name, number = outside, 1
        while True:
            index = self._known.get(name)
            if index is None:
                index = self._work.journal.known_external_ids([name]).get(name)
            if index is None or self._work.journal.reversal_of(index) is None:
                break
            number += 1
            name = f"{outside}~{number}"
        if index is not None:
            self._known[name] = index
            self._found |= self._work.journal.many([index])
        return replace(entry, external_id=name)

    def _check(self, entry: JournalEntry) -> None:
        """Hold an entry to the rules of `jara ledger post`, unless the books are restored."""
        if not self._is_first:
            bookkeeping.require_promised(entry, self._books.policies)
        if self._is_restored:
            return
        if self._is_limited:
            refuse_provider_kind(entry)
        if self._balances is None:
            self._balances = fund_balances(self._work)
        try:
            bookkeeping.refuse_votes_money(entry)
            bookkeeping.require_covered(entry, self._balances)
        except Conflict as error:
            raise InvalidInput(error.message) from error

    def keep_commitments(self) -> None:
        """Add the money held and paid by imported entries to each proposal's commitment."""
        for proposal in self._held.keys() | self._paid.keys():
            record = self._work.commitments.get(proposal)
            held, paid = self._held[proposal], self._paid[proposal]
            if record is None:
                commitment = Commitment(proposal, max(1, held + paid), max(0, held), max(0, paid))
                record = CommitmentRecord(commitment, self._now)
            else:
                before = record.commitment
                commitment = before._replace(held=before.held + held, paid=before.paid + paid)
                record = CommitmentRecord(commitment, record.decided_at)
            self._work.commitments.put(record)

    def _place(self, entry_id: str | None) -> int | None:
        if entry_id is None:
            return None
        place = self._places.get(hash(entry_id))
        if place is None:
            place = self._work.journal.known_ids([entry_id]).get(entry_id)
        if place is None:
            raise InvalidInput(
                f"It names the entry '{entry_id}', which is neither earlier in the "
                "file nor in the books."
            )
        return place

    def _note_committed(self, entry: JournalEntry) -> None:
        if entry.reference is None:
            return
        for posting in entry.postings:
            if posting.fund is Fund.COMMITTED:
                kind = account_type(posting.account)
                self._held[entry.reference] += posting.cents if kind in _OWN_MONEY else 0
                self._paid[entry.reference] += posting.cents if kind is AccountType.EXPENSES else 0


def _require_same(entry: JournalEntry, posted: PostedEntry, entry_id: str) -> None:
    """Check that an entry in the books has the same day and postings.

    Raises:
        DuplicateEntry: they differ.
    """
    there = posted.entry
    if entry.day != there.day or Counter(entry.postings) != Counter(there.postings):
        raise DuplicateEntry(
            f"The entry '{entry_id}' is in the books with other content, as {posted.id} of "
            f"{there.day}."
        )
