"""An operator works through the claims of a volunteer, from one message to the next."""

import os
import re
import shlex
from datetime import timedelta
from typing import Any

import pytest

from jara.bootstrap import build_from_environ
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.clock import FakeClock
from tests.files.bank.written_statements import WRITERS
from tests.harness import NOON
from tests.webapi.desk import Desk
from tests.webapi.field.claims_world import FOOD, KOFI, ClaimPhone
from tests.webapi.field.field_world import field_photo

pytestmark = pytest.mark.usefixtures("stopped_clock")

COMMANDS = "\x1b]0;owned\x07\x1b[2J\u202ereversed"
OPENING = (
    *("ledger", "post", "--debit", "assets:bank", "--credit", "income:grants", "--fund", "other"),
    *("--amount", "500", "--kind", "grant", "--date", "2026-10-01"),
)
PURPOSE = ("claims", "purposes", "add", FOOD, "--account", "expenses:operations")


def claim(shell: GivingShell, code: str, number: int, **changes: Any) -> str:
    """Send a claim from a phone; return its id."""
    application = build_from_environ(os.environ)
    phone = ClaimPhone(Desk(application, FakeClock(NOON)), code)
    photo = field_photo(40 + number, size=60)
    answer = phone.claim(f"phone-made-key-{number:04}", photo=photo, **changes)
    assert answer.json["state"] == "waiting", answer.json
    application.context.store.close()
    found = [row["id"] for row in shell.json("claims", "list", "--all")]
    return str(found[-1])


def said(shell: GivingShell, *words: str) -> str:
    """Run a command; return all that it says."""
    status, out, err = shell.run(*words)
    assert status == ExitCode.DONE, err
    return out + err


def typed(text: str, command: str) -> tuple[str, ...]:
    """Return the words of a command that a text names."""
    match = re.search(rf"jara ({command}[\w \":-]*)", text)
    assert match is not None, text
    return tuple(shlex.split(match[1]))


def test_each_message_leads_to_the_next_step(
    jara: GivingShell, stopped_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a message names can be typed, and does what it says."""
    jara.done(*OPENING)
    status, _, err = jara.run("claims", "link", KOFI)
    assert status == ExitCode.CONFLICT
    jara.done(*typed(err, "claims purposes add"))
    link = jara.json("claims", "link", KOFI, "--email", "kofi@example.org")
    first = claim(jara, link["address"].partition("#")[2], 1)
    shown = said(jara, "claims", "show", first)
    approved = said(jara, *typed(shown, "claims approve"), "--yes")
    assert "write claim-" in approved
    assert "paid" in jara.done(*typed(approved, "claims pay"), "--yes")
    status, _, err = jara.run("claims", "pay", first, "--yes")
    assert status == ExitCode.CONFLICT
    jara.done(*typed(err, "ledger reverse"), "--why", "It came back.", "--yes")
    assert "paid" in jara.done("claims", "pay", first, "--yes")

    stopped_clock.at += timedelta(minutes=1)
    second = claim(jara, link["address"].partition("#")[2], 2, shop="Elsewhere")
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "4000")
    status, _, err = jara.run("claims", "approve", second, "--yes")
    assert status == ExitCode.WAITING
    waits = said(jara, "claims", "show", second)
    assert KOFI in jara.done(*typed(waits, "approvals show"))
    assert "waits for a signature" in jara.done("claims", "list")
    monkeypatch.setenv("JARA_OPERATOR", "ben")
    jara.done(*typed(err, "approvals approve"), "--yes")

    entry = jara.json("claims", "show", second)["entry"]
    monkeypatch.delenv("JARA_APPROVAL_CENTS")
    jara.done("ledger", "reverse", entry, "--why", "Not ours", "--yes")
    status, _, err = jara.run("claims", "pay", second, "--yes")
    jara.done(*typed(err, "claims refuse"), "--why", "Not ours", "--yes")
    assert [row["state"] for row in jara.json("claims", "list", "--all")] == ["paid", "refused"]


def test_a_claim_is_paid_with_the_line_that_names_it(jara: GivingShell) -> None:
    """The claim proposes the bank's line, and the line waits no more."""
    jara.done(*OPENING)
    jara.done(*PURPOSE)
    code = jara.json("claims", "link", KOFI)["address"].partition("#")[2]
    found = claim(jara, code, 1)
    jara.done("claims", "approve", found, "--yes")
    line = a_line(-4550, "TO ADDO KOFI", day=200)
    statement = a_statement(line, opening=50000, first=line.day, last=line.day)
    (jara.folder / "s").write_bytes(WRITERS["mt940"]([statement]))
    jara.done("bank", "import", "s", "--new-account", "assets:bank")

    shown = said(jara, "claims", "show", found)
    assert "paid" in jara.done(*typed(shown, "claims pay"), "--yes")

    assert jara.json("bank", "waiting") == []


def test_the_terminal_shows_no_commands(jara: GivingShell) -> None:
    """What a claimant typed is text; the claim says where its photo was written."""
    jara.done(*PURPOSE)
    code = jara.json("claims", "link", KOFI)["address"].partition("#")[2]
    texts = dict.fromkeys(("shop", "note", "repayTo"), f"Box {COMMANDS}")
    found = claim(jara, code, 1, **texts)
    shown = [
        jara.done("claims", "list"),
        jara.done("claims", "show", found, "--photos", "receipts"),
        *jara.answer("n\n", "claims", "approve", found)[1:],
        *jara.answer("n\n", "claims", "refuse", found, "--why", "No")[1:],
    ]

    assert [re.findall("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text) for text in shown] == (
        [[]] * len(shown)
    )
    assert len(list((jara.folder / "receipts").iterdir())) == 1


def test_the_start_page_counts_claims(jara: GivingShell) -> None:
    """Those that wait, and those that are owed."""
    jara.done(*OPENING)
    jara.done(*PURPOSE)
    code = jara.json("claims", "link", KOFI)["address"].partition("#")[2]
    found = claim(jara, code, 1)
    claim(jara, code, 2, shop="Elsewhere")
    jara.done("claims", "approve", found, "--yes")

    assert "1 claim to decide" in jara.done()
    assert "1 claim to pay back" in jara.done()
