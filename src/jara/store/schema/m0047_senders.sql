-- Senders whose payments operators matched with members by hand.

CREATE TABLE bank_senders (
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    member_id TEXT NOT NULL,
    cents INTEGER,
    line TEXT NOT NULL REFERENCES bank_lines (id),
    remembered_by TEXT NOT NULL,
    remembered_at TEXT NOT NULL,
    PRIMARY KEY (id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX bank_senders_by_member ON bank_senders (member_id);

ALTER TABLE bank_matches ADD COLUMN sender TEXT NOT NULL DEFAULT '';
