"""Members' contributions on a bank statement, and the charges that the bank takes off a line."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.bank.statement import StatementLine
from jara.domain.books.account import FEES, Fund
from jara.domain.errors import CardVoted, InvalidInput
from jara.domain.giving.payment_way import (
    ALPHABET,
    PaymentWay,
    make_reference,
    print_reference,
    references_in,
)
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.files.bank.writing import write_camt
from jara.services.ballots.casting import changemakers
from jara.services.bank.answering import book_line, list_waiting, match_with_entries
from jara.services.bank.importing import settle_again
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge
from jara.services.operations.import_undo import undo_import
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.files.bank.written_statements import read
from tests.services.ballots.voting_world import add_former_payer, open_vote, vote
from tests.services.bank.bank_books import compared, open_with, take, takes_transfers, waiting
from tests.services.bank.test_settling import spend
from tests.services.books.ledger_builders import all_entries, money_findings
from tests.services.giving.joiners import take_cash


def promised(context: Context, name: str) -> str:
    """Add a person who promises $10 a month by transfer; return the reference."""
    member = add_former_payer(context, name)
    pledge = promise(context, member.email, dollars=10, way=PaymentWay.TRANSFER)
    return print_reference(pledge.reference or "")


def pledge_of(context: Context, name: str) -> Pledge:
    """Return a person's pledge."""
    with context.store.read() as work:
        pledge = work.pledges.get(work.members.find(f"{name}@example.org").id)
    assert pledge is not None
    return pledge


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that accepts transfers, at the end of May."""
    return takes_transfers(place)


def test_a_reference_books_a_contribution(context: Context) -> None:
    """Each line with the reference is booked, even two on one day; the member may vote."""
    reference = promised(context, "ada")
    lines = [a_line(1000, f"GIFT {reference}", day=4), a_line(1000, f"GIFT {reference}", day=4)]
    settled = take(context, a_statement(*lines)).settled

    assert (settled.by_member, settled.waiting) == (2, 0)
    assert (pledge_of(context, "ada").state, pledge_of(context, "ada").next_charge_on) == (
        PledgeState.ACTIVE,
        date(2026, 7, 4),
    )
    with context.store.read() as work:
        assert changemakers(work, context.now()).count == 1
    assert compared(context).difference_cents == 0
    assert money_findings(context) == []
    assert take(context, a_statement(*lines)).added == 0


def test_a_reference_that_is_cut_off_needs_the_account(context: Context) -> None:
    """A truncated reference needs its first group, a known payer's account and the amount."""
    one, two = promised(context, "ada"), promised(context, "bo")
    account, other = "GB33BUKB20201555555555", "GB94BARC10201530093459"

    def cut(cents: int, text: str, payer: str, day: int) -> StatementLine:
        return a_line(cents, text, day=day, party_account=payer)

    first = a_statement(cut(1000, f"GIFT {one[:-4]}", account, 2), last=date(2026, 5, 2))
    before = take(context, first).settled
    assert (before.by_member, before.waiting) == (0, 1)

    lines = [
        cut(1000, f"GIFT {one}", account, 3),
        cut(1000, f"GIFT {one[:-4]}", account, 4),
        cut(1000, f"GIFT {one[:-4]}", other, 5),
        cut(1000, f"GIFT {one[:3]}", account, 6),
        cut(900, f"GIFT {one[:-4]}", account, 7),
        cut(-1000, f"RETURN {one[:-4]}", account, 8),
        a_line(1000, f"GIFT {two[:-4]}", day=9),
    ]
    settled = take(context, a_statement(*lines, opening=1000, first=date(2026, 5, 3))).settled

    assert (settled.by_member, settled.waiting) == (3, 5)
    assert money_findings(context) == []


def test_a_word_before_a_cut_reference_does_not_hide_it(context: Context) -> None:
    """Once in 31 times a word such as JARA and the first group look like another reference."""
    reference, account = promised(context, "ada"), "GB33BUKB20201555555555"
    (word,) = [f"JAR{last}" for last in ALPHABET if any(references_in(f"JAR{last}{reference[:4]}"))]
    texts = (f"GIFT {reference}", f"GIFT {word} {reference[:-4]}")
    lines = [
        a_line(1000, text, day=day, party_account=account)
        for day, text in enumerate(texts, start=3)
    ]

    assert take(context, a_statement(*lines)).settled.by_member == 2


def test_a_name_alone_books_nothing(context: Context) -> None:
    """A name, a mistyped or truncated reference, or two references book nothing."""
    one, two = promised(context, "ada"), promised(context, "bo")
    texts = [
        "ADA TEST",
        one[:-1],
        one[:-2] + one[:-3:-1],
        f"{one} {two}",
        print_reference(make_reference(b"zzzzzz")),
    ]
    lines = [a_line(1000 + n, text, party="Ada Test") for n, text in enumerate(texts)]
    take(context, a_statement(*lines))

    assert len(texts) == len(waiting(context))


def test_a_payment_that_was_booked_by_hand_is_matched(context: Context) -> None:
    """A line of the same month matches; one of the next month is another contribution."""
    reference = promised(context, "ada")
    receive(context, reference, 1000, day=date(2026, 5, 3))
    lines = [a_line(1000, reference, day=5), a_line(1000, reference, day=30)]
    settled = take(context, a_statement(*lines)).settled

    assert (settled.by_entry, settled.by_member) == (1, 1)
    assert len(all_entries(context)) == 2


def test_a_transfer_that_comes_back_is_a_refund(context: Context) -> None:
    """A transfer that the bank returned refunds the payment of that amount; it ends the vote."""
    reference = promised(context, "ada")
    lines = [
        a_line(1000, reference, day=4),
        a_line(-1000, f"RETURN {reference}", day=9, is_reversal=True),
        a_line(-1000, f"RETURN AGAIN {reference}", day=10, is_reversal=True),
    ]
    take(context, a_statement(*lines))
    entries = all_entries(context)

    assert [entry.kind for entry in entries] == ["pledge", "refund"]
    ((cents, reason),) = waiting(context)
    assert cents == -1000
    assert f"No payment of $10.00 by {reference} can go back." in reason
    with context.store.read() as work:
        assert changemakers(work, context.now()).count == 0


def test_cash_is_not_given_back_by_the_bank(context: Context) -> None:
    """A returned transfer refunds a transfer, not a cash payment."""
    take_cash(context)
    reference = promised(context, "ada")
    promise(context, "ada@example.org", dollars=10, way=PaymentWay.CASH)
    receive(context, reference, 1000)
    take(context, a_statement(a_line(-1000, reference), opening=1000))

    assert len(waiting(context)) == 1


def test_a_pledge_that_ended_receives_nothing(context: Context) -> None:
    """A payment to an ended pledge, such as a forgotten standing order, waits for a person."""
    reference, gone = promised(context, "ada"), promised(context, "bo")
    cancel_pledge(context, pledge_of(context, "ada").member_id)
    with context.store.write() as work:
        work.members.erase(work.members.find("bo@example.org").id)
    take(context, a_statement(a_line(1000, reference), a_line(900, gone)))

    assert f"The pledge {reference} has ended." in waiting(context)[0][1]
    assert settle_again(context).waiting == 2


def test_one_account_has_one_ballot(context: Context) -> None:
    """Several members paid from one account have one vote, as with one card."""
    open_vote(context, endDate="2999-12-31")
    references = [promised(context, name) for name in ("ada", "bo", "cy")]
    lines = [
        a_line(1000, reference, day=4, party_account=account)
        for reference, account in zip(references, [NUMBER, f"DE89 {NUMBER[4:]}", ""], strict=True)
    ]
    take(context, a_statement(*lines))
    with context.store.read() as work:
        ada, bo, cy = (work.members.find(f"{name}@example.org") for name in ("ada", "bo", "cy"))
    vote(context, ada)

    assert NUMBER not in (pledge_of(context, "ada").card_fingerprint or "")
    with pytest.raises(CardVoted):
        vote(context, bo)
    vote(context, cy)


def test_a_strangers_cent_does_not_change_who_pays(context: Context) -> None:
    """Otherwise a voter could keep others from voting by paying a cent for them."""
    one, two = promised(context, "ada"), promised(context, "bo")
    lines = [
        a_line(1000, one, day=4, party_account=NUMBER),
        a_line(1000, two, day=4, party_account="DE02120300000000202051"),
        a_line(1, two, day=5, party_account=NUMBER),
    ]
    take(context, a_statement(*lines))

    cards = {pledge_of(context, name).card_fingerprint for name in ("ada", "bo")}
    assert len(cards) == 2


PAYER = "DE43500105170009876543"


@pytest.mark.parametrize(
    "text",
    [
        "NTRFNONREF//B2\n:86:166?20SVWZ+{reference}?31" + PAYER,
        "NTRFNONREF//B2\n:86:051?20{reference}?3050010517?319876543",
        "NTRFNONREF//B2\n:86:073~20{reference}~38" + PAYER,
        "NTRFNONREF//B2\n:86:/TRTP/SEPA/IBAN/" + PAYER + "/NAME/Bo/REMI/{reference}",
        "NTRFEREF//B2\n:86:/EREF/1//CNTP/" + PAYER + "/BIC/Bo///REMI/USTD//{reference}/",
        "N541NONREF//B2\n" + PAYER + "\n:86:/ORDP//NAME/Bo/REMI/{reference}",
        "NIDB" + PAYER + "\nbo\n:86:{reference}",
    ],
)
def test_two_members_of_one_account_have_one_ballot(context: Context, text: str) -> None:
    """The first pays on a statement of CAMT, the second on one of MT940."""
    open_vote(context, endDate="2999-12-31")
    ada, bo = promised(context, "ada"), promised(context, "bo")
    early = a_statement(
        a_line(1000, ada, day=4, party_account=PAYER, bank_ref="B1"), last=date(2026, 5, 10)
    )
    late = (
        f":20:S\n:25:{NUMBER}\n:28C:1/1\n:60F:C260510USD10,00\n"
        f":61:2605200520C10,00{text.format(reference=bo)}\n:62F:C260531USD20,00\n-\n"
    )
    take(context, *read(write_camt([early])))
    settled = take(context, *read(late.encode())).settled
    with context.store.read() as work:
        members = [work.members.find(f"{name}@example.org") for name in ("ada", "bo")]

    assert settled.by_member == 1
    vote(context, members[0])
    with pytest.raises(CardVoted):
        vote(context, members[1])


def fees(context: Context) -> int:
    """Return what the books have in charges."""
    postings = [p for posted in all_entries(context) for p in posted.postings]
    return sum(p.cents for p in postings if p.account == FEES)


def test_a_charge_leaves_the_contribution_whole(context: Context) -> None:
    """A member who gave 10.00 has paid the month, although 9.41 arrived."""
    reference = promised(context, "ada")
    statement = a_statement(a_line(941, reference, day=4, fee_cents=59))
    outcome = take(context, statement)

    assert (outcome.settled.by_member, outcome.settled.waiting) == (1, 0)
    assert pledge_of(context, "ada").state is PledgeState.ACTIVE
    assert fees(context) == 59
    assert compared(context).difference_cents == 0
    assert money_findings(context) == []


def test_an_undone_import_takes_its_charges_back(context: Context) -> None:
    """The same file can be imported again, with its charges once."""
    statement = a_statement(a_line(941, promised(context, "ada"), day=4, fee_cents=59))
    outcome = take(context, statement)

    undo_import(context, outcome.id, why="wrong file")
    assert fees(context) == 0
    take(context, statement)
    assert fees(context) == 59
    assert compared(context).difference_cents == 0


def test_a_return_with_a_charge_refunds_the_gift(context: Context) -> None:
    """The bank takes its charge with the money that it returns."""
    reference = promised(context, "ada")
    lines = [
        a_line(1000, reference, day=4),
        a_line(-1300, f"RETURN {reference}", day=6, is_reversal=True, fee_cents=300),
    ]
    settled = take(context, a_statement(*lines)).settled

    assert (settled.by_member, settled.waiting) == (2, 0)
    assert pledge_of(context, "ada").state is not PledgeState.ACTIVE
    assert fees(context) == 300
    assert compared(context).difference_cents == 0


@pytest.mark.parametrize(
    "parts",
    [
        [Part("expenses:operations")],
        [Part("expenses:operations", None, 4000)],
        [Part("expenses:operations", None, 4000), Part(FEES, Fund.OTHER, 40)],
    ],
)
def test_a_line_that_is_booked_by_hand_has_its_charge_once(
    context: Context, parts: list[Part]
) -> None:
    """The parts are those of the amount without the charge, or of all of it."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-4040, "HOST", day=4, fee_cents=40), opening=10_000))
    (line,) = list_waiting(context)

    book_line(context, line.id, parts, why="Asked for")

    assert fees(context) == 40
    assert compared(context).difference_cents == 0


def test_a_line_that_is_matched_by_hand_has_its_charge(context: Context) -> None:
    """The entry has the amount without the charge."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-4040, "HOST", day=4, fee_cents=40), opening=10_000))
    (line,) = list_waiting(context)

    match_with_entries(context, line.id, [spend(context, 4000).id])

    assert fees(context) == 40
    assert compared(context).difference_cents == 0


def test_rebuilt_books_have_each_charge_once(context: Context) -> None:
    """An entry names its line, and so does its charge: the file books neither again."""
    statement = a_statement(a_line(941, promised(context, "ada"), day=4, fee_cents=59))
    take(context, statement)
    with context.store.write() as work:
        work.sql.run("DELETE FROM bank_matches")
        work.sql.run("DELETE FROM bank_lines")

    assert take(context, statement).settled.by_entry == 1
    assert fees(context) == 59
    assert compared(context).difference_cents == 0


def test_a_line_that_the_bank_takes_back_must_not_be_stored(context: Context) -> None:
    """An earlier file brought it: its payment would stand for ever."""
    reference = promised(context, "ada")
    first = a_statement(a_line(1000, reference, day=4, bank_ref="F1"), last=date(2026, 5, 10))
    take(context, first)

    second = a_statement(a_line(-500, "HOST", day=12), opening=None)
    with pytest.raises(InvalidInput, match="The bank corrects the line"):
        take(context, second._replace(corrected=("F1",)))
