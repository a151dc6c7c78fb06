"""The SQLite engine, through sqlite-utils."""
