"""What an auditor asks of the books, and signs off by their own key."""

from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.checks.log import read_leaf
from jara.domain.errors import Conflict, InvalidInput, Refused
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog.leaves import LeafType
from jara.domain.reports.parts import ReportPeriod
from jara.services.bank.answering import book_line, list_waiting
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.auditing import Filters, list_entries, list_missing
from jara.services.operations.signing_off import Opinion, close_audit, list_signed, note_entry
from jara.services.operations.years import close_year
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as
from tests.harness import clock_of, copy_of, make_organisation
from tests.services.ballots.voting_world import add_former_payer
from tests.services.bank.bank_books import take
from tests.services.giving.joiners import take_cash
from tests.services.operations.controlled_world import grant, make_controlled, verify, waiting_grant

YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
ADA = "ada@example.org"


@pytest.fixture
def context(place: Path) -> Context:
    """Six keys with different roles, and a limit of $10."""
    return copy_of(make_controlled, place)


def test_an_entry_has_its_signers_and_the_hand_that_matched_it(context: Context) -> None:
    """What a second person signed is not alone; a line that somebody answered is by hand."""
    grant(context, "kit", 300)
    approve_as(context, waiting_grant(context, cents=2_000), "ben")
    take(acting(context, "kit"), a_statement(a_line(-120, "TEA", day=20)))
    (tea,) = list_waiting(context)
    waiting = [one for one in list_missing(context, YEAR) if one.what == "match"]
    assert [(one.subject, one.cents, one.text) for one in waiting] == [(tea.id, -120, "TEA")]
    book_line(acting(context, "ada"), tea.id, [Part("expenses:operations")], why="Tea")

    found = list_entries(context, YEAR, Filters())

    people = {one.cents: (one.asked_by, one.signed_by, one.by_hand) for one in found}
    assert people[300] == ("kit", (), "posted")
    assert people[2_000] == ("kit", ("ben",), "posted")
    assert people[120] == ("ada", (), "matched")
    alone = list_entries(context, YEAR, Filters(alone=True))
    assert sorted(one.cents for one in alone) == [120, 300]


def test_a_month_whose_statement_agrees_with_the_books_is_not_missing(context: Context) -> None:
    """The next one, which has none, is; those before the first entry are not."""
    take(acting(context, "kit"), a_statement(first=date(2026, 5, 1), last=date(2026, 5, 31)))

    missing = list_missing(context, ReportPeriod(date(2026, 5, 1), date(2026, 6, 30)))

    assert [(one.subject[-7:], one.text) for one in missing] == [("2026-06", "no statement")]
    assert list_missing(context, ReportPeriod(date(2025, 1, 1), date(2025, 12, 31))) == []


def test_a_payment_without_a_sent_receipt_is_missing(place: Path) -> None:
    """From the oldest receipt on that is kept; one that was reversed needs none."""
    context = make_organisation(place)
    take_cash(context)
    add_former_payer(context, "ada")
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    receive(context, ADA, 1000, name="1")
    assert list_missing(context, YEAR) == []
    with context.store.write() as work:
        for email in work.outbox.all(unsent_only=True):
            work.outbox.sent(email.id, at=context.now())
    clock_of(context).advance(days=1)
    unsent, wrong = (receive(context, ADA, 1000, name=name).posted for name in ("2", "3"))
    reverse_entry(context, wrong.id, why="typo")

    (missing,) = list_missing(context, YEAR)

    assert (missing.what, missing.subject, missing.cents) == ("receipt", unsent.id, 1000)


def test_an_auditor_notes_an_entry_and_gives_an_opinion(context: Context, tmp_path: Path) -> None:
    """Both are leaves signed by the auditor; the leaf of a note has a hash of the text alone."""
    entry = grant(context, "kit", 300)
    ann = acting(context, "ann")
    noted = note_entry(ann, entry.id, "No second quote was asked for.")
    clock_of(context).set(clock_of(context).now().replace(year=2027))
    close_year(acting(context, "ada"), 2026)

    closed = close_audit(ann, 2026, Opinion.QUALIFIED, "But for the quotes.")

    with context.store.read() as work:
        assert list_signed(work) == [noted, closed]
        note, opinion = [read_leaf(one.body) for one in work.log.leaves_of(LeafType.AUDIT)]
        (row,) = work.operations.audit(action="audit.note")
    salted = bytes.fromhex(row.after["salt"]) + noted.text.encode()
    assert (note["what"], note["hash"]) == ("note", sha256(salted).hexdigest())
    assert (opinion["year"], opinion["opinion"]) == (2026, "qualified")
    assert "quote" not in str(note)
    assert verify_books(context).ok
    status, printed = verify(context, tmp_path)
    assert status == 0, printed


def test_only_an_auditors_key_signs_off(context: Context) -> None:
    """An admin cannot write the opinion on their own books; an open year has none."""
    entry = grant(context, "kit", 300)

    for name in ("ada", "kit", "ben"):
        with pytest.raises(Refused):
            note_entry(acting(context, name), entry.id, "Fine.")
    with pytest.raises(InvalidInput):
        note_entry(acting(context, "ann"), entry.id, " ")
    with pytest.raises(Conflict, match="not closed"):
        close_audit(acting(context, "ann"), 2026, Opinion.UNQUALIFIED)
