"""The shell completes values, also where Bash splits words at a colon or an at sign."""

import json
from pathlib import Path

import pytest

from jara.domain.bank.rules import Direction, Rule
from jara.records.operations import Approval
from jara.services.bank.answering import add_rule
from jara.services.content import import_items
from jara_cli.exits import ExitCode
from jara_cli.groups import LazyGroup
from jara_cli.main import execute
from jara_cli.root import run_command
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.services.bank.bank_books import take
from tests.services.giving.giving_year import WELLS
from tests.webapi.desk import open_desk


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in the folder of an organisation with a member and a proposal."""
    desk = open_desk(tmp_path)
    desk.join(email="ama@example.org")
    desk.open_vote(slug="clean-wells")
    context = desk.application.context
    import_items(context, "projects", [WELLS])
    import_items(context, "regions", [{"id": "africa", "name": "Africa", "status": "Active"}])
    take(context, a_statement(a_line(500, "WHAT")))
    with context.store.write() as work:
        work.operations.put_approval(
            Approval("appr_1", "pay", {"cents": 1}, "", "waiting", "ada", context.now())
        )
    add_rule(
        context,
        Rule("rule_1", Direction.OUT, "expenses:fees:bank", contains="BANK FEE", why="Asked for"),
    )
    desk.application.database.close()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def completed(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """Return the completions of the last word, by the protocol of Bash's script."""
    monkeypatch.setenv("_JARA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_JARA_TYPED_BEFORE", "")
    monkeypatch.setattr(LazyGroup, "finish", LazyGroup.finish)  # completing replaces it
    capsys.readouterr()
    with pytest.raises(SystemExit):
        run_command([])
    told = capsys.readouterr()
    assert not told.err
    return told.out.split()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jara members show am", ["ama@example.org"]),
        ("jara members show ama @ ex", ["example.org"]),
        ("jara votes tally cl", ["clean-wells"]),
        ("jara ledger register assets : ba", ["bank"]),
        ("jara ledger balance assets:ba", ["assets:bank"]),
        ("jara report impact --format p", ["pdf"]),
        ("jara report impact --month la", ["last-month"]),
        ("jara members add --country Gha", ["Ghana"]),
        ("jara payments receive am", ["ama@example.org"]),
        ("jara payments ways set tr", ["transfer"]),
        ("jara projects show vi", ["village-wells"]),
        ("jara projects pay vi", ["village-wells"]),
        ("jara projects pay village-wells 10 --proposal cl", ["clean-wells"]),
        ("jara regions edit af", ["africa"]),
        ("jara bank rules remove ru", ["rule_1"]),
        ("jara approvals show ap", ["appr_1"]),
        ("jara help da", ["dates"]),
        ("jara --db none.db members show a", []),
        ("jara trace --project x", []),
    ],
)
def test_values_are_completed(
    line: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Members, proposals, accounts and formats are completed; without a database nothing is."""
    assert completed(line.split(), monkeypatch, capsys) == expected


@pytest.mark.usefixtures("folder")
def test_lines_that_wait_are_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bank lines that wait are completed by their ids."""
    assert execute(["bank", "waiting", "--json"]) == ExitCode.DONE
    (line,) = json.loads(capsys.readouterr().out)

    assert completed(["jara", "bank", "match", ""], monkeypatch, capsys) == [line["id"]]


@pytest.mark.usefixtures("folder")
def test_an_empty_word_shows_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a blank, all values are offered; after a colon, those with that prefix."""
    every = completed(["jara", "ledger", "balance", ""], monkeypatch, capsys)
    below = completed(["jara", "ledger", "balance", "assets", ":"], monkeypatch, capsys)

    assert {"assets:bank", "income:pledges"} <= set(every)
    assert [name.removeprefix("assets:") for name in every if name.startswith("assets:")] == below
