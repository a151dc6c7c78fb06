"""``jara --now``: run any command at another time, in a sandbox organisation."""

import pytest

from jara.domain.time_zone import TimeZone
from jara_cli.context import _read_now
from tests.cli.giving_shell import GivingShell

pytestmark = pytest.mark.usefixtures("stopped_clock")

EMAIL = "ama@example.org"


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal at noon of 20 November 2026, with a member who pledges."""
    jara.add(EMAIL)
    jara.json("pledges", "start", EMAIL, "--amount", "10")
    return jara


def test_any_command_runs_as_if_it_were_then(shell: GivingShell) -> None:
    """The daily run makes the charges that are due by the given time."""
    shell.done("--now", "2027-01-31", "run", "daily")

    days = [row["date"] for row in shell.json("payments", "list", EMAIL)]
    assert days == ["2027-01-20", "2026-12-20", "2026-11-20"]
    shell.done("--now", "2027-02-20T12:30:00Z", "pledges", "charge")
    assert shell.json("payments", "list", EMAIL)[0]["date"] == "2027-02-20"
    assert shell.run("--now", "soon", "members", "list")[0] == 2


def test_a_real_organisation_has_the_clock_of_the_machine(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An organisation with Stripe keys refuses `--now`."""
    monkeypatch.setenv("JARA_STRIPE_SECRET_KEY", "sk_test_123456789012345678901234")
    monkeypatch.setenv("JARA_STRIPE_PUBLISHABLE_KEY", "pk_test_123456789012345678901234")

    status, _, err = shell.run("--now", "2027-01-31", "ledger", "balance")

    assert (status, "sandbox organisations only" in err) == (4, True)


@pytest.mark.parametrize("zone", ["UTC", "America/Toronto", "Pacific/Kiritimati"])
@pytest.mark.parametrize("day", ["2027-03-14", "2027-12-31"])
def test_a_day_means_its_last_hour_there(zone: str, day: str) -> None:
    """So the day's charges are made; 14 March has 23 hours in Toronto."""
    at = TimeZone(zone).local(_read_now(day, TimeZone(zone)))

    assert f"{at:%Y-%m-%d %H:%M}" == f"{day} 23:00"
