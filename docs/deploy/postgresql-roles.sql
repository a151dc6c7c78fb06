-- What the server and the operators' commands may do, when the tables belong to another role.
-- Run it as the owner of the tables, after `jara init`, `jara db copy`, `jara restore` and
-- each `jara migrate`:
--
--   psql "$OWNER_URL" --set=ON_ERROR_STOP=1 --set=role=jara --file=postgresql-roles.sql

BEGIN;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"role";
GRANT USAGE ON SCHEMA public TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"role";

-- History is added to and never rewritten. The triggers refuse it to everybody; who has no
-- right to it cannot switch the triggers off either.
SELECT format('REVOKE UPDATE, DELETE ON %s FROM %I', CAST(tgrelid AS regclass), :'role')
FROM pg_trigger WHERE tgname LIKE '%!_refuses!_change' ESCAPE '!' \gexec

-- The schema changes through `jara migrate`, which the owner runs.
REVOKE INSERT, UPDATE, DELETE ON schema_steps FROM :"role";
COMMIT;
