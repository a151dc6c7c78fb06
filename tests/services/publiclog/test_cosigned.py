"""Cosignatures of witnesses in bundles, receipts and static files."""

from pathlib import Path

import pytest

from jara import jara_verify
from jara.files.publiclog.bundle import bundle_pieces
from jara.files.publiclog.tile_folder import TileFolder
from jara.records.log import Checkpoint, Cosignature, Witness
from jara.services.context import Context
from jara.services.publiclog.proofs import bundle_contents, make_checkpoint, published_notes
from jara.services.publiclog.tiles import publish_files
from jara.services.publiclog.witnesses import newest_cosigned
from tests.harness import make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.verifier.witness_keys import WITNESSES, WitnessKey


@pytest.fixture
def context(place: Path) -> Context:
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


def test_a_bundle_has_the_cosignatures(context: Context, tmp_path: Path) -> None:
    """A bundle has them under each note; the file of published checkpoints has none."""
    first = cosign(context, WITNESSES[0])
    vote(context, add_member(context, "ada"))
    second = cosign(context, *WITNESSES)
    with context.store.read() as work:
        contents = bundle_contents(context, work, whole=True)
        (tmp_path / "b.tar").write_bytes(b"".join(bundle_pieces(contents)))
        published = published_notes(work)
    keys = [str(witness.write(tmp_path)) for witness in WITNESSES]
    (tmp_path / "log.key").write_text(contents.keys[-1], encoding="utf-8")

    assert cosigned_by(WITNESSES[0], note=first.note) in contents.checkpoints
    assert cosigned_by(*WITNESSES, note=second.note) == contents.checkpoints[-1]
    assert "w1.example" not in published
    key = ("--key", str(tmp_path / "log.key"))
    assert jara_verify.main([str(tmp_path / "b.tar"), *key, "--witness", *keys]) == 0


def test_static_files_have_the_cosignatures(context: Context, tmp_path: Path) -> None:
    """Cosignatures that come after the files were written are included too."""
    write = TileFolder(tmp_path / "log").write
    made = cosign(context)
    publish_files(context, write)
    alone = (tmp_path / "log" / "checkpoint").read_text("utf-8")
    cosign(context, WITNESSES[1])
    publish_files(context, write)

    assert made.note == alone
    text = (tmp_path / "log" / "checkpoint").read_text("utf-8")
    assert cosigned_by(WITNESSES[1], note=made.note) == text


def test_without_witnesses_nothing_is_cosigned(context: Context) -> None:
    """A checkpoint alone is not cosigned."""
    make_checkpoint(context)
    assert newest_cosigned(context.store.read_once()) is None
