"""What notices a change of one stored value, column by column.

`jara ledger verify` compares a value with the public log (leaf), or with other rows that it
follows from (derived: the books, the audit log, the history). What neither does is listed with
its reason.
"""

from __future__ import annotations

from typing import NamedTuple


class Held(NamedTuple):
    """The columns of a table by what notices a change, and why nothing notices the others.

    Args:
        leaf: compared with the public log.
        derived: compared with other rows.
        reason: why nothing notices a change of the other columns.
    """

    leaf: str
    derived: str
    reason: str


HELD = {
    "commitments": Held(
        "goal_cents", "proposal held_cents paid_cents released_cents decided_at", ""
    ),
    "tranches": Held("entry milestone", "", ""),
    "payments": Held(
        "",
        "entry source_id kind member_key account parts cents returned_cents day way proof",
        "the provider alone knows the card; `dispute` follows from its reports",
    ),
    "bank_statements": Held(
        "",
        "id account file form first_day last_day opening_cents closing_cents imported_at "
        "import_id seq base_cents is_proven",
        "an undone statement only misses: its lines are asked for again",
    ),
    "bank_lines": Held(
        "",
        "id account statement line day cents key bank_ref is_reversal is_collective twin fee_cents",
        "erasure deletes them; what is booked follows from the matched entry",
    ),
    "bank_matches": Held("", "entry line", ""),
    "bank_accounts": Held("", "number ledger", "shown in the list of accounts alone"),
    "ballot_claims": Held("", "proposal voter", "a keyed hash: nobody can tell whose it is"),
    "shared_cards": Held("", "allowed_at why", "the provider alone knows the card"),
    "year_locks": Held("", "year log_size root balances", "shown in the list of years alone"),
    "identities": Held(
        "",
        "source_id entry is_undone",
        "the provider has them: `jara ledger reconcile` compares all movements",
    ),
    "content": Held(
        "", "published doc", "the item would only be missing, or elsewhere on the site"
    ),
}


def columns_noticed(table: str) -> dict[str, str]:
    """Return what notices a change of each column that something notices."""
    held = HELD[table]
    return {
        **dict.fromkeys(held.leaf.split(), "leaf"),
        **dict.fromkeys(held.derived.split(), "derived"),
    }
