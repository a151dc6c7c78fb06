"""A million rows read in bounded memory."""

import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.files.stripe.reader import in_time_order
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


START = datetime(2026, 1, 1, tzinfo=UTC)


def row(minutes: int, category: RowCategory = RowCategory.CHARGE, name: str = "t") -> ProviderRow:
    """Return a row at a time."""
    return ProviderRow(
        created=START + timedelta(minutes=minutes),
        category=category,
        amount=1,
        fee=0,
        net=1,
        txn_id=name,
    )


@given(
    st.lists(st.tuples(st.integers(0, 50), st.sampled_from(RowCategory)), max_size=40),
    st.integers(min_value=1, max_value=10),
    st.randoms(use_true_random=False),
)
def test_any_order_and_any_run_size_give_one_order(
    facts: list[tuple[int, RowCategory]], run_rows: int, dice: random.Random
) -> None:
    """The order of the file and the size of the sorted runs do not matter."""
    rows = [row(at, category, f"t{n}") for n, (at, category) in enumerate(facts)]
    mixed = list(rows)
    dice.shuffle(mixed)

    ordered = list(in_time_order(mixed, run_rows=run_rows))

    assert list(in_time_order(rows)) == ordered
    assert sorted(r.created for r in rows) == [r.created for r in ordered]


def test_charge_comes_before_its_refund_of_the_same_minute() -> None:
    """The Dashboard gives only minutes, but a refund still comes after its charge."""
    rows = [row(0, RowCategory.PAYOUT, "a"), row(0, RowCategory.REFUND, "b"), row(0, name="c")]

    assert [r.txn_id for r in in_time_order(rows)] == ["c", "b", "a"]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 9])
def test_no_row_is_lost_at_the_edge_of_a_run(count: int) -> None:
    """Every row comes back once, from full and partial runs."""
    rows = [row(count - n, name=f"t{n}") for n in range(count)]

    assert list(reversed(rows)) == list(in_time_order(rows, run_rows=4))
