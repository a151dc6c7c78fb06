"""The first schema: books, public log, members, votes, content, operations.

Portable SQL: INTEGER, TEXT and BLOB are the only types, and a driver adds what its
engine needs (STRICT, WITHOUT ROWID, bytea). Days are ``YYYY-MM-DD``, instants
``YYYY-MM-DDTHH:MM:SSZ``, booleans 0 or 1, money whole cents.
"""

from __future__ import annotations

ORGANISATION = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        type TEXT NOT NULL,
        meaning TEXT NOT NULL)""",
    """CREATE TABLE policies (
        log_index INTEGER PRIMARY KEY,
        valid_from TEXT NOT NULL,
        weights TEXT NOT NULL,
        fee_weights TEXT NOT NULL)""",
    """CREATE TABLE fixed_costs (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        cents INTEGER NOT NULL CHECK (cents >= 0),
        valid_from TEXT NOT NULL,
        valid_to TEXT)""",
    """CREATE TABLE operators (
        name TEXT PRIMARY KEY,
        added_at TEXT NOT NULL,
        removed_at TEXT)""",
    """CREATE TABLE audit (
        seq INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        operator TEXT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        why TEXT NOT NULL,
        before_doc TEXT NOT NULL,
        after_doc TEXT NOT NULL)""",
    """CREATE TABLE approvals (
        id TEXT PRIMARY KEY,
        action TEXT NOT NULL,
        payload TEXT NOT NULL,
        why TEXT NOT NULL,
        state TEXT NOT NULL
            CHECK (state IN ('waiting', 'carrying_out', 'approved', 'refused')),
        prepared_by TEXT NOT NULL,
        prepared_at TEXT NOT NULL,
        decided_by TEXT,
        decided_at TEXT)""",
    """CREATE TABLE year_locks (
        year INTEGER PRIMARY KEY,
        locked_at TEXT NOT NULL,
        log_size INTEGER NOT NULL,
        root TEXT NOT NULL,
        balances TEXT NOT NULL)""",
)

PUBLIC_LOG = (
    """CREATE TABLE log (
        idx INTEGER PRIMARY KEY,
        hash BLOB NOT NULL,
        body BLOB NOT NULL,
        type TEXT NOT NULL)""",
    """CREATE TABLE log_nodes (
        level INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (level, idx))""",
    """CREATE TABLE log_head (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        size INTEGER NOT NULL,
        peaks BLOB NOT NULL)""",
    """CREATE TABLE checkpoints (
        size INTEGER PRIMARY KEY,
        root BLOB NOT NULL,
        note TEXT NOT NULL,
        made_at TEXT NOT NULL)""",
)

TRACE = (
    """CREATE TABLE trace_lot (
        pool TEXT NOT NULL,
        seq INTEGER NOT NULL,
        member TEXT,
        entry INTEGER NOT NULL,
        cents INTEGER NOT NULL CHECK (cents > 0),
        total INTEGER NOT NULL CHECK (total >= cents),
        hole INTEGER NOT NULL CHECK (hole >= 0),
        cut INTEGER NOT NULL CHECK (cut >= 0 AND hole + cut <= cents),
        restores INTEGER,
        PRIMARY KEY (pool, seq))""",
    """CREATE TABLE trace_use (
        pool TEXT NOT NULL,
        start INTEGER NOT NULL CHECK (start >= 0),
        stop INTEGER NOT NULL CHECK (stop > start),
        label TEXT NOT NULL CHECK (label IN ('used', 'free', 'cut')),
        entry INTEGER CHECK ((entry IS NOT NULL) = (label = 'used')),
        PRIMARY KEY (pool, start))""",
    """CREATE TABLE trace_hole (
        pool TEXT NOT NULL,
        node INTEGER NOT NULL,
        cents INTEGER NOT NULL CHECK (cents > 0),
        PRIMARY KEY (pool, node))""",
    "CREATE INDEX trace_lot_member ON trace_lot (pool, member, seq) WHERE member IS NOT NULL",
    "CREATE INDEX trace_lot_entry ON trace_lot (pool, entry, seq)",
    "CREATE INDEX trace_lot_restores ON trace_lot (pool, restores, seq) WHERE restores IS NOT NULL",
    "CREATE INDEX trace_use_entry ON trace_use (pool, entry, start)",
    "CREATE INDEX trace_use_free ON trace_use (pool, start) WHERE label = 'free'",
)
"""Sums of cents need 64 bits on every engine.

Each index repeats the order that its readers ask for, and SQLite keeps rowids here: without
them and without statistics, its planner scans the whole pool along the primary key.
"""

BOOKS = (
    """CREATE TABLE entries (
        idx INTEGER PRIMARY KEY REFERENCES log (idx),
        id TEXT NOT NULL UNIQUE,
        day TEXT NOT NULL,
        kind TEXT NOT NULL,
        description TEXT NOT NULL,
        reference TEXT,
        source TEXT NOT NULL,
        external_id TEXT UNIQUE,
        member_key TEXT,
        reverses INTEGER UNIQUE REFERENCES entries (idx),
        of_entry INTEGER REFERENCES entries (idx),
        true_day TEXT,
        foreign_doc TEXT,
        booked_at TEXT NOT NULL)""",
    "CREATE INDEX entries_by_day ON entries (day, idx)",
    "CREATE INDEX entries_by_member ON entries (member_key, idx)",
    "CREATE INDEX entries_by_reference ON entries (reference, idx)",
    """CREATE TABLE entry_notes (
        entry INTEGER PRIMARY KEY REFERENCES entries (idx),
        note TEXT NOT NULL)""",
    """CREATE TABLE postings (
        entry INTEGER NOT NULL REFERENCES entries (idx),
        line INTEGER NOT NULL,
        account TEXT NOT NULL,
        fund TEXT NOT NULL,
        cents INTEGER NOT NULL CHECK (cents <> 0),
        day TEXT NOT NULL,
        PRIMARY KEY (entry, line))""",
    "CREATE INDEX postings_by_account ON postings (account, day, entry)",
    """CREATE TABLE totals (
        account TEXT NOT NULL,
        fund TEXT NOT NULL,
        month TEXT NOT NULL,
        cents INTEGER NOT NULL,
        PRIMARY KEY (account, fund, month))""",
    """CREATE TABLE day_totals (
        day TEXT NOT NULL,
        account TEXT NOT NULL,
        fund TEXT NOT NULL,
        cents INTEGER NOT NULL,
        PRIMARY KEY (day, account, fund))""",
    """CREATE TABLE payments (
        entry INTEGER PRIMARY KEY REFERENCES entries (idx),
        source_id TEXT UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('pledge', 'gift')),
        member_key TEXT,
        account TEXT NOT NULL,
        parts TEXT NOT NULL,
        cents INTEGER NOT NULL CHECK (cents > 0),
        returned_cents INTEGER NOT NULL DEFAULT 0,
        dispute TEXT NOT NULL DEFAULT 'none'
            CHECK (dispute IN ('none', 'open', 'lost', 'won', 'reversed')),
        day TEXT NOT NULL)""",
    "CREATE INDEX payments_by_member ON payments (member_key, entry)",
    """CREATE TABLE identities (
        category TEXT NOT NULL,
        source_id TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        entry INTEGER REFERENCES entries (idx),
        cents INTEGER NOT NULL,
        txn_id TEXT,
        payout_id TEXT,
        fee_cents INTEGER NOT NULL DEFAULT 0,
        charge_id TEXT,
        PRIMARY KEY (source_id, category, ordinal))""",
    "CREATE UNIQUE INDEX identities_by_txn ON identities (txn_id)",
    "CREATE INDEX identities_by_payout ON identities (payout_id)",
    "CREATE INDEX identities_by_charge ON identities (charge_id) WHERE charge_id IS NOT NULL",
    """CREATE TABLE commitments (
        proposal TEXT PRIMARY KEY,
        goal_cents INTEGER NOT NULL CHECK (goal_cents > 0),
        held_cents INTEGER NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
        paid_cents INTEGER NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
        released_cents INTEGER NOT NULL DEFAULT 0 CHECK (released_cents >= 0),
        decided_at TEXT NOT NULL)""",
    *TRACE,
)

PEOPLE = (
    """CREATE TABLE members (
        id TEXT PRIMARY KEY,
        member_key TEXT NOT NULL UNIQUE,
        firstname TEXT NOT NULL,
        lastname TEXT NOT NULL,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL UNIQUE,
        country TEXT NOT NULL,
        notifications INTEGER NOT NULL,
        joined_at TEXT NOT NULL,
        closed_at TEXT,
        session_epoch INTEGER NOT NULL DEFAULT 0,
        todo TEXT NOT NULL)""",
    """CREATE TABLE credentials (
        member_id TEXT PRIMARY KEY REFERENCES members (id),
        password_hash TEXT NOT NULL)""",
    """CREATE TABLE consents (
        member_id TEXT NOT NULL,
        purpose TEXT NOT NULL,
        given INTEGER NOT NULL,
        wording TEXT NOT NULL,
        source TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (member_id, purpose, at))""",
    """CREATE TABLE registrations (
        id TEXT PRIMARY KEY,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL UNIQUE,
        member_id TEXT NOT NULL UNIQUE,
        member_key TEXT NOT NULL,
        started_at TEXT NOT NULL,
        doc TEXT NOT NULL)""",
    """CREATE TABLE pledges (
        member_id TEXT PRIMARY KEY REFERENCES members (id),
        id TEXT NOT NULL UNIQUE,
        dollars INTEGER NOT NULL CHECK (dollars BETWEEN 5 AND 999),
        billing_day TEXT NOT NULL,
        state TEXT NOT NULL,
        anchor_on TEXT NOT NULL,
        started_at TEXT NOT NULL,
        next_charge_on TEXT,
        skips_on TEXT,
        resumes_on TEXT,
        past_due_since TEXT,
        customer_id TEXT,
        subscription_id TEXT UNIQUE,
        card_expires_on TEXT)""",
    "CREATE INDEX pledges_by_state ON pledges (state, member_id)",
    "CREATE INDEX pledges_by_customer ON pledges (customer_id)",
    """CREATE TABLE pledge_changes (
        seq INTEGER PRIMARY KEY,
        member_key TEXT NOT NULL,
        at TEXT NOT NULL,
        state TEXT NOT NULL,
        dollars INTEGER NOT NULL)""",
    "CREATE INDEX pledge_changes_by_member ON pledge_changes (member_key, seq)",
    """CREATE TABLE contributors (
        handle TEXT PRIMARY KEY,
        member_key TEXT NOT NULL)""",
    "CREATE INDEX contributors_by_member ON contributors (member_key)",
    """CREATE TABLE outbox (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        member_id TEXT,
        address TEXT NOT NULL,
        doc TEXT NOT NULL,
        once_key TEXT UNIQUE,
        created_at TEXT NOT NULL,
        due_at TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        leased_until TEXT,
        sent_at TEXT,
        failure TEXT)""",
    "CREATE INDEX outbox_due ON outbox (sent_at, due_at)",
)

ACCESS = (
    "CREATE TABLE revoked_sessions (id TEXT PRIMARY KEY, until TEXT NOT NULL)",
    """CREATE TABLE limit_uses (
        id TEXT PRIMARY KEY,
        bucket TEXT NOT NULL,
        until TEXT NOT NULL)""",
    "CREATE INDEX limit_uses_by_bucket ON limit_uses (bucket, until)",
    "CREATE INDEX limit_uses_by_end ON limit_uses (until)",
    """CREATE TABLE mailed_codes (
        hash TEXT PRIMARY KEY,
        purpose TEXT NOT NULL,
        subject TEXT NOT NULL,
        expires_at TEXT NOT NULL)""",
    "CREATE INDEX mailed_codes_by_subject ON mailed_codes (subject, purpose)",
    """CREATE TABLE idempotency_keys (
        key TEXT PRIMARY KEY,
        body_mark TEXT NOT NULL,
        begun_at TEXT NOT NULL,
        answer TEXT,
        until TEXT NOT NULL)""",
    """CREATE TABLE newsletter_readers (
        email TEXT PRIMARY KEY,
        wording TEXT NOT NULL,
        source TEXT NOT NULL,
        asked_at TEXT NOT NULL,
        confirmed_at TEXT)""",
)

VOTING = (
    """CREATE TABLE proposals (
        id TEXT PRIMARY KEY,
        slug TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        status TEXT NOT NULL,
        ends_at TEXT NOT NULL,
        doc TEXT NOT NULL,
        created_at TEXT NOT NULL,
        opened_at TEXT,
        opened_index INTEGER REFERENCES log (idx),
        decided_at TEXT,
        closed_index INTEGER REFERENCES log (idx),
        roll_size INTEGER,
        key_destroyed_at TEXT)""",
    "CREATE INDEX proposals_by_status ON proposals (status, ends_at)",
    """CREATE TABLE participations (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        member_id TEXT NOT NULL,
        PRIMARY KEY (proposal, member_id))""",
    """CREATE TABLE ballots (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        voter TEXT NOT NULL,
        choice TEXT NOT NULL CHECK (choice IN ('up', 'down')),
        log_index INTEGER NOT NULL UNIQUE REFERENCES log (idx),
        PRIMARY KEY (proposal, voter))""",
    """CREATE TABLE ballot_voids (
        proposal TEXT NOT NULL,
        voter TEXT NOT NULL,
        log_index INTEGER NOT NULL UNIQUE REFERENCES log (idx),
        PRIMARY KEY (proposal, voter))""",
    """CREATE TABLE tallies (
        proposal TEXT PRIMARY KEY REFERENCES proposals (id),
        yes INTEGER NOT NULL DEFAULT 0 CHECK (yes >= 0),
        no INTEGER NOT NULL DEFAULT 0 CHECK (no >= 0),
        void INTEGER NOT NULL DEFAULT 0 CHECK (void >= 0))""",
    """CREATE TABLE rolls (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        voter TEXT NOT NULL,
        PRIMARY KEY (proposal, voter))""",
)

CONTENT = (
    """CREATE TABLE content (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        slug TEXT NOT NULL,
        position INTEGER NOT NULL,
        published INTEGER NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (kind, id))""",
    "CREATE UNIQUE INDEX content_by_slug ON content (kind, slug)",
    """CREATE TABLE content_changes (
        seq INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        at TEXT NOT NULL,
        published INTEGER NOT NULL,
        doc TEXT NOT NULL)""",
    "CREATE INDEX content_changes_by_item ON content_changes (kind, id, seq)",
)

SANDBOX = (
    """CREATE TABLE sandbox_objects (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        doc TEXT NOT NULL,
        due_on TEXT,
        PRIMARY KEY (kind, id))""",
    "CREATE INDEX sandbox_due ON sandbox_objects (kind, due_on)",
    """CREATE TABLE sandbox_rows (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        created_at TEXT NOT NULL,
        payout_id TEXT,
        doc TEXT NOT NULL)""",
    "CREATE INDEX sandbox_rows_by_payout ON sandbox_rows (payout_id)",
)

PROVIDER = (
    """CREATE TABLE provider_events (
        id TEXT PRIMARY KEY,
        type TEXT NOT NULL,
        doc TEXT NOT NULL,
        received_at TEXT NOT NULL,
        due_at TEXT NOT NULL,
        leased_until TEXT,
        done_at TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        failure TEXT)""",
    "CREATE INDEX provider_events_due ON provider_events (done_at, due_at)",
    "CREATE INDEX provider_events_by_age ON provider_events (received_at)",
)

STATEMENTS = (
    *ORGANISATION,
    *PUBLIC_LOG,
    *BOOKS,
    *PEOPLE,
    *ACCESS,
    *VOTING,
    *CONTENT,
    *SANDBOX,
    *PROVIDER,
)

APPEND_ONLY = (
    "log",
    "log_nodes",
    "checkpoints",
    "entries",
    "postings",
    "policies",
    "ballots",
    "ballot_voids",
    "participations",
    "rolls",
    "pledge_changes",
    "content_changes",
    "audit",
)
"""Tables that refuse UPDATE and DELETE: history is corrected, never rewritten."""

WITHOUT_ROWID = frozenset(
    {
        "meta",
        "log_nodes",
        "postings",
        "totals",
        "day_totals",
        "identities",
        "participations",
        "ballots",
        "rolls",
        "ballot_voids",
        "contributors",
        "content",
        "limit_uses",
    }
)
"""Keyed tables without an insertion order: who voted is kept apart from when."""
