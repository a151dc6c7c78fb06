"""Data files that come with Jara."""

import json
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from pathlib import Path

from jara.domain.countries import Countries
from jara.domain.errors import Unavailable
from jara.domain.language import ENGLISH, Language
from jara.languages import read_text, translated_languages


def data_folder() -> Path:
    """Return the folder of shipped data, of an installation or a checkout.

    Raises:
        Unavailable: the installation is broken.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "data", package.parent.parent / "data"):
        if (folder / "countries.json").is_file():
            return folder
    raise Unavailable("The data that comes with Jara is missing; install it again.")


class CountryList(Countries):
    """Every country, with its names in other languages; read on first use."""

    def __init__(self) -> None:
        super().__init__(_country_codes, _other_country_names)


def _country_codes() -> dict[str, str]:
    rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
    return {row["name"]: row["isoCode"] for row in rows}


def _other_country_names() -> Iterable[tuple[str, str]]:
    # Babel is slow to load, and most countries are written as in the list.
    from jara.languages.formats import country_names  # noqa: PLC0415

    return country_names()


_MAIN_ZONES = {
    "AR": "America/Argentina/Buenos_Aires",
    "AU": "Australia/Sydney",
    "BR": "America/Sao_Paulo",
    "CA": "America/Toronto",
    "CD": "Africa/Kinshasa",
    "CL": "America/Santiago",
    "CN": "Asia/Shanghai",
    "CY": "Asia/Nicosia",
    "DE": "Europe/Berlin",
    "EC": "America/Guayaquil",
    "ES": "Europe/Madrid",
    "FM": "Pacific/Pohnpei",
    "GL": "America/Nuuk",
    "ID": "Asia/Jakarta",
    "KI": "Pacific/Tarawa",
    "KZ": "Asia/Almaty",
    "MH": "Pacific/Majuro",
    "MN": "Asia/Ulaanbaatar",
    "MX": "America/Mexico_City",
    "MY": "Asia/Kuala_Lumpur",
    "NZ": "Pacific/Auckland",
    "PF": "Pacific/Tahiti",
    "PG": "Pacific/Port_Moresby",
    "PS": "Asia/Gaza",
    "PT": "Europe/Lisbon",
    "RU": "Europe/Moscow",
    "UA": "Europe/Kyiv",
    "US": "America/New_York",
    "UZ": "Asia/Tashkent",
}
"""The time zone where most people live, for countries with several."""


@cache
def read_time_zones() -> dict[str, str]:
    """Return the main time zone of each country, by the country's name."""
    rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
    return {
        row["name"]: _MAIN_ZONES.get(row["isoCode"]) or row["timezones"][0]["zoneName"]
        for row in rows
        if row["timezones"]
    }


def time_zone_of(country: str) -> str | None:
    """Return the main time zone of a country, by its name."""
    return read_time_zones().get(country)


def read_legal_texts(name: str) -> dict[Language, str]:
    """Return a legal text, such as ``terms``, in each language that has it."""
    english = (data_folder() / "legal" / f"{name}.md").read_text("utf-8")
    others = {one: read_text(one, f"legal/{name}.md") for one in translated_languages()}
    return {ENGLISH: english, **others}


def read_common_passwords() -> Iterable[str]:
    """Return the most common passwords."""
    return (data_folder() / "common-passwords.txt").read_text("utf-8").splitlines()


class WordList:
    """A set of words that is read on first use."""

    def __init__(self, read: Callable[[], Iterable[str]]) -> None:
        self._read = read

    def __contains__(self, word: object) -> bool:
        return word in self.words

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word."""
        return frozenset(self._read())
