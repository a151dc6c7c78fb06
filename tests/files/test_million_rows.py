"""A million rows read in bounded memory."""

import subprocess
import sys

import pytest

from tests.sizes import only_full

MIB_MAX = 192

# The rows are generated while they are read, so only the reader's memory counts.
_MADE = """
from pathlib import Path
from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.reading import FileReport
from jara.files.stripe.csv_reports import read_stripe_csv
from jara.files.stripe.reader import in_time_order

class Made:
    def __init__(self, header, line, count):
        self.header, self.line, self.count, self.number = header, line, count, -1

    def readline(self, limit):
        self.number += 1
        if self.number == 0:
            return self.header
        return self.line(self.number - 1) if self.number <= self.count else b""

def ledger_line(n):
    account = "assets:bank,projects," if n % 2 else "income:grants,projects,-"
    n //= 2
    return f"e{n},2026-03-{1 + n % 28:02d},Grant,{account}{1 + n % 900}.00,\\n".encode()

def stripe_line(n):
    at = f"2026-03-{1 + n * 7 % 28:02d} 12:{n % 60:02d}:00"
    return f"txn_{n:014d},{at},usd,10.00,0.59,9.41,charge,ch_{n:014d},sub_1\\n".encode()

report = FileReport()
"""
_LEDGER = """
header = b"entry,date,description,account,fund,amount,reference\\n"
found = read_ledger_csv(Made(header, ledger_line, 1_000_000), "f", report)
"""
_STRIPE = """
header = (
    b"balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,"
    b"source_id,subscription_id\\n"
)
found = in_time_order(read_stripe_csv(Made(header, stripe_line, 1_000_000), "f", report))
"""
_COUNT = """
count = sum(1 for _ in found)
peak = next(s for s in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in s)
print(count, len(report.rejected), int(peak.split()[1]) // 1024)
"""


@pytest.mark.slow
@only_full
@pytest.mark.parametrize(
    ("script", "items"), [(_LEDGER, 500_000), (_STRIPE, 1_000_000)], ids=["ledger", "stripe"]
)
def test_million_rows_read_in_bounded_memory(script: str, items: int) -> None:
    """Neither ledger rows nor sorted Stripe rows are all in memory."""
    run = subprocess.run(
        [sys.executable, "-c", _MADE + script + _COUNT],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    count, rejected, peak_mib = (int(word) for word in run.stdout.split())
    assert (count, rejected) == (items, 0)
    assert peak_mib < MIB_MAX
