"""Operators approve, refuse and pay claims; the books owe what is approved."""

import threading
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import BANK
from jara.domain.books.journal import PostedEntry
from jara.domain.claim import number_of
from jara.domain.errors import Conflict, InvalidInput, JaraError
from jara.domain.field_report import ReportState
from jara.domain.papers import PaperKind
from jara.records.operations import Approval, Operator
from jara.services.approvals import approve, find_obstacle, list_approvals, refuse
from jara.services.bank.answering import list_waiting
from jara.services.bank.importing import import_statements
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.papers import list_documents
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.field.claim_views import show_claim
from jara.services.field.claimants import add_purpose, erase_claimant, give_link, list_purposes
from jara.services.field.repaying import Decision, OwnClaim, approve_claim, pay_claim, refuse_claim
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.operations.years import close_year
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as
from tests.services.operations.controlled_world import verify
from tests.webapi.desk import Desk, open_desk
from tests.webapi.desk_board import SITE, make_board
from tests.webapi.field.claims_world import (
    EMAIL,
    FOOD,
    KOFI,
    PHOTO,
    claim_body,
    claim_phone,
    claims_of,
)
from tests.webapi.field.field_world import KEY, FieldPhoto, field_photo, open_phone

AS_IT_IS = Decision()


def claimed(desk: Desk, **changes: Any) -> str:
    """Let a claim arrive; return its id."""
    claim_phone(desk).claim(**changes)
    return claims_of(desk)[0].row.id


def operator_of(desk: Desk, name: str = "ada", *, limit: int | None = None) -> Context:
    """Return the context of an operator, perhaps with a limit."""
    context = desk.application.context
    return replace(context, operator=name, rules=context.rules._replace(approval_cents=limit))


def booked(done: PostedEntry | Approval) -> list[tuple[str, int]]:
    """Return the postings of an entry; the account of a claimant without its number."""
    assert isinstance(done, PostedEntry)
    rows = [(one.account, one.cents) for one in done.entry.postings]
    return [(name.replace(name[19:], "*") if "claims" in name else name, c) for name, c in rows]


def owed(context: Context) -> int:
    """Return what the books owe claimants, in cents."""
    with context.store.read() as work:
        return -sum(row.cents for row in work.journal.balances(accounts=("liabilities:claims",)))


def emails(context: Context) -> list[str]:
    """Return the state of each email about a claim, and its address."""
    with context.store.read() as work:
        found = [one for one in work.outbox.all(unsent_only=False) if one.kind == "claim_decided"]
    assert {one.address for one in found} <= {EMAIL}
    return sorted(str(one.doc["state"]) for one in found)


def test_an_approved_claim_is_owed_and_then_paid(own: Desk) -> None:
    """Two entries, and the books are in order; the account number goes with the payment."""
    claim, ada = claimed(own), operator_of(own)
    approved = approve_claim(ada, claim, AS_IT_IS)
    between = (show_claim(ada, claim).row.state, owed(ada))
    assert isinstance(approved, PostedEntry)
    paid = pay_claim(ada, claim)
    view = show_claim(ada, claim)

    (paper,) = list_documents(ada, approved.id)
    assert (paper.kind, paper.sha256) == (PaperKind.RECEIPT, view.photos[0].sha256)
    assert view.photos[0].data is not None
    assert booked(approved) == [("expenses:operations", 4550), ("liabilities:claims:*", -4550)]
    assert (approved.entry.day, approved.entry.note) == (date(2026, 11, 3), FOOD)
    assert between == (ReportState.APPROVED, 4550)
    assert booked(paid) == [("liabilities:claims:*", 4550), (BANK, -4550)]
    assert (view.row.state, view.repay_to, owed(ada)) == (ReportState.PAID, "", 0)
    assert emails(ada) == ["approved", "paid"]
    assert verify_books(ada).findings == ()


def test_a_claim_whose_photos_are_on_the_phone_is_not_decided(own: Desk) -> None:
    """The operator hears that something of it is still to come."""
    claim_phone(own).call("PUT", f"/claims/{KEY}", json=claim_body(PHOTO))
    (view,) = claims_of(own)

    with pytest.raises(Conflict, match=f"Photos of {view.row.id} are still on the phone"):
        approve_claim(operator_of(own), view.row.id, AS_IT_IS)


def test_a_photo_that_cannot_be_read_is_no_document(own: Desk) -> None:
    """The operator may approve the claim all the same."""
    approved = approve_claim(
        operator_of(own), claimed(own, photo=FieldPhoto(b"no photo")), AS_IT_IS
    )

    assert isinstance(approved, PostedEntry)
    assert list_documents(operator_of(own), approved.id) == []


def test_a_refused_claim_keeps_neither_photo_nor_account(own: Desk) -> None:
    """The claimant reads why, on the page and by email."""
    claim, ada = claimed(own), operator_of(own)
    with pytest.raises(InvalidInput, match="Say why, for the claimant"):
        refuse_claim(ada, claim, reason=" ")
    refuse_claim(ada, claim, reason="The receipt is of another shop.")
    view = show_claim(ada, claim)

    assert (view.row.state, view.reason) == (ReportState.REFUSED, "The receipt is of another shop.")
    assert (view.repay_to, [one.data for one in view.photos]) == ("", [None])
    assert emails(ada) == ["refused"]


@pytest.mark.parametrize("is_known_by", ["name", "address"])
def test_nobody_decides_on_their_own_claim(own: Desk, is_known_by: str) -> None:
    """An operator is the claimant by name, whatever its case, or by address."""
    claim, name = claimed(own), "KOFI ADDO" if is_known_by == "name" else "ada"
    ada = operator_of(own, name)
    with ada.store.write() as work:
        address = EMAIL if is_known_by == "address" else ""
        work.operations.put_operator(Operator(name, ada.now(), email=address))

    for act in (
        lambda: approve_claim(ada, claim, AS_IT_IS),
        lambda: refuse_claim(ada, claim, reason="Mine"),
    ):
        with pytest.raises(OwnClaim, match="somebody else decides"):
            act()
    assert show_claim(ada, claim).row.state is ReportState.WAITING


def test_above_a_limit_a_claim_waits_for_another_operator(own: Desk) -> None:
    """The approval names no person; whoever reads it sees the claimant, who may not sign either."""
    claim = claimed(own)
    ada, ben = operator_of(own, limit=4000), operator_of(own, "ben", limit=4000)
    waiting = approve_claim(ada, claim, AS_IT_IS)
    assert isinstance(waiting, Approval)
    shown = show_approval(ada, waiting.id)
    with pytest.raises(Conflict, match="waits for another operator"):
        approve_claim(ben, claim, AS_IT_IS)
    with pytest.raises(OwnClaim):
        approve(operator_of(own, KOFI, limit=4000), waiting.id, handlers=HANDLERS)
    still = show_claim(ada, claim)
    approve(ben, waiting.id, handlers=HANDLERS)

    assert KOFI not in str(waiting.payload)
    assert [row["sha256"] for row in waiting.payload["documents"]] == [still.photos[0].sha256]
    assert (shown["person"], shown["effect"]) == (
        KOFI,
        "An expense of $45.50 that a volunteer paid is approved, for Food for meetings.",
    )
    assert (still.row.waits, still.row.state) == (True, ReportState.WAITING)
    assert show_claim(ada, claim).row.state is ReportState.APPROVED
    assert owed(ada) == 4550


def test_paying_above_a_limit_waits_too(own: Desk) -> None:
    """Money that leaves the account counts, whatever was signed before."""
    claim = claimed(own)
    ada, ben = operator_of(own, limit=4000), operator_of(own, "ben", limit=4000)
    approve(ben, approve_claim(ada, claim, AS_IT_IS).id, handlers=HANDLERS)
    waiting = pay_claim(ada, claim)
    assert isinstance(waiting, Approval)
    approve(ben, waiting.id, handlers=HANDLERS)

    assert show_claim(ada, claim).row.state is ReportState.PAID
    assert verify_books(ada).findings == ()


def test_a_claim_whose_approval_was_refused_can_be_approved_again(own: Desk) -> None:
    """The claim goes on waiting; a claim that was refused makes a waiting approval impossible."""
    claim, ada, ben = (
        claimed(own),
        operator_of(own, limit=4000),
        operator_of(own, "ben", limit=4000),
    )
    refuse(ben, approve_claim(ada, claim, AS_IT_IS).id, why="Ask the board.")
    again = approve_claim(ada, claim, AS_IT_IS)
    assert isinstance(again, Approval)
    assert show_claim(ada, claim).photos[0].data is not None
    with ada.store.write() as work:
        report = work.field.find_report(claim, of_claims=True)
        work.field.put_report(report._replace(state=ReportState.REFUSED))

    assert "is refused" in find_obstacle(ben, list_approvals(ada)[0], HANDLERS)


def test_two_treasurers_book_a_claim_once(own: Desk) -> None:
    """One of them reads that it is approved."""
    claim = claimed(own)
    done: list[object] = []

    def act(name: str) -> None:
        try:
            done.append(booked(approve_claim(operator_of(own, name), claim, AS_IT_IS)))
        except JaraError as error:
            done.append(error.message)

    threads = [threading.Thread(target=act, args=(name,)) for name in ("ada", "ben")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(isinstance(one, list) for one in done) == 1
    assert f"The claim {claim} is approved." in done
    assert owed(own.application.context) == 4550


def test_a_claim_in_a_currency_without_a_rate_needs_one(own: Desk) -> None:
    """The operator says what it cost, and where the rate is from; the entry has both amounts."""
    claim, ada = claimed(own, currency="KES", amount="4500"), operator_of(own)
    with pytest.raises(InvalidInput, match="what it cost in USD: --amount"):
        approve_claim(ada, claim, AS_IT_IS)
    done = approve_claim(ada, claim, Decision(cents=3450, rate_source="bank slip 12"))

    assert isinstance(done, PostedEntry)
    assert booked(done)[0] == ("expenses:operations", 3450)
    assert done.entry.foreign is not None
    assert done.entry.foreign[:3] == ("KES", 450_000, "130.435")


def test_a_claim_of_a_closed_year_is_booked_in_the_open_one(own: Desk) -> None:
    """The entry has the true day beside it."""
    ada = operator_of(own)
    claim = claimed(own, spentOn="2025-12-30")
    close_year(ada, 2025)
    done = approve_claim(ada, claim, AS_IT_IS)

    assert isinstance(done, PostedEntry)
    assert (done.entry.day, done.entry.true_day) == (date(2026, 1, 1), date(2025, 12, 30))


def test_a_reversed_claim_is_refused_and_a_reversed_payment_paid_again(own: Desk) -> None:
    """What is booked is reversed in the books first."""
    claim, ada = claimed(own), operator_of(own)
    approved = approve_claim(ada, claim, AS_IT_IS)
    with pytest.raises(Conflict, match="reverse that first"):
        refuse_claim(ada, claim, reason="Too late")
    paid = pay_claim(ada, claim)
    with pytest.raises(Conflict, match="reverse that first"):
        pay_claim(ada, claim)
    reverse_entry(ada, paid.id, why="The bank sent it back.")
    again = pay_claim(ada, claim)
    reverse_entry(ada, again.id, why="Again")
    reverse_entry(ada, approved.id, why="Not ours")

    with pytest.raises(Conflict, match="refuse the claim"):
        pay_claim(ada, claim)
    assert verify_books(ada).findings == ()


def lines(context: Context, *texts: str, cents: int = -4550) -> list[str]:
    """Import a statement with a line for each text; return what is said of those that wait."""
    days = (date(2026, 11, 18) - date(2026, 5, 1)).days
    found = [a_line(cents, text, day=days + 1) for text in texts]
    statement = a_statement(*found, opening=100_000, last=date(2026, 11, 18))
    import_statements(context, [statement], file="nov.xml", new_account=BANK)
    return [one.reason for one in list_waiting(context)]


def test_a_line_proposes_the_claim_that_it_paid(own: Desk) -> None:
    """By the claim's number; else by the claimant's name; else by the amount alone."""
    claim, ada = claimed(own), operator_of(own)
    approve_claim(ada, claim, AS_IT_IS)
    by_amount, by_name, by_number = lines(
        ada, "TRANSFER 77", "TO ADDO KOFI", f"PAID {number_of(claim).upper()}"
    )

    assert f"Perhaps a claim of {KOFI}, by its amount: jara claims pay {claim} --line" in by_amount
    assert f"Perhaps a claim of {KOFI}, whom it names: jara claims pay" in by_name
    assert f"Perhaps the claim of {KOFI}, which it names: jara claims pay" in by_number


def test_a_payment_takes_the_line_that_names_the_claim(own: Desk) -> None:
    """It is booked on the line's day, and matched; another line is named by the operator."""
    claim, ada = claimed(own), operator_of(own)
    approve_claim(ada, claim, AS_IT_IS)
    lines(ada, "SOMETHING ELSE", f"PAID {number_of(claim)}")
    paid = pay_claim(ada, claim)

    assert isinstance(paid, PostedEntry)
    assert paid.entry.day == date(2026, 11, 18)
    assert [one.line.text for one in list_waiting(ada)] == ["SOMETHING ELSE"]


def test_a_line_after_the_payment_is_matched_by_the_number(own: Desk) -> None:
    """The entry has the claim's number as its reference."""
    claim, ada = claimed(own), operator_of(own)
    approve_claim(ada, claim, AS_IT_IS)
    pay_claim(ada, claim, day=date(2026, 11, 10))

    assert lines(ada, f"PAID {number_of(claim)}") == []


def test_a_line_of_another_amount_pays_no_claim(own: Desk) -> None:
    """The operator reads both amounts."""
    claim, ada = claimed(own), operator_of(own)
    approve_claim(ada, claim, AS_IT_IS)
    lines(ada, "SOMETHING", cents=-4551)

    with pytest.raises(InvalidInput, match=r"has -\$45.51; the claim is over \$45.50"):
        pay_claim(ada, claim, line=list_waiting(ada)[0].id)


def test_a_line_that_pays_waits_with_its_approval(own: Desk) -> None:
    """Signed, it is matched; the line stays free until then."""
    claim = claimed(own)
    ada, ben = operator_of(own, limit=4000), operator_of(own, "ben", limit=4000)
    approve(ben, approve_claim(ada, claim, AS_IT_IS).id, handlers=HANDLERS)
    lines(ada, f"PAID {number_of(claim)}")
    waiting = pay_claim(ada, claim)
    before = len(list_waiting(ada))
    approve(ben, waiting.id, handlers=HANDLERS)

    assert (before, len(list_waiting(ada))) == (1, 0)


def test_an_erased_claimant_leaves_the_books_as_they_are(own: Desk) -> None:
    """Name, address, shop, note and account number are gone; the log is verified as before."""
    phone = claim_phone(own)
    phone.claim()
    ada = operator_of(own)
    claim = claims_of(own)[0].row.id
    approve_claim(ada, claim, AS_IT_IS)
    with pytest.raises(Conflict, match="Pay first what is owed"):
        erase_claimant(ada, KOFI)
    pay_claim(ada, claim)
    phone.claim("phone-made-key-0002", shop="Kofi's", note="Kofi", photo=field_photo(50, size=90))
    erased = erase_claimant(ada, KOFI)
    with ada.store.read() as work:
        rows = str((work.field.partners(), work.field.reports(of_claims=True)))
        left = str((rows, work.field.claims(), list(work.outbox.all(unsent_only=False))))

    assert erased[1:] == (2, 1)
    assert "Kofi" not in left
    assert "kofi" not in left
    assert "Makola" not in left
    assert phone.page().json["code"] == "link_revoked"
    assert verify_books(ada).findings == ()


def test_a_link_needs_something_to_claim(own: Desk) -> None:
    """The message names the command."""
    with pytest.raises(Conflict, match="jara claims purposes add"):
        give_link(own.application.context, KOFI)

    assert list_purposes(own.application.context) == []


@pytest.mark.parametrize("name", [" ", "x" * 61])
def test_a_purpose_has_a_short_name(own: Desk, name: str) -> None:
    """The phone shows it in a list."""
    with pytest.raises(InvalidInput, match="has 1 to 60 characters"):
        add_purpose(own.application.context, name, "expenses:operations", None)


def test_a_purpose_is_an_expense(own: Desk) -> None:
    """A claim is paid out; income has no place in it."""
    with pytest.raises(InvalidInput, match="'income:gifts' is not an expense"):
        add_purpose(own.application.context, "Food", "income:gifts", None)


def test_an_erased_claimant_stays_the_partner_of_a_project(own: Desk) -> None:
    """Only the claims go; the other link stays open."""
    name, phone = "Maji Safi", open_phone(own)
    claim_phone(own, name, "").claim()
    assert erase_claimant(own.application.context, name)[1:] == (1, 1)

    assert phone.page().json["partner"] == name


def test_a_partner_can_have_a_link_for_claims(own: Desk) -> None:
    """Both pages are theirs, and each shows its own."""
    phone = claim_phone(own)
    claim_phone(own, "kofi addo", EMAIL).claim()

    assert [one["state"] for one in phone.page().json["reports"]] == ["waiting"]
    assert [view.row.claimant for view in claims_of(own)] == [KOFI]


def test_a_phone_approves_a_claim_with_its_receipt(place: Path) -> None:
    """The desk shows the claimant and the receipt; the signed text has its hash, and no name."""
    own = open_desk(place, site_url=SITE)
    claim = claimed(own)  # before operators have keys
    board = make_board(own)
    waiting = approve_claim(acting(board.context, "kit"), claim, AS_IT_IS)
    assert isinstance(waiting, Approval)
    token, path = board.session(), f"/desk/waiting/{waiting.id}"
    act = own.get(path, token=token).json
    (paper,) = act["papers"]
    receipt = own.get(f"{path}/papers/{paper['sha256']}", token=token)
    board.decide(waiting.id, token)

    facts = {fact["name"]: fact["text"] for fact in act["facts"]}
    assert (facts["person"], facts["shop"], facts["amount"]) == (KOFI, "Makola market", "$45.50")
    assert paper["sha256"] in act["document"]
    assert KOFI not in act["document"]
    assert receipt.content[:2] == b"\xff\xd8"
    assert show_claim(board.context, claim).row.state is ReportState.APPROVED


def test_the_verifier_finds_claims_as_they_were_signed(place: Path) -> None:
    """Approved by two and paid by two, it is good; the log names no claimant."""
    own = open_desk(place, site_url=SITE)
    claim = claimed(own)
    context = make_board(own).context
    approval = approve_claim(acting(context, "kit"), claim, AS_IT_IS)
    assert isinstance(approval, Approval)
    approve_as(context, approval, "ben")
    payment = pay_claim(acting(context, "kit"), claim)
    assert isinstance(payment, Approval)
    approve_as(context, payment, "ben")
    status, said = verify(context, place)

    assert (status, show_claim(context, claim).row.state) == (0, ReportState.PAID), said
