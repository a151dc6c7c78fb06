"""A deleted member is in no file of the organisation, and every proof stays valid."""

import os
from pathlib import Path

from jara import jara_verify
from jara.bootstrap import build_from_environ
from tests.cli.giving_shell import GivingShell

EMAIL = "vanishing@example.org"
PROPOSAL = (
    "id: prop_01\ntitle: Wells\nsummary: Three.\nfundingGoal: 50.00\ncountry: Tanzania\n"
    "countryCode: TZ\ncategory: water\nendDate: '2999-12-31'\n"
)


def traces_of(jara: GivingShell) -> list[str]:
    """Return everything that identifies the person: name, address, ids at the provider."""
    held = jara.json("members", "export", EMAIL)
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


def test_an_erased_member_is_in_no_file_and_proofs_stay_valid(jara: GivingShell) -> None:
    """Nothing identifies the person in database, write-ahead log, mail, checkpoints or audit."""
    person = ("--firstname", "Vanishing", "--lastname", "Mensahvanished", "--country", "Ghana")
    options = ("--email", EMAIL, *person, "--password-stdin")
    jara.done("members", "add", *options, typed="correct horse\n")
    jara.done("members", "confirm", EMAIL)
    jara.done("pledges", "start", EMAIL, "--amount", "10", "--day", "current")
    jara.done("run", "daily")  # writes the welcome email and the receipt as files
    (jara.folder / "wells.yaml").write_text(PROPOSAL, encoding="utf-8")
    jara.done("proposals", "new", "wells.yaml")
    jara.done("proposals", "open", "prop_01", "--yes")
    cast = ("votes", "cast", "prop_01", "--member", EMAIL, "--choice", "up", "--json")
    (jara.folder / "receipt.json").write_text(jara.done(*cast), encoding="utf-8")
    kept = jara.json("proofs", "checkpoint")["checkpoint"]
    (jara.folder / "kept.txt").write_text(kept, encoding="utf-8")
    traces = traces_of(jara)
    assert set(traces) == set(files_with(jara.folder, traces))

    jara.done("members", "erase", EMAIL, "--why", "asked by letter", "--yes")
    jara.done("run", "daily")  # writes the last email as a file
    jara.done("run", "daily")

    left = {trace: files for trace, files in files_with(jara.folder, traces).items() if files}
    assert {
        trace: {name for name in files if not name.startswith("jara.db-")}
        for trace, files in left.items()
        if any(not name.startswith("jara.db-") for name in files)
    } == {}
    jara.done("ledger", "verify")
    jara.done("votes", "verify", "prop_01")
    jara.done("proofs", "bundle", "books.tar")
    checks = ["books.tar", "--receipt", "receipt.json", "--since", "kept.txt"]
    assert jara_verify.main(checks) == 0
    context = build_from_environ(os.environ).context
    with context.store.read() as work:
        assert list(work.members.all()) == []
        assert sum(payment.cents for payment in work.payments.all()) == 1000
    context.store.close()
