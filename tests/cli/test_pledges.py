"""``jara pledges``: a member's pledge from the first charge to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from tests.cli.giving_shell import GivingShell

EMAIL = "ama@example.org"


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal with an organisation that has one member."""
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.add(EMAIL)
    return shell


def test_a_pledge_begins_and_is_booked(shell: GivingShell) -> None:
    """The first charge is in the books when the command ends."""
    started = shell.json("pledges", "start", EMAIL, "--amount", "10", "--day", "current")

    assert ("active", "paid", 10) == (
        started["pledgeStatus"],
        started["outcome"],
        started["subscriptionAmount"],
    )
    (listed,) = shell.json("pledges", "list", "--state", "active")
    assert started["id"] == listed["id"]
    assert [] == shell.json("pledges", "list", "--state", "canceled")
    payments = shell.done("members", "export", EMAIL, "--payments", "--out", "p.csv")
    assert payments == ""
    assert "1000" in (shell.folder / "p.csv").read_text("utf-8")


def test_a_card_is_confirmed_at_the_terminal(shell: GivingShell) -> None:
    """`confirm` replaces the cardholder; until then the pledge is incomplete."""
    started = shell.json(
        "pledges", "start", EMAIL, "--amount", "10", "--card", "pm_card_authenticationRequired"
    )
    assert ("requires_action", "payment") == (started["outcome"], started["intentType"])

    assert "succeed" in shell.done("pledges", "confirm", started["clientSecret"])
    assert ["active"] == [p["pledgeStatus"] for p in shell.json("pledges", "list")]
    status, _, _ = shell.run("pledges", "confirm", "pi_x_secret_y", "--fail")
    assert 3 == status


def test_a_declined_card_is_a_conflict(shell: GivingShell) -> None:
    """A declined card gives status 4, with Stripe's message."""
    status, _, err = shell.run("pledges", "start", EMAIL, "--card", "pm_card_chargeDeclined")

    assert (4, "error: Your card was declined.\n") == (status, err)


def test_every_change_shows_the_pledge(shell: GivingShell) -> None:
    """Changes of amount, day, card and state return the pledge's new state."""
    shell.json("pledges", "start", EMAIL, "--amount", "10")

    assert 25 == shell.json("pledges", "amount", EMAIL, "25")["subscriptionAmount"]
    assert "28" == shell.json("pledges", "day", EMAIL, "28")["billingDay"]
    assert "active" == shell.json("pledges", "card", EMAIL, "pm_card_mastercard")["pledgeStatus"]
    assert shell.json("pledges", "skip", EMAIL)["skipsOn"] is not None
    assert "paused" == shell.json("pledges", "pause", EMAIL)["pledgeStatus"]
    assert "active" == shell.json("pledges", "resume", EMAIL)["pledgeStatus"]
    assert 2 == shell.run("pledges", "cancel", EMAIL)[0]
    assert "canceled" == shell.json("pledges", "cancel", EMAIL, "--yes")["pledgeStatus"]
    assert "canceled" in shell.done("pledges", "list")
    assert 4 == shell.run("pledges", "amount", EMAIL, "30")[0]


def test_time_passes_in_the_sandbox(shell: GivingShell) -> None:
    """`charge --until` makes all charges due by then, and a second run makes none."""
    shell.json("pledges", "start", EMAIL, "--amount", "10")

    first = shell.json("pledges", "charge", "--until", "2030-01-01")
    assert first["happened"] > 12
    assert first["posted"] > 12
    again = shell.json("pledges", "charge", "--until", "2030-01-01")
    assert (0, 0) == (again["happened"], again["posted"])
    assert "Movements booked" in shell.done("pledges", "charge")


def test_a_pledge_that_cannot_be_refreshed_is_named(shell: GivingShell) -> None:
    """The other pledges are refreshed, and the error names the failed one."""
    shell.json("pledges", "start", EMAIL)
    application = build_from_environ({})
    (customer,) = application.sandbox_state.all("customer")
    application.sandbox.delete_customer(str(customer["id"]))
    application.context.store.close()

    status, out, err = shell.run("pledges", "charge", "--json")

    assert 0 == status
    assert "No such subscription" in out
    assert "No such subscription" in err


def test_figures_of_the_pledges(shell: GivingShell) -> None:
    """Statistics by state, with the number of changemakers and the expected income."""
    shell.json("pledges", "start", EMAIL, "--amount", "10")

    stats = shell.json("pledges", "stats")
    assert (1, 1000) == (stats["changemakers"], stats["monthlyCents"])
    assert {"state": "active", "count": 1, "monthlyCents": 1000} in stats["states"]
    forecast = shell.json("pledges", "forecast", "--months", "3")
    assert 3 == len(forecast["months"])
    assert forecast["totalCents"] == sum(month["cents"] for month in forecast["months"])
    assert "changemakers" in shell.done("pledges", "stats")
    assert "Total" in shell.done("pledges", "forecast")


def test_a_payment_is_refunded(shell: GivingShell) -> None:
    """A payment can be refunded in part and in full; more than that is a conflict."""
    shell.json("pledges", "start", EMAIL, "--amount", "10")
    entry = _entry(shell)

    refund = ("pledges", "refund", entry, "--why", "agreed", "--yes")
    assert 400 == shell.json(*refund, "--amount", "4.00")["cents"]
    assert "$6.00" in shell.done(*refund)
    assert 4 == shell.run(*refund)[0]
    assert 2 == shell.run("pledges", "refund", entry, "--why", "agreed")[0]


def test_a_large_refund_waits_for_another(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refund over JARA_APPROVAL_CENTS moves no money before it is approved."""
    shell.json("pledges", "start", EMAIL, "--amount", "10")
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "500")

    waiting = shell.waits("pledges", "refund", _entry(shell), "--why", "agreed", "--yes")

    assert ("waiting", 1000) == (waiting["state"], waiting["cents"])
    assert [waiting["id"]] == [one["id"] for one in shell.json("approvals", "list")]


def test_only_listed_operators_act(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once operators are listed, commands by others are refused before they act."""
    shell.json("pledges", "start", EMAIL)
    shell.done("operators", "add", "tester")
    monkeypatch.setenv("JARA_OPERATOR", "stranger")

    assert 4 == shell.run("pledges", "pause", EMAIL)[0]
    assert ["active"] == [p["pledgeStatus"] for p in shell.json("pledges", "list")]


def _entry(shell: GivingShell) -> str:
    shell.done("members", "export", EMAIL, "--payments", "--out", "p.csv")
    row = (shell.folder / "p.csv").read_text("utf-8").splitlines()[1]
    return row.rpartition(",")[2][:12]
