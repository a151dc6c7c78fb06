"""The vote rule of new proposals: its changes are leaves of the log, and hold from a day on."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from jara.domain.coming_change import Topic
from jara.domain.errors import InvalidInput
from jara.domain.publiclog.leaves import vote_rule_leaf
from jara.domain.voting.tally import RuleChange, VoteRule, passes_words, read_rule, rule_in_force
from jara.records.operations import Approval
from jara.services.approvals import Handler, require_approval
from jara.services.audit import record_act
from jara.services.books.entry_documents import parse_day
from jara.services.context import Context
from jara.services.notices.coming_changes import announce_change, earliest_change, require_notice

ACTION = "policy.vote-rule"


def list_rules(context: Context) -> tuple[RuleChange, ...]:
    """Return every past, present and future rule of new proposals, in the order they were set."""
    with context.store.read() as work:
        return work.log.vote_rules()


def current_rule(context: Context) -> VoteRule:
    """Return the rule of a proposal that opens today."""
    return rule_in_force(list_rules(context), context.today())


def earliest_rule(context: Context) -> date:
    """Return the first day from which a rule that is set now may hold."""
    with context.store.read() as work:
        return earliest_change(context, work, Topic.VOTE_RULE)


def set_rule(context: Context, change: RuleChange, *, why: str) -> RuleChange | Approval:
    """Append the rule of new proposals to the log; votes that were opened keep theirs.

    It needs what a change of the split needs: a second operator, and an email to all members
    before it holds.

    Returns:
        The rule, or the approval it waits for.

    Raises:
        InvalidInput: no reason is given, the rule holds already, or its day is before the newest
            rule's, or so early that members could not hear of it before.
    """
    if not why.strip():
        raise InvalidInput("A change of the vote rule needs a reason; say --why.")
    with context.store.write() as work:
        rules = work.log.vote_rules()
        newest = max((one.valid_from for one in rules), default=change.valid_from)
        if change.valid_from < newest:
            raise InvalidInput(
                f"A rule from {change.valid_from} would precede the newest one, which holds from "
                f"{newest}."
            )
        before = rule_in_force(rules, change.valid_from)
        if before == change.rule:
            raise InvalidInput(f"That is the rule already: {passes_words(before)}.")
        require_notice(context, work, Topic.VOTE_RULE, change.valid_from)
        payload = {"from": change.valid_from.isoformat(), "rule": change.rule.document()}
        waiting = require_approval(
            context, work, action=ACTION, payload={**payload, "why": why}, why=why
        )
        if waiting is not None:
            return waiting
        announce_change(
            context,
            work,
            Topic.VOTE_RULE,
            starts_on=change.valid_from,
            about={"before": before.document(), "after": change.rule.document()},
        )
        leaf = work.log.append(vote_rule_leaf(change))
        record_act(
            context,
            work,
            ACTION,
            str(leaf.index),
            why=why,
            before={"rule": before.document()},
            facts=payload,
        )
    return change


def _set_approved(context: Context, payload: Mapping[str, Any]) -> object:
    change = RuleChange(parse_day(payload["from"]), read_rule(payload["rule"]))
    return set_rule(context, change, why=payload["why"])


HANDLERS: Mapping[str, Handler] = {ACTION: _set_approved}
