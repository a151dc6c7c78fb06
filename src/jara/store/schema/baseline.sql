-- The schema of release 0.2.0, as SQLite takes it; PostgreSQL's types follow from it.
--
-- Portable SQL: INTEGER, TEXT and BLOB are the only types. Days are YYYY-MM-DD, instants
-- YYYY-MM-DDTHH:MM:SSZ, booleans 0 or 1, money whole cents. A statement ends with a semicolon at
-- the end of its line. This text never changes: a later schema is a step beside it.
--
-- append-only: log, log_nodes, checkpoints, entries, postings, policies, tranches
-- append-only: ballots, ballot_voids, participations, rolls, dropped_ballots
-- append-only: pledge_changes, content_changes, audit, operator_keys, signed_acts

-- Organisation
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (name TEXT PRIMARY KEY, type TEXT NOT NULL, meaning TEXT NOT NULL) STRICT;

CREATE TABLE policies (
    log_index INTEGER PRIMARY KEY,
    valid_from TEXT NOT NULL,
    weights TEXT NOT NULL,
    fee_weights TEXT NOT NULL
) STRICT;

CREATE TABLE fixed_costs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents >= 0),
    valid_from TEXT NOT NULL,
    valid_to TEXT
) STRICT;

CREATE TABLE operators (
    name TEXT PRIMARY KEY,
    added_at TEXT NOT NULL,
    removed_at TEXT,
    email TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    why TEXT NOT NULL,
    before_doc TEXT NOT NULL,
    after_doc TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_subject ON audit (subject, seq);
CREATE INDEX audit_by_action ON audit (action, seq);

CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    payload TEXT NOT NULL,
    why TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'carrying_out', 'approved', 'refused')),
    prepared_by TEXT NOT NULL,
    prepared_at TEXT NOT NULL,
    decided_by TEXT,
    decided_at TEXT
) STRICT;

CREATE TABLE year_locks (
    year INTEGER PRIMARY KEY,
    locked_at TEXT NOT NULL,
    log_size INTEGER NOT NULL,
    root TEXT NOT NULL,
    balances TEXT NOT NULL
) STRICT;

-- Public log
CREATE TABLE log (
    idx INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    body BLOB NOT NULL,
    type TEXT NOT NULL
) STRICT;
CREATE INDEX log_control ON log (idx)
    WHERE type IN ('jara/v1/operator_key', 'jara/v1/control_policy', 'jara/v1/ways_in',
        'jara/v1/approval');

CREATE TABLE log_nodes (
    level INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (level, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL,
    peaks BLOB NOT NULL
) STRICT;

CREATE TABLE checkpoints (
    size INTEGER PRIMARY KEY,
    root BLOB NOT NULL,
    note TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;

-- Books
CREATE TABLE entries (
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
    booked_at TEXT NOT NULL
) STRICT;
CREATE INDEX entries_by_day ON entries (day, idx);
CREATE INDEX entries_by_member ON entries (member_key, idx);
CREATE INDEX entries_by_reference ON entries (reference, idx);
CREATE INDEX entries_by_payment ON entries (of_entry) WHERE of_entry IS NOT NULL;

CREATE TABLE entry_notes (
    entry INTEGER PRIMARY KEY REFERENCES entries (idx),
    note TEXT NOT NULL
) STRICT;

CREATE TABLE postings (
    entry INTEGER NOT NULL REFERENCES entries (idx),
    line INTEGER NOT NULL,
    account TEXT NOT NULL,
    fund TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents <> 0),
    day TEXT NOT NULL,
    PRIMARY KEY (entry, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_account ON postings (account, day, entry);

CREATE TABLE totals (
    account TEXT NOT NULL,
    fund TEXT NOT NULL,
    month TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (account, fund, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE day_totals (
    day TEXT NOT NULL,
    account TEXT NOT NULL,
    fund TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (day, account, fund)
) STRICT, WITHOUT ROWID;

CREATE TABLE payments (
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
    day TEXT NOT NULL,
    way TEXT NOT NULL DEFAULT 'card',
    proof TEXT NOT NULL DEFAULT 'trust',
    card_fingerprint TEXT
) STRICT;
CREATE INDEX payments_by_member ON payments (member_key, entry);
CREATE INDEX payments_in_dispute ON payments (entry) WHERE dispute = 'open';
CREATE INDEX payments_without_card ON payments (member_key, entry) WHERE way <> 'card';

CREATE TABLE identities (
    category TEXT NOT NULL,
    source_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    entry INTEGER REFERENCES entries (idx),
    cents INTEGER NOT NULL,
    txn_id TEXT,
    payout_id TEXT,
    fee_cents INTEGER NOT NULL DEFAULT 0,
    charge_id TEXT,
    is_undone INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source_id, category, ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identities_by_txn ON identities (txn_id);
CREATE INDEX identities_by_payout ON identities (payout_id);
CREATE INDEX identities_by_charge ON identities (charge_id) WHERE charge_id IS NOT NULL;

CREATE TABLE commitments (
    proposal TEXT PRIMARY KEY,
    goal_cents INTEGER NOT NULL CHECK (goal_cents > 0),
    held_cents INTEGER NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
    paid_cents INTEGER NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
    released_cents INTEGER NOT NULL DEFAULT 0 CHECK (released_cents >= 0),
    decided_at TEXT NOT NULL
) STRICT;

-- Each index of the trace repeats the order that its readers ask for, and the tables keep their
-- rowids: without them and without statistics, SQLite's planner scans the whole pool along the
-- primary key. Sums of cents need 64 bits.
CREATE TABLE trace_lot (
    pool TEXT NOT NULL,
    seq INTEGER NOT NULL,
    member TEXT,
    entry INTEGER NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    total INTEGER NOT NULL CHECK (total >= cents),
    hole INTEGER NOT NULL CHECK (hole >= 0),
    cut INTEGER NOT NULL CHECK (cut >= 0 AND hole + cut <= cents),
    restores INTEGER,
    PRIMARY KEY (pool, seq)
) STRICT;
CREATE INDEX trace_lot_member ON trace_lot (pool, member, seq) WHERE member IS NOT NULL;
CREATE INDEX trace_lot_entry ON trace_lot (pool, entry, seq);
CREATE INDEX trace_lot_restores ON trace_lot (pool, restores, seq) WHERE restores IS NOT NULL;

CREATE TABLE trace_use (
    pool TEXT NOT NULL,
    start INTEGER NOT NULL CHECK (start >= 0),
    stop INTEGER NOT NULL CHECK (stop > start),
    label TEXT NOT NULL CHECK (label IN ('used', 'free', 'cut')),
    entry INTEGER CHECK ((entry IS NOT NULL) = (label = 'used')),
    PRIMARY KEY (pool, start)
) STRICT;
CREATE INDEX trace_use_entry ON trace_use (pool, entry, start);
CREATE INDEX trace_use_free ON trace_use (pool, start) WHERE label = 'free';

CREATE TABLE trace_hole (
    pool TEXT NOT NULL,
    node INTEGER NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    PRIMARY KEY (pool, node)
) STRICT;

-- People
CREATE TABLE members (
    id TEXT PRIMARY KEY,
    member_key TEXT NOT NULL UNIQUE,
    firstname TEXT NOT NULL,
    lastname TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL,
    joined_at TEXT NOT NULL,
    closed_at TEXT,
    session_epoch INTEGER NOT NULL DEFAULT 0,
    todo TEXT NOT NULL,
    email_confirmed INTEGER NOT NULL DEFAULT 0,
    language TEXT NOT NULL DEFAULT 'en',
    is_added INTEGER NOT NULL DEFAULT 0,
    email_choice TEXT NOT NULL DEFAULT 'nothing'
) STRICT;

CREATE TABLE credentials (
    member_id TEXT PRIMARY KEY REFERENCES members (id),
    password_hash TEXT NOT NULL
) STRICT;

CREATE TABLE consents (
    member_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    given INTEGER NOT NULL,
    wording TEXT NOT NULL,
    source TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (member_id, purpose, at)
) STRICT;

CREATE TABLE registrations (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    member_id TEXT NOT NULL UNIQUE,
    member_key TEXT NOT NULL,
    started_at TEXT NOT NULL,
    doc TEXT NOT NULL
) STRICT;

CREATE TABLE pledges (
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
    card_expires_on TEXT,
    card_fingerprint TEXT,
    way TEXT NOT NULL DEFAULT 'card',
    reference TEXT,
    due_cents INTEGER
) STRICT;
CREATE INDEX pledges_by_state ON pledges (state, member_id);
CREATE INDEX pledges_by_customer ON pledges (customer_id);
CREATE UNIQUE INDEX pledges_by_reference ON pledges (reference) WHERE reference IS NOT NULL;

CREATE TABLE pledge_changes (
    seq INTEGER PRIMARY KEY,
    member_key TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL,
    dollars INTEGER NOT NULL
) STRICT;
CREATE INDEX pledge_changes_by_member ON pledge_changes (member_key, seq);

CREATE TABLE contributors (
    handle TEXT PRIMARY KEY,
    member_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX contributors_by_member ON contributors (member_key);

-- Emails, limits, codes and repeated requests
CREATE TABLE outbox (
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
    failure TEXT,
    sealed TEXT,
    refused_at TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox (sent_at, due_at);
CREATE INDEX outbox_by_member ON outbox (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX outbox_by_address ON outbox (address);

CREATE TABLE limit_uses (
    id TEXT PRIMARY KEY,
    bucket TEXT NOT NULL,
    until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX limit_uses_by_bucket ON limit_uses (bucket, until);
CREATE INDEX limit_uses_by_end ON limit_uses (until);

CREATE TABLE mailed_codes (
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    subject TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX mailed_codes_by_subject ON mailed_codes (subject, purpose);

CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    body_mark TEXT NOT NULL,
    begun_at TEXT NOT NULL,
    answer TEXT,
    until TEXT NOT NULL,
    attempt TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE newsletter_readers (
    email TEXT PRIMARY KEY,
    wording TEXT NOT NULL,
    source TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    confirmed_at TEXT,
    language TEXT NOT NULL DEFAULT 'en'
) STRICT;

-- Votes. No row shows that a member voted while the ballot key exists: until then, tokens stand for
-- the voter, and ballots are sealed. Tables without rowid have no order of insertion, which would
-- link a voter to a time.
CREATE TABLE proposals (
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
    key_destroyed_at TEXT
) STRICT;
CREATE INDEX proposals_by_status ON proposals (status, ends_at);

CREATE TABLE ballots (
    proposal TEXT NOT NULL REFERENCES proposals (id),
    voter TEXT NOT NULL,
    choice TEXT NOT NULL CHECK (choice IN ('up', 'down')),
    log_index INTEGER NOT NULL UNIQUE REFERENCES log (idx),
    PRIMARY KEY (proposal, voter)
) STRICT, WITHOUT ROWID;

CREATE TABLE ballot_voids (
    proposal TEXT NOT NULL,
    voter TEXT NOT NULL,
    log_index INTEGER NOT NULL UNIQUE REFERENCES log (idx),
    PRIMARY KEY (proposal, voter)
) STRICT, WITHOUT ROWID;

CREATE TABLE tallies (
    proposal TEXT PRIMARY KEY REFERENCES proposals (id),
    yes INTEGER NOT NULL DEFAULT 0 CHECK (yes >= 0),
    no INTEGER NOT NULL DEFAULT 0 CHECK (no >= 0),
    void INTEGER NOT NULL DEFAULT 0 CHECK (void >= 0)
) STRICT;

CREATE TABLE rolls (
    proposal TEXT NOT NULL REFERENCES proposals (id),
    voter TEXT NOT NULL,
    PRIMARY KEY (proposal, voter)
) STRICT, WITHOUT ROWID;

-- Content
CREATE TABLE content (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    slug TEXT NOT NULL,
    position INTEGER NOT NULL,
    published INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX content_by_slug ON content (kind, slug);

CREATE TABLE content_changes (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    published INTEGER NOT NULL,
    doc TEXT NOT NULL
) STRICT;
CREATE INDEX content_changes_by_item ON content_changes (kind, id, seq);

-- Sandbox payments
CREATE TABLE sandbox_objects (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    doc TEXT NOT NULL,
    due_on TEXT,
    PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX sandbox_due ON sandbox_objects (kind, due_on);

CREATE TABLE sandbox_rows (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    payout_id TEXT,
    doc TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_rows_by_payout ON sandbox_rows (payout_id);

-- Events of the payment provider
CREATE TABLE provider_events (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    doc TEXT NOT NULL,
    received_at TEXT NOT NULL,
    due_at TEXT NOT NULL,
    leased_until TEXT,
    done_at TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    failure TEXT
) STRICT;
CREATE INDEX provider_events_due ON provider_events (done_at, due_at);
CREATE INDEX provider_events_by_age ON provider_events (received_at);

-- Figures that are kept up to date, so that frequent reads do not grow with the history
CREATE TABLE electors (
    member_id TEXT PRIMARY KEY,
    dollars INTEGER NOT NULL,
    member_key TEXT,
    votes_until TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX electors_by_end ON electors (votes_until);

CREATE TABLE figures (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Votes that are open
CREATE TABLE ballot_claims (
    proposal TEXT NOT NULL REFERENCES proposals (id),
    token TEXT NOT NULL,
    voter TEXT NOT NULL,
    PRIMARY KEY (proposal, token, voter)
) STRICT, WITHOUT ROWID;

CREATE TABLE open_participations (
    proposal TEXT NOT NULL,
    member_id TEXT NOT NULL,
    PRIMARY KEY (proposal, member_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE participations (
    proposal TEXT NOT NULL REFERENCES proposals (id),
    member_id TEXT NOT NULL,
    PRIMARY KEY (proposal, member_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE lapsed_members (member_key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Cards, devices and sessions. Sessions and devices store a keyed hash of the member, at most a day,
-- and no order: no row shows who signed in when.
CREATE TABLE shared_cards (
    fingerprint TEXT PRIMARY KEY,
    allowed_at TEXT NOT NULL,
    why TEXT NOT NULL
) STRICT;

CREATE TABLE pending_addresses (
    member_id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    code_hash TEXT NOT NULL UNIQUE,
    expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE undo_codes (
    hash TEXT PRIMARY KEY,
    member_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    email TEXT NOT NULL,
    email_confirmed INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    UNIQUE (member_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE known_devices (
    hash TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_by_owner ON known_devices (owner);

CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    device TEXT NOT NULL,
    used_on TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_owner ON sessions (owner);

CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    member_id TEXT NOT NULL,
    name TEXT NOT NULL,
    public_key BLOB NOT NULL,
    added_on TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_by_member ON passkeys (member_id);

-- Operators' keys and signed acts. The keys and limits in force follow from the public log; these
-- tables hold what it must not contain.
CREATE TABLE operator_keys (
    fingerprint TEXT PRIMARY KEY,
    operator TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE signed_acts (
    nonce TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    operator TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    statement TEXT NOT NULL,
    signature TEXT NOT NULL,
    approval TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX signed_acts_by_approval ON signed_acts (approval) WHERE approval IS NOT NULL;

-- Bank statements
CREATE TABLE bank_accounts (
    number TEXT PRIMARY KEY,
    ledger TEXT NOT NULL UNIQUE,
    added_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_statements (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES bank_accounts (number),
    file TEXT NOT NULL,
    form TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    opening_cents INTEGER,
    closing_cents INTEGER,
    imported_at TEXT NOT NULL,
    import_id TEXT,
    undone_at TEXT,
    seq INTEGER NOT NULL DEFAULT 0,
    base_cents INTEGER,
    is_proven INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_lines (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES bank_accounts (number),
    statement TEXT NOT NULL REFERENCES bank_statements (id),
    line INTEGER NOT NULL,
    day TEXT NOT NULL,
    cents INTEGER NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    party TEXT NOT NULL,
    party_account TEXT NOT NULL,
    bank_ref TEXT NOT NULL,
    own_ref TEXT NOT NULL,
    is_reversal INTEGER NOT NULL,
    is_collective INTEGER NOT NULL DEFAULT 0,
    twin TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX bank_lines_by_day ON bank_lines (account, day);

CREATE TABLE bank_reasons (
    line TEXT PRIMARY KEY REFERENCES bank_lines (id),
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_rules (
    id TEXT PRIMARY KEY,
    added_at TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_mappings (name TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Ways to pay without a card
CREATE TABLE payment_ways (
    way TEXT PRIMARY KEY,
    ledger TEXT NOT NULL,
    details TEXT NOT NULL,
    iban TEXT NOT NULL DEFAULT '',
    holder TEXT NOT NULL DEFAULT '',
    takes_euro INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Members from other programs
CREATE TABLE member_imports (
    id TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    form TEXT NOT NULL,
    digest TEXT NOT NULL,
    operator TEXT NOT NULL,
    started_at TEXT NOT NULL,
    undone_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE imported_members (
    member_id TEXT PRIMARY KEY,
    import TEXT NOT NULL REFERENCES member_imports (id),
    invited_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_members_by_import ON imported_members (import, member_id);

-- Witnesses of the public log
CREATE TABLE witnesses (
    name TEXT PRIMARY KEY,
    vkey TEXT NOT NULL,
    url TEXT NOT NULL,
    added_at TEXT NOT NULL,
    seen_size INTEGER NOT NULL,
    tried_at TEXT,
    failure TEXT NOT NULL
) STRICT;

CREATE TABLE cosignatures (
    size INTEGER NOT NULL,
    witness TEXT NOT NULL REFERENCES witnesses (name),
    line TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    PRIMARY KEY (size, witness)
) STRICT;

CREATE TABLE bank_matches (
    entry INTEGER NOT NULL REFERENCES entries (idx),
    line TEXT NOT NULL REFERENCES bank_lines (id),
    PRIMARY KEY (entry, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_matches_by_line ON bank_matches (line);

CREATE TABLE sealed_ballots (
    proposal TEXT NOT NULL REFERENCES proposals (id),
    place INTEGER NOT NULL,
    box TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (proposal, place)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sealed_ballots_by_box ON sealed_ballots (proposal, box);

CREATE TABLE dropped_ballots (
    proposal TEXT NOT NULL REFERENCES proposals (id),
    voter TEXT NOT NULL,
    PRIMARY KEY (proposal, voter)
) STRICT, WITHOUT ROWID;

CREATE TABLE tranches (
    entry INTEGER PRIMARY KEY REFERENCES entries (idx),
    milestone TEXT NOT NULL
) STRICT;

-- A row is one email that did not reach its address; it does not say of which kind
CREATE TABLE returned_emails (
    email_id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    status TEXT NOT NULL,
    is_hard INTEGER NOT NULL,
    at TEXT NOT NULL,
    cleared_at TEXT
) STRICT;
CREATE INDEX returned_emails_address ON returned_emails (address);

-- News: what happened, whom it is fanned out to, and how far that is
CREATE TABLE news (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    at TEXT NOT NULL,
    reached TEXT NOT NULL,
    done_at TEXT
) STRICT;
CREATE INDEX news_by_time ON news (at);
CREATE INDEX news_waiting ON news (done_at, at);

-- Partners, and the reports from the field. Photos wait here: nothing of them has an address, and a
-- backup has them.
CREATE TABLE partners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    added_at TEXT NOT NULL,
    email TEXT NOT NULL DEFAULT '',
    email_confirmed_at TEXT
) STRICT;

CREATE TABLE field_links (
    id TEXT PRIMARY KEY,
    partner TEXT NOT NULL REFERENCES partners (id),
    project TEXT NOT NULL,
    proof TEXT NOT NULL UNIQUE,
    made_at TEXT NOT NULL,
    last_day TEXT NOT NULL,
    revoked_at TEXT,
    sample INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE field_reports (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    mark TEXT NOT NULL,
    partner TEXT NOT NULL REFERENCES partners (id),
    project TEXT NOT NULL,
    link TEXT NOT NULL REFERENCES field_links (id),
    state TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    milestone TEXT,
    numbers TEXT NOT NULL,
    consent TEXT,
    place TEXT NOT NULL,
    written_at TEXT NOT NULL,
    received_at TEXT NOT NULL,
    decided_at TEXT,
    update_id TEXT,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX field_reports_by_partner ON field_reports (partner, project);

CREATE TABLE field_photos (
    report TEXT NOT NULL REFERENCES field_reports (id),
    sent_hash TEXT NOT NULL,
    number INTEGER NOT NULL,
    size INTEGER NOT NULL,
    name TEXT NOT NULL,
    fault TEXT NOT NULL,
    data BLOB,
    PRIMARY KEY (report, sent_hash)
) STRICT;

CREATE TABLE field_pieces (
    report TEXT NOT NULL,
    sent_hash TEXT NOT NULL,
    start INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (report, sent_hash, start),
    FOREIGN KEY (report, sent_hash) REFERENCES field_photos (report, sent_hash)
) STRICT;

CREATE TABLE announcements (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    digest TEXT NOT NULL,
    recipients INTEGER NOT NULL,
    operator TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT
) STRICT;
CREATE INDEX announcements_by_digest ON announcements (digest);

-- Legal texts
CREATE TABLE legal_versions (
    text TEXT NOT NULL CHECK (text IN ('terms', 'privacy')),
    number INTEGER NOT NULL CHECK (number > 0),
    valid_from TEXT NOT NULL,
    made_at TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('shipped', 'own', 'values')),
    contents TEXT NOT NULL,
    place_values TEXT NOT NULL,
    why TEXT NOT NULL,
    withdrawn_at TEXT,
    PRIMARY KEY (text, number)
) STRICT;

-- Views with plain names for direct queries; they contain no personal data
CREATE VIEW disbursements AS
    SELECT e.id AS entry, e.day AS day, e.kind AS kind, p.account AS account,
        CASE WHEN p.account LIKE 'expenses:projects:%' THEN substr(p.account, 19) END
            AS project,
        e.reference AS reference, CAST(SUM(p.cents) AS INTEGER) AS cents
    FROM entries e JOIN postings p ON p.entry = e.idx
    WHERE p.account LIKE 'expenses:projects:%' OR p.account LIKE 'expenses:grants:%'
        OR p.account LIKE 'expenses:donations:%' OR p.account = 'expenses:donations'
    GROUP BY e.idx, e.id, e.day, e.kind, p.account, e.reference;

CREATE VIEW balances AS
    SELECT account, fund, CAST(SUM(cents) AS INTEGER) AS cents
    FROM totals GROUP BY account, fund;

CREATE VIEW project_spending AS
    SELECT substr(p.account, 19) AS project, CAST(SUM(p.cents) AS INTEGER) AS cents,
        COUNT(DISTINCT e.idx) AS payments, MIN(e.day) AS first_day, MAX(e.day) AS last_day
    FROM entries e JOIN postings p ON p.entry = e.idx
    WHERE p.account LIKE 'expenses:projects:%'
    GROUP BY p.account;

CREATE VIEW vote_results AS
    SELECT o.slug AS proposal, o.title AS title, o.status AS status, o.opened_at AS opened_at,
        o.ends_at AS ends_at, o.decided_at AS decided_at, t.yes AS yes, t.no AS no,
        t.void AS void, o.roll_size AS roll
    FROM proposals o JOIN tallies t ON t.proposal = o.id
    WHERE o.opened_at IS NOT NULL;

CREATE VIEW fund_movements AS
    SELECT month, fund,
        CAST(-SUM(CASE WHEN account LIKE 'income:%' THEN cents ELSE 0 END) AS INTEGER)
            AS received_cents,
        CAST(SUM(CASE WHEN account LIKE 'expenses:%' THEN cents ELSE 0 END) AS INTEGER)
            AS spent_cents,
        CAST(-SUM(CASE WHEN account LIKE 'equity:%' THEN cents ELSE 0 END) AS INTEGER)
            AS moved_cents
    FROM totals GROUP BY month, fund;

CREATE VIEW contributions AS
    SELECT e.id AS entry, y.day AS day, y.kind AS kind, y.cents AS cents,
        y.returned_cents AS returned_cents,
        CASE WHEN y.dispute = 'reversed' THEN 0 ELSE y.cents - y.returned_cents END
            AS kept_cents,
        y.dispute AS dispute
    FROM payments y JOIN entries e ON e.idx = y.entry;

INSERT INTO figures (name, value)
    VALUES ('contributions', 0), ('contribution_cents', 0), ('electors', 0), ('elector_dollars', 0);
