"""A log with the fault of earlier versions is mended by entries that the verifier accepts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jara import jara_verify
from jara.domain.books.provider_row import CAUSES, ProviderRow, RowCategory
from jara.domain.errors import Conflict, InvalidInput
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.verification import verify_books
from jara.services.context import Context, Rules
from jara.services.payments import movement_booking
from jara.services.payments.mending import HANDLERS, Mended, mend_books
from tests.harness import make_organisation
from tests.services.books.ledger_builders import account_sums, all_entries, book, funds
from tests.services.payments.test_row_orders import history, states_of, verdict


def book_at_once(
    context: Context, monkeypatch: pytest.MonkeyPatch, *rows: ProviderRow, dispute: str
) -> None:
    """Book rows as earlier versions did: one after the other, whatever they undo."""
    with monkeypatch.context() as earlier:
        earlier.setattr(movement_booking, "missing_cause", lambda *_: None)
        for row in rows:
            book(context, row)
    with context.store.write() as work:
        payment = work.payments.by_source(["ch_1"])["ch_1"]
        work.payments.update(payment.index, returned_cents=payment.returned_cents, dispute=dispute)


def rows_of(taken: RowCategory, restored: RowCategory, cents: int) -> list[ProviderRow]:
    """Return a charge, what restores money of it, and what took it."""
    charge, first, last = history(
        ("charge", 1000, 59, "ch_1", "ch_1"),
        (taken, -cents, 0, "x_1", "ch_1"),
        (restored, cents, 0, "x_1", "ch_1"),
    )
    return [charge, last, first]


@pytest.mark.parametrize("cents", [1000, 333])
@pytest.mark.parametrize(("restored", "taken"), CAUSES.items())
def test_the_verifier_accepts_a_mended_log(
    context: Context,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    taken: RowCategory,
    restored: RowCategory,
    cents: int,
) -> None:
    """`ledger verify` and `jara_verify.py` find the fault, and nothing after it is mended."""
    rows = rows_of(taken, restored, cents)
    book_at_once(context, monkeypatch, *rows, dispute="open" if "dispute" in taken else "none")
    before = account_sums(context), funds(context)
    (finding,) = verify_books(context).findings
    assert finding.message == (
        "After the entry in leaf 3, the payment in leaf 2 has a negative sum of refunds: "
        f"-{cents} cents. `jara ledger mend` corrects it."
    )
    assert verdict(context, tmp_path) == jara_verify.FAILED

    assert mend_books(context, why="the order of the files") == Mended(1, 1)

    assert states_of(context) == {"ch_1": "paid"}
    assert (account_sums(context), funds(context)) == before
    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD
    for row in rows:
        assert book(context, row).posted == 0
    with pytest.raises(Conflict, match="No refund or dispute needs mending"):
        mend_books(context, why="again")


def test_what_has_no_cause_yet_waits_again(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dispute itself was never imported: its reversal is taken out, and waits by name."""
    charge, won, dispute = rows_of(RowCategory.DISPUTE, RowCategory.DISPUTE_REVERSAL, 400)
    book_at_once(context, monkeypatch, charge, won, dispute="won")

    assert mend_books(context, why="the order of the files") == Mended(1, 0)

    assert verdict(context, tmp_path) == jara_verify.GOOD
    (finding,) = verify_books(context).findings
    assert "waits for the dispute x_1 of ch_1" in finding.message
    assert book(context, dispute).posted == 1
    assert states_of(context) == {"ch_1": "paid"}
    assert [entry.external_id for entry in all_entries(context)][-2:] == ["txn_1", "txn_2~2"]
    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD


def test_later_entries_of_the_payment_stay(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the entry that went below zero is reversed; the verifier names it."""
    charge, failed, refund, other, dispute = history(
        ("charge", 1000, 59, "ch_1", "ch_1"),
        ("refund_failure", 500, 0, "re_1", "ch_1"),
        ("refund", -200, 0, "re_2", "ch_1"),
        ("refund", -500, 0, "re_1", "ch_1"),
        ("dispute", -800, 1500, "du_1", "ch_1"),
    )
    book_at_once(context, monkeypatch, charge, failed, refund, other, dispute, dispute="open")
    assert verdict(context, tmp_path) == jara_verify.FAILED

    assert mend_books(context, why="the order of the files") == Mended(1, 1)

    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD
    assert states_of(context) == {"ch_1": "disputed"}


def test_a_large_sum_is_mended_with_another_signature(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is reversed before another operator approves; then the log is good."""
    context = make_organisation(place)
    rows = rows_of(RowCategory.REFUND, RowCategory.REFUND_FAILURE, 1000)
    book_at_once(context, monkeypatch, *rows, dispute="none")
    limited = replace(context, rules=Rules(approval_cents=500))
    waiting = mend_books(limited, why="the order of the files")
    assert isinstance(waiting, Approval)
    assert len(all_entries(context)) == len(rows)

    approve(replace(limited, operator="second"), waiting.id, handlers=HANDLERS)

    assert states_of(context) == {"ch_1": "paid"}
    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD


def test_a_reason_is_needed(context: Context) -> None:
    """The audit log names it."""
    with pytest.raises(InvalidInput, match="needs a reason"):
        mend_books(context, why=" ")
