"""Importing statements, each line once, and reconciling them with the books."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.rules import Direction, Rule
from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.errors import Conflict, InvalidInput, NotFound, UnknownAccount
from jara.records.bank import BankAccount
from jara.records.operations import Approval
from jara.services.bank import importing
from jara.services.bank.accounts import find_account, list_accounts
from jara.services.bank.answering import add_rule, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.bank.reconciling import reconcile_bank
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.imports import Rejected
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.import_undo import undo_import
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.fakes.kills import survive
from tests.files.bank.written_statements import WRITERS, read
from tests.harness import make_organisation
from tests.places import NewPlace, leave
from tests.services.bank.bank_books import END, compared, open_with, take, waiting
from tests.services.books.ledger_builders import all_entries
from tests.sizes import fewer_examples

MAY = a_statement(a_line(1000, "GIFT ADA", day=4), a_line(1000, "GIFT ADA", day=4), opening=100)


def test_each_line_is_kept_with_its_file(context: Context) -> None:
    """A line stores its file and line number, and the account is known from then on."""
    outcome = take(context, MAY)

    assert (outcome.read, outcome.added, outcome.settled.waiting) == (2, 2, 2)
    assert [(one.file, one.line.line) for one in list_waiting(context)] == [
        ("may.xml", 4),
        ("may.xml", 4),
    ]
    assert list_accounts(context) == [BankAccount(NUMBER, "assets:bank")]


def test_an_import_tells_how_far_it_is(context: Context) -> None:
    """Unmatched lines are processed twice; the reported steps add up to the total."""
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    import_statements(context, [MAY], file="may.xml", new_account="assets:bank", progress=progress)

    assert {total for _, total in told} == {4}
    assert sum(done for done, _ in told) == 4


@pytest.mark.parametrize("form", WRITERS)
def test_the_same_statement_adds_nothing_in_any_format(context: Context, form: str) -> None:
    """Overlapping days add nothing either."""
    take(context, MAY)
    again = take(context, *read(WRITERS[form]([MAY])), file="again")
    part = a_statement(*MAY.lines, opening=100, first=date(2026, 5, 4), last=date(2026, 5, 4))
    overlapping = take(context, part)

    assert (again.read, again.added) == (2, 0)
    assert (overlapping.read, overlapping.added) == (2, 0)


def test_an_account_that_is_not_ours_is_refused(context: Context) -> None:
    """An unknown account is refused unless the import adds it; nothing of the file is stored."""
    other = a_statement(a_line(5), account="GB00000000001")
    with pytest.raises(Conflict, match=f"of the account {NUMBER}, which is not known .none yet"):
        import_statements(context, [MAY], file="f")
    take(context, MAY)

    with pytest.raises(Conflict, match=f"GB00000000001, which is not known .{NUMBER}.*--new-acc"):
        import_statements(context, [MAY, other], file="f")
    with pytest.raises(Conflict, match=f"'assets:bank' is the account {NUMBER} already"):
        take(context, other)
    with pytest.raises(InvalidInput, match="'income:gifts' holds no money"):
        import_statements(context, [other], file="f", new_account="income:gifts")
    with pytest.raises(UnknownAccount):
        import_statements(context, [other], file="f", new_account="assets:savings")
    assert len(list_accounts(context)) == 1


def test_a_gap_is_refused(context: Context) -> None:
    """The missing statement must be imported first; then the same file is accepted."""
    june, july = (
        a_statement(opening=cents, first=date(2026, month, 1), last=date(2026, month, 30))
        for month, cents in ((6, 2100), (7, 2107))
    )
    june = june._replace(lines=[a_line(7, day=33)], closing_cents=2107)
    take(context, MAY)
    with pytest.raises(InvalidInput, match=r"begins with .21.07, but .* has .21.00; import the"):
        take(context, july)

    assert [take(context, june).added, take(context, july).added] == [1, 0]


def test_a_statement_that_contradicts_an_earlier_one_is_refused(context: Context) -> None:
    """Another line on an imported day would change a balance that the bank stated."""
    take(context, MAY)

    with pytest.raises(InvalidInput, match=r"Line 9: .0.05 .* complete without it"):
        take(context, a_statement(a_line(5, "NEW", day=9), opening=None))
    assert len(waiting(context)) == 2


def test_a_day_far_ahead_is_refused(context: Context) -> None:
    """The usual cause is a wrong date format in the mapping."""
    with pytest.raises(InvalidInput, match=r"may\.xml, line 3: 2026-12-05 is more than a week"):
        take(context, a_statement(a_line(5, line=3, day=219)))


def test_a_file_without_a_statement_is_refused(context: Context) -> None:
    """A CSV with only a header is refused, for example."""
    with pytest.raises(InvalidInput, match="f holds no statement"):
        import_statements(context, [], file="f")
    zero = Rejected(2, "the amount is zero; left out")
    says = r"f holds no statement\. Line 2: the amount is zero; left out \(1 more such line\)\."
    with pytest.raises(InvalidInput, match=says):
        import_statements(context, [], file="f", left_out=[zero, zero])


@pytest.mark.parametrize("partial", [False, True])
def test_a_rejected_line_stops_the_file(context: Context, partial: bool) -> None:
    """One rejected line stops the file, unless the operator asks for the rest."""
    faults = [Rejected(7, "the amount is in EUR, not USD.")]
    outcome = import_statements(
        context, [MAY], file="f", new_account="assets:bank", faults=faults, partial=partial
    )

    assert 2 * partial == outcome.added == len(waiting(context))
    assert [(r.line, r.message) for r in outcome.rejected] == [
        (7, "the amount is in EUR, not USD.")
    ]


def test_an_import_that_is_killed_anywhere_leaves_nothing(context: Context) -> None:
    """After a kill at any statement, nothing is stored and the whole file can be imported."""
    rule = Rule("rule_1", Direction.IN, "income:gifts", contains="gift")
    add_rule(context, rule)
    step = 0
    while not survive(lambda: take(context, MAY), step):
        assert (list_accounts(context), waiting(context)) == ([], [])
        step += 1

    assert step > 10
    assert (take(context, MAY).added, len(all_entries(context))) == (0, 2)
    assert verify_books(context).ok


def test_an_account_is_found_by_its_end(context: Context) -> None:
    """An account is found by its last digits or ledger name; a single account needs neither."""
    with context.store.read() as work, pytest.raises(NotFound, match="No such bank account"):
        find_account(work, None)
    with context.store.write() as work:
        work.book_settings.put_account("assets:savings", kind="assets", meaning="Savings.")
    take(context, MAY)
    import_statements(
        context, [a_statement(account="US555")], file="f", new_account="assets:savings"
    )

    with context.store.read() as work:
        assert find_account(work, "3000").ledger == "assets:bank"
        assert find_account(work, "assets:savings").number == "US555"
        with pytest.raises(Conflict, match=f"Say which account: {NUMBER}, US555"):
            find_account(work, None)


def test_mappings_are_kept_by_name(context: Context) -> None:
    """Mappings can be replaced and removed; an unknown one is not found."""
    importing.put_mapping(context, "bank", {"a": 1})
    importing.put_mapping(context, "bank", {"a": 2})

    assert importing.read_mappings(context) == {"bank": {"a": 2}}
    importing.remove_mapping(context, "bank")
    with pytest.raises(NotFound, match="no mapping 'bank'"):
        importing.remove_mapping(context, "bank")


def test_texts_are_forgotten_in_time(context: Context) -> None:
    """The payer's details are deleted; day, amount and bank reference still identify the line."""
    line = a_line(1000, "GIFT ADA", day=4, party="Ada", own_ref="R1", bank_ref="B1")
    take(context, a_statement(line))
    with context.store.write() as work:
        forgotten = [work.bank.forget_texts(date(2026, 5, day)) for day in (4, 5, 5)]

    kept = list_waiting(context)[0].line
    assert forgotten == [0, 1, 0]
    assert (kept.text, kept.party, kept.own_ref, kept.bank_ref, kept.cents) == (
        "",
        "",
        "",
        "B1",
        1000,
    )
    assert take(context, a_statement(line)).added == 0


def spend(context: Context, cents: int, day: date) -> str:
    """Post a payment out of the bank; return its id."""
    spending = Spending("expenses:operations", Fund.OTHER, cents, note="Asked for")
    posted = post_entry(context, spending_entry(day, spending, available_cents=cents))
    assert not isinstance(posted, Approval)
    return posted.id


def test_every_kind_of_difference_is_named(context: Context) -> None:
    """Waiting lines, entries missing at the bank, and entries of another month are listed."""
    open_with(context, 9_900)
    spend(context, 111, date(2026, 5, 20))
    spend(context, 222, date(2026, 6, 1))
    spend(context, 333, date(2026, 5, 31))
    undone = spend(context, 444, date(2026, 5, 9))
    reverse_entry(context, undone, why="never paid", day=date(2026, 5, 10))
    take(
        context,
        a_statement(a_line(-5, "WHAT", day=9), a_line(-222, "EARLY", day=31), opening=10_000),
        a_statement(
            a_line(-333, "LATE", day=33),
            opening=9_773,
            first=date(2026, 6, 1),
            last=date(2026, 6, 30),
        ),
    )
    found = compared(context)

    assert (found.statement_cents, found.books_cents, found.difference_cents) == (9_773, 9_456, 317)
    assert [(one.what, one.cents) for one in found.differences] == [
        ("opening balance", 100),
        ("line waits", -5),
        ("booked later", -222),
        ("on a later statement", 333),
        ("not at the bank", 111),
    ]
    assert found.covered_to == date(2026, 6, 30)


def test_an_entry_from_before_the_first_statement_is_no_difference(context: Context) -> None:
    """The opening balances include an entry whose line is on the first statement."""
    open_with(context, 10_000, day=date(2026, 4, 1))
    spend(context, 300, date(2026, 4, 29))
    take(context, a_statement(a_line(-300, "LATE", day=2), opening=10_000))

    assert compared(context).differences == ()
    early = compared(context, date(2026, 5, 1))
    assert [(one.what, one.cents) for one in early.differences] == [("on a later statement", 300)]


def test_a_balance_that_no_line_explains_is_a_difference(context: Context) -> None:
    """Two months came as one file; the file of the first has another balance than its lines."""
    april = a_statement(a_line(1000, "A", day=-10), first=date(2026, 4, 1), last=date(2026, 4, 30))
    both = a_statement(*april.lines, a_line(500, "B", day=0), first=date(2026, 4, 1))
    take(context, both)
    take(context, april)

    found = compared(context, date(2026, 4, 30))

    assert found.statement_cents == 1000
    assert ("not in the bank's balance", -500) in [(o.what, o.cents) for o in found.differences]


def test_without_any_balance_the_books_are_the_start(context: Context) -> None:
    """Some banks' files contain no balance; then the books give the start."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-5, "WHAT"), opening=None))

    assert (compared(context).statement_cents, compared(context).books_cents) == (9_995, 10_000)


def test_months_without_statements_are_refused(context: Context) -> None:
    """The message says which days are covered."""
    take(context, a_statement(a_line(5, "A")))

    for day in (date(2026, 4, 30), date(2026, 6, 30)):
        with pytest.raises(Conflict, match="cover 2026-05-01 to 2026-05-31"):
            reconcile_bank(context, day)


def test_an_account_without_statements_is_refused(context: Context) -> None:
    """When the only import was undone, there is nothing to compare with."""
    outcome = take(context, a_statement(a_line(5, "A")))
    undo_import(context, outcome.id, why="wrong")

    with pytest.raises(Conflict, match=r"There is no statement of .*; import one"):
        reconcile_bank(context, END)


@fewer_examples(4)
@given(
    entries=st.lists(st.tuples(st.integers(1, 5), st.integers(-10, 40)), max_size=8),
    lines=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 31)), max_size=8),
    day=st.integers(1, 31),
)
def test_the_list_always_explains_the_difference(
    new_place: NewPlace, entries: list[tuple[int, int]], lines: list[tuple[int, int]], day: int
) -> None:
    """For any entries and bank lines, the listed items add up to the difference."""
    folder = new_place()
    context = make_organisation(folder)
    open_with(context, 10_000, day=date(2026, 4, 1))
    for cents, after in entries:
        spend(context, cents, date.fromordinal(date(2026, 5, 1).toordinal() + after))
    listed = [a_line(-cents, "X", day=on) for cents, on in sorted(lines, key=lambda item: item[1])]
    take(context, a_statement(*listed, opening=10_000))

    compared(context, date(2026, 5, day))
    leave(folder)


@pytest.mark.parametrize(("number", "books_cents"), [(None, 9_300), ("SECOND", 10_000)])
def test_a_sub_account_belongs_to_the_nearest_account_at_the_bank(
    context: Context, number: str | None, books_cents: int
) -> None:
    """The books of a bank account include its sub-accounts, except those of another one."""
    open_with(context, 10_000)
    take(context, a_statement(opening=10_000))
    with context.store.write() as work:
        work.book_settings.put_account("assets:bank:td", kind="assets", meaning="A second account")
        if number is not None:
            account = BankAccount(number, "assets:bank:td")
            work.bank.put_account(account, at=context.now())
    entry = post_entry(
        context,
        JournalEntry(
            day=date(2026, 5, 20),
            kind=EntryKind.EXPENSE,
            description="Expense",
            postings=(
                Posting("expenses:operations", Fund.OTHER, 700),
                Posting("assets:bank:td", Fund.OTHER, -700),
            ),
            note="Asked for",
        ),
    )
    with context.store.read() as work:
        ours = work.bank.accounts()[0].number
    found = reconcile_bank(context, END, account=ours)

    assert isinstance(entry, PostedEntry)
    assert found.books_cents == books_cents
    assert sum(one.cents for one in found.differences) == found.difference_cents
    assert [one.id for one in found.differences] == ([entry.id] if number is None else [])


def test_reconciling_shows_the_balance_of_the_bank(context: Context) -> None:
    """A line of the next statement that is dated before it is not in the balance of the month."""
    april = a_statement(a_line(1000, "A", day=-10), first=date(2026, 4, 1), last=date(2026, 4, 30))
    take(context, april)
    take(context, a_statement(a_line(500, "B", day=0), a_line(700, "C", day=4), opening=1000))

    found = compared(context, date(2026, 4, 30))

    assert found.statement_cents == 1000
    assert ("on a later statement", -500) in [(one.what, one.cents) for one in found.differences]
    assert compared(context).statement_cents == 2200
