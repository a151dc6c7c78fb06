"""A number of the domain is typed once; texts that must repeat one in words agree with it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.changemaker import RETRY_AFTER
from jara.domain.giving.pledge import PLEDGE_DOLLARS_MAX, PLEDGE_DOLLARS_MIN, QUICK_DOLLARS
from jara.domain.voting.tally import VoteRule
from jara.payments.sandbox.cards import DISPUTE_TIME
from jara.services.members.accounts import INVITATION_LIFE
from jara.services.members.password_resets import RESET_LINK_MINUTES
from jara.services.notices.emails import WELCOME_CODE_LIFE
from jara.services.payments.charging import OVERDUE_AFTER
from jara.services.proposals.closing import KEY_LIFETIME
from tests.pages.architecture import ROOT

TEXTS = (
    "webui/src/messages/en/*.json",
    "src/jara/languages/fr/site/*.json",
    "src/jara/languages/fr/emails/*.txt",
    "src/jara/languages/fr/legal/*.md",
    "src/jara/mail/templates/*.txt",
    "data/legal/*.md",
    "data/faqs.yaml",
)
CODE = ("webui/src/**/*.ts", "webui/src/**/*.tsx")
NOT_THE_RULE = re.compile(r'"solution\.2": .*')
"""An example of the about page that names the same sum."""


def files(patterns: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that may hold a copy: no tests, and nothing that is generated."""
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            if ".test." not in path.name and not {"testing", "api"} & set(path.parts):
                yield path


@pytest.mark.parametrize(
    ("patterns", "number"),
    [
        (TEXTS, rf"\${PLEDGE_DOLLARS_MIN}\b(?![,.]\d)|\b{PLEDGE_DOLLARS_MIN}\s\$"),
        (TEXTS, rf"\b{PLEDGE_DOLLARS_MAX}\b"),
        (TEXTS, rf"\b{VoteRule().percent_up}(\s?%| percent| pour cent)"),
        (CODE, rf"\b{PLEDGE_DOLLARS_MAX}\b"),
        (CODE, r"\[" + r",\s*".join(map(str, QUICK_DOLLARS)) + r"\]"),
        (("webui/src/features/voting/vote-bar.module.css",), r"\bleft:"),
    ],
)
def test_texts_and_the_website_hold_no_copy(patterns: tuple[str, ...], number: str) -> None:
    """Texts use placeholders, and the website reads rules.json."""
    texts = {path: NOT_THE_RULE.sub("", path.read_text("utf-8")) for path in files(patterns)}

    assert texts
    assert [path for path, text in texts.items() if re.search(number, text)] == []


HELP = "docs/commands.md"
ENGLISH = {timedelta(days=7): "seven", timedelta(days=14): "Fourteen"}
FRENCH = {timedelta(days=7): "sept", timedelta(days=14): "Quatorze"}


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("src/jara/mail/templates/welcome.txt", f"within {ENGLISH[WELCOME_CODE_LIFE]} days"),
        ("src/jara/languages/fr/emails/welcome.txt", f"d’ici {FRENCH[WELCOME_CODE_LIFE]} jours"),
        ("data/legal/privacy.md", f"{ENGLISH[KEY_LIFETIME]} days after a vote closes"),
        ("src/jara/languages/fr/legal/privacy.md", f"{FRENCH[KEY_LIFETIME]} jours après"),
        ("src/jara/payments/stripe/account.py", f"three times, each {RETRY_AFTER[0].days} days"),
        ("docs/security.md", f"whole dollars, {PLEDGE_DOLLARS_MIN} to {PLEDGE_DOLLARS_MAX}"),
        ("docs/payments.md", f"below ${PLEDGE_DOLLARS_MIN} or above ${PLEDGE_DOLLARS_MAX}"),
        ("docs/bank-statements.md", f"ends after {OVERDUE_AFTER.days} days without a payment"),
        (HELP, f"destroyed {KEY_LIFETIME.days} days after the vote"),
        (HELP, f"instead of after {KEY_LIFETIME.days} days"),
        (HELP, f"appears {KEY_LIFETIME.days} days after it ends"),
        (HELP, f"their own password is valid for {INVITATION_LIFE.days} days"),
        (HELP, f"a link, valid for {INVITATION_LIFE.days} days"),
        (HELP, f"disputed at once, lost after {DISPUTE_TIME.days} days"),
    ],
)
def test_a_number_in_a_text_is_that_of_the_code(file: str, words: str) -> None:
    """Texts that cannot have a placeholder, such as the help of commands, agree with the code."""
    assert words in (ROOT / file).read_text("utf-8")


def test_failed_payments_are_retried_every_week() -> None:
    """The check of the Stripe account says three times, each 7 days after the one before."""
    assert tuple(number * RETRY_AFTER[0] for number in (1, 2, 3)) == RETRY_AFTER


def test_the_website_says_for_how_long_a_link_works() -> None:
    """The page where a new password is asked for says half an hour."""
    text = (ROOT / "webui/src/messages/en/session.json").read_text("utf-8")

    assert RESET_LINK_MINUTES == 30
    assert "works once, for half an hour" in text


@pytest.mark.parametrize("file", ["data/legal/terms.md", "src/jara/languages/fr/legal/terms.md"])
def test_the_terms_name_every_payment_day(file: str) -> None:
    """Beside the day of joining, the 1st and the 28th."""
    text = (ROOT / file).read_text("utf-8")

    assert all(re.search(rf"\b{day}(st|th|er)?\b", text) for day in BillingDay if day.isdigit())


def test_the_schema_takes_every_pledge() -> None:
    """The baseline is not edited, so limits beyond these need a step."""
    schema = (ROOT / "src/jara/store/schema/baseline.sql").read_text("utf-8")
    [(low, high)] = re.findall(r"CHECK \(dollars BETWEEN (\d+) AND (\d+)\)", schema)

    assert int(low) <= PLEDGE_DOLLARS_MIN <= PLEDGE_DOLLARS_MAX <= int(high)
