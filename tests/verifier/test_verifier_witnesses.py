"""The stand-alone verifier: the reader's own keys, and witnesses of the log."""

from pathlib import Path

import pytest

from jara.domain.publiclog import notes
from jara.files.publiclog import bundle
from tests.verifier.log_builder import Check, Files, LogBuilder, small_organisation
from tests.verifier.witness_keys import AT, WITNESSES, WitnessKey


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three hours after the cosignatures."""
    monkeypatch.setattr("jara.jara_verify.seconds_now", lambda: AT + 3 * 3600 + 7)


@pytest.fixture
def keys(tmp_path: Path) -> list[Path]:
    """The files of the witnesses' keys."""
    return [witness.write(tmp_path) for witness in WITNESSES]


def cosigned(log: LogBuilder, seen: dict[int, list[WitnessKey]]) -> Files:
    """Return a bundle; `seen` lists who cosigned the checkpoint of a size."""
    published = []
    for size in log.checkpoint_sizes:
        note = log.note_at(size)
        for witness in seen.get(size, []):
            note = witness.cosign(note)
        published.append(note)
    return {**log.files(), bundle.CHECKPOINTS: notes.join_notes(published).encode()}


def test_enough_witnesses_are_named_with_their_age(check: Check, keys: list[Path]) -> None:
    """Each line has size and time; leaves after the quorum's checkpoint are counted."""
    one, two, _ = WITNESSES
    files = cosigned(small_organisation(), {7: [one, two], 14: [one]})

    status, out = check(files, "--witness", *keys, "--quorum", "2")

    assert status == 0
    when = "on 2026-03-01 12:00 UTC, 3 hours ago"
    assert (
        f"ok      witness w1.example/witness: it saw 14 leaves {when}\n"
        f"ok      witness w2.example/witness: it saw 7 leaves {when}\n"
        "skipped witness w3.example/witness: it cosigned no checkpoint of this bundle\n"
        "ok      quorum: 2 of 3 witnesses saw the first 7 leaves; 18 leaves are newer\n"
    ) in out


def test_a_bundle_below_the_quorum_fails(check: Check, keys: list[Path]) -> None:
    """Without a number, all named witnesses are required."""
    one, two, _ = WITNESSES
    files = cosigned(small_organisation(), {25: [one, two]})

    for options in (["--quorum", "3"], []):
        status, out = check(files, "--witness", *keys, *options)
        assert status == 1
        assert "FAILED  quorum: 2 of 3 witnesses cosigned this log; 3 are needed\n" in out
    assert check(files, "--witness", *keys, "--quorum", "2")[0] == 0


def test_one_witness_counts_once(check: Check, keys: list[Path]) -> None:
    """A repeated key or a second cosignature of one witness does not count twice."""
    one = WITNESSES[0]
    files = cosigned(small_organisation(), {7: [one], 25: [one, one]})

    status, out = check(files, "--witness", keys[0], keys[0], keys[1], "--quorum", "2")

    assert status == 1
    assert "FAILED  quorum: 1 of 2 witnesses cosigned this log; 2 are needed\n" in out


def test_a_forged_cosignature_fails(check: Check, keys: list[Path]) -> None:
    """A cosignature of another time, log or key fails, despite the correct name and key id."""
    log, one = small_organisation(), WITNESSES[0]
    genuine = one.cosign(log.note_at(25)).splitlines()[-1]
    elsewhere = one.cosign(log.note_at(14)).splitlines()[-1]
    forged = WitnessKey(one.name, 9)
    forged.key_id = one.key_id
    of_other_key = forged.cosign(log.note_at(25)).splitlines()[-1]
    late = one.cosign(log.note_at(25), at=2**62).splitlines()[-1]
    for line in (elsewhere, of_other_key, late, genuine[:-8] + "AAAA" + genuine[-4:]):
        files = log.files()
        files[bundle.CHECKPOINTS] += f"{line}\n".encode()
        status, out = check(files, "--witness", keys[0])
        assert status == 1
        assert "FAILED  witness w1.example/witness: the cosignature at size 25 is not by" in out
        assert "FAILED  quorum: 0 of 1 witnesses" in out


def test_a_history_that_the_witness_did_not_see_fails(check: Check, keys: list[Path]) -> None:
    """The bundle of a fork fails against a checkpoint of the real log that a witness cosigned."""
    real, fork = small_organisation(), small_organisation()
    fork.leaves[9]["choice"] = "down"
    files = cosigned(real, {25: [WITNESSES[0]]})
    files[bundle.ENTRIES] = fork.files()[bundle.ENTRIES]

    status, out = check(files, "--witness", keys[0])

    assert status == 1
    assert "FAILED  witness w1.example/witness: the leaves from 0 to 24 do not give its root" in out
    assert "FAILED  quorum" in out


def test_the_key_is_mine(check: Check, tmp_path: Path) -> None:
    """With --key, the bundle fails if its own key is another one."""
    honest, impostor = small_organisation(), LogBuilder(seed=9)
    impostor.leaves = small_organisation().leaves
    impostor.rolls, impostor.proposals = honest.rolls, honest.proposals
    impostor.checkpoint_sizes = honest.checkpoint_sizes
    (tmp_path / "log.key").write_text(honest.key.text() + "\n", encoding="utf-8")

    status, out = check(honest.files(), "--key", tmp_path / "log.key")
    assert (0, f"ok      key: {honest.key.text()}; it is yours\n" in out) == (status, True)
    status, out = check(impostor.files())
    assert (0, "; this is only the bundle's own: compare it, or" in out) == (status, True)
    status, out = check(impostor.files(), "--key", tmp_path / "log.key")
    assert status == 1
    assert f"FAILED  key: the bundle has {impostor.key.text()}, not your {honest.key.text()}" in out
    assert (
        "FAILED  checkpoints: note 1: the checkpoint at size 7 has no signature of the key" in out
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--quorum", "1"], "a quorum of 1 needs as many --witness keys; 0 are given"),
        (["--witness", "w1", "--quorum", "2"], "a quorum of 2 needs as many"),
        (["--witness", "w1", "--quorum", "0"], "a quorum of 0 needs as many"),
        (["--witness", "log"], "log holds no Ed25519 witness key"),
        (["--witness", "none"], "none holds no Ed25519 witness key"),
        (["--key", "w1"], "w1 holds no Ed25519 verification key"),
        (["--key", "missing"], "No such file"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    """Options that would use fewer keys than the reader expects are refused."""
    monkeypatch.chdir(tmp_path)
    log = small_organisation()
    Path("w1").write_text(WITNESSES[0].text, encoding="utf-8")
    Path("log").write_text(log.key.text(), encoding="utf-8")
    Path("none").write_text("# nothing\n", encoding="utf-8")

    status, out = check(log.files(), *options)

    assert (status, out.startswith("UNREADABLE ") and message in out) == (2, True)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 minutes ago"),
        (60, "1 minute ago"),
        (7199, "119 minutes ago"),
        (2 * 86400, "2 days ago"),
        (-120, "2 minutes ahead of this computer's clock"),
    ],
)
def test_the_age_is_in_words(
    check: Check, keys: list[Path], monkeypatch: pytest.MonkeyPatch, seconds: int, words: str
) -> None:
    """The age has a suitable unit."""
    monkeypatch.setattr("jara.jara_verify.seconds_now", lambda: AT + seconds)
    files = cosigned(small_organisation(), {25: [WITNESSES[0]]})

    assert f" 12:00 UTC, {words}\n" in check(files, "--witness", keys[0])[1]
