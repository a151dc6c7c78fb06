-- Gifts that givers announced on the website, to be paid without a card.

CREATE TABLE gift_promises (
    reference TEXT PRIMARY KEY,
    cents INTEGER NOT NULL CHECK (cents > 0),
    way TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    promised_at TEXT NOT NULL,
    arrived_on TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX gift_promises_by_time ON gift_promises (promised_at);
