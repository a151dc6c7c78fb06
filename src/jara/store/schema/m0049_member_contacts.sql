-- What operators know of members besides the account: postal address, telephone, day of death.

CREATE TABLE member_contacts (
    member_id TEXT PRIMARY KEY,
    postal TEXT NOT NULL,
    phone TEXT NOT NULL,
    died_on TEXT
) STRICT, WITHOUT ROWID;
