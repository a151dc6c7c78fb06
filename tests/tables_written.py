"""Which tables change, compared with what the table of effects says that an act touches."""

import hashlib
from collections.abc import Iterable, Mapping

from jara.domain.control.effects import Touch
from jara.services.books.verified_point import POINT_KEY
from jara.store.sql.tables import TABLES
from jara.store.unit_of_work import PUBLIC_REVISION, UnitOfWork

NOTES = frozenset({POINT_KEY, PUBLIC_REVISION})
"""Keys in `meta` that a check writes: the last verification and the count of writes."""

ANYWHERE = frozenset(
    {"approvals", "audit", "signed_acts", "meta", "limit_uses", "idempotency_keys", "seals"}
)
"""Tables about the act itself, and the seals of the rows that it writes."""

_LOG = frozenset({"log", "log_head", "log_nodes"})
_BOOKS = _LOG | {
    *("day_totals", "entries", "entry_notes", "identities", "payments", "postings", "totals"),
    *("trace_hole", "trace_lot", "trace_use", "tranches", "figures", "contributors"),
    *("bank_accounts", "bank_lines", "bank_mappings", "bank_matches", "bank_reasons"),
    *("documents", "document_files", "entry_documents"),
    *("bank_rules", "bank_senders", "bank_statements", "provider_events"),
}
_SANDBOX = frozenset({"sandbox_objects", "sandbox_rows"})
_BALLOT = frozenset({"ballot_claims", "sealed_ballots"})
_EMAIL = frozenset({"announcements", "mailed_codes", "news", "outbox"})
_SESSIONS = frozenset({"credentials", "known_devices", "passkeys", "sessions", "undo_codes"})

TABLES_OF: Mapping[Touch, frozenset[str]] = {
    Touch.OUTLAY: _BOOKS | _SANDBOX | {"outbox"},
    Touch.PURPOSE: _BOOKS | {"commitments", "news"},
    Touch.ENTRIES: _BOOKS
    | _SANDBOX
    | {"accounts", "commitments", "plan_lines", "plans", "year_locks"},
    Touch.PAPERS: frozenset({"document_files"}),
    Touch.YEARS: _LOG | {"year_locks"},
    Touch.SPLIT: _LOG | {"policies"},
    Touch.VOTE_RULE: _LOG,
    Touch.PROOF: frozenset({"address_changes", "bank_statements", "payments"}),
    Touch.VOTERS: frozenset({"electors", "shared_cards"}),
    Touch.DRAFTS: _LOG | {"lapsed_members", "proposals"},
    Touch.VOTE: _LOG | {"proposals"},
    Touch.FOR_MEMBER: _BALLOT | {"members", "pending_addresses"},
    Touch.OWN_BALLOT: _BALLOT,
    Touch.OUTCOME: _BOOKS
    | {
        *("ballot_claims", "ballot_voids", "ballots", "checkpoints", "commitments"),
        *("dropped_ballots", "open_participations", "participations", "proposals"),
        *("rolls", "sealed_ballots", "tallies", "closings", "prepared_leaves", "prepared_rolls"),
    },
    Touch.EMAIL: _EMAIL,
    Touch.HEARING: frozenset(),
    Touch.EMAIL_TO_MANY: _EMAIL,
    Touch.WAYS_IN: _LOG | {"payment_ways", "outbox"},
    Touch.SIGNERS: _LOG | {"operator_keys", "operators"},
    Touch.OPERATORS: frozenset({"mailed_codes", "operators", "outbox"}),
    Touch.TERMS: frozenset({"legal_versions"}),
    Touch.PAGES: _EMAIL
    | _LOG
    | {
        *("content", "content_changes", "field_links", "field_photos", "field_pieces"),
        *("field_reports", "fixed_costs", "partners", "plans"),
    },
    Touch.CLAIMS: frozenset(
        {
            *("claim_purposes", "claims", "field_links", "field_photos", "field_pieces"),
            *("field_reports", "partners"),
        }
    ),
    Touch.ACCOUNTS: _EMAIL
    | _SANDBOX
    | _SESSIONS
    | {
        *("address_changes", "consents", "contributors", "electors", "figures", "gift_promises"),
        *("imported_members", "lapsed_members", "member_contacts", "member_imports", "members"),
        "newsletter_readers",
        *("pending_addresses", "pledge_changes", "pledges", "registrations", "returned_emails"),
    },
    Touch.LOG: _LOG | {"checkpoints", "cosignatures", "witnesses"},
    Touch.SYSTEM: frozenset({"figures"}),
}
"""The tables that each touch may write. `meta` has settings besides notes, so it says nothing."""


def read_tables(work: UnitOfWork) -> dict[str, str]:
    """Return a hash of each table, without the keys that checks write."""
    return {table: _digest(work, table) for table in TABLES}


def _digest(work: UnitOfWork, table: str) -> str:
    every = work.sql.all(f"SELECT * FROM {table}")  # noqa: S608 - names of our own tables
    rows = sorted(str(row) for row in every if row[0] not in NOTES)
    return hashlib.sha256(f"{rows}".encode()).hexdigest()


def undeclared(
    touches: Iterable[Touch], before: Mapping[str, str], after: Mapping[str, str]
) -> list[str]:
    """Return the tables that changed although no touch may write them."""
    declared = ANYWHERE.union(*(TABLES_OF[touch] for touch in touches))
    changed = {table for table, digest in after.items() if before.get(table) != digest}
    return sorted(changed - declared)
