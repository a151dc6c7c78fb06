"""What changed between two looks, as traces whose names are the same in each vote."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.secrecy.copies import Tables

LONGEST = 12
"""Longer texts are compared by their lengths."""


def changed_values(
    before: Mapping[str, str], after: Mapping[str, str], own: Iterable[str]
) -> dict[str, str]:
    """Return how each value changed.

    Args:
        before: values by name.
        after: the same, later.
        own: what is different in each vote and for each member, and so left out of the names.
    """
    found = {
        name: _difference(before.get(name), after.get(name))
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }
    return {_plain(name, own): value for name, value in found.items()}


def changed_rows(before: Tables, after: Tables, own: Iterable[str]) -> dict[str, str]:
    """Return how each cell of a known row changed, and what is in new rows, by column."""
    found: dict[str, str] = {}
    for table in before.keys() | after.keys():
        if before.get(table) == after.get(table):
            continue
        old, new = _by_key(before.get(table, [])), _by_key(after.get(table, []))
        found.update(_cells(table, old, new, own))
        if len(old) != len(new):
            found[f"{table} rows"] = str(len(new) - len(old))
        for number, key in enumerate(sorted(new.keys() - old.keys())[:LONGEST]):
            for column, value in new[key].items():
                found[f"{table}.{column} of new row {number}"] = _short(value)
                found[f"{table}.{column}, length in new row {number}"] = str(len(str(value)))
    return found


def rows_about(tables: Tables, names: frozenset[str]) -> dict[str, str]:
    """Return what is in the rows that name a member, by column."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for table, rows in tables.items():
        for row in rows:
            if names.isdisjoint(row.values()):
                continue
            found[f"{table} rows"].append("")
            for column, value in row.items():
                if (text := str(value)) not in names:
                    found[f"{table}.{column}"].append(_short(text))
                    found[f"{table}.{column}, length"].append(str(len(text)))
    return {trace: f"{len(values)} {' '.join(sorted(values))}" for trace, values in found.items()}


def _cells(
    table: str,
    old: Mapping[str, Mapping[str, Any]],
    new: Mapping[str, Mapping[str, Any]],
    own: Iterable[str],
) -> Iterator[tuple[str, str]]:
    for key in old.keys() & new.keys():
        if old[key] != new[key]:
            for column, value in new[key].items():
                if value != old[key].get(column):
                    name = f"{table}.{column} of {key}"
                    yield _plain(name, own), _difference(old[key].get(column), value)


def _by_key(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return rows by their first own column, or two; hidden columns end in `_`."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        values = [str(value) for column, value in row.items() if not column.endswith("_")]
        key = values[0]
        if key in found:
            key = " ".join(values[:2])
        found[key if key not in found else " ".join(values)] = row
    return found


def _difference(old: object, new: object) -> str:
    if _is_number(old) and _is_number(new):
        return f"{int(str(new)) - int(str(old)):+}"
    return f"{len(str(new)) - len(str(old)):+} characters, {_short(new)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{len(text)} characters"


def _is_number(value: object) -> bool:
    return str(value).lstrip("-").isdecimal()


def _plain(name: str, own: Iterable[str]) -> str:
    for text in own:
        name = name.replace(text, "*")
    return name
