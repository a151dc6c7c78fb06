"""The website translates all standard texts of the books."""

from __future__ import annotations

import json

from jara.domain.bank.booking import _DESCRIPTIONS as AT_THE_BANK
from jara.domain.books.movements import DESCRIPTIONS
from jara.domain.books.spending import _SPENDING_DESCRIPTIONS, _TRANSFER_DESCRIPTIONS
from jara.services.books.entry_documents import DESCRIPTIONS as BY_HAND
from jara.services.reports.traced_money import COST_NAMES
from tests.languages.catalogues import catalogues


def test_the_site_translates_the_words_of_the_books() -> None:
    """Names of payments and accounts are translated in the ledger and in a member's trace."""
    known, french = (
        json.loads((catalogues(language) / "booked.json").read_text("utf-8"))
        for language in ("en", "fr")
    )
    said = {
        *DESCRIPTIONS.values(),
        *AT_THE_BANK.values(),
        *BY_HAND.values(),
        *_TRANSFER_DESCRIPTIONS.values(),
        *(description for _, description in _SPENDING_DESCRIPTIONS.values()),
        *COST_NAMES.values(),
        "Payment processing fee",
    }

    assert said - set(known.values()) == set()
    assert known.keys() == french.keys()
