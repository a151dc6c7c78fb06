"""`jara doctor` asks a real DNS server what receivers ask before they take an email."""

import socket
from pathlib import Path

import pytest

from tests.cli.giving_shell import GivingShell
from tests.mail.dns_server import Records, dns_server, good_records

HERE = "give.example.org"
_KEY_TO_ADD = (
    "mail2026._domainkey.give.example.org has no DKIM key: add the TXT record "
    '"v=DKIM1; k=rsa; p=..." with the public key of your mail server or provider.'
)
_POLICY_TO_ADD = (
    'There is no DMARC record: add the TXT record "v=DMARC1; p=none; '
    'rua=mailto:postmaster@give.example.org" at _dmarc.give.example.org.'
)
_SPF_TO_ADD = (
    'give.example.org has no SPF record: add the TXT record "v=spf1 mx -all" there, or the one '
    "that your mail provider names."
)
_MX_TO_ADD = (
    "give.example.org takes no email, so answers and delivery reports are lost: add an MX record "
    'such as "10 mail.give.example.org".'
)
GOOD: Records = good_records(HERE, "mail2026")


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """An organisation with a mail server."""
    for name, value in {
        "SMTP_URL": "smtps://jara:hush@mail.example.org:465",
        "MAIL_FROM": f"Jara <hello@{HERE}>",
        "BOUNCE_ADDRESS": f"bounces+{{id}}@{HERE}",
        "DKIM_SELECTOR": "mail2026",
    }.items():
        monkeypatch.setenv(f"JARA_{name}", value)
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.done("organisation", "set", "--address", "1 Main Street, Toronto")
    return shell


def said(shell: GivingShell) -> dict[str, tuple[str, str]]:
    """Return level and sentence of each check of the domain."""
    names = ("spf", "dkim", "dmarc", "mx")
    return {
        one["name"]: (one["level"], one["message"])
        for one in shell.checks()
        if one["name"] in names
    }


def ask(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch, records: Records
) -> dict[str, tuple[str, str]]:
    """Return what the doctor says with these records."""
    with dns_server(records) as address:
        monkeypatch.setenv("JARA_DNS_SERVER", address)
        return said(shell)


def test_a_domain_that_is_set_up_is_well(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the four records is there; DMARC may be that of the domain above."""
    assert ask(shell, monkeypatch, GOOD) == {
        "spf": ("ok", "The SPF record of give.example.org names the servers that send."),
        "dkim": ("ok", "There is a DKIM key at mail2026._domainkey.give.example.org."),
        "dmarc": ("ok", "The DMARC record says p=quarantine."),
        "mx": ("ok", "give.example.org takes email at mail.example.org."),
    }


def test_a_policy_of_reports_alone_is_well(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor adds what a stricter policy would do."""
    reports = {("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=None"']}

    assert ask(shell, monkeypatch, {**GOOD, **reports})["dmarc"] == (
        "ok",
        "The DMARC record only asks for reports; p=quarantine also stops forgeries.",
    )


def test_each_missing_dns_record_is_named_with_its_value(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator can copy name and value from the sentence."""
    checks = ask(shell, monkeypatch, {})

    assert {level for level, _ in checks.values()} == {"warning"}
    assert {name: message for name, (_, message) in checks.items()} == {
        "spf": _SPF_TO_ADD,
        "dkim": _KEY_TO_ADD,
        "dmarc": _POLICY_TO_ADD,
        "mx": _MX_TO_ADD,
    }


@pytest.mark.parametrize(
    ("place", "records", "check", "words"),
    [
        ((HERE, "TXT"), ['"v=spf1 mx -all"', '"v=spf1 a -all"'], "spf", "has 2 SPF records"),
        ((HERE, "TXT"), ['"v=spf1 +all"'], "spf", "lets every server send"),
        ((HERE, "TXT"), ['"v=spf10 -all"'], "spf", "has no SPF record"),
        (("mail2026._domainkey.give.example.org", "TXT"), ['"v=DKIM1; p="'], "dkim", "withdrawn"),
        (("mail2026._domainkey.give.example.org", "TXT"), ['"hello"'], "dkim", "has no DKIM key"),
        (("_dmarc.example.org", "TXT"), ['"v=DMARC1; sp=none"'], "dmarc", "cannot be read"),
        ((HERE, "MX"), ["0 ."], "mx", "takes no email"),
    ],
)
def test_a_record_that_does_not_work_is_named(
    shell: GivingShell,
    monkeypatch: pytest.MonkeyPatch,
    place: tuple[str, str],
    records: list[str],
    check: str,
    words: str,
) -> None:
    """A record alone is not enough."""
    level, message = ask(shell, monkeypatch, {**GOOD, place: records})[check]

    assert level == "warning"
    assert words in message


def test_a_bounce_address_elsewhere_proves_nothing(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SPF counts for the domain of the return path, DMARC for that of the sender."""
    monkeypatch.setenv("JARA_BOUNCE_ADDRESS", "b+{id}@mailer.example")
    elsewhere = {
        ("mailer.example", "TXT"): ['"v=spf1 mx -all"'],
        ("mailer.example", "MX"): ["10 mx.mailer.example."],
    }

    level, message = ask(shell, monkeypatch, {**GOOD, **elsewhere})["spf"]

    assert level == "warning"
    assert "proves nothing of give.example.org" in message


def test_without_a_selector_the_setting_is_named(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS cannot be asked which selectors there are."""
    monkeypatch.delenv("JARA_DKIM_SELECTOR")

    assert "set JARA_DKIM_SELECTOR" in ask(shell, monkeypatch, GOOD)["dkim"][1]


def test_without_a_network_the_doctor_says_so_soon(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that never answers is no error; the doctor gives up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        monkeypatch.setenv("JARA_DNS_SERVER", f"127.0.0.1:{silent.getsockname()[1]}")
        levels = said(shell)

    assert {level for level, _ in levels.values()} == {"warning"}
    assert all("DNS could not be asked" in message for _, message in levels.values())


def test_nothing_is_asked_without_a_mail_server(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emails that become files need no records."""
    monkeypatch.delenv("JARA_SMTP_URL")

    assert said(shell) == {}
