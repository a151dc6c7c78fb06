"""``jara pledges``: a member's pledge from the first charge to the last."""

import os

import pytest

from jara.bootstrap import build_from_environ
from tests.cli.giving_shell import GivingShell

EMAIL = "ama@example.org"


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal with an organisation that has one member."""
    jara.add(EMAIL)
    return jara


def test_a_card_is_confirmed_at_the_terminal(shell: GivingShell) -> None:
    """`confirm` replaces the cardholder; until then the pledge is incomplete."""
    started = shell.json(
        "pledges", "start", EMAIL, "--amount", "10", "--card", "pm_card_authenticationRequired"
    )
    assert (started["outcome"], started["intentType"]) == ("requires_action", "payment")

    assert "succeed" in shell.done("pledges", "confirm", started["clientSecret"])
    assert [p["pledgeStatus"] for p in shell.json("pledges", "list")] == ["active"]
    status, _, _ = shell.run("pledges", "confirm", "pi_x_secret_y", "--fail")
    assert status == 3


def test_every_change_shows_the_pledge(shell: GivingShell) -> None:
    """Changes of amount, day, card and state return the pledge's new state."""
    shell.json("pledges", "start", EMAIL, "--amount", "10")

    assert shell.json("pledges", "amount", EMAIL, "25")["subscriptionAmount"] == 25
    assert shell.json("pledges", "day", EMAIL, "28")["billingDay"] == "28"
    assert shell.json("pledges", "card", EMAIL, "pm_card_mastercard")["pledgeStatus"] == "active"
    assert shell.json("pledges", "skip", EMAIL)["skipsOn"] is not None
    assert shell.json("pledges", "pause", EMAIL)["pledgeStatus"] == "paused"
    assert shell.json("pledges", "resume", EMAIL)["pledgeStatus"] == "active"
    assert shell.run("pledges", "cancel", EMAIL)[0] == 2
    assert shell.json("pledges", "cancel", EMAIL, "--yes")["pledgeStatus"] == "canceled"
    assert "canceled" in shell.done("pledges", "list")
    assert shell.run("pledges", "amount", EMAIL, "30")[0] == 4


def test_a_pledge_that_cannot_be_refreshed_is_named(shell: GivingShell) -> None:
    """The other pledges are refreshed, and the error names the failed one."""
    shell.json("pledges", "start", EMAIL)
    application = build_from_environ(os.environ)
    (customer,) = application.sandbox_state.all("customer")
    application.sandbox.delete_customer(str(customer["id"]))
    application.context.store.close()

    status, out, err = shell.run("pledges", "charge", "--json")

    assert status == 0
    assert "No such subscription" in out
    assert "No such subscription" in err


def test_stats_count_pledges_by_state(shell: GivingShell) -> None:
    """Statistics by state, with the number of changemakers and the expected income."""
    shell.done("members", "confirm", EMAIL)
    shell.json("pledges", "start", EMAIL, "--amount", "10")

    stats = shell.json("pledges", "stats")
    assert (stats["changemakers"], stats["monthlyCents"]) == (1, 1000)
    assert {"state": "active", "count": 1, "monthlyCents": 1000} in stats["states"]
    forecast = shell.json("pledges", "forecast", "--months", "3")
    assert len(forecast["months"]) == 3
    assert forecast["totalCents"] == sum(month["cents"] for month in forecast["months"])
    assert "changemakers" in shell.done("pledges", "stats")
    assert "Total" in shell.done("pledges", "forecast")
