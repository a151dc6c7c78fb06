"""Checkpoints, cosignatures and bundles: anyone can check them without trusting us."""

import json
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from jara import jara_verify
from jara.domain.errors import InvalidInput
from jara.domain.publiclog import canonical, merkle, notes
from jara.domain.publiclog.merkle import verify_consistency
from jara.files.publiclog.bundle import bundle_pieces
from jara.files.publiclog.tile_folder import TileFolder
from jara.records.log import Checkpoint, Cosignature, Witness
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import draft_proposal
from jara.services.publiclog.proofs import (
    bundle_contents,
    log_size,
    make_checkpoint,
    prove_inclusion,
    published_notes,
)
from jara.services.publiclog.tiles import publish_files
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, leave, open_vote, refund, vote
from tests.verifier.witness_keys import WITNESSES, WitnessKey


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with votes, a refund, a former member and an open vote."""
    context = make_organisation(place)
    open_vote(context)
    ada, bob, cyd = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    vote(context, ada)
    vote(context, bob, "down")
    vote(context, cyd)
    refund(context, bob, 1000)
    leave(context, cyd)
    clock_of(context).advance(days=11)
    close_due_votes(context)
    open_vote(context, id="prop_02", title="Second", endDate="2026-12-31")
    draft_proposal(context, {**PROPOSAL, "id": "draft", "title": "A draft"})
    return context


def write_bundle(context: Context, path: Path, *, whole: bool = True) -> Path:
    """Write a bundle to a file."""
    with context.store.read() as work, path.open("wb") as out:
        out.writelines(bundle_pieces(bundle_contents(context, work, whole=whole)))
    return path


def run_verifier(bundle: Path, *options: str | Path) -> int:
    """Run the verifier from the bundle, as a stranger would."""
    with tarfile.open(bundle) as tar:
        program = tar.extractfile("jara_verify.py")
        assert program is not None
        script = bundle.with_name("jara_verify.py")
        script.write_bytes(program.read())
    words = [sys.executable, "-I", str(script), str(bundle), *map(str, options)]
    return subprocess.run(words, check=False, capture_output=True).returncode


@pytest.mark.parametrize("whole", [True, False])
def test_a_stranger_verifies_the_bundle(context: Context, tmp_path: Path, whole: bool) -> None:
    """The verifier from the bundle accepts it, with and without entries."""
    assert run_verifier(write_bundle(context, tmp_path / "b.tar", whole=whole)) == 0


def test_a_changed_bundle_fails(context: Context, tmp_path: Path) -> None:
    """A vote changed in the data is found."""
    path = write_bundle(context, tmp_path / "b.tar")
    path.write_bytes(path.read_bytes().replace(b'"goal_cents":500', b'"goal_cents":501', 1))

    assert run_verifier(path) == 1


def test_visitors_get_hashes_of_entries_alone(context: Context, tmp_path: Path) -> None:
    """The public bundle does not contain the bytes of entries."""
    public = write_bundle(context, tmp_path / "p.tar", whole=False).read_bytes()
    whole = write_bundle(context, tmp_path / "w.tar").read_bytes()

    assert b"jara/v1/entry" not in public.replace(jara_verify_source(), b"")
    assert b"jara/v1/entry" in whole.replace(jara_verify_source(), b"")


def jara_verify_source() -> bytes:
    """Return the text of the verifier, which has its own list of leaf types."""
    return Path(jara_verify.__file__).read_bytes()


def test_a_bundle_holds_rolls_and_texts(context: Context, tmp_path: Path) -> None:
    """A closed vote has its roll, an opened one its text, and a draft nothing."""
    with tarfile.open(write_bundle(context, tmp_path / "b.tar")) as tar:
        names = tar.getnames()

    assert names == [
        "entries.ndjson",
        "checkpoints.txt",
        "key.txt",
        "rolls/prop_01.txt",
        "proposals/prop_01.json",
        "proposals/prop_02.json",
        "jara_verify.py",
    ]


def test_a_bundle_ends_with_a_checkpoint_of_its_size(context: Context) -> None:
    """The published checkpoint of that size is used; if there is none, a new one is signed."""
    with context.store.read() as work:
        fresh = bundle_contents(context, work, whole=True)
        published = len(work.log.checkpoints())
    made = make_checkpoint(context)
    kept = bundle_contents(context, context.store.read_once(), whole=True)

    assert len(fresh.checkpoints) == published + 1
    assert fresh.checkpoints == kept.checkpoints
    assert made.note == kept.checkpoints[-1]
    assert made.size == kept.size == notes.parse_checkpoint(made.note).size


def test_each_size_has_one_checkpoint(context: Context) -> None:
    """A second checkpoint of the same size is not made; the published text has every note."""
    first = make_checkpoint(context)
    clock_of(context).advance(days=1)

    assert first == make_checkpoint(context)
    with context.store.read() as work:
        text = published_notes(work)
        size = len(work.log.checkpoints())
    assert size == text.count("\n\n\u2014 ")


def test_a_new_organisation_has_no_checkpoint(place: Path) -> None:
    """A new organisation has no checkpoint until it makes one."""
    context = make_organisation(place)
    with context.store.read() as work:
        assert len(bundle_contents(context, work, whole=True).checkpoints) == 1
        assert published_notes(work) == ""

    assert make_checkpoint(context).size == 2


def test_receipts_and_older_checkpoints_verify_in_the_bundle(
    context: Context,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A voter's receipt and an older note are part of the later log."""
    monkeypatch.setattr(jara_verify, "seconds_now", lambda: int(context.now().timestamp()))
    kept = make_checkpoint(context)
    receipt = vote(context, add_member(context, "dan"), proposal="prop_02")
    (tmp_path / "r.json").write_bytes(_json(receipt.document()))
    (tmp_path / "old.txt").write_text(kept.note, encoding="utf-8")
    path = write_bundle(context, tmp_path / "b.tar")

    options = ["--receipt", str(tmp_path / "r.json"), "--since", str(tmp_path / "old.txt")]
    assert jara_verify.main([str(path), *options]) == 0, capsys.readouterr().out


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def test_proofs_of_the_stored_log_hold(context: Context) -> None:
    """The stored nodes prove inclusion of each leaf and consistency of each size."""
    with context.store.read() as work:
        size, root = work.log.size(), work.log.root()
        for leaf in work.log.leaves():
            proof = work.log.inclusion(leaf.index, size)
            assert merkle.verify_inclusion(leaf.hash, leaf.index, size, proof, root)
            assert canonical.encode(canonical.decode(leaf.body)) == leaf.body
        for first in range(size + 1):
            proof = work.log.consistency(first, size)
            assert verify_consistency(first, size, work.log.root(first), root, proof)


def test_the_same_books_give_the_same_bundle(context: Context) -> None:
    """A bundle does not depend on the clock or on chance."""
    made = []
    for _ in range(2):
        out = BytesIO()
        with context.store.read() as work:
            out.writelines(bundle_pieces(bundle_contents(context, work, whole=True)))
        made.append(out.getvalue())

    assert made[0] == made[1]


@pytest.mark.parametrize("is_grown", [True, False])
def test_a_log_has_no_leaf_at_its_size(context: Context, is_grown: bool) -> None:
    """A log of three leaves has the leaves 0 to 2, even if it has grown since."""
    size = 3 if is_grown else log_size(context)
    assert prove_inclusion(context, size - 1, size).first == size - 1

    with pytest.raises(InvalidInput, match=f"A log of {size} leaves has no leaf") as refused:
        prove_inclusion(context, size, size)

    assert list(refused.value.fields) == ["index"]


@pytest.fixture
def opened(place: Path) -> Context:
    """An organisation with an open vote."""
    context = make_organisation(place)
    open_vote(context)
    return context


def cosign(context: Context, *witnesses: WitnessKey) -> Checkpoint:
    """Let witnesses sign the current log."""
    made = make_checkpoint(context)
    with context.store.write() as work:
        for witness in WITNESSES:
            chosen = Witness(witness.name, witness.text, "https://w.example", context.now())
            work.witnesses.put(chosen)
        for witness in witnesses:
            line = witness.cosign(made.note).removeprefix(made.note)
            work.witnesses.keep(Cosignature(made.size, witness.name, line, context.now()))
    return made


def cosigned_by(*witnesses: WitnessKey, note: str) -> str:
    """Return a note with cosignatures."""
    for witness in witnesses:
        note = witness.cosign(note)
    return note


def test_a_bundle_has_the_cosignatures(opened: Context, tmp_path: Path) -> None:
    """A bundle has them under each note; the file of published checkpoints has none."""
    first = cosign(opened, WITNESSES[0])
    vote(opened, add_member(opened, "ada"))
    second = cosign(opened, *WITNESSES)
    with opened.store.read() as work:
        contents = bundle_contents(opened, work, whole=True)
        (tmp_path / "b.tar").write_bytes(b"".join(bundle_pieces(contents)))
        published = published_notes(work)
    keys = [str(witness.write(tmp_path)) for witness in WITNESSES]
    (tmp_path / "log.key").write_text(contents.keys[-1], encoding="utf-8")

    assert cosigned_by(WITNESSES[0], note=first.note) in contents.checkpoints
    assert cosigned_by(*WITNESSES, note=second.note) == contents.checkpoints[-1]
    assert "w1.example" not in published
    key = ("--key", str(tmp_path / "log.key"))
    assert jara_verify.main([str(tmp_path / "b.tar"), *key, "--witness", *keys]) == 0


def test_static_files_have_the_cosignatures(opened: Context, tmp_path: Path) -> None:
    """Cosignatures that come after the files were written are included too."""
    write = TileFolder(tmp_path / "log").write
    made = cosign(opened)
    publish_files(opened, write)
    alone = (tmp_path / "log" / "checkpoint").read_text("utf-8")
    cosign(opened, WITNESSES[1])
    publish_files(opened, write)

    assert made.note == alone
    text = (tmp_path / "log" / "checkpoint").read_text("utf-8")
    assert cosigned_by(WITNESSES[1], note=made.note) == text
