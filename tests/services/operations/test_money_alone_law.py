"""Law: whatever one bookkeeper does, money out without a second signature stays in the limits."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.booking import Part
from jara.domain.books.account import BANK, GIFTS, SUSPENSE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry
from jara.domain.books.outflow import FIRST_ACCOUNTS
from jara.domain.books.spending import grant_entry, opening_entry
from jara.domain.errors import JaraError
from jara.records.operations import Approval
from jara.services.bank.answering import book_line, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.bookkeeping import (
    move_between_funds,
    post_entry,
    return_payment,
    reverse_entry,
)
from jara.services.books.imports import IMPORT_ACTION
from jara.services.books.policies import add_account
from jara.services.context import Context, Rules
from jara.services.operations.import_undo import list_imports, undo_import
from jara.services.payments.importing import book_rows
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import enrol
from tests.harness import COUNTRIES, make_organisation
from tests.rows import a_row
from tests.services.books.ledger_builders import give
from tests.services.operations.controlled_world import assert_good
from tests.services.operations.test_money_alone import LIMIT_CENTS, an_entry, kit, take_file
from tests.sizes import fewer_examples

OPENING_CENTS = 2_000_000
ACCOUNTS = (
    SUSPENSE,
    GIFTS,
    "expenses:fees:bank",
    "expenses:grants:a",
    "assets:mine",
    "assets:stripe",
)


class Act(NamedTuple):
    """One act of the bookkeeper, with the values that it may use."""

    what: str
    kind: EntryKind
    account: str
    cents: int
    day: date
    number: int


def post(context: Context, act: Act) -> object:
    """Post an entry."""
    return post_entry(kit(context), an_entry(act.cents, act.account, kind=act.kind, day=act.day))


def take(context: Context, act: Act) -> object:
    """Import a journal of two entries."""
    entry = an_entry(act.cents, act.account, kind=act.kind, day=act.day)
    entries = [replace(entry, external_id=f"j:{act.number}:{part}") for part in range(2)]
    return take_file(context, *entries, partial=True)


def take_report(context: Context, act: Act) -> object:
    """Import a report of the payment provider that the bookkeeper wrote."""
    row = a_row("unknown", -act.cents, txn_id=f"txn_{act.number}")
    return book_rows(kit(context), [row], act=IMPORT_ACTION, is_file=True)


def take_statement(context: Context, act: Act) -> object:
    """Import a statement that the bookkeeper wrote, and book its line."""
    first = date(2026, 5, 1) + timedelta(act.number)
    statement = a_statement(
        a_line(-act.cents, f"X{act.number}", day=act.number + 1), opening=None, first=first,
        last=first,
    )  # fmt: skip
    import_statements(kit(context), [statement], file=f"{act.number}.csv", new_account=BANK)
    if not (waiting := list_waiting(context)):
        return None  # an earlier bank charge of this sum explains the line
    return book_line(kit(context), waiting[-1].id, [Part(act.account)], why="Asked for")


def pay(context: Context, act: Act) -> object:
    """Pay a grant, with a bank charge."""
    payment = Disbursement(Payee.GRANTS, f"g{act.number}", act.cents, day=act.day, charge_cents=900)
    return disburse(kit(context), payment)


def take_back(context: Context, act: Act) -> object:
    """Book a grant, and undo it."""
    grant = grant_entry(act.day, {Fund.OTHER: act.cents})
    if act.number % 2:
        take_file(context, replace(grant, external_id=f"g:{act.number}"))
        return undo_import(kit(context), list_imports(context)[0].id, why="wrong")
    posted = post_entry(kit(context), grant)
    assert isinstance(posted, PostedEntry)
    return reverse_entry(kit(context), posted.id, why="wrong", day=act.day)


def lose(context: Context, act: Act) -> object:
    """Let a payee return less than was paid."""
    paid = post_entry(kit(context), an_entry(act.cents, "expenses:operations", day=act.day))
    if isinstance(paid, Approval):
        return paid
    return return_payment(kit(context), paid.id, cost_cents=act.cents, received_cents=1)


def charge(context: Context, act: Act) -> object:
    """Book a bank charge."""
    return post_bank_charge(kit(context), cents=act.cents, day=act.day)


def move(context: Context, act: Act) -> object:
    """Move money between funds."""
    source = (Fund.OTHER, Fund.PROJECTS)[act.number % 2]
    return move_between_funds(
        kit(context), source=source, target=Fund.STAFF, cents=act.cents, day=act.day, note="why"
    )


ACTS: dict[str, Callable[[Context, Act], object]] = {
    function.__name__: function
    for function in (
        post, take, take_report, take_statement, pay, take_back, lose, charge, move,
    )
}  # fmt: skip

acts = st.lists(
    st.builds(
        Act,
        what=st.sampled_from(sorted(ACTS)),
        kind=st.sampled_from(EntryKind),
        account=st.sampled_from(ACCOUNTS),
        cents=st.sampled_from([100, 2_400, 4_900, 9_900, 10_000, 50_000]),
        day=st.sampled_from([date(2026, 11, 20), date(2026, 11, 19), date(2026, 11, 1)]),
        number=st.integers(0, 25),
    ),
    max_size=12,
)


def controlled(folder: Path) -> Context:
    """Return an organisation with money, three operators, limits, and a new account."""
    rules = Rules(countries=COUNTRIES, approval_cents=LIMIT_CENTS)
    context = make_organisation(folder, rules=rules)
    give(context, 1_000_000)
    post_entry(context, opening_entry(date(2026, 4, 30), {(BANK, Fund.OTHER): OPENING_CENTS}))
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    add_account(kit(context), "assets:mine", meaning="Mine.")
    return context


def lost_of(entry: JournalEntry) -> int:
    """Return by how much an entry lowers the accounts of before the limits, counted by hand.

    Of `projects`, also what other funds get.
    """
    ours = [p for p in entry.postings if p.account in FIRST_ACCOUNTS]
    projects = [p for p in ours if p.fund is Fund.PROJECTS]
    return max(0, *(-sum(p.cents for p in part) for part in (ours, projects)))


@fewer_examples(3)
@given(acts)
def test_money_out_alone_never_passes_the_limits(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Act]
) -> None:
    """Refusals of the program keep every sum below its limit, and the verifier agrees."""
    folder = tmp_path_factory.mktemp("law")
    context = controlled(folder)
    start = context.store.read_once().log.size()

    for act in drawn:
        with suppress(JaraError):
            ACTS[act.what](context, act)

    with context.store.read() as work:
        entries = [one.entry for one in work.journal.in_log_order() if one.index >= start]
    losses = [lost_of(entry) for entry in entries]
    by_day: Counter[date] = Counter()
    for entry, lost in zip(entries, losses, strict=True):
        by_day[entry.day] += lost
    assert max(losses, default=0) < LIMIT_CENTS
    assert sum(losses) < LIMIT_CENTS  # all were booked on one day
    assert max(by_day.values(), default=0) < LIMIT_CENTS
    assert_good(context, folder, by="ada")
    context.store.close()
