"""The journal in the database: maintained sums, pages, searches, and a model in memory."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from jara.domain.books.account import Fund
from jara.domain.books.journal import (
    EntryKind,
    Foreign,
    JournalEntry,
    PostedEntry,
    Posting,
    reversal_of,
)
from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.records.journal import EntryQuery
from jara.services.books.posting import Books
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.store.repositories.journal.rows import PAGE
from tests.harness import make_organisation
from tests.store.conftest import NewDatabase

DAY = date(2026, 3, 5)


def moved(cents: int = 100, **changes: object) -> JournalEntry:
    """Return an entry between the bank and an expense."""
    entry = JournalEntry(
        day=DAY,
        kind=EntryKind.EXPENSE,
        description="Expense",
        postings=(
            Posting("expenses:operations", Fund.OTHER, cents),
            Posting("assets:bank", Fund.OTHER, -cents),
        ),
    )
    return replace(entry, **changes)  # type: ignore[arg-type] # given by the test, by name


@pytest.fixture
def context(tmp_path: Path, new_database: NewDatabase) -> Iterator[Context]:
    """Return empty books."""
    context = make_organisation(tmp_path, database=new_database())
    yield context
    context.store.close()


def post(context: Context, *entries: JournalEntry) -> list[PostedEntry]:
    """Post entries in one transaction."""
    with context.store.write() as work:
        books = Books(context, work)
        return [books.post(entry) for entry in entries]


def test_an_entry_comes_back_as_it_was_posted(context: Context) -> None:
    """All fields are read back, also the note, which is stored separately."""
    entry = moved(
        reference="site",
        external_id="bank:1",
        member_key="key_1",
        true_day=date(2025, 12, 31),
        foreign=Foreign("KES", 100, "129.00"),
    )
    posted = post(context, replace(entry, note="Domain"))[0]

    with context.store.read() as work:
        assert entry == work.journal.get(posted.index).entry
        assert posted.id == work.journal.find(posted.id[:9].upper()).id
        assert work.journal.notes_of([posted.index, 99]) == {posted.index: "Domain"}
        assert work.journal.known_ids([posted.id, "x"]) == {posted.id: posted.index}
        assert list(work.journal.many([posted.index, 99])) == [posted.index]
        assert (work.journal.count(), getattr(work.journal.newest(), "id", None)) == (1, posted.id)
        assert work.journal.newest(posted.index) is None
        with pytest.raises(NotFound, match="no entry at log index 99"):
            work.journal.get(99)
        for text in ("", "zz"):
            with pytest.raises(NotFound, match="There is no entry"):
                work.journal.find(text)


def test_sums_are_seen_before_the_transaction_ends(context: Context) -> None:
    """Reading a balance first writes the buffered entries."""
    with context.store.write() as work:
        books = Books(context, work)
        books.post(moved(100))
        books.post(moved(50))
        cells = {row.account: row.cents for row in work.journal.balances()}
    assert cells == {"assets:bank": -150, "expenses:operations": 150}


def test_balances_end_with_the_day(context: Context) -> None:
    """Full months come from the monthly sums, the last month from its days."""
    days = [date(2026, 2, 28), date(2026, 3, 4), date(2026, 3, 5), date(2026, 4, 1)]
    post(context, *(moved(10**place, day=day) for place, day in enumerate(days)))

    with context.store.read() as work:
        sums = [
            sum(row.cents for row in work.journal.balances(at=day, accounts=("expenses",)))
            for day in (date(2026, 2, 27), *days)
        ]
        months = work.journal.balances(at=date(2026, 3, 4), accounts=("assets",), by_month=True)
    assert sums == [0, 1, 11, 111, 1111]
    assert [(row.month, row.cents) for row in months] == [("2026-02", -1), ("2026-03", -10)]


def test_entries_come_by_day_in_pages(context: Context) -> None:
    """Entries are paged by day, also filtered."""
    count = PAGE + 3
    post(
        context,
        *(moved(n + 1, day=date(2026, 1 + n % 3, 1), reference=f"site-{n}") for n in range(count)),
    )
    with context.store.read() as work:
        oldest = list(work.journal.entries(EntryQuery()))
        indexes = [posted.index for posted in work.journal.in_log_order()]
        found = list(work.journal.entries(EntryQuery(texts=("SITE-7",), kinds=("expense",))))
        first = work.journal.page(EntryQuery(), before=None, limit=2)
        second = work.journal.page(
            EntryQuery(), before=(first[-1].entry.day, first[-1].index), limit=2
        )
    assert len(oldest) == count
    assert indexes == sorted(indexes)
    assert {p.entry.reference for p in found} == {"site-7", *(f"site-7{n}" for n in range(10))}
    assert oldest[::-1][:4] == [*first, *second]


def test_a_register_begins_with_the_balance_before(context: Context) -> None:
    """The opening balance of a register includes earlier days."""
    post(context, moved(100, day=date(2026, 1, 1)), moved(50), moved(7, day=date(2026, 5, 1)))

    with context.store.read() as work:
        lines = list(work.journal.register("expenses:operations", first_day=DAY, last_day=DAY))
    assert [(line.cents, line.balance_cents) for line in lines] == [(50, 150)]


def test_history_refuses_to_be_rewritten(context: Context) -> None:
    """An entry is reversed once, an external id is posted once, and nothing is deleted."""
    first = post(context, moved(external_id="bank:1"))[0]
    post(context, moved(reverses=first.index, kind=EntryKind.REVERSAL))

    with pytest.raises(Conflict, match="already reversed"):
        post(context, moved(reverses=first.index, kind=EntryKind.REVERSAL))
    with pytest.raises(Conflict, match="posted already"):
        post(context, moved(external_id="bank:1"))
    with pytest.raises((Conflict, Unavailable)), context.store.write() as work:
        work.journal.add(first)
    with context.store.read() as work:
        assert list(work.inspection.suspects()) == []
        assert list(work.journal.wrong_totals()) == []


ACCOUNTS = ("assets:bank", "assets:stripe", "income:grants", "expenses:staff")
FIRST_DAY = date(2025, 11, 1)
Cell = tuple[str, Fund, str]

moves = st.lists(
    st.tuples(
        st.sampled_from(ACCOUNTS),
        st.sampled_from(ACCOUNTS),
        st.sampled_from((Fund.STAFF, Fund.OTHER)),
        st.integers(1, 10**6),
    ),
    min_size=1,
    max_size=3,
)
days = st.integers(0, 120).map(lambda number: FIRST_DAY + timedelta(number))


class _GivenUp(Exception):
    """Rolls a transaction back."""


def _give_up() -> None:
    raise _GivenUp


class JournalMachine(RuleBasedStateMachine):
    """Posts entries to a database and to a model."""

    def __init__(self, database: str) -> None:
        """Create an organisation."""
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.context = make_organisation(Path(self.folder.name), database=database)
        self.sums: Counter[Cell] = Counter()
        self.posted: list[PostedEntry] = []
        self.undone: set[int] = set()

    def teardown(self) -> None:
        """Verify everything once more and clean up."""
        assert verify_books(self.context).findings == ()
        self.context.store.close()
        self.folder.cleanup()

    @rule(batch=st.lists(st.tuples(days, moves), min_size=1, max_size=4))
    def post(self, batch: list[tuple[date, list[tuple[str, str, Fund, int]]]]) -> None:
        """Post entries in one transaction."""
        entries = [made(day, parts) for day, parts in batch]
        with self.context.store.write() as work:
            books = Books(self.context, work)
            self.keep([books.post(entry) for entry in entries])

    @rule(number=st.integers(0, 10**6), day=days)
    def reverse(self, number: int, day: date) -> None:
        """Reverse an entry that is not reversed."""
        open_ones = [
            p for p in self.posted if p.index not in self.undone and p.entry.reverses is None
        ]
        if not open_ones:
            return
        chosen = open_ones[number % len(open_ones)]
        with self.context.store.write() as work:
            books = Books(self.context, work)
            self.keep([books.post(reversal_of(chosen, day=day, why="A test."))])
        self.undone.add(chosen.index)

    @rule(day=days, parts=moves)
    def give_up(self, day: date, parts: list[tuple[str, str, Fund, int]]) -> None:
        """Post in a transaction that fails, and check that nothing stays."""
        try:
            with self.context.store.write() as work:
                Books(self.context, work).post(made(day, parts))
                work.journal.balances()
                _give_up()
        except _GivenUp:
            pass

    @invariant()
    def balances_are_those_of_the_model(self) -> None:
        """Sums agree per account, fund and month, and the total is zero."""
        with self.context.store.read() as work:
            rows = work.journal.balances(by_month=True)
            count = work.journal.count()
            wrong = [*work.inspection.suspects(), *work.journal.wrong_totals()]
        found = {(row.account, row.fund, row.month or ""): row.cents for row in rows if row.cents}
        assert {cell: cents for cell, cents in self.sums.items() if cents} == found
        assert (count, wrong, sum(found.values())) == (len(self.posted), [], 0)

    def keep(self, posted: list[PostedEntry]) -> None:
        """Add entries to the model."""
        self.posted += posted
        for one in posted:
            for posting in one.entry.postings:
                cell = (posting.account, posting.fund, f"{one.entry.day:%Y-%m}")
                self.sums[cell] += posting.cents


def made(day: date, parts: list[tuple[str, str, Fund, int]]) -> JournalEntry:
    """Return a balanced entry."""
    postings = [
        posting
        for debit, credit, fund, cents in parts
        for posting in (Posting(debit, fund, cents), Posting(credit, fund, -cents))
    ]
    return JournalEntry(day, EntryKind.MANUAL, "Entry by an operator", tuple(postings))


def test_the_store_agrees_with_the_model(new_database: NewDatabase) -> None:
    """The same histories on either engine."""
    run_state_machine_as_test(
        lambda: JournalMachine(new_database()),  # type: ignore[arg-type] # it is only called
        settings=settings(max_examples=12, stateful_step_count=12, deadline=None),
    )
