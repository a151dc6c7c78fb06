"""`jara newsletter` and `jara mail announce` at the terminal."""

import csv
import io
import os
import stat

import pytest

from jara.bootstrap import build_from_environ
from jara.records.access import Reader
from tests.cli.giving_shell import GivingShell


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal in a folder with a reader who confirmed and one who did not."""
    context = build_from_environ(os.environ).context
    now = context.now()
    with context.store.write() as work:
        work.access.put_reader(Reader("+a@example.org", "words", "=1+1", now, now))
        work.access.put_reader(Reader("b@example.org", "words", "website", now))
    return jara


def test_the_export_has_confirmed_readers_only(shell: GivingShell) -> None:
    """Only its owner may read the file, and no spreadsheet runs its cells."""
    shell.done("newsletter", "export", "--out", "readers.csv")

    file = shell.folder / "readers.csv"
    (row,) = csv.DictReader(io.StringIO(file.read_text("utf-8")))
    assert (row["email"], row["language"], row["source"]) == ("'+a@example.org", "en", "'=1+1")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_reader_is_removed_also_before_confirming(shell: GivingShell) -> None:
    """An unknown address is refused; the audit log holds no address."""
    removed = shell.json("newsletter", "remove", "B@example.org", "--why", "asked", "--yes")
    assert removed["email"] == "b@example.org"
    assert [one["email"] for one in shell.json("newsletter", "list")] == ["+a@example.org"]

    status, _, err = shell.run("newsletter", "remove", "b@example.org", "--why", "x", "--yes")
    assert status != 0
    assert "'b@example.org' is no reader's address" in err
    assert "b@example.org" not in shell.done("operators", "log")


def test_an_announcement_is_shown_and_asked_for_first(shell: GivingShell) -> None:
    """Without an answer nothing is done; a test goes to one address only."""
    (shell.folder / "well.md").write_text("# The well is full\n\nDear *friends*", "utf-8")
    words = ("mail", "announce", "well.md", "--to", "readers")

    status, out, err = shell.answer("n\n", *words)
    assert (status, out) == (1, "")
    assert "Subject: The well is full\n\nDear *friends*\n" in err
    assert "without signing in: http://127.0.0.1:8000/emails?code=sample" in err
    assert "1 of 1 people get it.\nSend it to 1 people? [y/N] Nothing was done." in err
    assert shell.json("mail", "announcements", "list") == []

    shell.done("mail", "announce", "well.md", "--test", "me@example.org")
    (mail,) = (shell.folder / "jara.mail").glob("*.eml")
    assert "Subject: Test: The well is full\n" in mail.read_text("utf-8")
    assert "To: me@example.org\n" in mail.read_text("utf-8")

    status, _, err = shell.answer("y\n", *words)
    assert status == 0
    assert [row["to"] for row in shell.json("mail", "announcements", "list")] == ["readers"]
