-- Rights of the role that runs the server and the operators' commands; another role owns the tables.
-- Run it as the owner of the tables, after `jara init`, `jara db copy`, `jara restore` and
-- each `jara migrate`:
--
--   psql "$OWNER_URL" --set=ON_ERROR_STOP=1 --set=role=jara --file=postgresql-roles.sql

BEGIN;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"role";
GRANT USAGE ON SCHEMA public TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"role";

-- History is append-only. Triggers enforce it for every role; a role without these rights
-- cannot disable the triggers.
SELECT format('REVOKE UPDATE, DELETE ON %s FROM %I', CAST(tgrelid AS regclass), :'role')
FROM pg_trigger WHERE tgname LIKE '%!_refuses!_change' ESCAPE '!' \gexec

-- Only the owner changes the schema, with `jara migrate`.
REVOKE INSERT, UPDATE, DELETE ON schema_steps FROM :"role";
COMMIT;
