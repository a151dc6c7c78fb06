"""``jara approvals approve`` with several approvals, or all of a statement."""

from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.files.bank.written_statements import WRITERS

ADA, BO = "ada@example.org", "bo@example.org"


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A limit, two operators, and two members who promised ten dollars by transfer."""
    stop_clock(monkeypatch)
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.done("payments", "ways", "set", "transfer", "--account", "assets:bank")
    for email in (ADA, BO):
        shell.add(email)
        shell.done("members", "confirm", email)
        shell.done("payments", "promise", email, "10")
    for name in ("tester", "kofi"):
        shell.done("operators", "add", name)
    monkeypatch.setenv("JARA_APPROVAL_CENTS", "5000")
    return shell


def received(shell: GivingShell, email: str, day: str = "2026-11-02") -> str:
    """Receive ten dollars by hand; return the approval that waits."""
    words = ("payments", "receive", email, "10", "--date", day, "--yes")
    return str(shell.waits(*words)["approval"])


def by_kofi(shell: GivingShell, patch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """Run a command as the second operator."""
    patch.setenv("JARA_OPERATOR", "kofi")
    answer = shell.run("approvals", "approve", *words)
    patch.setenv("JARA_OPERATOR", "tester")
    return answer


def test_several_are_listed_and_signed_together(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list has payer, day, amount and text, and a sum; one question is asked."""
    ids = [received(shell, ADA), received(shell, BO)]
    status, _, err = by_kofi(shell, monkeypatch, *ids)
    assert (status, "Sign 2 approvals of 2 payments, $20.00?" in err) == (ExitCode.USAGE, True)
    status, out, _ = by_kofi(shell, monkeypatch, *ids, ids[0], "--yes")

    assert status == ExitCode.DONE
    assert f"2026-11-02  Ama Mensah <{ADA}>  $10.00  bank transfer" in out
    assert "Total                         $20.00" in out
    assert shell.json("approvals", "list") == []
    assert [shell.json("members", "show", one)["mayVote"] for one in (ADA, BO)] == [True, True]


def test_one_that_fails_leaves_the_others(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, and the command ends with its status."""
    first, second = received(shell, ADA), received(shell, BO)
    shell.done("approvals", "refuse", first, "--why", "not in the cash book")
    status, out, err = by_kofi(shell, monkeypatch, first, second, "--yes")

    assert status == ExitCode.CONFLICT
    assert f"{first} is refused by 'tester' already." in err
    assert second[:9] in out
    assert shell.json("members", "show", BO)["mayVote"] is True


def test_nobody_signs_their_own(shell: GivingShell) -> None:
    """The one who received them cannot sign them, and nothing changes."""
    ids = [received(shell, ADA), received(shell, BO)]

    assert shell.run("approvals", "approve", *ids, "--yes")[0] == ExitCode.CONFLICT
    assert len(shell.json("approvals", "list")) == 2


def test_all_of_a_statement_are_its_payments_and_those_of_its_days(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A payment of another month, and other acts, are left to themselves."""
    status, _, err = by_kofi(shell, monkeypatch, "--all-of", "may", "--yes")
    assert (status, "no statement 'may'" in err) == (ExitCode.NOT_FOUND, True)
    statement = a_statement(
        a_line(1000, "e-Transfer from AMA MENSAH", day=204), last=a_line(1, day=210).day
    )
    (shell.folder / "november").write_bytes(WRITERS["mt940"]([statement]))
    shell.done("bank", "import", "november", "--new-account", "assets:bank")
    (line,) = shell.json("bank", "waiting")
    assert "Perhaps Ama Mensah: jara bank match" in line["reason"]
    status, _, err = shell.run("bank", "match", line["id"], "--member", ADA)
    assert status == ExitCode.WAITING
    assert "jara approvals approve --all-of november" in err
    received(shell, BO, "2026-11-22")
    later = received(shell, BO, "2026-11-27")
    status, out, _ = by_kofi(shell, monkeypatch, "--all-of", "november", "--yes")

    assert status == ExitCode.DONE
    assert "e-Transfer from AMA MENSAH" in out
    assert [one["id"] for one in shell.json("approvals", "list")] == [later]
    (sender,) = shell.json("bank", "senders", "list")
    assert (sender["members"], sender["signed"]) == ([{"member": ADA, "cents": None}], True)
    status, _, err = by_kofi(shell, monkeypatch, "--all-of", "november", "--yes")
    assert (status, "Nothing waits for" in err) == (ExitCode.NOT_FOUND, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [((), "Name the approvals, or a statement"), (("zz",), "no approval 'zz'")],
)
def test_what_is_not_there_is_named(
    shell: GivingShell, words: tuple[str, ...], message: str
) -> None:
    """Nothing is signed."""
    status, _, err = shell.run("approvals", "approve", *words, "--yes")

    assert (status != ExitCode.DONE, message in err) == (True, True)
