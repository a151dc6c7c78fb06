"""``jara proofs``: notes, bundles and receipts from a terminal."""

import json
import tarfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from jara import jara_verify
from jara_cli.main import execute
from tests.cli.voting_shell import Shell
from tests.services.ballots.voting_world import add_member, open_vote, vote


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A terminal with an organisation, an open vote, and a receipt in a file."""
    shell = Shell(tmp_path, monkeypatch, capsys)
    context = shell.context()
    open_vote(context, endDate="2999-12-31")
    receipt = vote(context, add_member(context, "ada"))
    context.store.close()
    shell.write("receipt.json", json.dumps(receipt.document()))
    return shell


def test_checkpoint_signs_and_publishes(shell: Shell) -> None:
    """The note is printed; with --out all notes are written to a file."""
    document = shell.json("proofs", "checkpoint", "--out", "notes.txt")

    assert document["size"] == 5
    assert document["checkpoint"] == (shell.folder / "notes.txt").read_text("utf-8")
    assert "Size" in shell.run("proofs", "checkpoint")[1]
    status, out, _ = shell.run("proofs", "checkpoint", "--out", "-")
    assert (status, out) == (0, document["checkpoint"])


def test_a_bundle_verifies(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    """A complete or public bundle verifies, and the result says which one it is."""
    whole = shell.json("proofs", "bundle", "whole.tar")
    public = shell.json("proofs", "bundle", "public.tar", "--public")

    assert (whole["size"], whole["whole"], public["whole"]) == (5, True, False)
    assert whole["root"] == public["root"]
    for name in ("whole.tar", "public.tar"):
        assert jara_verify.main([name, "--receipt", "receipt.json"]) == 0
        with tarfile.open(name) as tar:
            assert "jara_verify.py" in tar.getnames()
    out = capsys.readouterr().out
    assert ("GOOD" in out, "nothing vouches" in out) == (True, False)
    with tarfile.open("whole.tar", "a") as tar:
        tar.add("receipt.json", "proposals/another.json")
    assert jara_verify.main(["whole.tar"]) == 0
    assert "nothing vouches for proposals/another.json" in capsys.readouterr().out
    assert shell.run("proofs", "bundle", "nowhere/b.tar")[0] == 3


def test_a_bundle_can_go_to_standard_output(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `-`, standard output contains only the tar file."""
    raw = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(raw))

    assert execute(["proofs", "bundle", "-"]) == 0
    (shell.folder / "out.tar").write_bytes(raw.getvalue())
    with tarfile.open("out.tar") as tar:
        assert "entries.ndjson" in tar.getnames()


def test_a_receipt_is_checked(shell: Shell) -> None:
    """0 if all checks pass, 1 if one fails, 2 if the file is not a receipt."""
    assert shell.json("proofs", "receipt", "receipt.json")["ok"]
    document = json.loads((shell.folder / "receipt.json").read_text("utf-8"))
    shell.write("changed.json", json.dumps({**document, "nonce": "00" * 16}))
    status, out, _ = shell.run("proofs", "receipt", "changed.json", "--json")

    assert status == 1
    assert [c["name"] for c in json.loads(out)["checks"] if not c["ok"]] == ["nonce"]
    for text in ("{", "[]", "{}"):
        shell.write("none.json", text)
        assert shell.run("proofs", "receipt", "none.json")[0] == 2
    assert shell.run("proofs", "receipt", "missing.json")[0] == 3
