"""Partners, their links, and the reports from the field that wait to be published.

Photos are here while they wait: nothing of them has an address, and a backup has them.
"""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE partners (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        language TEXT NOT NULL,
        added_at TEXT NOT NULL)""",
    """CREATE TABLE field_links (
        id TEXT PRIMARY KEY,
        partner TEXT NOT NULL REFERENCES partners (id),
        project TEXT NOT NULL,
        proof TEXT NOT NULL UNIQUE,
        made_at TEXT NOT NULL,
        last_day TEXT NOT NULL,
        revoked_at TEXT)""",
    """CREATE TABLE field_reports (
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
        reason TEXT NOT NULL)""",
    "CREATE INDEX field_reports_by_partner ON field_reports (partner, project)",
    """CREATE TABLE field_photos (
        report TEXT NOT NULL REFERENCES field_reports (id),
        sent_hash TEXT NOT NULL,
        number INTEGER NOT NULL,
        size INTEGER NOT NULL,
        name TEXT NOT NULL,
        fault TEXT NOT NULL,
        data BLOB,
        PRIMARY KEY (report, sent_hash))""",
    """CREATE TABLE field_pieces (
        report TEXT NOT NULL,
        sent_hash TEXT NOT NULL,
        start INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (report, sent_hash, start),
        FOREIGN KEY (report, sent_hash) REFERENCES field_photos (report, sent_hash))""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
