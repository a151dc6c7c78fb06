-- Keyed hashes of values that nothing else holds; `jara migrate` seals the rows of 0.2.0.

CREATE TABLE seals (
    sealed_table TEXT NOT NULL,
    sealed_row TEXT NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (sealed_table, sealed_row)
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) SELECT 'seals.due', '1' WHERE EXISTS (SELECT 1 FROM meta);
