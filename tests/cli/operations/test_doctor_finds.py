"""``jara doctor`` on a real installation: each planted misconfiguration is named."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.bootstrap import build_from_environ
from jara.services.context import Context
from jara.services.notices.emails import queue_email
from jara.store.schema import STEPS, Step
from tests.cards import IS_WITHOUT_CARDS
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.fakes.clock import FakeClock
from tests.mail.dns_server import dns_server, good_records
from tests.stripe_double.double import StripeDouble

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class Installation:
    """An organisation whose clock, settings and files a test can break."""

    shell: GivingShell
    patch: pytest.MonkeyPatch
    clock: FakeClock

    @property
    def folder(self) -> Path:
        """The folder of the installation."""
        return self.shell.folder

    def set(self, **settings: str) -> None:
        """Set environment variables."""
        set_variables(self.patch, **settings)

    def context(self) -> Context:
        """Return the context that the services use."""
        return build_from_environ(os.environ).context

    def look(self, *options: str) -> tuple[int, list[dict[str, Any]]]:
        """Run the doctor; return the exit status and the checks."""
        status, out, err = self.shell.run("doctor", "--json", *options)
        assert out, err
        return status, json.loads(out)["checks"]


def set_variables(patch: pytest.MonkeyPatch, **settings: str) -> None:
    """Set environment variables."""
    for name, value in settings.items():
        patch.setenv(f"JARA_{name.upper()}", value)


@pytest.fixture
def place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Installation]:
    """A correct live organisation: payments, mail, https, a backup, a daily run."""
    clock = stop_clock(monkeypatch)
    records = good_records("give.jara.example", "mail2026")
    with StripeDouble(clock) as double, dns_server(records) as dns:
        cards = {
            "stripe_api": double.url,
            "stripe_secret_key": double.secret_key,
            "stripe_publishable_key": "pk_test_double",
            "stripe_webhook_secret": "whsec_Double7Kq2Zt9Vw4Lm1Xb6Hd3",
        }
        set_variables(
            monkeypatch,
            **({} if IS_WITHOUT_CARDS else cards),
            site_url="https://jara.example",
            trusted_proxies="127.0.0.1",
            smtp_url="smtps://jara:hush@mail.example:465",
            mail_from="Jara <hello@give.jara.example>",
            dkim_selector="mail2026",
            dns_server=dns,
            log_days="30",
        )
        shell = GivingShell(tmp_path, monkeypatch, capsys)
        place = Installation(shell, monkeypatch, clock)
        by_eye = ("settlement-usd", "retries", "trial-mails", "statement-descriptor")
        confirmed = [word for name in by_eye for word in ("--confirm", name)]
        cash = ("payments", "ways", "set", "cash", "--account", "assets:bank", "--details", "Here")
        shell.done(*(cash if IS_WITHOUT_CARDS else ("stripe", "setup", *confirmed)))
        shell.done("run", "daily")
        shell.done("organisation", "set", *PUBLISHED)
        shell.done("backup", "b.db")
        yield place


PUBLISHED = (
    *(
        "--address",
        "1 Main Street",
        "--contact",
        "hello@jara.example",
        "--province",
        "Ontario",
        "--refund-days",
        "30",
    ),
    *("--privacy-officer", "Secretary", "--hosting", "Host Inc.", "--mail-provider", "Post Inc."),
    *("--effective", "today", "--donate-url", "https://give.example"),
    *("--chat", "https://chat.example", "--facebook", "https://facebook.example/jara"),
)
"""What the site says of a live organisation."""


def _stuck_email(place: Installation) -> None:
    context = place.context()
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})
        (email,) = work.outbox.all()
        for _ in range(3):
            work.outbox.failed(email.id, reason="It refused.", due_at=context.now())
    context.store.close()


def _settings_that_all_read(place: Installation) -> None:
    (place.folder / "jara.toml").write_text('smtp_url = "smtps://jara:hush@mail.example:465"\n')
    (place.folder / "jara.toml").chmod(0o644)
    place.patch.delenv("JARA_SMTP_URL")


def _is_older_schema(place: Installation) -> None:
    place.patch.setitem(STEPS, "m0036_later", Step(()))


Plant = Callable[[Installation], object]
PLANTED: dict[str, tuple[Plant, str, str]] = {
    "secrets that others read": (
        lambda place: (place.folder / "jara.secrets").chmod(0o755),
        "secrets",
        "can be read by others",
    ),
    "a database of an older version": (_is_older_schema, "database", "jara migrate"),
    "mail without a postal address": (
        lambda place: place.shell.done("organisation", "unset", "address"),
        "mail",
        "No postal address is set",
    ),
    "a misspelt setting": (
        lambda place: place.set(smpt_url="smtp://mail.example"),
        "settings",
        "JARA_SMPT_URL is not a setting",
    ),
    "settings with keys that all read": (_settings_that_all_read, "settings", "chmod 640"),
    "emails that keep failing": (_stuck_email, "outbox", "It refused."),
    "no daily run for two days": (
        lambda place: place.clock.set(NOON + timedelta(days=2)),
        "daily",
        "was made last on 2026-11-20",
    ),
}
"""What the command finds in its environment, and one of each part of the examination.

`jara.services.operations.diagnosis` has the tests of the others.
"""


@pytest.mark.parametrize("options", [(), ("--wide",)])
def test_a_correct_installation_has_one_finding(
    place: Installation, options: tuple[str, ...]
) -> None:
    """A correct installation has one finding: operators have no keys."""
    status, checks = place.look(*options)

    assert [check["name"] for check in checks if check["level"] != "ok"] == ["operators"]
    assert status == 0


@pytest.mark.parametrize("planted", PLANTED)
def test_each_planted_misconfiguration_is_found(place: Installation, planted: str) -> None:
    """Each planted error is found by name with an explanation; errors make the status 1."""
    plant, name, words = PLANTED[planted]
    plant(place)
    status, checks = place.look()
    found = [
        check
        for check in checks
        if (check["name"], check["level"] != "ok") == (name, True) and words in check["message"]
    ]

    assert found, checks
    assert status == int(any(not check["ok"] for check in checks))


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("JARA_CORS_ORIGINS", "*", "JARA_CORS_ORIGINS"),
        ("JARA_STRIPE_WEBHOOK_SECRET", "whsec_pending", "is a placeholder"),
        ("JARA_STRIPE_PUBLISHABLE_KEY", "pk_live_other", "mix test mode and live mode"),
        ("JARA_LIMIT_SIGN_IN_ACCOUNT", "many", "JARA_LIMIT_SIGN_IN_ACCOUNT"),
    ],
)
def test_absurd_settings_are_refused_at_once(
    place: Installation, variable: str, value: str, words: str
) -> None:
    """Even the doctor does not start with an invalid setting; the message says what is wrong."""
    place.patch.setenv(variable, value)
    status, _, err = place.shell.run("doctor")

    assert status == 2
    assert words in err
