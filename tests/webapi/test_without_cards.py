"""An organisation without cards, from joining to leaving: no payment provider is asked."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.reports.parts import ReportPeriod
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.services.operations.years import close_year
from jara.services.payments.receiving import receive
from jara.services.reports.statements import member_statement
from tests.services.news.news_world import Mailbox
from tests.webapi.desk import PASSWORD, Desk, later, open_desk, promise, refused, registration
from tests.webapi.test_promises import take_transfers


@pytest.fixture
def desk(place: Path) -> Desk:
    """A live organisation that takes transfers, and no cards."""
    desk = open_desk(place, cards="none", site_url="https://give.example")
    take_transfers(desk)
    return desk


def run_steps(context: Context) -> dict[str, bool]:
    """Make the daily run; return whether each step went well."""
    steps = daily_steps(clockwork=None, sender=Mailbox())
    return {result.step: result.ok for result in run_daily(context, steps)}


def pay(desk: Desk, token: str, cents: int = 1000) -> str:
    """Pay a member's promise; return its reference."""
    reference: str = desk.get("/user/payment", token=token).json["reference"]
    receive(desk.application.context, reference, cents)
    return reference


def test_the_website_is_told_that_there_are_no_cards(desk: Desk) -> None:
    """Calls that need a card are refused, and leave nothing; there is no webhook and no sandbox."""
    config = desk.get("/config").json
    card = {"amountCents": 500, "email": "g@example.org", "paymentMethodId": "pm_card_visa"}
    token = desk.post("/register/promise", promise()).json["token"]
    answers = [
        desk.post("/register", registration()),
        desk.post("/gifts", card),
        desk.put("/user/pledge", {"paymentMethodId": "pm_card_visa"}, token=token),
    ]

    assert (config["payments"], config["ways"]) == (
        {"provider": "none", "publishableKey": None},
        ["transfer"],
    )
    assert [refused(answer) for answer in answers] == [(409, "conflict")] * 3
    assert {answer.json["message"] for answer in answers} == {"This organisation takes no cards."}
    for path in ("/sandbox/confirm", "/webhooks/stripe"):
        assert desk.post(path, {}).status_code == 404
    kinds = {kind["name"] for kind in desk.get("/emails").json["kinds"]}
    assert kinds & {"card_expiring", "charge_failed", "pledge_ended"} == set()
    with desk.application.context.store.read() as work:
        assert len(work.registrations.all()) == 1


def test_a_member_joins_pays_votes_and_leaves(desk: Desk) -> None:
    """Every step works without a provider: join, pay, vote, statement, daily run, stop, erase."""
    context = desk.application.context
    token = desk.post("/register/promise", promise()).json["token"]
    reference = pay(desk, token)
    profile = desk.get("/user/get-profile", token=token).json["user"]
    name = desk.open_vote()
    vote = desk.post("/user/votes", {"id": name, "voteType": "upvote"}, token=token)
    gift = {"amountCents": 2500, "email": "g@example.org", "way": "transfer"}
    noted = desk.post("/gifts/promise", gift)
    receive(context, noted.json["reference"], 2500)

    assert (profile["pledgeStatus"], profile["mayVote"], profile["way"]) == (
        "active",
        True,
        "transfer",
    )
    assert (vote.status_code, noted.status_code) == (200, 201)
    assert noted.json["reference"] != reference
    assert all(run_steps(context).values())
    later(desk, days=11)
    assert all(run_steps(context).values())
    credentials = {"email": profile["email"], "password": PASSWORD}
    token = desk.post("/user/login", credentials).json["token"]
    changed = desk.put("/user/pledge", {"subscriptionAmount": 20}, token=token)
    assert changed.json["user"]["subscriptionAmount"] == 20
    year = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
    assert member_statement(context, profile["email"], year).paid_cents == 1000
    desk.put("/user/pledge", {"canceled": True}, token=token)
    again = desk.put("/user/pledge", {"way": "transfer"}, token=token)
    assert again.json["user"]["pledgeStatus"] == "active"  # what was paid still counts
    left = desk.delete("/user/delete-account", token=token)
    assert left.status_code == 200
    assert verify_books(context).ok


def test_a_year_is_closed_without_a_provider(desk: Desk) -> None:
    """There is nothing to compare the books with but themselves."""
    token = desk.post("/register/promise", promise()).json["token"]
    pay(desk, token)
    later(desk, days=60)

    assert close_year(desk.application.context, 2026).year == 2026
