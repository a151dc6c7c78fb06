# Run once by PostgreSQL's image, for a new volume: Jara's role owns its database and nothing else.
# The superuser gets no password, so it signs in from inside the container alone.
psql --username="$POSTGRES_USER" --dbname=postgres --set=ON_ERROR_STOP=1 \
    --set=password="$POSTGRES_PASSWORD" --set=superuser="$POSTGRES_USER" <<'SQL'
CREATE ROLE jara LOGIN PASSWORD :'password';
CREATE DATABASE jara OWNER jara;
ALTER ROLE :"superuser" PASSWORD NULL;
SQL
