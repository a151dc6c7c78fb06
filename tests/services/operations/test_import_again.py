"""An import that was undone can be imported again."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.provider_row import ProviderRow
from jara.domain.errors import Conflict
from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.reading import FileReport
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.entry_importing import import_entries
from jara.services.books.policies import read_chart
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.import_undo import Undone, list_imports, undo_import
from jara.services.payments.importing import book_rows
from tests.services.books.ledger_builders import account_sums, all_entries, funds
from tests.services.payments.test_import_orders import cumulated, paid_row
from tests.services.payments.test_row_orders import ROWS, history, state_of, states_of, verdict


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

    undo(context, imported)
    assert (set(account_sums(context).values()), states_of(context)) == (set(), {})
    assert verify_books(context).findings == ()
    again = import_file(context, ROWS)

    assert again != imported
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
    undo(context, first)
    assert len(verify_books(context).findings) == 3
    assert set(account_sums(context).values()) == set()

    import_file(context, [charge])

    assert contents(context) == before
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


def test_entries_of_a_ledger_file_are_imported_again(context: Context) -> None:
    """The same holds for a CSV, and for a corrected one; what is booked is skipped."""
    for amount, cents in (("50.00", 5000), ("50.00", 5000), ("60.00", 6000)):
        assert import_csv(context, *grant_of(amount)) == 1
        assert import_csv(context, *grant_of(amount)) == 0
        assert account_sums(context) == {"assets:bank": cents, "income:grants": -cents}
        undo(context, list_imports(context)[0].id)
    assert verify_books(context).findings == ()


def test_a_dispute_that_was_won_is_not_reversed_alone(context: Context) -> None:
    """Its reversal would give back what nobody took, which the verifier refuses."""
    import_file(context, [row for row in ROWS if row.charge_id == "ch_1"])
    with context.store.read() as work:
        dispute = work.journal.get(work.journal.known_external_ids(["txn_3"])["txn_3"])

    with pytest.raises(Conflict, match="gave back"):
        reverse_entry(context, dispute.id, why="typo")

    assert state_of(context)[3] == {"ch_1": "part-refunded"}
    assert len(all_entries(context)) == len([row for row in ROWS if row.charge_id == "ch_1"])
