"""Writes docs/data.md from the schema and docs/metadata.yaml."""

from collections.abc import Iterator
from typing import Any

import yaml

from jara.store.sql.tables import TABLES
from jara.store.sqlite.database import SqliteDatabase
from tests.pages.architecture import ROOT

METADATA = ROOT / "docs" / "metadata.yaml"

INTRODUCTION = """\
# Data

The tables and views of the database, in SQLite and PostgreSQL alike. This page is generated:
`python -m tests.pages` writes it from the schema and `docs/metadata.yaml`.

Money is whole cents of the currency in `datapackage.json`. Days are `YYYY-MM-DD` in the
organisation's time zone, instants `YYYY-MM-DDTHH:MM:SSZ` in UTC.

## Views

The views have plain names and no person in them. They stay as they are from one version to the
next; the tables below may change.

```sh
sqlite3 -header -csv jara.db "SELECT * FROM fund_movements WHERE month >= '2026-01'"
datasette jara.db --metadata docs/metadata.yaml
```

With this metadata [Datasette](https://datasette.io) shows the views with titles and
descriptions, and nothing else. From a program, use the [Python library](python.md).
"""
OPEN_DATA = """\
## Open data

`jara export datapackage open-data` writes projects, results, payouts, votes, funds and months as a
[Frictionless data package](https://specs.frictionlessdata.io/): a CSV file for each table, and
`datapackage.json`, which says what each column means. The website serves the same files at
`/api/open-data/datapackage.json`, always as they are now.
"""
TABLES_TITLE = """\
## Tables

They hold personal data: give nobody access to them whom you would not show the members' list.
"""


def described() -> dict[str, dict[str, Any]]:
    """Return the metadata's description of each table and view of both engines."""
    tables: dict[str, dict[str, Any]] = yaml.safe_load(METADATA.read_text("utf-8"))["databases"][
        "jara"
    ]["tables"]
    return {name: facts for name, facts in tables.items() if not name.startswith("_")}


def views() -> dict[str, tuple[str, ...]]:
    """Return the columns of each view of a new database."""
    database = SqliteDatabase(":memory:", durable=False)
    database.create()
    with database.transaction(write=False) as sql:
        names = [str(row[0]) for row in sql.all("SELECT name FROM sqlite_master WHERE type='view'")]
        ask = "SELECT name FROM pragma_table_info(:view)"
        found = {name: tuple(str(row[0]) for row in sql.all(ask, {"view": name})) for name in names}
    database.close()
    return found


def make_data_page() -> str:
    """Return the page."""
    return "\n".join([INTRODUCTION, *_views(), OPEN_DATA, TABLES_TITLE, *_tables(), ""])


def _views() -> Iterator[str]:
    about = described()
    for name, columns in views().items():
        yield f"### {name}\n\n{about[name]['description']}\n"
        yield "| column | meaning |\n|---|---|"
        for column in columns:
            yield f"| `{column}` | {about[name]['columns'][column]} |"
        yield ""


def _tables() -> Iterator[str]:
    about = described()
    yield "| table | what it holds | columns |\n|---|---|---|"
    for name in sorted(TABLES):
        yield f"| `{name}` | {about[name]['description']} | {', '.join(TABLES[name])} |"
