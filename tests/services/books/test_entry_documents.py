"""Entries as operators write them: read strictly, and written as they were read."""

from __future__ import annotations

import pytest

from jara.domain.books.journal import EntryKind, Foreign
from jara.domain.errors import (
    InvalidAmount,
    InvalidInput,
    UnbalancedEntry,
    UnknownAccount,
    UnknownFund,
)
from jara.services.books.entry_documents import read_entry, write_entry
from tests.services.books.entry_writing import TODAY, an_entry, with_posting


def test_a_document_and_its_entry_say_the_same() -> None:
    """The operator's own text is kept out of the public log."""
    entry = an_entry(
        reference="site",
        externalId=17,
        foreign={"currency": "KES", "amountMinor": 161_250, "rate": "129.00"},
    )

    assert (
        entry.description,
        entry.note,
        entry.reference,
        entry.external_id,
    ) == ("Expense", "Domain name", "site", "17")
    assert entry.foreign == Foreign("KES", 161_250, "129.00")
    assert read_entry(write_entry(entry), today=TODAY) == entry
    assert TODAY == an_entry(date=None).day == an_entry(date=TODAY).day
    assert an_entry(kind=None).kind == EntryKind.MANUAL


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        (with_posting(amount="1e3"), InvalidAmount, "1e3"),
        (with_posting(amount="NaN"), InvalidAmount, "NaN"),
        (with_posting(amount="10.005"), InvalidAmount, "10.005"),
        (with_posting(amount="٣"), InvalidAmount, "٣"),
        (with_posting(amount="-0"), InvalidAmount, "-0"),
        (with_posting(amount=12.5), InvalidInput, "write it as text"),
        (with_posting(amount="12.51"), UnbalancedEntry, "off by \\$0.01"),
        (with_posting(fund="savings"), UnknownFund, "savings"),
        (with_posting(fund=None), InvalidInput, "names its 'account' and its 'fund'"),
        (with_posting(account="Operations"), UnknownAccount, "Operations"),
        (with_posting(cents=1250), InvalidInput, "needs 'amount', such as 12.50, or 'cents'"),
        (with_posting(colour="red"), InvalidInput, "unknown key 'colour'"),
        ({"postings": []}, UnbalancedEntry, "at least two"),
        ({"postings": None}, InvalidInput, "no list of 'postings'"),
        ({"postings": ["x"]}, InvalidInput, "must be an object with keys"),
        ({"kind": "pledge"}, InvalidInput, "posts no 'pledge'"),
        ({"kind": "gratuity"}, InvalidInput, "posts no 'gratuity'"),
        ({"date": "2026-02-30"}, InvalidInput, "2026-02-30"),
        ({"date": "20261119"}, InvalidInput, "20261119"),
        ({"foreign": {"currency": "kes", "amountMinor": 1, "rate": "1"}}, InvalidInput, "kes"),
        ({"foreign": {"currency": "KES", "amountMinor": 1, "rate": "1e3"}}, InvalidInput, "1e3"),
        ({"foreign": {"currency": "KSH", "amountMinor": 1, "rate": "1"}}, InvalidInput, "KSH"),
        (
            {"foreign": {"currency": "KES", "amountMinor": 1, "rate": "1", "receipt": "slip"}},
            InvalidInput,
            "'slip' is not a SHA-256",
        ),
        (
            {"foreign": {"currency": "KES", "amountMinor": "1", "rate": "1"}},
            InvalidInput,
            "whole number",
        ),
    ],
)  # fmt: skip
def test_bad_input_names_the_value(
    changes: dict[str, object], error: type[InvalidInput], words: str
) -> None:
    """Each broken rule has its own message, which names the value."""
    with pytest.raises(error, match=words):
        an_entry(**changes)
