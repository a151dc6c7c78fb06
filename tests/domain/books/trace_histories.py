"""Random histories of entries for the tests of the trace."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

from hypothesis import strategies as st

from jara.domain.books.account import (
    BANK,
    EXCHANGE,
    FEES,
    GIFTS,
    GRANTS,
    OPENING,
    PLEDGES,
    SUSPENSE,
    TRANSFERS,
    AccountType,
    Fund,
)
from jara.domain.books.journal import (
    EntryKind,
    JournalEntry,
    PostedEntry,
    Posting,
    merged,
    reversal_of,
)
from jara.domain.books.trace_rows import Pool, pool_of

WELL = "expenses:projects:well"
DAY = date(2026, 3, 1)
FUNDS = tuple(Fund)
SPLIT = ((Fund.PROJECTS, 80), (Fund.STAFF, 7), (Fund.MARKETING, 9), (Fund.OTHER, 4))
MEMBERS = ("ann", "bob", "cy", None)

WORDS = (
    "pledge",
    "pledge",
    "gift",
    "grant",
    "opening",
    "expense",
    "expense",
    "returned",
    "transfer",
    "commitment",
    "refund",
    "refund",
    "dispute",
    "restored",
    "unknown_refund",
    "reversal",
    "reversal",
    "suspense",
)

Line = tuple[str, Fund, int]
"""An account, a fund and an amount; debit positive."""

Move = tuple[str, int, int, int]
"""An action, an amount, and two numbers that pick an entry, a fund or a member."""

MOVES = st.lists(
    st.tuples(st.sampled_from(WORDS), st.integers(1, 40), st.integers(0, 40), st.integers(0, 40)),
    min_size=1,
    max_size=40,
)


def entry_of(
    kind: EntryKind, *lines: Line, member: str | None = None, of: int | None = None
) -> JournalEntry:
    """Return an entry with these lines, balanced by the bank in each fund."""
    postings = [Posting(*line) for line in lines]
    postings += [Posting(BANK, fund, -cents) for _, fund, cents in lines]
    return JournalEntry(DAY, kind, kind, merged(postings), member_key=member, of=of)


def split(account: str, cents: int) -> list[Line]:
    """Split an amount roughly over the funds, so that small amounts reach few of them."""
    shares = [(fund, cents * weight // 25) for fund, weight in SPLIT]
    return [(account, fund, share) for fund, share in shares if share]


def pledge(cents: int, member: str | None, *, fee: int = 0) -> JournalEntry:
    """Return a contribution split over the funds, its card fee on staff."""
    lines = split(PLEDGES, -cents)
    fees = [(FEES, Fund.STAFF, fee)] if fee else []
    return entry_of(EntryKind.PLEDGE, *lines, *fees, member=member)


def entries_of(moves: list[Move]) -> Iterator[tuple[int, JournalEntry]]:
    """Turn each move into one entry with an increasing log index."""
    history: list[JournalEntry] = []
    for move in moves:
        entry = _entry(history, *move)
        history.append(entry)
        yield len(history) - 1, entry


def _entry(history: list[JournalEntry], word: str, cents: int, one: int, two: int) -> JournalEntry:
    fund, other = FUNDS[one % 5], FUNDS[(one + 1 + two % 4) % 5]
    if history and word == "reversal":
        index = one % len(history)
        stamp = datetime(2026, 3, 1, tzinfo=UTC)
        return reversal_of(PostedEntry("x", index, stamp, history[index]), day=DAY, why="slip")
    of = _payment(history, one)
    if of is not None and word in {"refund", "dispute", "restored"}:
        return _about_payment(word, cents, of, history[of])
    lines: dict[str, tuple[EntryKind, list[Line]]] = {
        "gift": (EntryKind.GIFT, [(GIFTS, fund, -cents)]),
        "grant": (EntryKind.GRANT, [(GRANTS, fund, -cents)]),
        "opening": (EntryKind.OPENING, [(OPENING, fund, -cents if two % 3 else cents)]),
        "expense": (EntryKind.EXPENSE, [(WELL, fund, cents)]),
        "returned": (EntryKind.MANUAL, [(WELL, fund, -cents), (EXCHANGE, fund, 1 + two % 3)]),
        "transfer": (EntryKind.TRANSFER, [(TRANSFERS, fund, cents), (TRANSFERS, other, -cents)]),
        "commitment": (EntryKind.COMMITMENT, _commitment(cents)),
        "unknown_refund": (EntryKind.REFUND, [(PLEDGES, fund, cents)]),
        "suspense": (EntryKind.SUSPENSE, [(SUSPENSE, fund, -cents)]),
    }
    pledge_lines = [*split(PLEDGES, -cents), (FEES, Fund.STAFF, 1)]
    kind, chosen = lines.get(word, (EntryKind.PLEDGE, pledge_lines))
    owned = kind in {EntryKind.PLEDGE, EntryKind.GIFT}
    return entry_of(kind, *chosen, member=MEMBERS[two % 4] if owned else None)


def _commitment(cents: int) -> list[Line]:
    return [(TRANSFERS, Fund.PROJECTS, cents), (TRANSFERS, Fund.COMMITTED, -cents)]


def _payment(history: list[JournalEntry], pick: int) -> int | None:
    kinds = (EntryKind.PLEDGE, EntryKind.GIFT)
    payments = [index for index, entry in enumerate(history) if entry.kind in kinds]
    return payments[pick % len(payments)] if payments else None


def _about_payment(word: str, cents: int, of: int, payment: JournalEntry) -> JournalEntry:
    """Refund or restore part of a payment, sometimes more than its amount."""
    sign = -1 if word == "restored" else 1
    lines = [
        (p.account, p.fund, sign * max(1, -p.cents * cents // 30))
        for p in payment.postings
        if p.account in {PLEDGES, GIFTS}
    ]
    if word == "dispute":
        fee = (FEES, Fund.STAFF, 3)
        return entry_of(EntryKind.DISPUTE, *lines, fee, member=payment.member_key, of=of)
    kind = EntryKind.REFUND if sign > 0 else EntryKind.REFUND_FAILURE
    return entry_of(kind, *lines, member=payment.member_key, of=of)


def net_assets(history: list[JournalEntry], pool: Pool) -> int:
    """Return the assets less the liabilities of a pool after some entries."""
    kinds = (f"{AccountType.ASSETS}:", f"{AccountType.LIABILITIES}:")
    return sum(
        posting.cents
        for entry in history
        for posting in entry.postings
        if pool_of(posting.fund) is pool and posting.account.startswith(kinds)
    )
