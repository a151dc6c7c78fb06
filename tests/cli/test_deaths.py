"""Postal addresses and telephone numbers of members, and what a death does."""

import json
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock

ADA, KOFI = "ada@example.org", "kofi@example.org"


@pytest.fixture
def shell(jara: GivingShell, stopped_clock: FakeClock) -> GivingShell:
    """A terminal with a member who promised cash and paid twice; it is 20 November 2026."""
    assert stopped_clock
    jara.add(ADA)
    jara.done("ledger", "accounts", "add", "assets:cash", "--meaning", "Cash")
    jara.done("payments", "ways", "set", "cash", "--account", "assets:cash", "--details", "Here")
    jara.done("payments", "promise", ADA, "10", "--way", "cash")
    jara.done("payments", "receive", ADA, "10", "--date", "2026-10-20")
    jara.done("payments", "receive", ADA, "10")
    return jara


def test_a_postal_address_and_a_telephone_have_a_place(shell: GivingShell) -> None:
    """They are on the card and in the export, and are gone with the account."""
    words = ("--postal", "Box 7, Accra", "--phone", "+233 30 255 0199", "--why", "by post")
    shell.done("members", "edit", ADA, *words)

    shown = shell.json("members", "show", ADA)
    assert (shown["postal"], shown["phone"]) == ("Box 7\nAccra", "+233 30 255 0199")
    assert "+233 30 255 0199" in shell.done("members", "show", ADA)
    own = json.loads(shell.done("members", "export", ADA))
    assert own["contact"] == {"postal": "Box 7\nAccra", "phone": "+233 30 255 0199", "diedOn": None}
    assert shell.run("members", "edit", ADA, *words)[0] == ExitCode.USAGE
    shell.done("members", "edit", ADA, "--phone", "")
    assert shell.json("members", "show", ADA)["phone"] == ""
    shell.done("members", "erase", ADA, "--why", "asked", "--yes")
    shell.done("run", "daily")
    assert b"Accra" not in Path("jara.db").read_bytes()


@pytest.mark.parametrize(
    "words", [("--phone", "call me"), ("--phone", "12"), ("--postal", "\n".join("abcdefgh"))]
)
def test_a_number_or_address_that_is_none_is_refused(
    shell: GivingShell, words: tuple[str, ...]
) -> None:
    """Nothing is stored."""
    status, _, err = shell.run("members", "edit", ADA, *words)

    assert (status, "telephone number" in err or "at most 6 lines" in err) == (ExitCode.USAGE, True)


def test_a_death_ends_everything_but_the_books(shell: GivingShell) -> None:
    """The pledge, the address and the emails end; the family has a statement of all years.

    One last email tells the address, so that somebody who lives hears of a mistake.
    """
    member = shell.json("members", "show", ADA)["id"]

    words = ("members", "died", ADA, "--on", "2026-11-02", "--out", "ada.html", "--yes")
    done = shell.json(*words)

    assert done == {"id": member, "name": "Ama Mensah", "diedOn": "2026-11-02"}
    statement = Path("ada.html").read_text("utf-8")
    assert ("Ama Mensah" in statement, statement.count("$10.00") >= 2) == (True, True)
    shown = shell.json("members", "show", member)
    assert (shown["diedOn"], shown["email"], shown["pledgeStatus"], shown["mayVote"]) == (
        "2026-11-02",
        "",
        "canceled",
        False,
    )
    (last,) = shell.json("mail", "outbox")
    assert (last["kind"], last["address"]) == ("death_recorded", ADA)
    assert len(shell.json("payments", "list", member)) == 2
    status, _, err = shell.run("payments", "promise", member, "10", "--way", "cash")
    assert (status, "Ama Mensah died on 2026-11-02" in err) == (ExitCode.CONFLICT, True)
    assert "recorded already" in shell.run("members", "died", member, "--on", "today", "--yes")[2]
    shell.done("run", "daily")
    assert [mail["kind"] for mail in shell.json("mail", "outbox")] in ([], ["death_recorded"])
    assert shell.json("ledger", "verify")["ok"] is True


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--on", "2026-12-01"), "is to come"),
        (("--on", "yesterday", "--out", "ada.doc"), "unknown suffix"),
        (("--on", "yesterday", "--out", "nowhere/ada.pdf"), "nowhere"),
        (("--on", "yesterday", "--language", "xx"), "xx"),
        (("--on", "soon"), "soon"),
    ],
)
def test_a_death_that_is_typed_wrong_changes_nothing(
    shell: GivingShell, words: tuple[str, ...], fault: str
) -> None:
    """Day and file are checked first."""
    status, _, err = shell.run("members", "died", ADA, *words, "--yes")

    assert (status != ExitCode.DONE, fault in err) == (True, True)
    assert shell.json("members", "show", ADA)["pledgeStatus"] == "active"


def test_the_statement_can_be_written_later(shell: GivingShell) -> None:
    """Without --out the command says what to type, and that works."""
    _, _, err = shell.run("members", "died", ADA, "--on", "yesterday", "--yes")
    words = err.partition(": jara ")[2].split()

    shell.done(*words)

    assert "Ama Mensah" in Path("statement.html").read_text("utf-8")


def test_a_mistake_is_mended_by_an_address(shell: GivingShell) -> None:
    """The address is invited, and the member may promise again."""
    member = shell.json("members", "show", ADA)["id"]
    shell.done("members", "died", ADA, "--on", "yesterday", "--yes")

    shell.done("members", "edit", member, "--email", ADA, "--why", "a namesake")
    shell.done("payments", "promise", ADA, "10", "--way", "cash")

    assert shell.json("members", "show", ADA)["diedOn"] is None
    assert "invitation" in [mail["kind"] for mail in shell.json("mail", "outbox")]


def test_a_pledge_by_card_ends_at_the_provider(jara: GivingShell, stopped_clock: FakeClock) -> None:
    """Nothing is charged after a death."""
    assert stopped_clock
    jara.add(KOFI)
    jara.json("pledges", "start", KOFI, "--amount", "10")
    member = jara.json("members", "show", KOFI)["id"]

    jara.done("members", "died", KOFI, "--on", "yesterday", "--yes")
    jara.json("pledges", "charge", "--until", "2027-02-21")

    assert len(jara.json("payments", "list", member)) == 1
