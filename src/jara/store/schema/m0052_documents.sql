-- Documents of entries, such as invoices: who added which, and their encrypted bytes.
-- append-only: documents, entry_documents

CREATE TABLE documents (
    hash TEXT PRIMARY KEY,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL CHECK (bytes > 0),
    day TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE document_files (
    document TEXT PRIMARY KEY REFERENCES documents (hash),
    sealed BLOB,
    erased_at TEXT
) STRICT;

CREATE TABLE entry_documents (
    entry INTEGER NOT NULL REFERENCES entries (idx),
    document TEXT NOT NULL REFERENCES documents (hash),
    is_public INTEGER NOT NULL,
    kind TEXT NOT NULL,
    salt TEXT NOT NULL,
    leaf INTEGER NOT NULL,
    added_by TEXT NOT NULL,
    added_at TEXT NOT NULL,
    PRIMARY KEY (entry, document, is_public)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_documents_by_document ON entry_documents (document);
