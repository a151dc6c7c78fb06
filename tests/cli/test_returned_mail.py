"""Emails that came back, at the terminal."""

import io
import json
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from jara_cli.main import execute
from tests.cli.giving_shell import GivingShell
from tests.mail.report_samples import SPAM, VACATION, exim, postfix


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """An organisation with two members, to whom an email was sent."""
    monkeypatch.setenv("JARA_BOUNCE_ADDRESS", "bounces+{id}@jara.example")
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    for name in ("Ama", "Esi"):
        shell.done(
            *("members", "invite", "--firstname", name, "--lastname", "Mensah"),
            *("--email", f"{name.lower()}@example.org", "--country", "Ghana"),
        )
    shell.done("mail", "send")
    return shell


def marks() -> dict[str, str]:
    """Return the mark of the email to each address."""
    messages = (
        message_from_bytes(path.read_bytes(), policy=default)
        for path in Path("jara.mail").glob("*.eml")
    )
    return {one["To"]: one["Return-Path"].partition("+")[2].partition("@")[0] for one in messages}


def test_a_mailbox_is_read_from_end_to_end(shell: GivingShell) -> None:
    """The operator reads the mailbox twice, sees who is stopped, and clears the address."""
    ama = marks()["ama@example.org"]
    parts = [postfix(ama, "ama@example.org"), exim("f" * 48), VACATION, SPAM, "\x00\x01"]
    Path("mbox").write_text(
        "".join(f"From x@y.example Fri Nov 20 12:00:00 2026\n{part}\n" for part in parts)
    )

    first = shell.json("mail", "bounces", "mbox")
    again = shell.json("mail", "bounces", "mbox")

    assert first == {
        "read": 5,
        "hard": 1,
        "soft": 0,
        "repeated": 0,
        "ignored": {
            "about no email of ours": 1,
            "automatic reply": 1,
            "no delivery report": 1,
            "unreadable": 1,
        },
    }
    assert (again["hard"], again["repeated"]) == (0, 1)
    (stopped,) = shell.json("mail", "bounced")
    assert (stopped["address"], stopped["status"], stopped["isHard"]) == (
        "ama@example.org",
        "5.1.1",
        True,
    )
    assert "1 address that takes no email" in shell.done()
    doctor = {one["message"] for one in shell.checks()}
    assert "Addresses that take no email: 1; jara mail bounced" in doctor
    assert shell.done("mail", "clear", "Ama@example.org") == ("Emails go to ama@example.org again.")
    assert shell.json("mail", "bounced") == []
    acts = [row["action"] for row in shell.json("operators", "log")]
    assert acts.count("mail.bounces") == 1
    assert acts.count("mail.clear") == 1


def test_a_mail_server_pipes_a_report(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message on standard input, in any bytes."""
    report = postfix(marks()["esi@example.org"], "esi@example.org").encode() + b"\xff"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(report)))

    assert execute(["mail", "bounces", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hard"] == 1
    (stopped,) = shell.json("mail", "bounced")
    assert stopped["address"] == "esi@example.org"
