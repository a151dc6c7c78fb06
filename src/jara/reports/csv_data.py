"""A report's data as CSV in long form: one figure per line, for a spreadsheet's pivot table."""

import csv
import io
from collections.abc import Iterator

from jara.domain.csv_cells import shielded
from jara.domain.currency import books_currency
from jara.domain.money import plain_decimal
from jara.reports.json_data import Json

HEADER = ("section", "item", "field", "value", "unit")

_NAMES = ("id", "slug", "fund", "month", "entry", "label", "measure", "date", "key", "currency")
_SHARES = ("Share", "Percentage")
"""How the names of shares end; other decimals are measured values."""


def write_csv(document: Json) -> str:
    """Write every figure of a report's JSON document on a line of its own.

    Amounts have two decimals and their currency; lists keep their order and name each item by
    its id, slug, fund or month; an item without a name has its place.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(HEADER)
    for section, value in document.items():
        for item, field, leaf in _leaves(value):
            cell, unit = _cell(field or section, leaf, is_money=_is_money(section, field))
            names = (_plain_name(section), shielded(item), _plain_name(field))
            writer.writerow((*names, cell, unit))
    return buffer.getvalue()


def _leaves(value: object, item: str = "", field: str = "") -> Iterator[tuple[str, str, object]]:
    """Walk through a document and yield each figure with the item and the field it is in."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, item, f"{field}.{key}" if field else key)
    elif isinstance(value, list):
        for number, inner in enumerate(value, start=1):
            if field or item:
                yield from _leaves(inner, item, f"{field}.{number}")
            else:
                yield from _leaves(inner, _name_of(inner, number), field)
    else:
        yield item, field, value


def _name_of(item: object, number: int) -> str:
    """Name an item of a list by its place and the first of its keys that is a name."""
    names = [item[key] for key in _NAMES if key in item] if isinstance(item, dict) else []
    return f"{number}: {names[0]}" if names else str(number)


def _plain_name(path: str) -> str:
    """Name a field without its unit: the cell has two decimals, and the unit has its own column."""
    parts = (
        "amount" if part == "cents" else part.removesuffix("Cents") for part in path.split(".")
    )
    return ".".join(parts)


def _is_money(section: str, field: str) -> bool:
    parts = (section, *field.split("."))
    return any(part == "cents" or part.endswith("Cents") for part in parts)


def _cell(field: str, leaf: object, *, is_money: bool) -> tuple[str, str]:
    """Return the cell and its unit."""
    if leaf is None:
        return "", ""
    if isinstance(leaf, bool):
        return ("yes" if leaf else "no"), "answer"
    if isinstance(leaf, int):
        if is_money:
            currency = "CAD" if "cad" in field.lower() else books_currency()
            return plain_decimal(leaf), currency
        return str(leaf), "minor units" if field.endswith("Minor") else "count"
    if isinstance(leaf, float):
        return (f"{leaf:.1f}", "percent") if field.endswith(_SHARES) else (str(leaf), "number")
    return shielded(str(leaf)), "text"
