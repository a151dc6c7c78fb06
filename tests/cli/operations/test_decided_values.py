"""Language and address of the site belong to the organisation, and come back with a backup."""

import json
from pathlib import Path

import pytest

from jara.domain.books.account import ACCOUNTS
from tests.cli.giving_shell import GivingShell

SITE = "https://donner.example.org"
SETTINGS = f'JARA_LANGUAGE = "fr"\nJARA_SITE_URL = "{SITE}"\n'


def shown(shell: GivingShell, *root: str) -> tuple[str, str]:
    """Return the language and the address of the site, as the settings have them."""
    rows = json.loads(shell.run(*root, "doctor", "--json")[1])["settings"]
    values = {row["variable"]: row["value"] for row in rows}
    return values["JARA_LANGUAGE"], values["JARA_SITE_URL"]


def warnings(shell: GivingShell) -> list[str]:
    """Return what the doctor says against the settings."""
    checks = shell.checks()
    return [one["message"] for one in checks if one["name"] == "settings" and one["level"] != "ok"]


def test_a_restored_organisation_has_its_language_and_address(jara: GivingShell) -> None:
    """Without the settings file, which stayed on the old machine."""
    jara.done("organisation", "set", "--language", "fr", "--site-url", f"{SITE}/")
    jara.done("backup", "b.db", "--secrets", "b.keys")
    jara.lose()
    jara.done("restore", "b.db", "--secrets", "b.keys")

    answer = jara.json("organisation", "show")

    assert (answer["language"], answer["siteUrl"]) == ("fr", SITE)
    assert shown(jara) == ("fr", SITE)
    assert "Rapport" in jara.done("report", "impact", "--month", "2026-10")


def test_migrate_takes_over_the_settings_of_before(jara: GivingShell) -> None:
    """The settings file of 0.2.0 says both; afterwards it is not needed."""
    Path("jara.toml").write_text(SETTINGS)
    before = warnings(jara)
    jara.done("migrate")
    after = warnings(jara)
    Path("jara.toml").unlink()

    assert shown(jara) == ("fr", SITE)
    assert (len(before), after) == (2, [])
    assert "jara organisation set --language fr" in before[0]


def test_a_setting_goes_first_on_its_machine_and_the_doctor_names_it(jara: GivingShell) -> None:
    """Such as a copy that is served for a test."""
    jara.done("organisation", "set", "--language", "fr", "--site-url", SITE)
    Path("jara.toml").write_text('JARA_LANGUAGE = "en"\n')

    assert shown(jara) == ("en", SITE)
    assert "JARA_LANGUAGE is en, and the database" in warnings(jara)[0]
    assert "JARA_LANGUAGE is en, and the database" in jara.run("backup", "b.db")[2]
    jara.done("migrate")
    Path("jara.toml").unlink()
    assert shown(jara) == ("fr", SITE)


@pytest.mark.parametrize(
    ("option", "text"),
    [("--language", "de"), ("--language", "French"), ("--site-url", "give.example.org")],
)
def test_a_wrong_value_is_refused(jara: GivingShell, option: str, text: str) -> None:
    """A language without texts, a name of one, an address without https."""
    status, _, err = jara.run("organisation", "set", option, text)

    assert status == 2
    assert err
    assert jara.json("organisation", "show")["own"] == []


def test_init_names_the_log_after_the_site(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of init, and the settings, are in the database from the beginning."""
    place = Path("other")
    place.mkdir()
    monkeypatch.chdir(place)

    made = jara.json("init", "--language", "fr", "--site-url", SITE)

    assert made["log"] == "donner.example.org/log"
    assert jara.json("organisation", "show")["own"] == ["language", "siteUrl"]


def test_a_french_organisation_has_a_french_chart_and_partners(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the accounts are for, and the default language of a partner."""
    place = Path("other")
    place.mkdir()
    monkeypatch.chdir(place)
    jara.done("init", "--language", "fr")

    chart = {one["account"]: one["meaning"] for one in jara.json("ledger", "accounts", "list")}
    jara.done("samples", "load")
    project = jara.json("projects", "list")[0]["slug"]
    jara.done("partners", "add", "Maji Safi", "--project", project)

    assert chart["expenses:marketing"] == "Faire connaître l’organisme."
    assert not {one.meaning for one in ACCOUNTS if one.meaning} & {*chart.values()}
    assert jara.json("partners", "list")[0]["language"] == "fr"
