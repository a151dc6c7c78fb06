"""How the sample files write instants and tables."""

import csv
import io
from datetime import datetime


def second(at: datetime) -> str:
    """Write an instant as reports do."""
    return at.strftime("%Y-%m-%d %H:%M:%S")


def table(header: list[str], rows: list[list[str]]) -> str:
    """Write a CSV file as Stripe does: LF, quotes where needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
