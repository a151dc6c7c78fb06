"""Entries for the tests of the files: fixed ones, and some drawn by Hypothesis."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, PostedEntry, Posting

BOOKED_AT = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def posted_id(index: int) -> str:
    """Return the id of the entry at an index, 16 base32 characters."""
    return "entry" + "".join(_BASE32[index >> shift & 31] for shift in range(50, -1, -5))


def posted(entries: Iterable[JournalEntry]) -> Iterator[PostedEntry]:
    """Number entries as the books would."""
    for index, entry in enumerate(entries):
        yield PostedEntry(posted_id(index), index, BOOKED_AT, entry)


def moved(
    debit: str, credit: str, cents: int, fund: Fund = Fund.PROJECTS
) -> tuple[Posting, Posting]:
    """Return the two postings of a simple movement."""
    return Posting(debit, fund, cents), Posting(credit, fund, -cents)


PLEDGE = JournalEntry(
    day=date(2026, 3, 1),
    kind=EntryKind.PLEDGE,
    description="Pledge",
    postings=(
        Posting("assets:stripe", Fund.PROJECTS, 800),
        Posting("income:pledges", Fund.PROJECTS, -800),
        Posting("assets:stripe", Fund.OTHER, 200),
        Posting("income:pledges", Fund.OTHER, -200),
    ),
    source="stripe",
    external_id="txn_1",
    member_key="k3y",
    note="the member's own words",
)
DISBURSEMENT = JournalEntry(
    day=date(2026, 2, 27),
    kind=EntryKind.DISBURSEMENT,
    description="Disbursement: wells-of-x",
    postings=moved("expenses:projects:wells-of-x", "assets:bank", 40000),
    reference="wells-of-x",
    foreign=Foreign("KES", 5160000, "129.00"),
    true_day=date(2025, 12, 30),
)
ABROAD = replace(
    DISBURSEMENT,
    foreign=Foreign("KES", 5160000, "129.00", "slip 1182; by hand, 4 Nov", "ab" * 32),
    true_day=None,
)
REFUND = JournalEntry(
    day=date(2026, 3, 5),
    kind=EntryKind.REFUND,
    description="Refund",
    postings=moved("income:pledges", "assets:stripe", 300),
    source="stripe",
    external_id="txn_2",
    of=0,
)
REVERSAL = JournalEntry(
    day=date(2026, 3, 6),
    kind=EntryKind.REVERSAL,
    description=f"Reversal of {posted_id(1)}",
    postings=moved("assets:bank", "expenses:projects:wells-of-x", 40000),
    reverses=1,
)
HISTORY = (PLEDGE, DISBURSEMENT, REFUND, REVERSAL)

ODD_TEXTS = (
    "",
    " leads and trails ",
    'says "quoted" and \\ slashed',
    "a; comment, fund:staff, kind:gift",
    "payee | note",
    "100% of 80%20 and %3B",
    "=HYPERLINK(0)",
    "'=already quoted",
    "-12.00",
    "@cmd",
    "+1",
    "\tTab",
    "two\nlines\r\nand\rmore",
    "(code) * ! not a status",
    "Ọmọlúàbí éè 井戸 😀",
    "\u2028separator\u0085and\u00a0",
    "2026-01-01",
    "; comment alone",
)


def odd_history() -> list[JournalEntry]:
    """Return an entry for each unusual text, as description and as reference."""
    return [
        JournalEntry(
            day=date(2026, 1, 5),
            kind=EntryKind.GRANT,
            description=text,
            postings=moved("assets:bank", "income:grants", 100 + number),
            reference=text or None,
        )
        for number, text in enumerate(ODD_TEXTS)
    ]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
_accounts = st.sampled_from(
    ["assets:bank", "assets:stripe", "income:grants", "expenses:fees:bank", "expenses:projects:a-1"]
)


@st.composite
def journal_entries(draw: st.DrawFn) -> JournalEntry:
    """Draw an entry with any texts, any amounts and one to three funds."""
    postings: list[Posting] = []
    for fund in draw(st.lists(st.sampled_from(Fund), min_size=1, max_size=3, unique=True)):
        cents = draw(st.integers(min_value=1, max_value=10**12))
        postings += moved(draw(_accounts), draw(_accounts), cents, fund)
    return JournalEntry(
        day=draw(st.dates(min_value=date(1900, 1, 1))),
        kind=draw(st.sampled_from(EntryKind)),
        description=draw(texts),
        postings=tuple(postings),
        reference=draw(texts) or None,
        source=draw(st.sampled_from(["stripe", "operator", "import", "system"])),
        external_id=draw(texts) or None,
        member_key=draw(texts) or None,
    )


histories = st.lists(journal_entries(), max_size=5)
