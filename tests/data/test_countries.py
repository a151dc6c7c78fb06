"""The list of countries is complete, in order, and correct where that can be looked up."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import pytest

DATA = Path(__file__).parents[2] / "data"
COUNTRIES: list[dict[str, Any]] = json.loads((DATA / "countries.json").read_text(encoding="utf-8"))
BY_CODE = {country["isoCode"]: country for country in COUNTRIES}
ZONES = [zone for country in COUNTRIES for zone in country["timezones"]]


def fold(text: str) -> str:
    """Return the text without accents and in lower case."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(each for each in letters if not unicodedata.combining(each)).casefold()


def test_the_list_has_all_countries_and_kosovo_once() -> None:
    """The list has 249 entries of ISO 3166-1, and Kosovo, without duplicates (spec §3)."""
    names = {country["name"] for country in COUNTRIES}

    assert 249 + 1 == len(COUNTRIES) == len(BY_CODE) == len(names)
    assert "XK" in BY_CODE


def test_the_list_ends_as_the_spec_says() -> None:
    """Kosovo, Curaçao and Sint Maarten come last (spec §3)."""
    last = [country["name"] for country in COUNTRIES[-3:]]

    assert last == ["Kosovo", "Curaçao", "Sint Maarten"]


def test_the_others_are_in_alphabetical_order() -> None:
    """The order ignores accents."""
    names = [fold(country["name"]) for country in COUNTRIES[:-3]]

    assert names == sorted(names)


def test_every_country_has_every_field_in_its_type() -> None:
    """Every country has the fields of spec §3, none of them empty."""
    for country in COUNTRIES:
        assert country.keys() == {
            "name", "isoCode", "flag", "phonecode", "currency",
            "latitude", "longitude", "timezones",
        }  # fmt: skip
        assert re.fullmatch(r"[A-Z]{2}", country["isoCode"])
        assert re.fullmatch(r"[1-9][0-9]{0,2}", country["phonecode"])
        assert re.fullmatch(r"[A-Z]{3}", country["currency"])
        assert type(country["latitude"]) is type(country["longitude"]) is float
        assert -90 <= country["latitude"] <= 90
        assert -180 <= country["longitude"] <= 180
        assert country["timezones"]


def test_names_are_written_out() -> None:
    """Names have no abbreviations and no index form such as 'Korea, Republic of'."""
    names = [country["name"] for country in COUNTRIES]

    assert all(re.search(r"&|\bSt\.|, .*\bof\b|\(the\)", name) is None for name in names)
    assert {"Côte d’Ivoire", "Tanzania", "Saint Lucia", "Trinidad and Tobago"} <= set(names)


def test_a_flag_is_its_country_code() -> None:
    """A flag emoji is the two letters as regional indicators."""
    for code, country in BY_CODE.items():
        assert code == "".join(chr(ord(sign) - 0x1F1E6 + ord("A")) for sign in country["flag"])


def test_every_time_zone_has_every_field_in_its_type() -> None:
    """Zones have the fields of spec §3; the offsets in seconds and in words agree."""
    for zone in ZONES:
        assert zone.keys() == {
            "zoneName", "gmtOffset", "gmtOffsetName", "abbreviation", "tzName",
        }  # fmt: skip
        assert type(zone["gmtOffset"]) is int
        assert -12 * 3600 <= zone["gmtOffset"] <= 14 * 3600
        hours, minutes = divmod(abs(zone["gmtOffset"]) // 60, 60)
        sign = "-" if zone["gmtOffset"] < 0 else "+"
        assert zone["gmtOffsetName"] == f"UTC{sign}{hours:02d}:{minutes:02d}"
        assert zone["abbreviation"]
        assert re.fullmatch(r"[^()&]+ Time", zone["tzName"])


def test_zone_names_are_known() -> None:
    """Each zone is in the time zone database."""
    known = available_timezones()

    # America/Coyhaique is missing in the database of some machines.
    assert {zone["zoneName"] for zone in ZONES} - known <= {"America/Coyhaique"}


@pytest.mark.parametrize(
    ("code", "key", "expected"),
    [
        ("GH", "phonecode", "233"),
        ("JM", "phonecode", "1"),
        ("XK", "phonecode", "383"),
        ("AQ", "phonecode", "672"),
        ("NG", "currency", "NGN"),
        ("CA", "currency", "CAD"),
        ("HT", "currency", "HTG"),
        ("PA", "currency", "PAB"),
        ("LS", "currency", "LSL"),
        ("BG", "currency", "EUR"),
        ("CW", "currency", "XCG"),
        ("AQ", "currency", "XXX"),
        ("BQ", "name", "Caribbean Netherlands"),
    ],
)
def test_well_known_countries_have_their_values(code: str, key: str, expected: str) -> None:
    """Some well-known values are correct."""
    assert BY_CODE[code][key] == expected


@pytest.mark.parametrize(
    ("code", "latitude", "longitude"),
    [
        ("CA", 45.4, -75.7),
        ("US", 38.9, -77.0),
        ("BR", -15.8, -47.9),
        ("NZ", -41.3, 174.8),
        ("VN", 21.0, 105.8),
        ("TZ", -6.2, 35.7),
        ("BV", -54.4, 3.3),
    ],
)
def test_a_country_lies_where_its_capital_is(code: str, latitude: float, longitude: float) -> None:
    """Countries in every quarter of the globe, and names that several towns share, are correct."""
    country = BY_CODE[code]

    assert pytest.approx((latitude, longitude), abs=0.15) == (
        country["latitude"],
        country["longitude"],
    )


@pytest.mark.parametrize(
    ("zone_name", "seconds", "abbreviation", "title"),
    [
        ("Africa/Lagos", 3600, "WAT", "West Africa Standard Time"),
        ("America/Toronto", -18000, "EST", "Eastern Standard Time"),
        ("America/St_Johns", -12600, "NST", "Newfoundland Standard Time"),
        ("Australia/Sydney", 36000, "AEST", "Australian Eastern Standard Time"),
        ("Europe/Dublin", 0, "GMT", "Greenwich Mean Time"),
        ("Africa/Casablanca", 3600, "+01", "Morocco Time"),
        ("Asia/Kathmandu", 20700, "+0545", "Nepal Time"),
        ("Asia/Kolkata", 19800, "IST", "India Standard Time"),
        ("Europe/Kyiv", 7200, "EET", "Eastern European Standard Time"),
    ],
)
def test_offsets_are_those_outside_summer_time(
    zone_name: str, seconds: int, abbreviation: str, title: str
) -> None:
    """Offsets are correct for both hemispheres, half hours, renamed zones and odd summer times."""
    (zone,) = [zone for zone in ZONES if zone["zoneName"] == zone_name]

    assert (seconds, abbreviation, title) == (
        zone["gmtOffset"],
        zone["abbreviation"],
        zone["tzName"],
    )


def test_large_countries_have_several_zones() -> None:
    """The first zone is the principal one of the time zone database."""
    assert len(BY_CODE["CA"]["timezones"]) > 5
    assert BY_CODE["US"]["timezones"][0]["zoneName"] == "America/New_York"
    assert [zone["zoneName"] for zone in BY_CODE["GH"]["timezones"]] == ["Africa/Accra"]
