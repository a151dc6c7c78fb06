"""Write last month's impact report into a folder, and mail it with what changed.

Usage: python monthly_report.py DATABASE FOLDER [ADDRESS ...]
"""

from __future__ import annotations

import os
import smtplib
import sys
from datetime import timedelta
from email.message import EmailMessage
from importlib.util import find_spec
from pathlib import Path

import jara
from jara.domain.money import format_cents
from jara.domain.reports.spending import SpendingReport

# PDF needs the extra of that name: pip install 'jara[pdf]'. What is last is mailed.
ENDINGS = ("html", "pdf") if find_spec("typst") else ("html",)
KINDS = {"html": "text", "pdf": "application"}
PAYEES_SHOWN = 3


def alone_lines(spent: SpendingReport) -> list[str]:
    """Return what each person spent in the month that nobody else signed."""
    alone = f"of it by one person alone: {format_cents(spent.alone_cents)}"
    lines = [f"Spent in all: {format_cents(spent.cents)}, {alone}"]
    for person in dict.fromkeys(one.person for one in spent.alone):
        parts = [one for one in spent.alone if one.person == person]
        most = ", ".join(f"{one.payee} {format_cents(one.cents)}" for one in parts[:PAYEES_SHOWN])
        more = f" and {len(parts) - PAYEES_SHOWN} more" if len(parts) > PAYEES_SHOWN else ""
        total = format_cents(sum(one.cents for one in parts))
        lines.append(f"- {person or 'no operator'}: {total} ({most}{more})")
    return [*lines, "Each payment: jara report spending --by-signers --month last-month"]


def main(database: str, folder: str, *addresses: str) -> None:
    """Write the report, compare it with the month before, and mail both."""
    with jara.open(database) as organisation:
        report = organisation.report.impact("last-month")
        first = report.facts.period.first
        before = organisation.report.impact(f"{first - timedelta(days=1):%Y-%m}")
        spent = organisation.report.spending("last-month").facts
        name = organisation.name
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    files = [target / f"{first:%Y-%m}.{ending}" for ending in ENDINGS]
    for file in files:
        report.write(file)
    if not addresses:
        return
    message = EmailMessage()
    message["Subject"] = f"{name}: {first:%B %Y}"
    message["From"] = os.environ.get("REPORT_FROM", "jara@localhost")
    message["To"] = ", ".join(addresses)
    rows = (
        ("Received", report.facts.kept_cents, before.facts.kept_cents),
        ("Paid out", report.facts.disbursed_cents, before.facts.disbursed_cents),
        ("Cash at hand", report.facts.cash_at_hand_cents, before.facts.cash_at_hand_cents),
    )
    lines = [
        f"{what}: {format_cents(now)} (before: {format_cents(then)})" for what, now, then in rows
    ]
    message.set_content("\n".join([*lines, *alone_lines(spent)]) + "\n")
    content, kind = files[-1].read_bytes(), ENDINGS[-1]
    name = files[-1].name
    message.add_attachment(content, maintype=KINDS[kind], subtype=kind, filename=name)
    host, _, port = os.environ.get("REPORT_SMTP", "localhost:25").partition(":")
    with smtplib.SMTP(host, int(port or 25)) as server:
        server.send_message(message)


if __name__ == "__main__":
    main(*sys.argv[1:])
