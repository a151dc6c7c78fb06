"""What notices a change of one stored value, column by column.

`jara ledger verify` compares a value with the public log (leaf), with other rows that it follows
from (derived: the books, the audit log, the history), or with its seal. What none of these does is
listed with its reason.
"""

from typing import NamedTuple

from jara.store.seals import SEALED


class Held(NamedTuple):
    """The columns of a table by what notices a change, and why nothing notices the others.

    Columns with a seal (`jara.store.seals`) need no line here.

    Args:
        leaf: compared with the public log.
        derived: compared with other rows.
        reason: why nothing notices a change of the other columns.
    """

    leaf: str = ""
    derived: str = ""
    reason: str = ""


HELD = {
    "entries": Held(
        "idx id day kind description reference external_id member_key reverses of_entry true_day "
        "foreign_doc",
        "",
        "the order of the log shows when an entry was booked; `reference` is in the log for the "
        "money of votes alone",
    ),
    "postings": Held("entry account fund cents day", "line"),
    "policies": Held("log_index valid_from weights fee_weights"),
    "totals": Held("", "account fund month cents"),
    "proposals": Held("title status doc opened_index closed_index roll_size id", "decided_at", ""),
    "rolls": Held("proposal voter"),
    "ballots": Held("proposal voter choice log_index"),
    "tallies": Held("proposal yes no void"),
    "commitments": Held("goal_cents", "proposal held_cents paid_cents released_cents decided_at"),
    "tranches": Held("entry milestone"),
    "payments": Held(
        "", "entry source_id kind member_key account parts cents returned_cents day way proof"
    ),
    "bank_statements": Held(
        "",
        "id account file form first_day last_day opening_cents closing_cents imported_at "
        "import_id seq base_cents is_proven",
    ),
    "bank_lines": Held(
        "",
        "id account statement line day cents key bank_ref is_reversal is_collective twin fee_cents",
    ),
    "bank_matches": Held("", "entry line"),
    "bank_senders": Held("", "line"),
    "bank_accounts": Held("", "number ledger"),
    "ballot_claims": Held("", "proposal voter"),
    "shared_cards": Held("", "allowed_at why"),
    "documents": Held("hash", "bytes"),
    "document_files": Held("", "document sealed"),
    "entry_documents": Held("entry document is_public kind salt leaf"),
    "year_locks": Held("year balances", "log_size root"),
    "identities": Held(
        "",
        "source_id entry is_undone",
        "the provider has them: `jara ledger reconcile` compares all movements",
    ),
    "content": Held("", "published doc"),
    "members": Held(
        "",
        "id member_key email email_key is_added",
        "which hints of the start page a member has closed",
    ),
    "pledges": Held("", "member_id dollars state past_due_since"),
    "credentials": Held("", "member_id"),
    "passkeys": Held(),
    "address_changes": Held(),
    "member_contacts": Held(),
    "consents": Held(),
    "legal_versions": Held(),
    "operators": Held(),
    "outbox": Held("", "attempts", "until when a process has an email in hand"),
    "field_links": Held("", "id partner"),
    "field_reports": Held("", "id partner link"),
    "claims": Held("", "report"),
    "claim_purposes": Held(),
}


def columns_noticed(table: str) -> dict[str, str]:
    """Return what notices a change of each column that something notices."""
    held = HELD[table]
    sealed = SEALED[table].columns if table in SEALED else ()
    return {
        **dict.fromkeys(sealed, "seal"),
        **dict.fromkeys(held.leaf.split(), "leaf"),
        **dict.fromkeys(held.derived.split(), "derived"),
    }
