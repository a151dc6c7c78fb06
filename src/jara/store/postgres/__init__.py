"""The PostgreSQL engine, through psycopg."""
