"""The rule of new votes: members hear of it, two people sign it, open votes keep theirs."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.voting.tally import Measure, RuleChange, Share, VoteRule, read_rule
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.verification import verify_books
from jara.services.context import Context, Rules
from jara.services.operations.operators import add_operator
from jara.services.proposals import vote_rules
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import draft_proposal
from jara.services.proposals.views import tally_vote
from jara.services.proposals.vote_rules import current_rule, list_rules, set_rule
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote, vote
from tests.services.news.news_world import Mailbox, join, tell
from tests.services.operations.planted_faults import found, plant

TODAY, TOMORROW = date(2026, 11, 20), date(2026, 11, 21)
BY_LAW = VoteRule(1, 2, Measure.VOTES, more=True, quorum=Share(1, 5))


def test_every_member_hears_of_it_before_it_holds(context: Context) -> None:
    """The email says the old rule and the new one; today is too early."""
    join(context, "ama", choice="nothing")
    mailbox = Mailbox()
    assert vote_rules.earliest_rule(context) == TOMORROW
    with pytest.raises(InvalidInput, match="it can hold from 2026-11-21 on"):
        set_rule(context, RuleChange(TODAY, BY_LAW), why="By-law 7.")

    set_rule(context, RuleChange(TOMORROW, BY_LAW), why="By-law 7.")
    tell(context, mailbox)

    (email,) = mailbox.to("ama")
    assert email.subject == "When votes pass changes on 21 November 2026"
    assert "before 21 November 2026 passes when 50% or more of changemakers vote yes." in email.text
    assert (
        "from 21 November 2026 on passes when more than 50% of the votes are yes, and 20% or more "
        "of changemakers vote. Only the votes that are cast count." in email.text
    )
    assert current_rule(context) == VoteRule()
    clock_of(context).advance(days=1)
    assert current_rule(context) == BY_LAW


@pytest.mark.parametrize(
    ("change", "why", "message"),
    [
        (RuleChange(TODAY, VoteRule()), "Again.", "That is the rule already"),
        (RuleChange(date(2026, 11, 19), BY_LAW), "Again.", "would precede the newest one"),
        (RuleChange(TOMORROW, BY_LAW), " ", "needs a reason; say --why"),
    ],
)
def test_a_change_that_changes_nothing_comes_earlier_or_has_no_reason_is_refused(
    context: Context, change: RuleChange, why: str, message: str
) -> None:
    """Rules follow each other by their days."""
    if change.rule == BY_LAW:
        set_rule(context, RuleChange(TODAY, VoteRule(2, 3)), why="First.")
    with pytest.raises(InvalidInput, match=message):
        set_rule(context, change, why=why)


def test_a_second_operator_signs_it(place: Path) -> None:
    """Once there are limits, the rule waits, as a change of the split does."""
    context = make_organisation(place, rules=Rules(approval_cents=100))
    for name in ("tester", "second"):
        add_operator(context, name)

    waiting = set_rule(context, RuleChange(TODAY, BY_LAW), why="By-law 7.")

    assert isinstance(waiting, Approval)
    assert list_rules(context) == ()
    approve(replace(context, operator="second"), waiting.id, handlers=vote_rules.HANDLERS)
    assert current_rule(context) == BY_LAW
    assert verify_books(context).findings == ()


def test_a_vote_that_is_open_keeps_its_rule(context: Context) -> None:
    """The one that opens later is counted by the new one: a tie fails, and so does no quorum."""
    ada, bo = add_member(context, "ada"), add_member(context, "bo")
    old = open_vote(context)
    set_rule(context, RuleChange(TOMORROW, BY_LAW), why="By-law 7.")
    clock_of(context).advance(days=1)
    new = open_vote(context, id="prop_02", slug="new")
    for proposal in (old, new):
        vote(context, ada, proposal=proposal)
        vote(context, bo, "down", proposal)

    clock_of(context).advance(days=11)
    closed = {one.record.proposal.id: one.passed for one in close_due_votes(context)}

    assert closed == {old: True, new: False}
    assert verify_books(context).findings == ()


def test_a_draft_shows_the_rule_of_today(context: Context) -> None:
    """It is the one that it would open with."""
    draft_proposal(context, PROPOSAL)
    set_rule(context, RuleChange(TODAY, BY_LAW), why="By-law 7.")

    assert read_rule(tally_vote(context, "prop_01")["rule"]) == BY_LAW


def test_a_rule_in_the_database_alone_is_found(context: Context) -> None:
    """The rule of a vote is that which the log has for the day of its opening."""
    open_vote(context)
    with context.store.write() as work:
        record = work.proposals.find("prop_01")
        work.proposals.put(record._replace(proposal=replace(record.proposal, rule=BY_LAW)))

    messages = [one.message for one in verify_books(context).findings]

    assert any("has another rule than the one that was in force" in one for one in messages)


@pytest.mark.parametrize(
    "fault",
    [
        "UPDATE proposals SET opened_at = NULL",
        "UPDATE proposals SET opened_index = 99",
    ],
)
def test_a_vote_whose_opening_was_changed_is_found(context: Context, fault: str) -> None:
    """Without the time or the leaf of its opening, no rule is known to compare it with."""
    set_rule(context, RuleChange(TODAY, BY_LAW), why="By-law 7.")
    open_vote(context)
    plant(context, fault)

    assert found(context)["votes"] == {"prop_01"}


def test_the_result_counts_who_was_not_on_the_roll(context: Context) -> None:
    """By reason: without a payment, or paid with an address that is not confirmed."""
    add_member(context, "ada")
    add_member(context, "bob", cents=0)
    cyd = add_member(context, "cyd")
    with context.store.write() as work:
        work.members.update(cyd._replace(is_added=True, email_confirmed=False))
    open_vote(context)
    clock_of(context).advance(days=11)
    close_due_votes(context)

    tally = tally_vote(context, "prop_01")

    assert (tally["roll"], tally["offRoll"]) == (1, {"address": 1, "noAddress": 0, "payment": 1})
