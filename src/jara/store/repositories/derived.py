"""Values that follow from others, compared in SQL: a change of one alone is found."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jara.store.sql.connection import Sql

_HEADING = "\n-- check "


@cache
def _checks() -> list[tuple[str, str, str]]:
    """Return the checks of `derived.sql`: name, what is wrong, and the query for the keys."""
    checks = []
    for part in Path(__file__).with_suffix(".sql").read_text("utf-8").split(_HEADING)[1:]:
        heading, *lines = part.strip().split("\n")
        check, _, message = heading.partition(": ")
        query = " ".join(line for line in lines if not line.startswith("--"))
        checks.append((check, message, query.removesuffix(";")))
    return checks


def contradictions(sql: Sql) -> Iterator[tuple[str, str, str]]:
    """Yield check, key and message for each row that contradicts others."""
    for check, message, query in _checks():
        for (key,) in sql.all(query):
            yield check, str(key), message.replace("{}", str(key))
