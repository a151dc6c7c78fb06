-- Partitions the two largest tables, the public log and the postings, at a place of the log.
-- This is optional. Run it as the owner, while no server runs:
--
--   psql "$OWNER_URL" --set=ON_ERROR_STOP=1 --set=place=50000000 --file=postgresql-partitions.sql
--
-- Rows below the place are not moved, only read once. To add partitions later, split the last,
-- empty one before the log reaches it. Afterwards run postgresql-roles.sql again.

BEGIN;

ALTER TABLE postings RENAME TO postings_below;
ALTER TABLE postings_below RENAME CONSTRAINT postings_pkey TO postings_below_pkey;
ALTER INDEX postings_by_account RENAME TO postings_below_by_account;
CREATE TABLE postings (LIKE postings_below INCLUDING ALL) PARTITION BY RANGE (entry);
ALTER TABLE postings ADD FOREIGN KEY (entry) REFERENCES entries (idx);
ALTER TABLE postings ATTACH PARTITION postings_below FOR VALUES FROM (MINVALUE) TO (:place);
CREATE TABLE postings_above PARTITION OF postings FOR VALUES FROM (:place) TO (MAXVALUE);

ALTER TABLE entries DROP CONSTRAINT entries_idx_fkey;
ALTER TABLE proposals DROP CONSTRAINT proposals_opened_index_fkey;
ALTER TABLE proposals DROP CONSTRAINT proposals_closed_index_fkey;
ALTER TABLE ballots DROP CONSTRAINT ballots_log_index_fkey;
ALTER TABLE ballot_voids DROP CONSTRAINT ballot_voids_log_index_fkey;
ALTER TABLE log RENAME TO log_below;
ALTER TABLE log_below RENAME CONSTRAINT log_pkey TO log_below_pkey;
CREATE TABLE log (LIKE log_below INCLUDING ALL) PARTITION BY RANGE (idx);
ALTER TABLE log ATTACH PARTITION log_below FOR VALUES FROM (MINVALUE) TO (:place);
CREATE TABLE log_above PARTITION OF log FOR VALUES FROM (:place) TO (MAXVALUE);
ALTER TABLE entries ADD FOREIGN KEY (idx) REFERENCES log (idx);
ALTER TABLE proposals ADD FOREIGN KEY (opened_index) REFERENCES log (idx);
ALTER TABLE proposals ADD FOREIGN KEY (closed_index) REFERENCES log (idx);
ALTER TABLE ballots ADD FOREIGN KEY (log_index) REFERENCES log (idx);
ALTER TABLE ballot_voids ADD FOREIGN KEY (log_index) REFERENCES log (idx);

-- The whole table and each partition refuse changes; the lower ones already have triggers.
CREATE TRIGGER postings_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON postings_above
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON log_above
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

COMMIT;
ANALYZE log, postings;
