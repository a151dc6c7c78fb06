"""``jara members``: the documents that scripts depend on, and the confirmations."""

import json
import re
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock

EMAIL = "ama@example.org"


def test_a_member_is_added_shown_and_listed(jara: GivingShell) -> None:
    """`add` returns id and email; the list and the profile keep their keys for scripts."""
    added = jara.add(EMAIL, "--notifications")

    assert {"id", "email"} <= added.keys()
    (listed,) = jara.json("members", "list")
    assert (listed["id"], listed["email"], listed["pledgeStatus"]) == (added["id"], EMAIL, None)
    profile = jara.json("members", "show", added["id"][:20])
    assert profile["notifications"] is True
    assert {"subscriptionAmount", "mayVoteFrom", "votes", "todo"} <= profile.keys()


def test_a_password_comes_from_standard_input(jara: GivingShell) -> None:
    """A password is never an argument, and without a terminal no command asks for it."""
    words = ("--firstname", "A", "--lastname", "B", "--email", EMAIL, "--country", "Ghana")

    status, _, err = jara.run("members", "add", *words)
    assert (status, "--password-stdin" in err) == (2, True)
    status, _, err = jara.run("members", "add", *words, "--password-stdin", typed="short\n")
    assert (status, "8" in err) == (2, True)
    assert "short" not in err


def test_a_password_is_asked_for_at_a_terminal(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The typed password is not shown."""
    monkeypatch.setattr(
        "jara_cli.commands.members.accounts.getpass", lambda prompt: "correct horse"
    )
    words = ("--firstname", "A", "--lastname", "B", "--email", EMAIL, "--country", "Ghana")

    status, out, _ = jara.answer("", "members", "add", *words)

    assert (status, EMAIL in out) == (0, True)


def test_a_part_of_a_domain_in_any_script_is_found(jara: GivingShell) -> None:
    """Each search takes a part of an address in either form, and `show` how it begins."""
    for email in ("ida@bücher.example", "kofi@example.org"):
        jara.add(email)
        jara.json("pledges", "start", email)

    found = [
        jara.json(noun, "list", "--search", part)
        for noun in ("members", "pledges", "payments")
        for part in ("bücher", "IDA@BÜCH", "buch", "cher.ex", "a@xn--bcher-")
    ]
    found.append([jara.json("members", "show", "Ida@büch")])

    addresses = [[line.get("email") or line["member"] for line in lines] for lines in found]
    assert addresses == [["ida@xn--bcher-kva.example"]] * 16


def test_an_export_holds_everything_about_a_member(jara: GivingShell) -> None:
    """The export goes to standard output or a private file."""
    jara.add()
    jara.json("pledges", "start", EMAIL, "--amount", "10")

    jara.done("members", "export", EMAIL, "--out", "ama.json")
    document = json.loads((jara.folder / "ama.json").read_text("utf-8"))

    assert [payment["amountCents"] for payment in document["payments"]] == [1000]
    assert document["profile"]["email"] == EMAIL
    assert (jara.folder / "ama.json").stat().st_mode & 0o777 == 0o600


def test_erasing_asks_first(jara: GivingShell) -> None:
    """Without a terminal and without --yes nothing is erased."""
    jara.add()

    status, _, err = jara.run("members", "erase", EMAIL)
    assert (status, "--yes" in err) == (2, True)
    assert jara.answer("n\n", "members", "erase", EMAIL)[0] == 1
    assert len(jara.json("members", "list")) == 1
    assert jara.json("members", "erase", EMAIL, "--yes", "--why", "asked")["erased"] is True
    assert jara.json("members", "list") == []


def test_members_can_be_searched_by_name_country_and_state(jara: GivingShell) -> None:
    """Members can be found by part of name or address, country, pledge state and joining day."""
    jara.add(EMAIL)
    jara.add("kofi@example.org")
    jara.json("pledges", "start", EMAIL, "--amount", "10")

    def emails(*words: str) -> list[str]:
        return [row["email"] for row in jara.json("members", "list", *words)]

    assert emails("--search", "AMA@EX") == [EMAIL]
    assert len(emails("--search", "a mens", "--country", "gh", "--since", "2026")) == 2
    assert emails("--country", "togo") == []
    assert emails("--since", "2999-01-01") == []
    assert emails("--state", "active") == [EMAIL]
    assert "There are 2; show more" in jara.run("members", "list", "--limit", "1")[2]
    assert jara.run("members", "list", "--country", "Gahna")[0] == 2


def test_a_member_is_shown_with_payments_and_emails(jara: GivingShell) -> None:
    """`show` lists payments and emails; `register --member` has only that member's entries."""
    jara.add(EMAIL)
    jara.add("kofi@example.org")
    for email in (EMAIL, "kofi@example.org"):
        jara.json("pledges", "start", email, "--amount", "10")

    shown = jara.json("members", "show", EMAIL)
    rows = jara.json("ledger", "register", "income:pledges", "--member", "kofi")["entries"]

    assert (shown["paidCents"], len(shown["payments"]), True) == (
        1000,
        1,
        "welcome" in {mail["kind"] for mail in shown["emails"]},
    )
    assert [(row["cents"], row["balanceCents"]) for row in rows] == [(-1000, -1000)]
    card = jara.run("members", "show", EMAIL)[1]
    assert "Newest payments:" in card
    assert re.search(r"Language +en\n", card)


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
