-- Votes that are being closed in steps, and what is prepared for the last of them.

CREATE TABLE closings (
    proposal TEXT PRIMARY KEY REFERENCES proposals (id),
    leased_until TEXT NOT NULL,
    first_index INTEGER,
    ballots_moved INTEGER NOT NULL DEFAULT 0,
    roll_moved TEXT NOT NULL DEFAULT '',
    told TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE prepared_leaves (
    proposal TEXT NOT NULL,
    place INTEGER NOT NULL,
    voter TEXT NOT NULL,
    choice TEXT NOT NULL,
    hash BLOB NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (proposal, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE prepared_rolls (
    proposal TEXT NOT NULL,
    voter TEXT NOT NULL,
    PRIMARY KEY (proposal, voter)
) STRICT, WITHOUT ROWID;
