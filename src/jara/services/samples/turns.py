"""What members of the demonstration do with their pledge after a while."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    change_amount,
    pause_pledge,
    replace_card,
    resume_pledge,
    skip_next,
)
from jara.services.members.accounts import close_account
from jara.services.samples.people import Actor, Turn

Act = Callable[[], object]
Agenda = Callable[[datetime, Act], None]
"""Schedules an action at a time."""

_GOOD_CARD = "pm_card_visa"
_BAD_CARD = "pm_card_chargeCustomerFail"
_PAUSE = timedelta(days=40)
_NOTICED_AFTER = timedelta(days=4)


def plan_turn(context: Context, actor: Actor, member_id: str, agenda: Agenda) -> None:
    """Schedule what a member does."""

    def pause() -> None:
        pause_pledge(context, member_id)
        agenda(actor.turns_at + _PAUSE, lambda: resume_pledge(context, member_id))

    def fail() -> None:
        replace_card(context, member_id, _BAD_CARD)

    def fail_and_recover() -> None:
        charge_on = replace_card(context, member_id, _BAD_CARD).next_charge_on
        charged_at = datetime.combine(charge_on or actor.turns_at.date(), time(14), tzinfo=UTC)
        agenda(charged_at + _NOTICED_AFTER, lambda: replace_card(context, member_id, _GOOD_CARD))

    more = int(str(actor.form.contribution)) + 5
    acts: dict[Turn, Act] = {
        Turn.GIVES_MORE: lambda: change_amount(context, member_id, more),
        Turn.LEAVES: lambda: cancel_pledge(context, member_id),
        Turn.CLOSES: lambda: close_account(context, member_id),
        Turn.SKIPS: lambda: skip_next(context, member_id),
        Turn.PAUSES: pause,
        Turn.CARD_FAILS: fail,
        Turn.CARD_RECOVERS: fail_and_recover,
    }
    if actor.turn in acts:
        agenda(actor.turns_at, acts[actor.turn])
