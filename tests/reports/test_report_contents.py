"""The text of each report: the same figures in words, and nothing confidential."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.reports.impact import Receipts
from jara.domain.reports.statement import StatementReturn
from jara.domain.voting.tally import VoteRule
from jara.reports.impact_parts import build_decided
from jara.reports.render import render
from jara.reports.statement import RECEIPT_ENGLISH, RECEIPT_FRENCH
from tests.reports.builders.pages import cents_of, read_page
from tests.reports.builders.reports import (
    a_statement,
    a_vote,
    a_voting_report,
    an_empty_impact_report,
    an_impact_report,
    payouts,
    proposals,
)
from tests.reports.builders.statements import a_funds_report


@pytest.mark.parametrize("as_format", ["md", "html", "json", "csv"])
def test_an_open_vote_shows_no_count(as_format: str) -> None:
    """An open vote is listed without its count."""
    text = render(a_voting_report(decided=()), as_format).decode()

    assert "A seed bank for Kisumu" in text
    assert "Turnout was" not in text
    assert "upvotePercentage" not in text


@pytest.mark.parametrize("as_format", ["md", "html"])
def test_a_statement_is_no_tax_receipt_in_both_languages(as_format: str) -> None:
    """A statement says in two languages that it is not an official donation receipt."""
    text = render(a_statement(), as_format).decode().replace("&#x27;", "'")

    assert RECEIPT_ENGLISH in text
    assert RECEIPT_FRENCH in text
    assert "tax receipt" not in text
    assert "deductible" not in text


def test_french_is_marked_as_french() -> None:
    """The markup lets a screen reader change its voice."""
    assert '<p class="notice" lang="fr">Ce reçu' in render(a_statement(), "html").decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "The widest gap is in Projects: 1.7 points more than promised."),
        ({"drift_note": "Because."}, "In the words of Jara Giving Society: Because."),
        (
            {"projects": (), "disbursements": ()},
            "No project, grant or donation was paid in this period.",
        ),
        ({"fees_cents": 0}, "No payment or bank fees were paid in this period."),
        ({"late_entries": ()}, "Every entry of the period was booked before its end."),
        ({"proposals": ()}, "No proposal was put to a vote in this period."),
        ({"projects": (), "disbursements": ()}, "There was no project in this period."),
        ({}, "1 entry of this period reached the books only after 31 December 2026."),
        ({}, "Rejected on 31 August 2026: 27 voted yes, it needed 50% or more of the 66"),
        ({}, "6 more yes votes were missing."),
        ({}, "The count; 1 dropped ballot is not in it"),
        ({}, "$2,000.00 is held for it and $1,500.00 waits for further receipts."),
    ],
)
def test_an_impact_report_says_it_in_words(changes: dict[str, Any], sentence: str) -> None:
    """The main results are in sentences, too."""
    assert sentence in render(an_impact_report(**changes), "md").decode()


def test_who_gives_is_not_said_to_vote() -> None:
    """A member without a confirmed address gives and has no vote."""
    text = render(an_impact_report(), "md").decode()

    assert "on 31 December 2026: $742 / mo" in text
    assert "may vote" not in text


def test_results_are_a_table() -> None:
    """A missed target and a late measure are said; an old value is not called the last."""
    text = render(an_impact_report(), "md").decode()
    french = render(an_impact_report(), "md", "fr").decode()

    assert (
        "| Clean water boreholes | Homes with water, homes | 12 | 240.5 | 212.125 | 31 Oct 2026 "
        "| missed | $22.93 |"
    ) in text
    assert "| 80 | 31 Oct 2026 | overdue: to be measured | – |" in text
    assert "| Cost per unit |" in text.replace(" ---: ", " ")
    assert "| 80 | 31 oct. 2026 | en retard : à mesurer | – |" in french.replace("\u202f", " ")
    assert "Coût par unité" in french


def test_an_empty_organisation_has_a_report() -> None:
    """Without receipts, spending or votes, sentences replace the tables."""
    text = render(an_empty_impact_report(), "md").decode()

    for sentence in (
        "Nothing was received in this period.",
        "Nothing was spent in this period, so there is no split to compare.",
        "No project, grant or donation was paid in this period.",
        "Made from books that hold no entry yet.",
    ):
        assert sentence in text


def test_without_a_policy_no_promise_is_shown() -> None:
    """Without a fund policy, the report compares nothing."""
    text = render(an_empty_impact_report(funds=()), "md").decode()

    assert "No fund policy was in force in this period." in text


def test_spending_by_fund_equals_spending_by_purpose() -> None:
    """A report whose figures contradict each other is not made."""
    with pytest.raises(InvalidInput, match=r"The funds spent .*, but the purposes add up to \$0"):
        replace(an_impact_report(), spent=())


def test_a_kept_promise_is_reported() -> None:
    """If there is no gap, the report says so."""
    report = an_impact_report()
    kept = tuple(line._replace(actual_tenths=line.promised_tenths) for line in report.funds)
    text = render(replace(report, funds=kept), "md").decode()

    assert "Every fund spent exactly the share that was promised." in text


def test_several_late_entries_are_counted() -> None:
    """Late entries are counted and named."""
    late = an_impact_report().late_entries
    text = render(an_impact_report(late_entries=late + late), "md").decode()

    assert "2 entries of this period" in text
    assert text.count("e\\_9f2c") == 2


def test_other_income_appears_when_there_is_some() -> None:
    """Income of a kind without an account of its own is shown."""
    received = Receipts(746_000, 210_000, 252_500, 1_000)
    text = render(an_impact_report(received=received), "md").decode()

    assert "| Other income | $10.00 |" in text
    assert "Other income" not in render(an_impact_report(), "md").decode()


def test_money_that_comes_back_is_shown() -> None:
    """A reversed payout has no bar and a negative amount."""
    back = payouts()[4]._replace(cents=-42_500)
    text = render(an_impact_report(disbursements=(back,), projects=()), "html").decode()

    assert "−$425.00" in text


def test_a_released_commitment_is_reported() -> None:
    """The unused money of a finished project is shown as released."""
    passed = replace(proposals()[0], released_cents=100, payouts=())
    text = render(a_voting_report(decided=(passed,)), "md").decode()

    assert "$1.00 was released to other projects." in text


def test_a_rule_of_thirds_is_a_fraction() -> None:
    """A rule without a whole percentage is shown as a fraction."""
    vote = a_vote(VoteRule(2, 3))
    rejected = replace(proposals()[1], vote=vote)
    text = render(a_voting_report(decided=(rejected,)), "html").decode()

    assert "2/3 or more of the 64" in text
    assert "2/3 to pass" in text


def test_a_statement_tells_a_returned_payment_from_a_refund() -> None:
    """What the bank took back is not called ours."""
    day, paid_on = date(2026, 1, 9), date(2025, 12, 20)
    returned = StatementReturn(day, paid_on, "refund", "abcd", 1000, is_by_bank=True)

    text = render(a_statement(returns=(returned,)), "md").decode()

    assert "Returned by the bank" in text


def test_a_decided_vote_says_who_was_not_on_the_roll() -> None:
    """By reason, and nothing if everybody was."""
    record = next(one for one in proposals() if one.vote is not None)
    off = {"address": 1, "no_address": 2, "payment": 3}
    short = replace(record, vote=record.require_vote()._replace(off_roll=off))

    assert b"Not on the roll" not in render(a_voting_report(decided=(record,)), "md")
    report = a_voting_report(decided=(short,))
    assert (
        "Not on the roll: 3 members without a payment; of those who pay, 1 whose address is not "
        "confirmed and 2 without an address."
    ) in render(report, "md").decode()


def test_an_open_vote_has_no_part_of_its_own() -> None:
    """The section of a decided vote refuses an open one."""
    with pytest.raises(InvalidInput, match="A seed bank for Kisumu"):
        build_decided(proposals()[2])


def test_statements_name_missing_facts() -> None:
    """Statements without a rate, commitments or operations say so."""
    report = a_funds_report(rate=None, commitments=(), operations=(), approved_by="A. Director")
    text = render(report, "md").decode()

    for sentence in (
        "No exchange rate was given for this year",
        "nothing was promised to a passed proposal",
        "Nothing was received or spent in this year.",
        "signed by A. Director.",
    ):
        assert sentence in text


def test_members_of_the_corporation_are_not_the_public() -> None:
    """Whether changemakers are members under the Act decides what is public money."""
    ours = render(a_funds_report(changemakers_are_members=True), "md").decode()
    theirs = render(a_funds_report(), "md").decode()

    assert "gifts of changemakers do not count as public sources" in ours
    assert "gifts of changemakers count as public sources" in theirs


def test_operations_add_up_by_fund_and_year() -> None:
    """The lines add up to revenue over expenses, shown next to last year's."""
    tables = read_page(render(a_funds_report(), "html").decode()).tables
    last = next(t[-1] for t in tables if t[-1][0] == "Revenue over expenses")

    assert last[-2:] == ["$3,120.00", "$1,200.00"]
    assert sum(cents_of(cell) for cell in last[1:-2]) == 312_000
