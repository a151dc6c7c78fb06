"""Tests of times in the member's country."""

from datetime import UTC, datetime

import pytest

from jara.files.shipped import CountryList, read_time_zones
from jara.mail.templating import spell_deadline

MIDNIGHT = datetime(2026, 12, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        (None, "Thursday, 10 December 2026, 23:59 UTC"),
        ("America/Toronto", "Thursday, 10 December 2026, 19:00 EST"),
        ("Africa/Lagos", "Friday, 11 December 2026, 01:00 WAT"),
        ("America/Sao_Paulo", "Thursday, 10 December 2026, 21:00 UTC-03"),
        ("No/Where", "Thursday, 10 December 2026, 23:59 UTC"),
        ("../etc", "Thursday, 10 December 2026, 23:59 UTC"),
    ],
)
def test_a_deadline_names_its_hour_and_its_zone(zone: str | None, shown: str) -> None:
    """It is in the member's time; midnight belongs to the day that it ends."""
    assert spell_deadline(MIDNIGHT, zone) == shown


def test_every_country_has_a_time_zone() -> None:
    """Each zone exists, so no deadline falls back to UTC."""
    zones = read_time_zones()

    assert zones["Canada"] == "America/Toronto"
    assert set(zones) == set(CountryList())
    assert [
        country
        for country, zone in zones.items()
        if zone != "UTC" and "UTC" in spell_deadline(MIDNIGHT, zone).split()
    ] == []
