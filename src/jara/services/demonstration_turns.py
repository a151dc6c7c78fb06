"""What members of the demonstration do with their pledge after a while."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from jara.services.context import Context
from jara.services.demonstration_people import Actor, Turn
from jara.services.membership import close_account
from jara.services.pledging import (
    cancel_pledge,
    change_amount,
    pause_pledge,
    replace_card,
    resume_pledge,
    skip_next,
)

DatedAct = tuple[datetime, Callable[[], object]]

_GOOD_CARD = "pm_card_visa"
_BAD_CARD = "pm_card_chargeCustomerFail"
_AFTER_NEXT_CHARGE = timedelta(days=33)
_PAUSE = timedelta(days=40)


def acts_of(context: Context, actor: Actor, member_id: str) -> list[DatedAct]:
    """Return what a member does, and when."""
    at = actor.turns_at

    def change_card(card: str) -> Callable[[], object]:
        return lambda: replace_card(context, member_id, card)

    match actor.turn:
        case Turn.STAYS:
            return []
        case Turn.GIVES_MORE:
            more = int(str(actor.form.contribution)) + 5
            return [(at, lambda: change_amount(context, member_id, more))]
        case Turn.LEAVES:
            return [(at, lambda: cancel_pledge(context, member_id))]
        case Turn.CLOSES:
            return [(at, lambda: close_account(context, member_id))]
        case Turn.SKIPS:
            return [(at, lambda: skip_next(context, member_id))]
        case Turn.PAUSES:
            return [
                (at, lambda: pause_pledge(context, member_id)),
                (at + _PAUSE, lambda: resume_pledge(context, member_id)),
            ]
        case Turn.CARD_FAILS:
            return [(at, change_card(_BAD_CARD))]
        case Turn.CARD_RECOVERS:
            return [
                (at, change_card(_BAD_CARD)),
                (at + _AFTER_NEXT_CHARGE, change_card(_GOOD_CARD)),
            ]
