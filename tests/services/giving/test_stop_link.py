"""The link in emails that stops a pledge works without signing in and does nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from jara.domain.errors import Unavailable
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving.pledging import find_pledge, start_again, stop_by_link
from jara.services.mailed_codes import UnusableCode
from jara.services.notices.emails import ABOUT_GIVING
from tests.services.giving.joiners import breaking, charges, join, pass_time


def emails(context: Context) -> dict[str, dict[str, object]]:
    """Return the values of the newest email of each kind."""
    with context.store.read() as work:
        return {email.kind: dict(email.doc) for email in work.outbox.all()}


def code_in(context: Context, kind: str) -> str:
    """Return the code of the link in the newest email of a kind."""
    link = urlsplit(str(emails(context)[kind]["stopUrl"]))
    assert link.path == "/stop-pledge"
    return parse_qs(link.query)["code"][0]


def test_the_link_in_a_welcome_stops_the_pledge(context: Context, member_id: str) -> None:
    """No charge follows, one email confirms it, and a second click changes nothing."""
    code = code_in(context, "welcome")
    stop_by_link(context, code)
    stop_by_link(context, code)
    pass_time(context, datetime(2027, 3, 1, tzinfo=UTC))

    assert PledgeState.CANCELED is find_pledge(context, member_id).state
    assert charges(context) == [1000]
    assert emails(context)["pledge_stopped"]["amountCents"] == 1000


def test_the_link_works_after_a_new_beginning(context: Context, member_id: str) -> None:
    """The link never expires, so links in old emails also stop a restarted pledge."""
    code = code_in(context, "welcome")
    stop_by_link(context, code)
    start_again(context, member_id, payment_method="pm_card_visa", amount="15", billing_day=None)
    stop_by_link(context, code)

    assert PledgeState.CANCELED is find_pledge(context, member_id).state


@pytest.mark.parametrize("change", ["", "x", "{id}", "{id}.", "{id}.00", "{other}"])
def test_a_code_that_is_not_ours_stops_nothing(
    context: Context, member_id: str, change: str
) -> None:
    """A truncated code, or one with another member's id, stops nothing."""
    other = join(context, "kofi@example.org").pledge.member_id
    proof = code_in(context, "welcome").partition(".")[2]
    code = change.format(id=member_id, other=f"{other}.{proof[::-1]}")

    with pytest.raises(UnusableCode, match="please use the link in the newest email"):
        stop_by_link(context, code)
    assert PledgeState.ACTIVE is find_pledge(context, member_id).state


def test_a_provider_that_is_away_leaves_the_pledge(context: Context, member_id: str) -> None:
    """The page says so, and the link can be used again."""
    code = code_in(context, "welcome")
    with pytest.raises(Unavailable):
        stop_by_link(breaking(context, "cancel"), code)

    assert PledgeState.ACTIVE is find_pledge(context, member_id).state
    assert "pledge_stopped" not in emails(context)


def test_every_email_about_giving_has_the_link(context: Context, member_id: str) -> None:
    """Emails about the account do not have it."""
    assert member_id
    found = emails(context)

    assert found
    assert {kind for kind in found if "stopUrl" in found[kind]} == found.keys() & ABOUT_GIVING
