"""The books are the same whatever the order of files, rows and sources of refunds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.files.ledger.journal_reader import read_journal
from jara.files.reading import FileReport
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.entry_importing import import_entries
from jara.services.books.imports import ImportOutcome
from jara.services.books.posting import Books
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from tests.harness import make_organisation
from tests.places import NewPlace, leave
from tests.rows import NOON, a_row
from tests.services.books.ledger_builders import (
    account_sums,
    all_entries,
    book,
    contents,
    funds,
    give,
    journal_of,
)
from tests.sizes import fewer_examples

Item = tuple[str, int, int]
"""The next event: its kind, the charge it is about, and an amount in cents."""

_items = st.tuples(
    st.sampled_from(["charge", "charge", "refund", "dispute", "won", "failed", "fee", "nothing"]),
    st.integers(0, 5),
    st.integers(1, 300),
)
_REVERSALS = {"won": ("dispute", "dispute_reversal"), "failed": ("refund", "refund_failure")}


def history_of(items: Iterable[Item]) -> list[ProviderRow]:
    """Return one movement a day; no charge is refunded beyond its amount."""
    rows: list[ProviderRow] = []
    charges: list[str] = []
    left: Counter[str] = Counter()
    for number, (what, which, cents) in zip(count(), items, strict=False):
        row = a_row("fee", -cents, 0, txn_id=f"txn_{number}", source_id=None)
        row = row._replace(created=NOON + timedelta(days=number))
        charge = charges[which % len(charges)] if charges else None
        if what == "charge":
            charges.append(f"ch_{number}")
            left[charges[-1]] = 1000
            row = a_row("charge", 1000, 59)._replace( created=row.created, txn_id=row.txn_id,
                source_id=charges[-1], charge_id=charges[-1],
            )  # fmt: skip
        elif what == "nothing":
            row = row._replace(amount=0, net=0)
        elif what in {"refund", "dispute"} and charge and left[charge] >= cents:
            left[charge] -= cents
            row = row._replace(
                category=RowCategory(what), source_id=f"{what}_{number}", charge_id=charge
            )
        elif what in _REVERSALS:
            earlier, later = _REVERSALS[what]
            known = {row.source_id for row in rows if row.category == later}
            open_ = [r for r in rows if r.category == earlier and r.source_id not in known]
            if not open_:
                continue
            of = open_[0]
            left[of.charge_id or ""] -= of.amount
            row = row._replace( category=RowCategory(later), amount=-of.amount, net=-of.net,
                source_id=of.source_id, charge_id=of.charge_id,
            )  # fmt: skip
        rows.append(row)
    return rows


def state_of(context: Context) -> object:
    """Return the set of entries, each fund's balance and the remainder of each payment."""
    with context.store.read() as work:
        paid = {
            source: (record.cents, record.returned_cents)
            for source, record in work.payments.by_source([f"ch_{n}" for n in range(40)]).items()
        }
    return contents(context), funds(context), account_sums(context), paid


def rebuild(source: Context, target: Context) -> None:
    """Rebuild books from the journal of others."""
    entries = read_journal(journal_of(source), "books.journal", FileReport())
    assert import_entries(target, entries).rejected == ()


def in_files(rows: Sequence[ProviderRow], cuts: Sequence[int]) -> list[list[ProviderRow]]:
    """Divide rows over files by the given file numbers."""
    files: list[list[ProviderRow]] = [[] for _ in range(3)]
    for row, cut in zip(rows, [*cuts, *[0] * len(rows)], strict=False):
        files[cut].append(row)
    return files


@fewer_examples(4)
@given(
    items=st.lists(_items, min_size=3, max_size=25),
    cuts=st.lists(st.integers(0, 2), max_size=25),
    order=st.permutations(range(3)),
    known=st.integers(0, 12),
)
def test_any_order_and_mixture_of_files_gives_one_set_of_entries(
    new_place: NewPlace, items: list[Item], cuts: list[int], order: list[int], known: int
) -> None:
    """Refunds before payments, rows of $0 first, and books rebuilt from a journal are included."""
    rows = history_of(items)
    folders = [new_place() for _ in range(3)]
    in_time, before, mixed = map(make_organisation, folders)
    book(in_time, *rows)
    if known:
        book(before, *rows[:known])
        rebuild(before, mixed)
    files = in_files(rows, cuts)

    for number in [*order, *order]:  # the second time nothing is new
        assert book_rows(mixed, files[number], partial=True).rejected == ()

    assert state_of(in_time) == state_of(mixed)
    assert verify_books(mixed).findings == ()
    for context, folder in zip((in_time, before, mixed), folders, strict=True):
        context.store.close()
        leave(folder)  # hundreds of examples would fill the disk of a server


def a_refund(cents: int = 400, name: str = "1") -> ProviderRow:
    """Return a refund of the charge ``ch_1``."""
    return a_row("refund", -cents, 0, txn_id=f"txn_r{name}", source_id=f"re_{name}",
                 charge_id="ch_1")  # fmt: skip


def test_a_refund_before_its_payment_waits_by_name(context: Context) -> None:
    """Nothing is booked; the outcome and `verify` name the refund once, however often it comes."""
    for _ in range(2):
        outcome = book(context, a_refund())
        assert (outcome.read, outcome.posted, outcome.skipped, outcome.waiting) == (
            1,
            0,
            1,
            ("refund re_1 of ch_1",),
        )

    assert all_entries(context) == []
    (finding,) = verify_books(context).findings
    assert finding.message == (
        "The refund re_1 of ch_1, $4.00, waits for the payment ch_1; import the file that has it."
    )


def test_a_waiting_refund_is_booked_with_its_payment(context: Context) -> None:
    """It is booked on its own day against the payment's funds; then nothing waits."""
    book(context, a_refund(300, "2"), a_refund()._replace(created=NOON + timedelta(1)))

    give(context, 1000)

    entries = all_entries(context)
    assert [entry.external_id for entry in entries] == ["txn_1", "txn_r2", "txn_r1"]
    assert entries[1].of == entries[2].of is not None
    assert account_sums(context)["income:pledges"] == -300
    assert verify_books(context).findings == ()


def by_hand(context: Context) -> PostedEntry:
    """Post an entry by hand that has the transaction id of a refund."""
    with context.store.write() as work:
        return Books(context, work).post(
            JournalEntry(
                day=NOON.date(),
                kind=EntryKind.MANUAL,
                description="Refund of an old payment",
                postings=(
                    Posting("assets:stripe", Fund.OTHER, -400),
                    Posting("income:gifts", Fund.OTHER, 400),
                ),
                external_id="txn_r1",
            )
        )


def test_a_refund_booked_by_hand_stops_waiting(context: Context) -> None:
    """An entry with the refund's transaction id replaces it."""
    book(context, a_refund())
    by_hand(context)
    assert verify_books(context).findings == ()

    give(context, 1000)

    assert len(all_entries(context)) == 2
    assert verify_books(context).findings == ()


def test_a_refund_reversed_by_hand_keeps_waiting(context: Context) -> None:
    """The refund is in the books no more, so that `verify` names it."""
    book(context, a_refund())
    reverse_entry(context, by_hand(context).id, why="wrong")

    give(context, 1000)

    assert [found.where for found in verify_books(context).findings] == ["refund re_1 of ch_1"]


def test_a_refund_before_every_policy_keeps_waiting(context: Context) -> None:
    """A refund from before every fund policy keeps waiting; its payment is booked."""
    book(context, a_refund()._replace(created=NOON.replace(year=1999)))

    give(context, 1000)

    assert len(all_entries(context)) == 1
    assert [found.check for found in verify_books(context).findings] == ["waiting_returns"]


def test_a_refund_without_a_charge_waits_until_a_file_names_it(context: Context) -> None:
    """The balance history may not name the charge; the itemised balance change does."""
    give(context, 1000)
    nameless = a_refund()._replace(charge_id=None)

    assert book(context, nameless).waiting == ("refund re_1",)
    (finding,) = verify_books(context).findings
    assert finding.message == (
        "The refund re_1, $4.00, waits for its payment, which its file does not name; "
        "import the itemised balance change, which does."
    )
    assert book(context, a_refund()).posted == 1
    assert all_entries(context)[1].of is not None
    assert book(context, nameless).waiting == ()
    assert verify_books(context).findings == ()


@pytest.mark.parametrize("category", ["refund", "dispute"])
def test_the_charge_as_source_names_the_payment(context: Context, category: str) -> None:
    """The balance history gives the charge itself as the source of its refund or dispute."""
    give(context, 1000)
    row = a_row(category, -400, 0, txn_id="txn_r", source_id="ch_1")

    assert book(context, row).posted == 1

    assert all_entries(context)[1].of is not None
    named = row._replace(source_id="x_1", charge_id="ch_1")
    assert book(context, named).skipped == 1, "the itemised balance change has the same row"


def cumulated(cents: int, **changes: object) -> ProviderRow:
    """Return the refund of a Payments file."""
    row = a_row(
        "refund", -cents, 0, txn_id=None, source_id=None, charge_id="ch_1", cumulative=cents, line=2
    )
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def paid_row(**changes: object) -> ProviderRow:
    """Return the charge of a Payments file."""
    row = a_row("charge", 1000, 59, txn_id=None, source_id="ch_1", charge_id="ch_1", line=2)
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def test_a_refund_that_joins_a_known_payment_counts_as_posted(context: Context) -> None:
    """The item is skipped for its charge and posted for its refund."""
    book(context, paid_row())

    assert book(context, paid_row(), cumulated(400)) == ImportOutcome(1, 1, 0)
    assert book(context, paid_row(), cumulated(400)) == ImportOutcome(1, 0, 1)
    assert book(context, paid_row(), cumulated(700)) == ImportOutcome(1, 1, 0)
    assert [
        sum(p.cents for p in entry.postings if p.account == "income:pledges")
        for entry in all_entries(context)
    ] == [-1000, 400, 300]


def test_a_rejected_payment_takes_its_refund_along(context: Context) -> None:
    """One line is one item: rejected once, whichever of its rows is wrong."""
    bad_charge = [paid_row(charge_kind=None), cumulated(400)]
    bad_refund = [paid_row(), cumulated(400, currency="cad")]

    assert counts(book_rows(context, bad_charge, partial=True)) == (1, 0, 1)
    assert counts(book_rows(context, bad_refund, partial=True)) == (1, 0, 1)
    assert counts(book_rows(context, bad_refund, partial=True)) == (1, 0, 1)


def counts(outcome: ImportOutcome) -> tuple[int, int, int]:
    """Return the numbers read, posted and rejected; assert that nothing else was skipped."""
    assert outcome.read == outcome.posted + outcome.skipped + len(outcome.rejected)
    return outcome.read, outcome.posted, len(outcome.rejected)


def test_a_balance_row_finds_its_payment_in_the_payments_file(context: Context) -> None:
    """The balance row gives the payment its transaction id and its payout."""
    book(context, paid_row())
    row = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", payout_id="po_1")

    assert book(context, row).skipped == 1
    with context.store.read() as work:
        known = work.identities.by_txn(["txn_1"])["txn_1"]
    assert (known.txn_id, known.payout_id) == ("txn_1", "po_1")


def balance_refund(cents: int, number: int) -> ProviderRow:
    """Return a refund of the balance."""
    row = a_row("refund", -cents, 0, txn_id=f"txn_r{number}", source_id=f"re_{number}")
    return row._replace(charge_id="ch_1")


def test_refunds_match_a_cumulated_sum_in_both_directions(context: Context) -> None:
    """Each cent is booked once; refunds beyond the cumulated sum are new."""
    book(context, paid_row(), cumulated(500))

    assert book(context, balance_refund(200, 1), balance_refund(300, 2)).skipped == 2
    assert book(context, balance_refund(100, 3)).posted == 1
    assert book(context, paid_row(), cumulated(600)).skipped == 1
    assert account_sums(context)["income:pledges"] == -400


def test_refunds_without_a_charge_match_by_day_and_amount(context: Context) -> None:
    """Balance history and Payments file contain the same refund, in either order."""
    nameless = balance_refund(400, 1)._replace(charge_id=None)
    book(context, paid_row(), cumulated(400))
    assert book(context, nameless).skipped == 1
    assert book(context, nameless).skipped == 1
    other = nameless._replace(txn_id="txn_r2", source_id="re_2", amount=-50, net=-50)
    assert book(context, other).waiting == ("refund re_2",)


def test_a_cumulated_refund_names_one_that_waits(context: Context) -> None:
    """The one of another day waits on; each cent is booked once."""
    nameless = balance_refund(400, 1)._replace(charge_id=None)
    later = nameless._replace(txn_id="txn_r2", source_id="re_2", created=NOON + timedelta(1))
    book(context, nameless, later)

    assert book(context, paid_row(), cumulated(400)).posted == 1
    assert len(all_entries(context)) == 2
    assert book(context, balance_refund(400, 1)).skipped == 1
    assert [found.where for found in verify_books(context).findings] == ["refund re_2"]
    assert book(context, paid_row(), cumulated(700)).posted == 1


def test_equal_refunds_of_one_day_are_never_taken_for_each_other(context: Context) -> None:
    """Only a file that names the charge decides; until then the sum explains the nameless row."""
    other = paid_row()._replace(source_id="ch_2", charge_id="ch_2")
    of_other = balance_refund(400, 2)._replace(charge_id="ch_2")
    book(context, paid_row(), cumulated(400), other)

    assert book(context, of_other._replace(charge_id=None)).waiting == ()
    assert verify_books(context).findings == ()
    book(context, cumulated(400, charge_id="ch_2"), balance_refund(400, 1), of_other)

    assert account_sums(context)["income:pledges"] == -1200
    with context.store.read() as work:
        payments = work.payments.by_source(["ch_1", "ch_2"]).values()
        assert [payment.returned_cents for payment in payments] == [400, 400]
    assert verify_books(context).findings == ()


def test_a_dispute_is_the_same_in_both_files(context: Context) -> None:
    """The Payments file knows no fee: the balance's row adds it, in either order, once."""
    lost = paid_dispute()._replace(is_lost=True)
    balance = a_row("dispute", -1000, 1500, txn_id="txn_d", source_id="du_1", charge_id="ch_1")
    book(context, paid_row(), lost)
    assert account_sums(context)["assets:stripe"] == -59

    assert [book(context, balance).posted for _ in range(2)] == [1, 0]
    assert book(context, paid_row(), lost).posted == 0

    assert account_sums(context)["assets:stripe"] == -1559
    with context.store.read() as work:
        assert work.payments.by_source(["ch_1"])["ch_1"].dispute == "lost"


def paid_dispute() -> ProviderRow:
    """Return the dispute of a Payments file."""
    return a_row("dispute", -1000, txn_id=None, source_id=None, charge_id="ch_1",
                 cumulative=1000, line=2)  # fmt: skip


def test_a_lost_dispute_of_the_balance_is_closed_by_the_payments_file(context: Context) -> None:
    """No movement says that a dispute is lost, but the Payments file does."""
    balance = a_row("dispute", -1000, 1500, txn_id="txn_d", source_id="du_1", charge_id="ch_1")
    book(context, paid_row(), balance)

    assert book(context, paid_row(), paid_dispute()._replace(is_lost=True)).posted == 0

    with context.store.read() as work:
        assert work.payments.by_source(["ch_1"])["ch_1"].dispute == "lost"
