"""``jara payments``: search by member, state, period and any part of a name."""

import pytest

from tests.cli.giving_shell import GivingShell

pytestmark = pytest.mark.usefixtures("stopped_clock")

EMAIL = "ama@example.org"


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal with two members, of whom Ama paid twice and Kofi once."""
    jara.add(EMAIL)
    jara.add("kofi@example.org")
    jara.json("pledges", "start", EMAIL, "--amount", "10")
    jara.json("pledges", "start", "kofi@example.org", "--amount", "25")
    jara.json("pledges", "charge", "--until", "2026-12-21")
    return jara


def amounts(shell: GivingShell, *words: str) -> list[int]:
    """Return the amounts of the payments that a list shows."""
    return [row["amountCents"] for row in shell.json("payments", "list", *words)]


def test_payments_are_listed_newest_first(shell: GivingShell) -> None:
    """Payments can be filtered by member, period, and part of name, address or charge id."""
    newest, *_ = shell.json("payments", "list", EMAIL)

    assert amounts(shell, EMAIL) == [1000, 1000]
    assert amounts(shell, "kofi", "--month", "2026-11") == [2500]
    assert amounts(shell, EMAIL, "--since", "2026-12", "--to", "2026-12") == [1000]
    assert amounts(shell, "--search", "KOFI@") == [2500, 2500]
    assert len(amounts(shell, "--search", "a mensah")) == 4
    assert amounts(shell, "--search", "%") == []
    assert (newest["date"], newest["email"], newest["name"], newest["state"]) == (
        "2026-12-20",
        EMAIL,
        "Ama Mensah",
        "paid",
    )
    assert amounts(shell, "--search", newest["charge"]) == [1000]


def test_a_limit_says_that_there_is_more(shell: GivingShell) -> None:
    """A limit shows the newest payments, and a message says that there are more."""
    _, out, err = shell.run("payments", "list", "--limit", "1", "--json")

    assert out.count('"entry"') == 1
    assert "There are more than 1; show more with --limit." in err


def test_a_refund_is_made_and_shown(shell: GivingShell) -> None:
    """The state follows the refunded amount; `show` has the funds and the refund's entry."""
    newest, *_ = shell.json("payments", "list", EMAIL)
    asked = shell.answer("n\n", "payments", "refund", newest["entry"], "--why", "x")
    assert f"Refund $10.00 of the $10.00 paid on {newest['date']} by " in asked[2] + asked[1]

    shell.done("payments", "refund", newest["entry"], "--amount", "4", "--why", "x", "--yes")
    (part,) = shell.json("payments", "list", "--state", "part-refunded")
    shell.done("payments", "refund", newest["charge"], "--why", "y", "--yes")
    shown = shell.json("payments", "show", newest["entry"][:8])

    assert (part["entry"], part["returnedCents"]) == (newest["entry"], 400)
    assert (shown["state"], sum(shown["funds"].values())) == ("refunded", 1000)
    assert [row["kind"] for row in shown["later"]] == ["refund", "refund"]
    assert "What happened to it:" in shell.run("payments", "show", newest["entry"])[1]


def test_an_entry_that_is_no_payment_is_not_found(shell: GivingShell) -> None:
    """An entry that is no payment gives status 3, with a hint where to look."""
    entries = shell.json("ledger", "register", "assets:stripe")["entries"]
    fee = next(row["id"] for row in entries if row["kind"] == "payout")

    status, _, err = shell.run("payments", "show", fee)

    assert (status, "is not a payment; see `jara payments list`" in err) == (3, True)
