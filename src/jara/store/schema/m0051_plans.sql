-- Plans of years: what the board expects to get and to spend, in versions.
-- append-only: plan_lines

CREATE TABLE plans (
    year INTEGER NOT NULL,
    version INTEGER NOT NULL,
    decided_on TEXT,
    minutes TEXT NOT NULL,
    imported_by TEXT NOT NULL,
    imported_at TEXT NOT NULL,
    published_at TEXT,
    PRIMARY KEY (year, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE plan_lines (
    year INTEGER NOT NULL,
    version INTEGER NOT NULL,
    place INTEGER NOT NULL,
    account TEXT NOT NULL,
    fund TEXT,
    month TEXT,
    cents INTEGER NOT NULL,
    PRIMARY KEY (year, version, place)
) STRICT, WITHOUT ROWID;
