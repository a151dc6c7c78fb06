"""Make the sample files: two invented years of one organisation at Stripe and its bank.

    python -m tests.data.generators.samples [FOLDER]

The same seed gives the same bytes on any machine: no clock, no locale, no float. The
history is written in each form that Jara reads, and ``expected.json`` holds its sums,
added up here and not by Jara's own readers. Every person and address is invented.
"""

import json
import random
import sys
from collections import defaultdict
from datetime import timedelta
from pathlib import Path

from tests.data.generators.bank import BankEntry, invent_bank_side, journal, ledger_csv
from tests.data.generators.history import LAST, SEED, History, card_fee
from tests.data.generators.stripe_history import (
    invent_gifts,
    invent_payouts,
    invent_pledges,
    invent_refunds,
    invent_stripe_fees,
    invent_test_charge,
)
from tests.data.generators.stripe_objects import balance_transactions
from tests.data.generators.stripe_reports import (
    balance_history,
    itemised_change,
    itemised_payouts,
    payments,
)

SAMPLES = Path(__file__).parents[3] / "data" / "samples"


def expected(history: History, bank: list[BankEntry]) -> str:
    """Add the history up, from the invented facts alone."""
    rows = [row for row in history.rows if row.balance_type == "payments"]
    categories: dict[str, dict[str, int]] = {}
    for row in rows:
        sums = categories.setdefault(row.category, {"rows": 0, "amount": 0, "fee": 0, "net": 0})
        for key, value in (("rows", 1), ("amount", row.amount), ("fee", row.fee), ("net", row.net)):
            sums[key] += value
    settled = [c for c in history.charges if c.status != "Failed" and c.mode == "Live"]
    cells: defaultdict[str, int] = defaultdict(int)
    for entry in bank:
        for account, fund, cents in entry.postings:
            cells[f"{account} {fund}"] += cents
    document = {
        "stripe": {
            "rows": len(rows),
            "otherBalances": len(history.rows) - len(rows),
            "netCents": sum(row.net for row in rows),
            "categories": dict(sorted(categories.items())),
            "pledgesCents": sum(c.cents for c in settled if not c.gift),
            "giftsCents": sum(c.cents for c in settled if c.gift),
        },
        "payments": {
            "rows": len(history.charges),
            "notMoney": len(history.charges) - len(settled),
            "charges": len(settled),
            "refunds": sum(1 for c in settled if c.refunded),
            "chargesCents": sum(c.cents for c in settled),
            "feesCents": sum(card_fee(c.cents) for c in settled),
            "refundsCents": sum(c.refunded for c in settled),
        },
        "bank": {
            "entries": len(bank),
            "postings": sum(len(entry.postings) for entry in bank),
            "cells": dict(sorted(cells.items())),
        },
    }
    return json.dumps(document, indent=2) + "\n"


def sample_files() -> dict[str, str]:
    """Return the text of each sample file by its name."""
    history = History(random.Random(SEED))
    invent_pledges(history)
    invent_gifts(history)
    invent_refunds(history)
    invent_stripe_fees(history)
    invent_payouts(history)
    invent_test_charge(history)
    history.rows = [row for row in history.rows if row.at.date() <= LAST + timedelta(days=5)]
    ours = [row for row in history.rows if row.balance_type == "payments"]
    bank = invent_bank_side(random.Random(SEED + 1))
    return {
        "balance_change_itemized.csv": itemised_change(ours),
        "payouts_itemized.csv": itemised_payouts(ours),
        "balance_history.csv": balance_history(ours),
        "unified_payments.csv": payments(history.charges),
        "balance_transactions.json": balance_transactions(history.rows),
        "bank.csv": ledger_csv(bank),
        "bank.journal": journal(bank),
        "expected.json": expected(history, bank),
    }


def main() -> None:
    """Write the files into the folder named, or data/samples."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sample_files().items():
        (folder / name).write_bytes(text.encode())


if __name__ == "__main__":
    main()
