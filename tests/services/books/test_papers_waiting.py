"""Documents of an act that waits: signed with it, attached when it is done, gone if refused."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.control.ssh import BadSignature
from jara.domain.control.statement import act_document
from jara.domain.errors import Conflict
from jara.domain.papers import PaperKind
from jara.records.operations import Approval
from jara.services.approvals import list_approvals, refuse
from jara.services.books import papers
from jara.services.books.bookkeeping import post_entry
from jara.services.books.papers import PaperFile
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.services.operations.approved_acts import show_approval
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.fakes.operators import acting, approve_as
from tests.services.operations.controlled_world import make_controlled, verify

INVOICE = PaperFile("application/pdf", b"%PDF-1.7 invoice 118")


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return an organisation with keys and a limit of $10."""
    return make_controlled(tmp_path)


def pay(context: Context, cents: int = 1000) -> object:
    """Ask to pay a grant with its invoice, and the charge of the bank beside it."""
    payment = Disbursement(Payee.GRANTS, "school", cents, charge_cents=20)
    asker = replace(acting(context, "kit"), on_approval=(papers.forget_refused,))
    with papers.with_documents(asker, [(INVOICE, PaperKind.INVOICE)]) as inside:
        return disburse(inside, payment)


def waiting(context: Context) -> Approval:
    """Return a payment with an invoice that waits."""
    done = pay(context)
    assert isinstance(done, Approval)
    return done


def test_the_signed_text_names_the_hash(context: Context, tmp_path: Path) -> None:
    """Who approves signs the document too; then it belongs to the entry, and the log is good."""
    asked = waiting(context)
    with context.store.read() as work:
        text = act_document(
            asked.id, asked.action, asked.payload, organisation_key(context, work)
        ).decode()
    shown = show_approval(context, asked.id)

    posted = approve_as(context, asked, "ben")

    assert INVOICE.hash in text
    assert [(one["kind"], one["sha256"]) for one in shown["documents"]] == [
        ("invoice", INVOICE.hash)
    ]
    entry = posted.id  # type: ignore[attr-defined] # an entry
    assert [one.sha256 for one in papers.list_documents(context, entry)] == [INVOICE.hash]
    assert verify_books(context).ok
    assert verify(context, tmp_path)[0] == 0


def test_a_swapped_document_is_not_what_was_signed(context: Context) -> None:
    """Another hash in the payload breaks the signatures."""
    asked = waiting(context)
    other = {"kind": "invoice", "sha256": sha256(b"another").hexdigest()}
    with context.store.write() as work:
        work.operations.put_approval(
            asked._replace(payload={**asked.payload, "documents": [other]})
        )

    with pytest.raises(BadSignature, match="is not what 'kit' signed"):
        approve_as(context, asked, "ben")


def test_a_refused_act_leaves_no_document(context: Context) -> None:
    """Unless another act that waits, or an entry, has it."""
    first, second = waiting(context), waiting(context)
    asker = replace(acting(context, "ben"), on_approval=(papers.forget_refused,))

    refuse(asker, first.id, why="The wrong account.")
    assert papers.read_document(context, INVOICE.hash)[1] == INVOICE.data
    refuse(asker, second.id, why="The wrong account.")

    assert papers.read_document(context, INVOICE.hash)[1] is None
    assert verify_books(context).ok


def test_with_limits_another_operator_erases(context: Context) -> None:
    """One person alone cannot take away what proves a spend."""
    pay(context, 500)

    asked = papers.erase_document(acting(context, "kit"), INVOICE.hash, why="Shows an address.")

    assert isinstance(asked, Approval)
    assert papers.read_document(context, INVOICE.hash)[1] == INVOICE.data
    approve_as(context, asked, "ben")
    assert papers.read_document(context, INVOICE.hash)[1] is None


def test_an_act_whose_document_was_erased_is_not_done(context: Context) -> None:
    """Nobody could see what was signed with it."""
    asked = waiting(context)
    erase = papers.erase_document(acting(context, "kit"), INVOICE.hash, why="Shows an address.")
    approve_as(context, erase, "ben")

    with pytest.raises(Conflict, match="is not stored any more; add it again"):
        approve_as(context, asked, "ben")
    assert list_approvals(context) == []


def test_an_entry_that_waits_gets_its_document(context: Context) -> None:
    """`jara ledger post` reads its payload again when it is approved, documents and all."""
    rows = (Posting("expenses:operations", Fund.OTHER, 1000), Posting(BANK, Fund.OTHER, -1000))
    entry = JournalEntry(context.today(), EntryKind.EXPENSE, "Expense", rows, note="Chairs")
    with papers.with_documents(acting(context, "kit"), [(INVOICE, PaperKind.INVOICE)]) as inside:
        asked = post_entry(inside, entry)
    assert isinstance(asked, Approval)

    assert show_approval(context, asked.id)["impossible"] == ""
    posted = approve_as(context, asked, "ben")

    assert [one.sha256 for one in papers.list_documents(context, posted.id)] == [INVOICE.hash]  # type: ignore[attr-defined]
