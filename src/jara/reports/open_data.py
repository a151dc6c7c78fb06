"""Writes open data as a data package: ``datapackage.json`` and a CSV file for each table."""

import csv
import io
from collections.abc import Callable, Mapping

from jara.documents import json_text
from jara.domain.csv_cells import shielded
from jara.domain.currency import books_currency
from jara.domain.reports.open_data import RESOURCES, OpenData, Resource

DESCRIPTOR = "datapackage.json"


def package_files(data: OpenData) -> Mapping[str, Callable[[], bytes]]:
    """Return the writer of each file of the package, by file name."""

    def table(resource: Resource) -> Callable[[], bytes]:
        return lambda: _csv(data, resource)

    tables = {f"{resource.name}.csv": table(resource) for resource in RESOURCES}
    return {DESCRIPTOR: lambda: _descriptor(data), **tables}


def _descriptor(data: OpenData) -> bytes:
    document = {
        "profile": "tabular-data-package",
        "name": "open-data",
        "title": f"{data.organisation}: projects, votes and money",
        "description": (
            f"Books of {data.log_size} log entries, root {data.root}. Money is whole cents of "
            f"{books_currency()}; "
            f"days are those of {data.time_zone}, times are UTC. No person is in it."
        ),
        "homepage": data.site_url,
        "version": str(data.log_size),
        "resources": [_describe(resource) for resource in RESOURCES],
    }
    return (json_text(document, indent=2) + "\n").encode()


def _describe(resource: Resource) -> dict[str, object]:
    schema: dict[str, object] = {
        "fields": [
            {"name": field.name, "type": field.type.value, "description": field.meaning}
            for field in resource.fields
        ]
    }
    if resource.key:
        schema["primaryKey"] = list(resource.key)
    return {
        "profile": "tabular-data-resource",
        "name": resource.name,
        "title": resource.title,
        "path": f"{resource.name}.csv",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "schema": schema,
    }


def _csv(data: OpenData, resource: Resource) -> bytes:
    out = io.StringIO(newline="")
    names = [field.name for field in resource.fields]
    writer = csv.DictWriter(out, names, lineterminator="\r\n")  # RFC 4180
    writer.writeheader()
    for row in data.rows[resource.name]:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return out.getvalue().encode()


def _cell(value: object) -> object:
    return shielded(value) if isinstance(value, str) else value
