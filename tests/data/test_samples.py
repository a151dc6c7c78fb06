"""The sample files contain one history in every format, with the same values."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from jara.domain.books.journal import JournalEntry
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.ledger.journal_reader import read_journal
from jara.files.reading import FileReport
from jara.files.stripe.reader import in_time_order, read_stripe
from tests.data.generators.samples import SAMPLES, sample_files


def read(name: str, assume: ChargeKind | None = None) -> tuple[list[ProviderRow], FileReport]:
    """Read one of Stripe's sample files, in order of time."""
    report = FileReport()
    with (SAMPLES / name).open("rb") as stream:
        rows = list(in_time_order(read_stripe(stream, name, report, assume=assume)))
    assert report.rejected == []
    return rows, report


@pytest.fixture(scope="module")
def expected() -> Any:
    """Return the sums that the generator computed itself."""
    return json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))


def both_reports() -> list[ProviderRow]:
    """Return the rows of the itemised balance change and the itemised payouts."""
    rows = [*read("balance_change_itemized.csv")[0], *read("payouts_itemized.csv")[0]]
    return list(in_time_order(rows))


def bare(rows: Iterable[ProviderRow], **dropped: object) -> list[ProviderRow]:
    """Return rows without their line and without fields that another file lacks."""
    return [row._replace(line=0, **dropped) for row in rows]  # type: ignore[arg-type] # given by the test, by name


def test_generator_makes_the_same_bytes() -> None:
    """The committed files equal the generator's output byte for byte."""
    made = {name: text.encode() for name, text in sample_files().items()}

    assert made == {name: (SAMPLES / name).read_bytes() for name in made}
    assert {path.name for path in SAMPLES.iterdir() if path.is_file()} == {*made, "README.md"}


@pytest.mark.parametrize("source", ["reports", "history", "api"])
def test_sums_are_those_of_the_generator(source: str, expected: dict[str, Any]) -> None:
    """Each format has the counts and sums that were stored with it."""
    if source == "reports":
        rows = both_reports()
    elif source == "history":
        rows = read("balance_history.csv", ChargeKind.PLEDGE)[0]
    else:
        rows, report = read("balance_transactions.json")
        assert expected["stripe"]["otherBalances"] == report.ignored
    categories = {
        category: {
            "rows": len(some),
            "amount": sum(row.amount for row in some),
            "fee": sum(row.fee for row in some),
            "net": sum(row.net for row in some),
        }
        for category in RowCategory
        if (some := [row for row in rows if row.category is category])
    }
    kinds = Counter[ChargeKind | None]()
    for row in rows:
        if row.category is RowCategory.CHARGE:
            kinds[row.charge_kind] += row.amount

    assert expected["stripe"]["categories"] == categories
    assert expected["stripe"]["netCents"] == sum(row.net for row in rows)
    assert kinds == {
        ChargeKind.PLEDGE: expected["stripe"]["pledgesCents"],
        ChargeKind.GIFT: expected["stripe"]["giftsCents"],
    }


def test_reports_equal_the_balance_history_row_by_row() -> None:
    """The balance history has the same rows, without payer and charge."""
    history = bare(
        read("balance_history.csv", ChargeKind.PLEDGE)[0], raw_category="", charge_id=None
    )
    reports = bare(both_reports(), raw_category="", charge_id=None, customer_id=None, email=None)

    assert reports == history


def test_reports_equal_the_api_row_by_row() -> None:
    """The API has the same rows, with the payer only on charges."""
    api = bare(read("balance_transactions.json")[0], customer_id=None, email=None)
    reports = bare(both_reports(), payout_id=None, customer_id=None, email=None)

    assert reports == api


def test_payments_equal_charges_minus_refunds(expected: dict[str, Any]) -> None:
    """The payments file has the same charges, with each charge's refunds as one sum."""
    rows, report = read("unified_payments.csv")
    charges = [row for row in rows if row.category is RowCategory.CHARGE]
    refunds = {
        row.charge_id: row.cumulative
        for row in rows
        if row.category is RowCategory.REFUND and row.cumulative is not None
    }
    given_back = Counter[str | None]()
    for row in both_reports():
        if row.category in {RowCategory.REFUND, RowCategory.REFUND_FAILURE}:
            given_back[row.charge_id] -= row.amount

    assert bare(r for r in both_reports() if r.category is RowCategory.CHARGE) == sorted(
        (
            row._replace(line=0, txn_id=other.txn_id)
            for row, other in zip(
                sorted(charges, key=lambda r: str(r.charge_id)),
                sorted(
                    (r for r in both_reports() if r.category is RowCategory.CHARGE),
                    key=lambda r: str(r.charge_id),
                ),
                strict=True,
            )
        ),
        key=lambda r: (r.created, str(r.txn_id)),
    )
    assert refunds == +given_back
    payments = expected["payments"]
    assert (payments["rows"], payments["notMoney"]) == (report.read, report.ignored)
    assert (payments["charges"], payments["refunds"]) == (len(charges), len(refunds))
    assert payments["chargesCents"] == sum(row.amount for row in charges)
    assert payments["feesCents"] == sum(row.fee for row in charges)
    assert payments["refundsCents"] == sum(refunds.values())


def test_automatic_payouts_are_the_sum_of_their_parts() -> None:
    """Every automatic payout equals the sum of its rows."""
    rows = both_reports()
    parts = Counter[str | None]()
    for row in rows:
        parts[row.payout_id] += row.net
    payouts = {r.source_id: -r.net for r in rows if r.category is RowCategory.PAYOUT}

    by_hand = [name for name, cents in payouts.items() if parts[name] != cents]

    assert len(by_hand) == 1
    assert parts[by_hand[0]] == 0


def test_bank_side_is_the_same_as_csv_and_as_journal(expected: dict[str, Any]) -> None:
    """Both files have the same entries, with the stored sums."""
    report = FileReport()
    with (SAMPLES / "bank.csv").open("rb") as stream:
        from_csv = [f.entry for f in read_ledger_csv(stream, "bank.csv", report)]
    with (SAMPLES / "bank.journal").open("rb") as stream:
        from_journal = [f.entry for f in read_journal(stream, "bank.journal", report)]
    cells = Counter[str]()
    for entry in from_csv:
        for posting in entry.postings:
            cells[f"{posting.account} {posting.fund}"] += posting.cents

    def without_id(entry: JournalEntry) -> JournalEntry:
        return replace(entry, external_id=None)

    assert report.rejected == []
    assert [without_id(e) for e in from_csv] == [without_id(e) for e in from_journal]
    assert expected["bank"]["cells"] == dict(cells)
    assert expected["bank"]["entries"] == len(from_csv)
