"""Builds a database from a backup: the schema by the steps, the rows from the file.

Nothing but rows comes from the file, so no trigger, view, index or expression of it ever runs.
"""

from contextlib import closing
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.store.sqlite.connection import Connection, sqlite3, translated
from jara.store.sqlite.database import refuse_strangers
from jara.store.sqlite.objects import list_objects, read_findings, take_steps

_SHOWN = 5


def rebuild(source: Path, target: Path) -> list[str]:
    """Build a database of this version with the rows of a backup, perhaps of an older one.

    The target is an empty file. Returns the names of the steps that the backup lacked.

    Raises:
        Unavailable: the backup is not a sound Jara database, has something else than Jara's
            tables, or is of a newer version.
        OlderDatabase: the backup is older than 0.2.0.
    """
    address = f"{source.absolute().as_uri()}?mode=ro&immutable=1"
    place = f"The file {source}"
    with translated(place), closing(_connect(address)) as backup:
        version = refuse_strangers(backup, str(source))
        _require_own_schema(backup, version, source.name)
        _require_sound(backup, source.name)
    with translated(place), closing(_connect(target.absolute().as_uri())) as database:
        database.execute("PRAGMA synchronous = OFF")  # the caller syncs the whole file
        database.execute("PRAGMA journal_mode = OFF")  # and discards it after a failure
        take_steps(database, version)
        database.execute("ATTACH :address AS backup", {"address": address})
        _copy_rows(database)
        database.execute("DETACH backup")
        steps = take_steps(database)
        broken = database.execute("PRAGMA foreign_key_check").fetchone()
        database.execute("PRAGMA journal_mode = DELETE")
    if broken is not None:
        raise Unavailable(
            f"'{source.name}' is damaged: row {broken[1]} of {broken[0]} refers to nothing in "
            f"{broken[2]}."
        )
    return steps


def _connect(address: str) -> Connection:
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "foreign_keys = OFF"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _require_own_schema(backup: Connection, version: int, name: str) -> None:
    foreign, missing = read_findings(backup, version)
    # Indexes and triggers are built anew, so only tables must be there.
    faults = foreign + [each for each in missing if each.startswith("the table ")]
    if faults:
        more = f" (and {len(faults) - _SHOWN} more)" if len(faults) > _SHOWN else ""
        raise Unavailable(
            f"'{name}' is not restored: {'; '.join(faults[:_SHOWN])}{more}. Take another backup, "
            "and find out who changed this one."
        )


def _require_sound(backup: Connection, name: str) -> None:
    finding = str(backup.execute("PRAGMA quick_check(1)").fetchone()[0])
    if finding != "ok":
        raise Unavailable(f"'{name}' is damaged: {finding}.")


def _copy_rows(database: Connection) -> None:
    """Copy every row into the empty tables; indexes and triggers are made afterwards."""
    from sqlite_utils import Database  # noqa: PLC0415 - slow to import

    objects = list(list_objects(database))
    later = [one for one in objects if one.kind in {"index", "trigger"} and one.text is not None]
    database.execute("BEGIN")
    for one in later:
        database.execute(f"DROP {one.kind} {one.name}")
    for table in Database(database, execute_plugins=False).tables:
        columns = ", ".join(table.columns_dict)
        table.delete_where()  # a new database has a few rows
        # Named columns, not *: so each value is checked against its column.
        database.execute(
            f"INSERT INTO main.{table.name} ({columns}) SELECT {columns} FROM backup.{table.name}"
        )
    for one in later:
        database.execute(str(one.text))
    database.execute("COMMIT")
