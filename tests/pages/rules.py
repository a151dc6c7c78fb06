"""Writes webui/src/rules.json: the domain's numbers that the website quotes and checks."""

from __future__ import annotations

import json

from jara.domain.books.fund_policy import DEFAULT_POLICY
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
from jara.domain.voting.tally import VoteRule
from jara.files.content_files import rule_texts
from jara.services.giving.gifts import GIFT_CENTS_MAX, GIFT_CENTS_MIN
from jara.services.proposals.closing import KEY_LIFETIME
from tests.pages.architecture import ROOT

RULES = ROOT / "webui" / "src" / "rules.json"


def make_rules() -> str:
    """Return the file. Money is dollars or cents as named, durations are days."""
    rule = VoteRule()
    rules = {
        "pledgeDollarsMin": PLEDGE_DOLLARS_MIN,
        "pledgeDollarsMax": PLEDGE_DOLLARS_MAX,
        "pledgeDollarsDefault": PLEDGE_DOLLARS_DEFAULT,
        "quickDollars": QUICK_DOLLARS,
        "giftCentsMin": GIFT_CENTS_MIN,
        "giftCentsMax": GIFT_CENTS_MAX,
        "passwordMin": PASSWORD_MIN,
        "fundPolicy": {fund.value: weight for fund, weight in DEFAULT_POLICY.weights.items()},
        "voteRule": {"num": rule.num, "den": rule.den},
        "ballotKeyDays": KEY_LIFETIME.days,
        "fieldReport": {
            "titleChars": TITLE_CHARS_MAX,
            "textChars": TEXT_CHARS_MAX,
            "photos": PHOTOS_MAX,
            "reportBytes": REPORT_BYTES,
            "pieceBytes": PIECE_BYTES_MAX,
            "number": NUMBER,
        },
        "socialSites": SOCIAL,
        "texts": rule_texts(),
    }
    return json.dumps(rules, indent=2) + "\n"
