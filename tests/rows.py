"""Valid rows of the payment provider, for tests of the books."""

from datetime import UTC, date, datetime

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.journal import JournalEntry, PostedEntry
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
DAY = date(2026, 3, 5)

LETTERS = dict(zip("psmoc", Fund, strict=True))
"""One letter for each fund."""


def a_row(
    category: RowCategory | str, amount: int, fee: int = 0, /, **changes: object
) -> ProviderRow:
    """Return a row with a matching net; a charge is a pledge's by default."""
    row = ProviderRow(
        created=NOON,
        category=RowCategory(category),
        amount=amount,
        fee=fee,
        net=amount - fee,
        txn_id="txn_1",
        source_id="src_1",
        charge_kind=ChargeKind.PLEDGE if category == "charge" else None,
    )
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def posted(entry: JournalEntry, index: int = 0) -> PostedEntry:
    """Give an entry a place in the books and in the log."""
    return PostedEntry(id=f"ENTRY{index:011d}", index=index, booked_at=NOON, entry=entry)


def parts_of(*cents: int) -> dict[Fund, int]:
    """Return the parts of a payment, by fund."""
    return dict(zip(SPLIT_FUNDS, cents, strict=True))


def as_written(entry: JournalEntry | None) -> str:
    """Return an entry's postings in the form of the worked example, by account."""
    assert entry is not None
    letters = {fund: letter for letter, fund in LETTERS.items()}
    lines: list[str] = []
    previous = ""
    for posting in entry.postings:
        if posting.account != previous:
            lines.append(posting.account)
            previous = posting.account
        lines[-1] += f" {letters[posting.fund]} {posting.cents:+d}"
    return " · ".join(lines)
