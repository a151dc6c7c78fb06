"""Writes webui/src/rules.json, the domain's numbers, and books.json, the words of the books.

Two files: every page loads the numbers, few need the words.
"""

import json

from jara.domain.bank.booking import DESCRIPTIONS_AT_BANK
from jara.domain.books.account import ACCOUNTS
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import DESCRIPTIONS
from jara.domain.books.other_ways import RETURNED_BY_BANK
from jara.domain.books.spending import SPENDING_DESCRIPTIONS
from jara.domain.claim import CLAIM_BOOKED, CLAIM_REPAID, REPAY_CHARS_MAX, SHOP_CHARS_MAX
from jara.domain.content.fields import NUMBER
from jara.domain.field_report import (
    PHOTOS_MAX,
    PIECE_BYTES_MAX,
    REPORT_BYTES,
    TEXT_CHARS_MAX,
    TITLE_CHARS_MAX,
)
from jara.domain.giving.member import PASSWORD_MIN
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    PLEDGE_DOLLARS_MAX,
    PLEDGE_DOLLARS_MIN,
    QUICK_DOLLARS,
)
from jara.domain.own_values import SOCIAL
from jara.files.content_files import rule_texts
from jara.security.six_words import all_words
from jara.services.bank.settling import REVERSED_DESCRIPTION
from jara.services.books.entry_documents import DESCRIPTIONS_BY_HAND
from jara.services.books.transactions import FEE_DESCRIPTION
from jara.services.giving.gifts import GIFT_CENTS_MAX, GIFT_CENTS_MIN
from jara.services.proposals.closing import KEY_LIFETIME
from tests.pages.architecture import ROOT

RULES = ROOT / "webui" / "src" / "rules.json"
BOOKS = ROOT / "webui" / "src" / "books.json"
DESK_WORDS = ROOT / "webui" / "src" / "desk" / "words.json"


def make_rules() -> str:
    """Return the file. Money is dollars or cents as named, durations are days."""
    rules = {
        "pledgeDollarsMin": PLEDGE_DOLLARS_MIN,
        "pledgeDollarsMax": PLEDGE_DOLLARS_MAX,
        "pledgeDollarsDefault": PLEDGE_DOLLARS_DEFAULT,
        "quickDollars": QUICK_DOLLARS,
        "giftCentsMin": GIFT_CENTS_MIN,
        "giftCentsMax": GIFT_CENTS_MAX,
        "passwordMin": PASSWORD_MIN,
        "fundPolicy": {fund.value: weight for fund, weight in DEFAULT_POLICY.weights.items()},
        "ballotKeyDays": KEY_LIFETIME.days,
        "fieldReport": {
            "titleChars": TITLE_CHARS_MAX,
            "textChars": TEXT_CHARS_MAX,
            "photos": PHOTOS_MAX,
            "reportBytes": REPORT_BYTES,
            "pieceBytes": PIECE_BYTES_MAX,
            "number": NUMBER,
            "shopChars": SHOP_CHARS_MAX,
            "repayChars": REPAY_CHARS_MAX,
        },
        "socialSites": SOCIAL,
        "texts": rule_texts(),
    }
    return json.dumps(rules, indent=2) + "\n"


def make_books() -> str:
    """Return the file of accounts and their titles, and of what the server writes itself."""
    accounts = {account.name: account.title for account in ACCOUNTS}
    return json.dumps({"accounts": accounts, "booked": booked_words()}, indent=2) + "\n"


def make_desk_words() -> str:
    """Return the file of the words that stand for digests, as one text: half as long as a list."""
    return json.dumps(" ".join(all_words())) + "\n"


def booked_words() -> list[str]:
    """Return what the server writes into the books itself, and the titles of accounts."""
    tables = (DESCRIPTIONS, DESCRIPTIONS_AT_BANK, DESCRIPTIONS_BY_HAND)
    words = {text for table in tables for text in table.values()}
    words |= {text for _, text in SPENDING_DESCRIPTIONS.values()}
    words |= {account.title for account in ACCOUNTS}
    return sorted(
        {
            *words,
            CLAIM_BOOKED,
            CLAIM_REPAID,
            FEE_DESCRIPTION,
            REVERSED_DESCRIPTION,
            RETURNED_BY_BANK,
        }
    )
