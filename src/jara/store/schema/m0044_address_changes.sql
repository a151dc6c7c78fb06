-- Addresses that an operator changed, until the old address agrees.

CREATE TABLE address_changes (
    code_hash TEXT PRIMARY KEY,
    member_id TEXT NOT NULL,
    email TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    undo_hash TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'owner', 'operators'))
) STRICT, WITHOUT ROWID;

CREATE INDEX address_changes_by_time ON address_changes (changed_at);
