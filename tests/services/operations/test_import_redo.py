"""Undone imports of the provider's movements can be imported again, and an undo be undone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.provider_row import ProviderRow
from jara.domain.errors import Conflict, FundOverdrawn, InvalidInput
from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.reading import FileReport
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.entry_importing import import_entries
from jara.services.books.imports import REDO_ACTION
from jara.services.books.policies import read_chart
from jara.services.books.verification import verify_books
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.import_redo import Redone, redo_import
from jara.services.operations.import_undo import Undone, list_imports, undo_import
from jara.services.payments.importing import book_rows
from tests.services.books.ledger_builders import (
    REPORTS,
    account_sums,
    all_entries,
    funds,
    give,
    pass_proposal,
    sample_rows,
)
from tests.services.payments.test_import_orders import cumulated, paid_row
from tests.services.payments.test_row_orders import (
    ROWS,
    STATES,
    history,
    state_of,
    states_of,
    verdict,
)
from tests.sizes import IS_FULL


def import_file(context: Context, rows: Sequence[ProviderRow]) -> str:
    """Import rows as a file, and return the import's id."""
    assert book_rows(context, rows, act="ledger.import", is_file=True).rejected == ()
    return list_imports(context)[0].id


def undo(context: Context, imported: str) -> Undone:
    """Undo an import."""
    done = undo_import(context, imported, why="the wrong file")
    assert isinstance(done, Undone)
    return done


def contents(context: Context) -> tuple[dict[str, int], dict[Fund, int], dict[str, str]]:
    """Return the sums and states, which an undo and an import leave as they were."""
    return account_sums(context), funds(context), states_of(context)


def test_what_was_undone_is_imported_again(context: Context, tmp_path: Path) -> None:
    """Rows of every kind are booked as before, and the proofs of the log hold."""
    imported = import_file(context, ROWS)
    before = contents(context)

    undone = undo(context, imported)
    assert (set(account_sums(context).values()), states_of(context)) == (set(), {})
    assert verify_books(context).findings == ()
    again = import_file(context, ROWS)

    assert (again != imported, undone.undo.startswith("undo_")) == (True, True)
    assert contents(context) == before
    assert book_rows(context, ROWS).posted == 0
    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD


def test_what_has_no_transaction_is_imported_again(context: Context) -> None:
    """Rows of the Payments file are known by their charge and their sum."""
    rows = [paid_row(), cumulated(400), cumulated(700)]
    imported = import_file(context, rows)
    before = contents(context)

    undo(context, imported)
    assert contents(context)[2] == {}
    import_file(context, rows)

    assert contents(context) == before
    assert book_rows(context, rows).posted == 0
    assert verify_books(context).findings == ()


def test_an_undo_is_undone(context: Context, tmp_path: Path) -> None:
    """Everything is as before; the import can be undone again, and its file be imported."""
    imported = import_file(context, ROWS)
    before = contents(context)

    redone = redo_import(context, undo(context, imported).undo, why="it was the right one")

    assert redone == Redone(imported, len(ROWS))
    assert contents(context) == before
    assert states_of(context) == STATES
    assert book_rows(context, ROWS).posted == 0
    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD
    assert undo(context, imported).reversed == len(ROWS)
    assert import_file(context, ROWS) != imported
    assert contents(context) == before
    assert verify_books(context).findings == ()


def test_a_sample_of_a_year_comes_back(context: Context) -> None:
    """Payouts and their arrivals are booked again, each once."""
    rows, _ = sample_rows(*REPORTS, until=None if IS_FULL else datetime(2024, 5, 1, tzinfo=UTC))
    imported = import_file(context, rows)
    before = account_sums(context), funds(context)

    undo(context, imported)
    assert set(account_sums(context).values()) == set()
    again = import_file(context, rows)

    assert (account_sums(context), funds(context)) == before
    assert book_rows(context, rows).posted == 0
    redo_import(context, undo(context, again).undo, why="it was the right one")
    assert (account_sums(context), funds(context)) == before
    assert book_rows(context, rows).posted == 0


def test_a_refund_of_another_file_waits_for_its_payment(context: Context) -> None:
    """The undo takes it out, too; with the payment it is booked again."""
    charge, dispute, won, refund = history(
        ("charge", 1000, 59, "ch_1", "ch_1"),
        ("dispute", -1000, 1500, "du_1", "ch_1"),
        ("dispute_reversal", 1000, 0, "du_1", "ch_1"),
        ("refund", -400, 0, "re_1", "ch_1"),
    )
    first = import_file(context, [charge])
    second = import_file(context, [dispute])
    import_file(context, [won, refund])
    before = contents(context)

    undo(context, second)
    assert [found.where for found in verify_books(context).findings] == [
        "dispute reversal du_1 of ch_1"
    ]
    assert states_of(context) == {"ch_1": "part-refunded"}
    import_file(context, [dispute])
    assert contents(context) == before
    undone = undo(context, first)
    assert len(verify_books(context).findings) == 3
    assert set(account_sums(context).values()) == set()

    redo_import(context, undone.undo, why="it was the right one")

    assert contents(context) == before
    assert verify_books(context).findings == ()


def test_what_was_imported_again_is_not_redone(context: Context) -> None:
    """The reason names the newer entry; after its undo, the older undo can be undone."""
    imported = import_file(context, ROWS)
    undone = undo(context, imported)
    again = import_file(context, ROWS)

    with pytest.raises(Conflict, match="was imported again after the undo"):
        redo_import(context, undone.undo, why="it was the right one")
    undo(context, again)
    redo_import(context, undone.undo, why="it was the right one")
    with pytest.raises(Conflict, match="is undone already"):
        redo_import(context, undone.undo, why="again")
    with pytest.raises(InvalidInput, match="needs a reason"):
        redo_import(context, undone.undo, why=" ")
    assert verify_books(context).findings == ()


def import_csv(context: Context, *lines: str) -> int:
    """Import entries of a CSV, and return how many were posted."""
    text = "\n".join(("entry,date,description,account,fund,amount,reference", *lines))
    stream, chart = io.BytesIO(text.encode()), read_chart(context)
    entries = read_ledger_csv(stream, "g.csv", FileReport(), chart=chart, decimal_comma=False)
    return import_entries(context, entries).posted


def grant_of(amount: str) -> tuple[str, str]:
    """Return the lines of a grant received."""
    return (
        f"G1,2026-01-05,Grant,assets:bank,other,{amount},",
        f"G1,2026-01-05,Grant,income:grants,other,-{amount},",
    )


BILL = (
    "B1,2026-01-06,Rent,expenses:operations,other,30.00,",
    "B1,2026-01-06,Rent,assets:bank,other,-30.00,",
)


def undone_bill(context: Context) -> str:
    """Import a grant of $50 and a bill of $30, undo the bill, and return the undo."""
    import_csv(context, *grant_of("50.00"))
    import_csv(context, *BILL)
    return undo(context, list_imports(context)[0].id).undo


def test_entries_of_a_ledger_file_come_back(context: Context) -> None:
    """The same holds for a CSV, whose corrected file can be imported after another undo."""
    import_csv(context, *grant_of("50.00"))
    imported = list_imports(context)[0]
    undone = undo(context, imported.id)
    assert list_imports(context)[0].undo == undone.undo

    redo_import(context, undone.undo, why="it was the right one")

    assert account_sums(context) == {"assets:bank": 5000, "income:grants": -5000}
    assert (list_imports(context)[0].left, list_imports(context)[0].undo) == (1, "")
    assert import_csv(context, *grant_of("50.00")) == 0
    undo(context, imported.id)
    assert import_csv(context, *grant_of("60.00")) == 1
    assert account_sums(context) == {"assets:bank": 6000, "income:grants": -6000}
    assert verify_books(context).findings == ()


def test_what_was_spent_meanwhile_is_not_spent_again(context: Context) -> None:
    """After the undo of a bill its money was spent on something else."""
    undone = undone_bill(context)
    import_csv(context, *(line.replace("B1", "B2") for line in BILL))
    before = account_sums(context)

    with pytest.raises(FundOverdrawn, match=r"'other' has \$20\.00; \$30\.00 was requested"):
        redo_import(context, undone, why="it was the right one")

    assert account_sums(context) == before


def test_an_undo_that_spends_again_waits_for_approval(context: Context) -> None:
    """A limit that was set meanwhile holds for what comes back; another operator posts it."""
    undone = undone_bill(context)
    ada, ben = (
        replace(context, operator=name, rules=Rules(approval_cents=1000)) for name in ("ada", "ben")
    )

    waiting = redo_import(ada, undone, why="it was the right one")
    assert isinstance(waiting, Approval)
    assert (waiting.action, account_sums(context)["assets:bank"]) == (REDO_ACTION, 5000)
    approve(ben, waiting.id, handlers=HANDLERS)

    assert account_sums(context) == {
        "assets:bank": 2000,
        "expenses:operations": 3000,
        "income:grants": -5000,
    }
    assert verify_books(context).findings == ()


def test_money_of_a_vote_is_not_paid_by_an_undo(context: Context) -> None:
    """A payment that a file restored stays undone; a project is paid under its vote again."""
    give(context, 100_000)
    pass_proposal(context, 5000)
    import_csv(
        context,
        "P1,2026-11-05,Wells,expenses:projects:wells,committed,10.00,prop_wells",
        "P1,2026-11-05,Wells,assets:bank,committed,-10.00,prop_wells",
    )
    undone = undo(context, list_imports(context)[0].id).undo
    before = account_sums(context), funds(context)

    with pytest.raises(Conflict, match="promised to a proposal; pay it again with `jara projects"):
        redo_import(context, undone, why="it was the right one")

    assert (account_sums(context), funds(context)) == before


def test_a_dispute_that_was_won_is_not_reversed_alone(context: Context) -> None:
    """Its reversal would give back what nobody took, which the verifier refuses."""
    import_file(context, [row for row in ROWS if row.charge_id == "ch_1"])
    with context.store.read() as work:
        dispute = work.journal.get(work.journal.known_external_ids(["txn_3"])["txn_3"])

    with pytest.raises(Conflict, match="gave back"):
        reverse_entry(context, dispute.id, why="typo")

    assert state_of(context)[3] == {"ch_1": "part-refunded"}
    assert len(all_entries(context)) == len([row for row in ROWS if row.charge_id == "ch_1"])
