-- Claims of volunteers, and what may be claimed.

CREATE TABLE claims (
    report TEXT PRIMARY KEY REFERENCES field_reports (id),
    currency TEXT NOT NULL,
    minor INTEGER NOT NULL CHECK (minor > 0),
    cents INTEGER CHECK (cents > 0),
    rate_source TEXT NOT NULL,
    spent_on TEXT NOT NULL,
    purpose TEXT NOT NULL,
    repay_to TEXT,
    entry INTEGER,
    paid_entry INTEGER
) STRICT;

CREATE TABLE claim_purposes (
    name TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    fund TEXT NOT NULL,
    added_at TEXT NOT NULL
) STRICT;
