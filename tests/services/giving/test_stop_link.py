"""The link in emails that stops a pledge works without signing in and does nothing else."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from jara.domain.email_kinds import KINDS
from jara.domain.errors import Unavailable
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving.pledging import find_pledge, start_again, stop_by_link
from jara.services.mailed_codes import UnusableCode
from jara.services.members.profiles import undo_change
from jara.services.notices.outbox import list_outbox
from tests.fakes.turns import taking_turns
from tests.harness import clock_of
from tests.sent_emails import code_in, mailed_code, newest_email, values_of
from tests.services.giving.joiners import EMAIL, breaking, charges, join, pass_time
from tests.services.members.codes_world import SECURED, move_away


def emails(context: Context) -> dict[str, Mapping[str, object]]:
    """Return the values of an email of each kind, as they are sent now."""
    return {email.kind: values_of(context, email) for email in list_outbox(context)}


def stop_code(context: Context, kind: str = "welcome") -> str:
    """Return the code of the link in an email that is sent now."""
    link = str(newest_email(context, kind).doc["stopUrl"])
    assert urlsplit(link).path == "/stop-pledge"
    return code_in(link)


def test_the_link_in_a_welcome_stops_the_pledge(context: Context, member_id: str) -> None:
    """No charge follows, one email confirms it, and a second click changes nothing."""
    code = stop_code(context)
    stop_by_link(context, code)
    stop_by_link(context, code)
    pass_time(context, datetime(2027, 3, 1, tzinfo=UTC))

    assert PledgeState.CANCELED is find_pledge(context, member_id).state
    assert charges(context) == [1000]
    assert emails(context)["pledge_stopped"]["amountCents"] == 1000


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_stop_that_was_killed_is_told_all_the_same(
    context: Context, member_id: str, number: int
) -> None:
    """The email is written with the stop, or by the next click."""

    def kill() -> None:
        raise KeyboardInterrupt

    code = stop_code(context)
    with suppress(KeyboardInterrupt):
        stop_by_link(taking_turns(context, number, kill), code)
    stop_by_link(context, code)

    assert PledgeState.CANCELED is find_pledge(context, member_id).state
    assert emails(context)["pledge_stopped"]["amountCents"] == 1000


def test_the_link_ends_with_its_pledge(context: Context, member_id: str) -> None:
    """A link of an earlier pledge does not stop the next one."""
    code = stop_code(context)
    stop_by_link(context, code)
    start_again(context, member_id, payment_method="pm_card_visa", amount="15", billing_day=None)
    with pytest.raises(UnusableCode, match="too old"):
        stop_by_link(context, code)

    assert PledgeState.ACTIVE is find_pledge(context, member_id).state
    stop_by_link(context, stop_code(context))
    assert PledgeState.CANCELED is find_pledge(context, member_id).state


def _move_and_undo(context: Context, member_id: str) -> None:
    move_away(context, member_id)
    undo_change(context, mailed_code(context, "address_changed", EMAIL))


CHANGES = {**SECURED, "undone": _move_and_undo}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_the_account_ends_older_links(
    context: Context, member_id: str, change: Callable[[Context, str], object]
) -> None:
    """Whoever read the old mailbox stops nothing after the owner secured the account."""
    code = stop_code(context)
    change(context, member_id)
    with pytest.raises(UnusableCode, match="too old"):
        stop_by_link(context, code)

    assert PledgeState.ACTIVE is find_pledge(context, member_id).state


def test_an_email_to_an_earlier_address_has_no_link(context: Context, member_id: str) -> None:
    """It was queued before the address changed, and is sent afterwards."""
    move_away(context, member_id)

    assert "stopUrl" not in newest_email(context, "welcome", EMAIL).doc


@pytest.mark.parametrize(("days", "works"), [(90, True), (91, False)])
def test_a_link_works_for_ninety_days(
    context: Context, member_id: str, days: int, *, works: bool
) -> None:
    """The link in an email that is sent later works for as long."""
    code = stop_code(context)
    clock_of(context).advance(days=days)
    with nullcontext() if works else pytest.raises(UnusableCode, match="too old"):
        stop_by_link(context, code)

    assert (PledgeState.CANCELED is find_pledge(context, member_id).state) == works


@pytest.mark.parametrize("later", ["20361231", "99991231", "2027", "²0271231", "2027-13-01"])
def test_nobody_extends_a_link(context: Context, member_id: str, later: str) -> None:
    """The day is part of what the key proves, and any other text is refused."""
    _, _, proof = stop_code(context).rpartition(".")
    with pytest.raises(UnusableCode, match="too old"):
        stop_by_link(context, f"{member_id}.{later}.{proof}")


@pytest.mark.parametrize("change", ["", "x", "{id}", "{id}.", "{id}.00", "{other}"])
def test_a_code_that_is_not_ours_stops_nothing(
    context: Context, member_id: str, change: str
) -> None:
    """A truncated code, or one with another member's id, stops nothing."""
    other = join(context, "kofi@example.org").pledge.member_id
    proof = stop_code(context).partition(".")[2]
    code = change.format(id=member_id, other=f"{other}.{proof[::-1]}")

    with pytest.raises(UnusableCode, match="please use the link in the newest email"):
        stop_by_link(context, code)
    assert PledgeState.ACTIVE is find_pledge(context, member_id).state


def test_a_provider_that_is_away_leaves_the_pledge(context: Context, member_id: str) -> None:
    """The page says so, and the link can be used again."""
    code = stop_code(context)
    with pytest.raises(Unavailable):
        stop_by_link(breaking(context, "cancel"), code)

    assert PledgeState.ACTIVE is find_pledge(context, member_id).state
    assert "pledge_stopped" not in emails(context)


def test_every_email_about_giving_has_the_link(context: Context, member_id: str) -> None:
    """Emails about the account do not have it."""
    assert member_id
    found = emails(context)

    assert found
    assert {kind for kind in found if "stopUrl" in found[kind]} == {
        kind for kind in found if KINDS[kind].has_stop_link
    }
