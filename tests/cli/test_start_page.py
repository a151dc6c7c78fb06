"""``jara`` alone: the state of the organisation, or an introduction to Jara."""

import json
from pathlib import Path

import pytest

from jara_cli.main import execute
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.cli.voting_shell import PROPOSAL, Shell


def test_without_an_organisation_it_explains_jara(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The introduction has three commands and creates nothing."""
    monkeypatch.chdir(tmp_path)

    assert execute([]) == 0

    out = capsys.readouterr().out
    assert out.startswith("Jara: monthly giving")
    assert max(map(len, out.splitlines())) <= 80
    assert all(f"  jara {command}" in out for command in ("demo", "init", "--help"))
    assert list(tmp_path.iterdir()) == []


def test_with_an_organisation_it_lists_waiting_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page lists waiting tasks, also of another folder with ``--db``."""
    stop_clock(monkeypatch)
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.add()

    out = shell.done()

    assert ["Members", "1"] in [line.split() for line in out.splitlines()]
    assert "daily run, for the first time  jara run daily" in out
    assert max(map(len, out.splitlines())) <= 80
    assert out == shell.done("--db", str(tmp_path / "jara.db"))
    shell.done("mail", "send")
    shell.run("run", "daily")
    assert "Nothing to do." in shell.done()


def test_open_votes_are_shown(shell: Shell) -> None:
    """Open votes are shown with their last day."""
    shell.write("wells.yaml", PROPOSAL)
    shell.run("proposals", "new", "wells.yaml")
    assert "Open vote" not in shell.run()[1]

    shell.run("proposals", "open", "prop_01", "--yes")

    assert "Clean water  2999-12-31    0   0" in shell.run()[1]


def test_the_start_page_is_a_document_too(shell: Shell) -> None:
    """``jara --json`` prints the same figures; before a command the option is refused."""
    found, out, _ = shell.run("--json")
    page = json.loads(out)
    status, _, err = shell.run("--json", "members", "list")

    assert found == 0
    assert {"organisation", "mode", "members", "votes", "waiting"} <= page.keys()
    assert (status, "jara members list --json" in err) == (2, True)


def test_without_an_organisation_there_is_no_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status says that nothing was found."""
    monkeypatch.chdir(tmp_path)

    assert execute(["--json"]) == 3
    assert "jara init" in capsys.readouterr().err
