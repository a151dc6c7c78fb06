"""After any posting, reversal or rollback, the store agrees with a model in memory."""

import tempfile
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting, reversal_of
from jara.services.books.posting import Books
from jara.services.books.verification import verify_books
from tests.harness import make_organisation
from tests.store.conftest import NewDatabase

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
