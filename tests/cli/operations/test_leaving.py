"""A deleted member is in no file of the organisation, and every proof stays valid."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara import jara_verify
from jara.bootstrap import build_from_environ
from tests.cli.giving_shell import GivingShell

EMAIL = "vanishing@example.org"
PROPOSAL = (
    "id: prop_01\ntitle: Wells\nsummary: Three.\nfundingGoal: 50.00\ncountry: Tanzania\n"
    "countryCode: TZ\ncategory: water\nendDate: '2999-12-31'\n"
)


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal in a folder with a new organisation."""
    return GivingShell(tmp_path, monkeypatch, capsys)


def traces_of(shell: GivingShell) -> list[str]:
    """Return everything that identifies the person: name, address, ids at the provider."""
    held = shell.json("members", "export", EMAIL)
    ids = [value for value in held["paymentProvider"].values() if value]
    assert len(ids) == 2
    return [EMAIL, "Vanishing", "Mensahvanished", held["profile"]["id"], *ids]


def files_with(folder: Path, traces: list[str]) -> dict[str, set[str]]:
    """Return the files below a folder that contain one of these words."""
    found: dict[str, set[str]] = {}
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        for trace in traces:
            if trace.casefold().encode() in data.lower():
                found.setdefault(trace, set()).add(path.name)
    return found


def test_an_erased_member_is_in_no_file_and_proofs_stay_valid(shell: GivingShell) -> None:
    """Nothing identifies the person in database, write-ahead log, mail, checkpoints or audit."""
    person = ("--firstname", "Vanishing", "--lastname", "Mensahvanished", "--country", "Ghana")
    options = ("--email", EMAIL, *person, "--password-stdin")
    shell.done("members", "add", *options, typed="correct horse\n")
    shell.done("members", "confirm", EMAIL)
    shell.done("pledges", "start", EMAIL, "--amount", "10", "--day", "current")
    shell.done("run", "daily")  # writes the welcome email and the receipt as files
    (shell.folder / "wells.yaml").write_text(PROPOSAL, encoding="utf-8")
    shell.done("proposals", "new", "wells.yaml")
    shell.done("proposals", "open", "prop_01", "--yes")
    cast = ("votes", "cast", "prop_01", "--member", EMAIL, "--choice", "up", "--json")
    (shell.folder / "receipt.json").write_text(shell.done(*cast), encoding="utf-8")
    kept = shell.json("proofs", "checkpoint")["checkpoint"]
    (shell.folder / "kept.txt").write_text(kept, encoding="utf-8")
    traces = traces_of(shell)
    assert set(traces) == set(files_with(shell.folder, traces))

    shell.done("members", "erase", EMAIL, "--why", "asked by letter", "--yes")
    shell.done("run", "daily")

    left = {trace: files for trace, files in files_with(shell.folder, traces).items() if files}
    assert {
        trace: {name for name in files if not name.startswith("jara.db-")}
        for trace, files in left.items()
        if any(not name.startswith("jara.db-") for name in files)
    } == {}
    shell.done("ledger", "verify")
    shell.done("votes", "verify", "prop_01")
    shell.done("proofs", "bundle", "books.tar")
    checks = ["books.tar", "--receipt", "receipt.json", "--since", "kept.txt"]
    assert jara_verify.main(checks) == 0
    context = build_from_environ({}).context
    with context.store.read() as work:
        assert list(work.members.all()) == []
        assert sum(payment.cents for payment in work.payments.all()) == 1000
    context.store.close()
