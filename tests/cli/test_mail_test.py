"""``jara mail test``: one email at once, to see whether emails arrive."""

from email import message_from_bytes
from email.policy import default

import pytest

from tests.cli.giving_shell import GivingShell
from tests.mail.emails_for_tests import Inbox, running

ADDRESS = "hello@sankofa.example"


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal in a folder with a new organisation that has a name and an address."""
    jara.done("organisation", "set", "--name", "Sankofa Circle", "--address", "12 Harbour Road")
    return jara


def test_the_test_email_arrives(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to one address through the mail server, with the organisation's name."""
    inbox = Inbox()
    with running(inbox) as url:
        monkeypatch.setenv("JARA_SMTP_URL", url)
        answer = shell.json("mail", "test", ADDRESS)

    [message] = inbox.messages
    assert answer == {"address": ADDRESS, "folder": ""}
    assert (message["To"], message["Subject"]) == (ADDRESS, "Test: emails of Sankofa Circle arrive")
    assert shell.json("mail", "outbox", "--all") == []


def test_without_a_mail_server_it_is_a_file(shell: GivingShell) -> None:
    """The answer names the folder."""
    folder = shell.folder / "jara.mail"

    assert shell.json("mail", "test", ADDRESS) == {"address": ADDRESS, "folder": str(folder)}
    (file,) = folder.glob("*.eml")
    assert message_from_bytes(file.read_bytes(), policy=default)["To"] == ADDRESS


def test_a_failed_test_email_is_explained(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused recipient, a server that is not there, and an address that is none."""
    inbox = Inbox()
    with running(inbox) as url:
        monkeypatch.setenv("JARA_SMTP_URL", url)
        refused = shell.run("mail", "test", "nobody@sankofa.example")
    gone = shell.run("mail", "test", ADDRESS)
    wrong = shell.run("mail", "test", "hello")

    assert refused[0] == 5
    assert "refused the recipient (550)" in refused[2]
    assert gone[0] == 5
    assert "cannot be reached" in gone[2]
    assert wrong[0] == 2
    assert inbox.messages == []
