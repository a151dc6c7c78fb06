"""``jara stripe``, and the commands that are refused with live payments."""

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.services.organisation import PAYMENT_ACCOUNT
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock
from tests.stripe_double import customers, subscriptions
from tests.stripe_double.double import WEBHOOK_SECRET, StripeDouble


@pytest.fixture
def double() -> Iterator[StripeDouble]:
    """Return a Stripe account."""
    with StripeDouble(FakeClock()) as double:
        yield double


@pytest.fixture
def shell(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    double: StripeDouble,
) -> GivingShell:
    """A terminal with live payments on the Stripe double."""
    monkeypatch.setenv("JARA_STRIPE_API", double.url)
    monkeypatch.setenv("JARA_STRIPE_SECRET_KEY", double.secret_key)
    monkeypatch.setenv("JARA_STRIPE_PUBLISHABLE_KEY", "pk_test_double")
    monkeypatch.delenv("JARA_STRIPE_WEBHOOK_SECRET", raising=False)
    monkeypatch.setenv("JARA_SITE_URL", "https://jara.example")
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.add("ama@example.org")
    return shell


def test_setup_makes_everything_once_and_tells_the_secret(shell: GivingShell) -> None:
    """The second run finds the objects that the first one created."""
    first = shell.json("stripe", "setup")
    status, out, err = shell.run("stripe", "setup")

    assert {s["name"] for s in first} == {"product", "price", "webhook endpoint", "billing portal"}
    assert {step["action"] for step in first} == {"made"}
    assert [s["secret"].startswith("whsec_") for s in first if s["secret"]] == [True]
    assert (status, err) == (0, "")
    assert "found" in out


def test_setup_explains_the_webhook_secret(shell: GivingShell) -> None:
    """The secret is shown once, with instructions."""
    _, out, err = shell.run("stripe", "setup")

    assert "whsec_" in out
    assert "not shown again" in err


def test_no_command_asks_another_account(shell: GivingShell) -> None:
    """Whoever has keys of their own account of the same mode makes up no payments or refunds."""
    with build_from_environ(os.environ).context.store.write() as work:
        work.meta.put(PAYMENT_ACCOUNT, "acct_ours")

    for words in ("ledger reconcile --repair", "members erase ama@example.org --yes"):
        status, _, err = shell.run(*words.split())

        assert (status, "go to the account acct_ours" in err) == (ExitCode.CONFLICT, True)


def test_status_is_no_until_a_person_has_looked(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status is 1 while settlement in USD is not confirmed or the secret not set."""
    shell.done("stripe", "setup")
    monkeypatch.setenv("JARA_STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET)
    status, out, _ = shell.run("stripe", "status")
    assert status == 1
    assert "--confirm settlement-usd" in " ".join(out.split())

    shell.done("stripe", "setup", "--confirm", "settlement-usd")

    seen = shell.json("stripe", "status")
    assert seen["ok"]
    assert {check["level"] for check in seen["checks"]} == {"ok", "warning"}
    status, _, err = shell.run("stripe", "setup", "--confirm", "nothing")
    assert (status, "settlement-usd" in err) == (2, True)


def test_the_doctor_looks_at_the_account_too(shell: GivingShell) -> None:
    """An account that is not set up is an error in the doctor's report."""
    status, out, _ = shell.run("doctor", "--json")

    assert status == 1
    assert "stripe price" in out
    assert "stripe settlement-usd" in out


def subscribe(shell: GivingShell, double: StripeDouble, email: str) -> None:
    """Create a subscription of somebody who is not from Jara."""
    price = shell.json("stripe", "setup")[1]["id"]
    account, method = double.account, double.make_card("pm_card_visa")
    customer = customers.create_customer(
        account,
        {
            "email": email,
            "payment_method": method,
            "invoice_settings": {"default_payment_method": method},
        },
    )
    made = {"customer": customer["id"], "items": [{"price": price, "quantity": 12}]}
    how = {"payment_behavior": "allow_incomplete", "proration_behavior": "none"}
    subscriptions.create(account, {**made, **how})


def test_a_subscription_of_nobody_is_adopted_after_an_import(
    shell: GivingShell, double: StripeDouble
) -> None:
    """The refusal names what makes members of a list."""
    subscribe(shell, double, "kofi@example.org")
    _, out, _ = shell.run("stripe", "adopt", "--json")
    (row,) = json.loads(out)["subscriptions"]
    words = shlex.split(row["reason"].split("`")[1])[1:]
    (shell.folder / "m.csv").write_text("Email,Name,Country\nkofi@example.org,Kofi Addo,Canada\n")

    shell.done(*words, "m.csv")

    assert [one["fate"] for one in shell.json("stripe", "adopt")["subscriptions"]] == ["adopted"]


def test_adopting_names_every_subscription(shell: GivingShell, double: StripeDouble) -> None:
    """A dry run writes nothing, not even the account's id; a real run creates the pledge."""
    subscribe(shell, double, "Ama@example.org")

    status, out, err = shell.run("stripe", "adopt", "--dry-run")
    assert (status, "adopted" in out, "nothing was changed" in err) == (0, True, True)
    assert shell.json("pledges", "list") == []
    (row,) = shell.json("stripe", "adopt")["subscriptions"]

    assert tuple(row[key] for key in ("email", "amountCents", "every", "fate", "reason")) == (
        "Ama@example.org",
        1200,
        "month",
        "adopted",
        "",
    )
    assert [pledge["subscriptionAmount"] for pledge in shell.json("pledges", "list")] == [12]


@pytest.mark.parametrize(
    "words",
    [
        ("pledges", "charge"),
        ("pledges", "confirm", "pi_1_secret_2"),
        ("pledges", "start", "ama@example.org", "--amount", "10"),
        ("pledges", "card", "ama@example.org", "pm_card_mastercard"),
    ],
)
def test_sandbox_commands_refuse_live_payments(shell: GivingShell, words: tuple[str, ...]) -> None:
    """Sandbox commands exit with 4 on live payments and change nothing."""
    status, _, err = shell.run(*words)

    assert status == 4
    assert err.startswith("error: ")


def test_without_keys_there_is_nothing_to_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the keys."""
    shell = GivingShell(tmp_path, monkeypatch, capsys)

    for verb in ("setup", "status", "adopt"):
        status, _, err = shell.run("stripe", verb)
        assert status == 4
        assert "JARA_STRIPE_" in err


def test_an_organisation_without_its_keys_is_no_sandbox(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the stored mode of the database."""
    for name in ("SECRET", "PUBLISHABLE"):
        monkeypatch.delenv(f"JARA_STRIPE_{name}_KEY")

    for words in (("stripe", "status"), ("pledges", "charge")):
        status, _, err = shell.run(*words)
        assert status == 4
        assert "payments are in test mode" in err
