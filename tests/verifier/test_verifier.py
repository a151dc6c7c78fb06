"""The stand-alone verifier: what it accepts, and that nothing else passes."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books import fund_policy
from jara.domain.books.account import SPLIT_FUNDS
from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.publiclog import canonical, leaves, merkle, notes
from jara.files import bundle
from tests.verifier.log_builder import (
    Files,
    LogBuilder,
    small_organisation,
    write_folder,
    write_receipt,
)

Check = Callable[..., tuple[int, str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Write the files as a folder, run the verifier, return its status and lines."""

    def run(files: Files, *options: str | Path) -> tuple[int, str]:
        folder = write_folder(files, tmp_path / "bundle")
        status = jara_verify.main([str(folder), *map(str, options)])
        return status, capsys.readouterr().out

    return run


def lines_of(files: Files) -> list[bytes]:
    """Return the lines of entries.ndjson."""
    return files[bundle.ENTRIES].splitlines(keepends=True)


# ---------------------------------------------------------------- good bundles


def test_a_good_bundle_passes_and_each_check_has_a_line(check: Check) -> None:
    """A log of every kind of leaf passes, and says what was looked at."""
    status, out = check(small_organisation().files())

    assert (0, "") == (status, "".join(l for l in out.splitlines(True) if "FAILED" in l))
    words = [line[8:].split(":")[0] for line in out.splitlines()]
    assert [
        "leaves", "key", "checkpoints", "balance", "splits", "refunds", "reversals",
        "proposal prop_01", "proposal prop_02", "proposal prop_03", "every check passed",
    ] == words  # fmt: skip


def test_the_tar_passes_when_run_as_a_program_without_jara(tmp_path: Path) -> None:
    """The verifier out of the bundle runs alone, on the tar that write_tar makes."""
    files = small_organisation().files()
    tar = tmp_path / "bundle.tar"
    with tar.open("wb") as out:
        bundle.write_tar(out, [(name, len(data), [data]) for name, data in files.items()])
    with tarfile.open(tar) as archive:
        archive.extract(bundle.VERIFIER, tmp_path, filter="data")

    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / bundle.VERIFIER), str(tar)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.endswith("GOOD    every check passed\n")


def test_a_tar_with_folders_and_dotted_names_is_read(tmp_path: Path) -> None:
    """A bundle packed again with `tar -c .` is still a bundle."""
    folder = write_folder(small_organisation().files(), tmp_path / "bundle")
    with tarfile.open(tmp_path / "again.tar", "w") as archive:
        archive.add(folder, arcname=".")

    assert 0 == jara_verify.main([str(tmp_path / "again.tar")])


def test_withheld_entries_are_counted_and_their_checks_skipped(check: Check) -> None:
    """A visitor's bundle proves log and votes; the lines say what it cannot prove."""
    status, out = check(small_organisation().files(withhold=True))

    assert 0 == status
    assert "25, 11 of them withheld" in out
    assert "skipped balance: 0 checked, 11 leaves are withheld" in out
    assert "ok      proposal prop_01: passed, 2 yes and 0 no of 4, 1 voided" in out


def test_a_single_withheld_entry_skips_only_what_needs_it(check: Check) -> None:
    """What other entries a check needs is withheld: skipped, not failed."""
    files = small_organisation().files()
    lines, hidden = lines_of(files), lines_of(small_organisation().files(withhold=True))
    lines[8], lines[20] = hidden[8], hidden[20]

    status, out = check({**files, bundle.ENTRIES: b"".join(lines)})

    assert 0 == status
    assert "ok      refunds: 1 checked, 2 skipped, 2 leaves are withheld" in out
    assert "skipped reversals: 0 checked, 1 skipped, 2 leaves are withheld" in out


def test_reversing_a_refund_takes_its_step_back(check: Check) -> None:
    """After a refund is reversed the next one starts where the payment stood before."""
    log = LogBuilder()
    payment = log.move(RowCategory.CHARGE, 1000, kind=ChargeKind.PLEDGE)
    wrong = log.move(RowCategory.REFUND, -39, of=(payment, 0))
    undone = log.reverse(wrong)
    log.move(RowCategory.REFUND, -40, of=(payment, 0))
    log.reverse(undone)
    log.move(RowCategory.REFUND, -961, of=(payment, 79))
    log.checkpoint()

    status, out = check(log.files())

    assert 0 == status
    assert "refunds: 3 checked, more was given back than paid in leaf 2\n" in out


# ---------------------------------------------------------------- bits and bytes


def tiny_log() -> LogBuilder:
    """Return the smallest log with an entry and a closed vote."""
    log = LogBuilder()
    log.move(RowCategory.CHARGE, 500, kind=ChargeKind.PLEDGE)
    log.open_vote("p")
    log.cast("p", "a", "up")
    log.close("p", "a", yes=1, no=0, void=0, passed=True)
    log.checkpoint()
    return log


def test_one_flipped_bit_in_any_byte_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No bit of a data file is without meaning (trust §5 row 8)."""
    files = tiny_log().files()
    folder = write_folder(files, tmp_path / "bundle")
    del files[bundle.VERIFIER]
    unseen = []
    for name, data in files.items():
        for place in range(0, len(data), 3 if name == bundle.ENTRIES else 1):
            flipped = data[place] ^ 1 << place % 8
            (folder / name).write_bytes(data[:place] + bytes([flipped]) + data[place + 1 :])
            if jara_verify.main([str(folder)]) == 0:
                unseen.append((name, place))
        (folder / name).write_bytes(data)
    capsys.readouterr()

    assert [] == unseen
    assert 0 == jara_verify.main([str(folder)])


def test_a_changed_leaf_is_narrowed_down_by_the_checkpoints_around_it(check: Check) -> None:
    """A leaf that is canonical still is found between two checkpoints."""
    files = small_organisation().files()
    lines = lines_of(files)
    lines[9] = lines[9].replace(b'"up"', b'"down"')

    status, out = check({**files, bundle.ENTRIES: b"".join(lines)})

    assert 1 == status
    assert "FAILED  checkpoints: note 2: the leaves from 7 to 13 do not give its root" in out
    assert "FAILED  proposal prop_01: leaf 13: the ballots are 1 yes, 1 no, 1 voided" in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:12] + lines[13:], "checkpoints: note 2: the leaves from 7 to 13"),
        (lambda lines: lines[:2] + lines[1:], "checkpoints: note 1: the leaves from 0 to 6"),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "note 1: the leaves from 0"),
        (lambda lines: [*lines[:24], lines[24][:-1]], "leaves: leaf 24: the line is cut off"),
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], "leaves: leaf 3: no JSON in UTF-8"),
        (lambda lines: [lines[0][:-2] + b" }\n", *lines[1:]], "leaf 0: not canonical JSON"),
        (lambda lines: [lines[0][:-2] + b',"z":null}\n', *lines[1:]], "leaf 0: not canonical"),
        (lambda lines: [lines[0][:-2] + b',"z":1.5}\n', *lines[1:]], "leaf 0: not canonical"),
        (lambda lines: [lines[0][:-2] + b',"z":"\\u0000"}\n', *lines[1:]], "leaf 0: not canon"),
        (lambda lines: [lines[0][:-2] + b',"z":"e\xcc\x81"}\n', *lines[1:]], "leaf 0: not canon"),
        (lambda lines: [lines[0][:-2] + b',"z":"\xff"}\n', *lines[1:]], "leaf 0: no JSON"),
        (lambda lines: [lines[0][:-2] + b',"z":"\\ud800"}\n', *lines[1:]], "leaf 0: no JSON"),
        (lambda lines: [lines[0][:-2] + b',"z":9007199254740992}\n', *lines[1:]], "leaf 0: not"),
        (lambda lines: [b"[" * 21 + b"]" * 21 + b"\n", *lines[1:]], "leaf 0: not canonical"),
        (lambda lines: [b"[" * 9999 + b"]" * 9999 + b"\n", *lines[1:]], "leaf 0: no JSON"),
        (lambda lines: [b'{"a":' * 21 + b"1" + b"}" * 21 + b"\n", *lines[1:]], "leaf 0: not can"),
        (lambda lines: [b"[1]\n", *lines[1:]], "leaf 0: not a leaf of a known type"),
        (lambda lines: [b'{"leaf":"ab"}\n', *lines[1:]], "leaf 0: not a leaf of a known type"),
        (lambda lines: [lines[0][:-2] + b',"z":1}\n', *lines[1:]], "leaf 0: not a leaf"),
        (lambda lines: [lines[1], *lines[1:]], "leaves: leaf 0: leaf 0 is the genesis"),
        (lambda lines: [lines[0], lines[0], *lines[2:]], "leaves: leaf 1: leaf 0 is the genesis"),
        (lambda lines: [lines[0].replace(b"jara.e", b"kara.e"), *lines[1:]], "names another log"),
        (lambda _lines: [], "checkpoints: note 1: it is of 7 leaves, but the bundle ends after 0"),
    ],
)  # fmt: skip
def test_tampering_with_lines_is_reported_by_index(
    check: Check, change: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    """Dropped, doubled, swapped, cut and misspelt lines are named."""
    files = small_organisation().files()

    status, out = check({**files, bundle.ENTRIES: b"".join(change(lines_of(files)))})

    assert 1 == status
    assert message in "".join(line for line in out.splitlines() if line.startswith("FAILED"))


# ---------------------------------------------------------------- an operator who re-signs


def _posting(log: LogBuilder, index: int, place: int, cents: int) -> None:
    log.leaves[index]["postings"][place][2] += cents


def _shift_income(log: LogBuilder, index: int, account: str = "income:pledges") -> None:
    """Move a cent from projects to staff, and keep every fund in balance."""
    for name, cents in ((account, -1), ("assets:stripe", 1)):
        log.leaves[index]["postings"] += [[name, "projects", -cents], [name, "staff", cents]]


def _set(index: int, **fields: Any) -> Callable[[LogBuilder], object]:  # noqa: ANN401
    return lambda log: log.leaves[index].update(fields)


def _vote_after(index: int) -> Callable[[LogBuilder], object]:
    return lambda log: log.leaves.insert(index, {**log.leaves[5], "voter": "0" * 64})


def _no_income(log: LogBuilder) -> None:
    log.leaves[2]["postings"] = [["assets:bank", "other", 1], ["assets:stripe", "other", -1]]


def _late_policy(log: LogBuilder) -> None:
    log.leaves[1]["from"] = "2026-01-06"


def _other_rule(log: LogBuilder) -> None:
    log.leaves[4]["rule"]["num"] = 3


FORGERIES: list[tuple[Callable[[LogBuilder], object], str]] = [
    (lambda log: _posting(log, 2, 0, 1), "balance: leaf 2: the fund 'projects' is off by 1 cents"),
    (lambda log: _shift_income(log, 2), "splits: leaf 2: income in the fund 'projects' is -799"),
    (_no_income, "splits: leaf 2: the payment brings no income"),
    (_late_policy, "splits: leaf 2: no policy is in force on 2026-01-05"),
    (_set(1, fee_weights={"other": 1}), "splits: leaf 2: expenses:fees in the fund 'staff'"),
    (lambda log: _shift_income(log, 3, "expenses:fees:tax"), "leaf 3: expenses:fees:tax in the"),
    (lambda log: _shift_income(log, 12, "expenses:fees"), "leaf 12: expenses:fees in the fund"),
    (lambda log: _shift_income(log, 19, "income:gifts"), "leaf 19: income in the fund"),
    (lambda log: _shift_income(log, 7), "refunds: leaf 7: income in the fund 'projects' is 32"),
    (_set(12, of=2), "refunds: leaf 12: the payment in leaf 2 gave back less than nothing"),
    (_set(7, of=7), "refunds: leaf 7: it names leaf 7, which is not before it"),
    (_set(7, of=1), "refunds: leaf 7: leaf 1 is no entry"),
    (_set(8, of=7), "refunds: leaf 8: leaf 7 is no payment"),
    (lambda log: _posting(log, 21, 0, 5), "reversals: leaf 21: it is not the exact negative"),
    (lambda log: log.leaves.insert(22, log.leaves[21]), "leaf 22: leaf 20 is reversed already, b"),
    (_set(21, reverses=30), "reversals: leaf 21: it names leaf 30, which is not before it"),
    (lambda log: log.leaves.insert(10, log.leaves[5]), "leaf 10: a second ballot of the same"),
    (_vote_after(14), "proposal prop_01: leaf 14: the vote is not open"),
    (_vote_after(4), "proposal prop_01: leaf 4: the vote is not open"),
    (_set(10, ballot=4), "proposal without a ballot: leaf 10: the vote is not open"),
    (lambda log: log.leaves.insert(11, log.leaves[10]), "leaf 11: the ballot in leaf 6 was voided"),
    (_set(14, proposal="prop_01"), "proposal prop_01: leaf 14: the proposal was opened before"),
    (_set(4, content_hash="0" * 64), "leaf 4: proposals/prop_01.json is not the text"),
    (_set(16, last_index=14), "proposal prop_02: leaf 16: last_index is 14, the leaf before is 15"),
    (_set(13, last_index=11), "proposal prop_01: leaf 13: last_index is 11, the leaf before is 12"),
    (_set(13, no=1), "proposal prop_01: leaf 13: the ballots are 2 yes, 0 no, 1 voided"),
    (_set(13, passed=False), "proposal prop_01: leaf 13: by the rule the proposal is passed"),
    (_set(24, passed=True), "proposal prop_03: leaf 24: by the rule the proposal is rejected"),
    (_other_rule, "proposal prop_01: leaf 13: by the rule the proposal is rejected"),
    (_set(13, roll_size=5), "leaf 13: rolls/prop_01.txt is not the roll of the result"),
    (_set(13, roll_root="0" * 64), "leaf 13: rolls/prop_01.txt is not the roll of the result"),
    (_set(9, voter="0" * 64), "leaf 13: the voter of the ballot in leaf 9 is not on the roll"),
    (lambda log: log.rolls["prop_01"].reverse(), "leaf 13: rolls/prop_01.txt is no sorted list"),
    (lambda log: log.rolls["prop_01"].append("x"), "leaf 13: rolls/prop_01.txt is no sorted list"),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_an_operator_who_signs_a_forged_log_is_found_out(
    check: Check, forge: Callable[[LogBuilder], object], message: str
) -> None:
    """With every hash and signature in order, the rules of books and votes still speak."""
    log = small_organisation()
    forge(log)
    log.checkpoint_sizes[-1] = len(log.leaves)

    status, out = check(log.files())

    assert 1 == status
    assert message in "".join(line for line in out.splitlines() if line.startswith("FAILED"))
    assert "ok      checkpoints" in out


@pytest.mark.parametrize(
    ("index", "fields"),
    [
        (0, {"v": True}),
        (0, {"t": "jara/v2/genesis"}),
        (1, {"weights": {}}),
        (1, {"weights": {"projects": 0}}),
        (1, {"weights": {"projects": -1}}),
        (1, {"weights": {"wells": 1}}),
        (1, {"weights": [1]}),
        (1, {"from": "2026-02-30"}),
        (1, {"from": "20260201"}),
        (2, {"salt": "00"}),
        (2, {"description": 1}),
        (2, {"postings": []}),
        (2, {"postings": [["assets:bank", "other", 1], ["assets:bank", "other"]]}),
        (2, {"postings": [["assets:bank", "other", 1], 5]}),
        (2, {"postings": [["assets:bank", "other", 1], ["bank", "other", -1]]}),
        (2, {"postings": [["assets:bank", "wells", 1], ["assets:bank", "other", -1]]}),
        (2, {"postings": [["assets:bank", "other", 0], ["assets:bank", "other", 0]]}),
        (2, {"postings": [["assets:bank", "other", True], ["assets:bank", "other", -1]]}),
        (2, {"foreign": {"currency": "KES", "amount": 1}}),
        (2, {"foreign": 1}),
        (2, {"of": -1}),
        (4, {"rule": {"num": 1, "den": 2, "of": "ballots"}}),
        (4, {"proposal": "../key"}),
        (5, {"choice": "maybe"}),
        (13, {"passed": 1}),
    ],
)
def test_a_leaf_with_other_fields_than_its_type_has_is_named(
    check: Check, index: int, fields: dict[str, Any]
) -> None:
    """Each field of each type has its form, and a wrong one is no crash."""
    log = small_organisation()
    log.leaves[index].update(fields)

    status, out = check(log.files())

    assert 1 == status
    assert f"FAILED  leaves: leaf {index}: not a leaf of a known type" in out


def test_many_failures_of_one_check_make_one_line(check: Check) -> None:
    """The first failure is named, the others are counted."""
    log = small_organisation()
    _posting(log, 2, 0, 1)
    _posting(log, 3, 0, 1)
    _posting(log, 18, 0, 1)

    _, out = check(log.files())

    assert "FAILED  balance: leaf 2: the fund 'projects' is off by 1 cents (and 2 more)\n" in out


def test_the_entry_a_malformed_line_hides_is_not_needed(check: Check) -> None:
    """A refund of a payment that cannot be read is skipped; the line itself has failed."""
    log = small_organisation()
    log.leaves[2]["kind"] = 5

    status, out = check(log.files())

    assert 1 == status
    assert "ok      refunds: 2 checked, 2 skipped\n" in out


def test_a_foreign_amount_belongs_to_an_entry(check: Check) -> None:
    """The optional fields of an entry are accepted."""
    log = small_organisation()
    log.leaves[20]["foreign"] = {"currency": "KES", "amount": 5_160_000, "rate": "129.00"}

    assert 0 == check(log.files())[0]


# ---------------------------------------------------------------- checkpoints


def replaced(files: Files, old: str, new: str) -> Files:
    """Change the first place of a text in checkpoints.txt."""
    text = files[bundle.CHECKPOINTS].decode()
    assert old in text
    return {**files, bundle.CHECKPOINTS: text.replace(old, new, 1).encode()}


def test_the_last_checkpoint_is_of_the_bundles_size(check: Check) -> None:
    """Leaves behind the last checkpoint, or none at all, are not vouched for."""
    log = small_organisation()
    log.checkpoint_sizes.pop()
    status, out = check(log.files())
    assert (1, True) == (status, "checkpoints: the last is of 14 leaves, the bundle has 25" in out)

    status, out = check({**log.files(), bundle.CHECKPOINTS: b""})
    assert (1, True) == (status, "checkpoints: note 1: it is no signed checkpoint" in out)


def test_checkpoints_never_shrink(check: Check) -> None:
    """Sizes rise or stay; an older one behind a newer one is out of order."""
    log = small_organisation()
    log.checkpoint_sizes[:2] = [14, 7]

    status, out = check(log.files())

    assert (1, True) == (status, "note 2: it is of 7 leaves, one before it of 14" in out)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("jara.example/log\n7", "jara.example/dog\n7", "note 1: the checkpoint is of the log 'ja"),
        ("log\n7\n", "log\n07\n", "note 1: it is no signed checkpoint"),
        ("log\n7\n", "log\n8\n", "note 1: the signature at size 7"),
        ("\n\n\u2014", "\n\n-", "note 1: it is no signed checkpoint"),
        ("\u2014 jara", "\u2014 kara", "note 1: the checkpoint at size 7 has no signature"),
        ("\u2014 jara", "\u2014  jara", "note 1: the checkpoint at size 7 has no signature"),
        ("=\n\n\u2014", "==\n\n\u2014", "note 1: it is no signed checkpoint"),
        ("=\n\n\u2014", "?\n\n\u2014", "note 1: it is no signed checkpoint"),
    ],
)
def test_a_changed_note_is_reported_by_number(
    check: Check, old: str, new: str, message: str
) -> None:
    """Origin, size, root and signature are all covered."""
    status, out = check(replaced(small_organisation().files(), old, new))

    message = message.replace("signature at size 7", "signature at size 8")
    assert 1 == status
    assert f"FAILED  checkpoints: {message}" in out


def test_other_signatures_beside_the_logs_are_no_matter(check: Check) -> None:
    """A witness may sign a note too (C2SP signed-note)."""
    files = replaced(
        small_organisation().files(), "\n\n\u2014", "\n\n\u2014 w.org AAAAAAAA\n\u2014"
    )

    assert 0 == check(files)[0]


def test_another_key_does_not_pass(check: Check) -> None:
    """The notes are of the key in key.txt, or of nobody."""
    other = LogBuilder(seed=8)

    status, out = check(
        {**small_organisation().files(), bundle.KEY: other.key.text().encode() + b"\n"}
    )

    assert (1, True) == (status, "note 1: the checkpoint at size 7 has no signature" in out)


# ---------------------------------------------------------------- --since


def test_since_finds_what_was_cut_off_and_what_was_rewritten(check: Check, tmp_path: Path) -> None:
    """A log that passes alone does not pass against a checkpoint of a longer or another one."""
    log = small_organisation()
    kept = tmp_path / "kept.txt"
    kept.write_text(log.note_at(25), encoding="utf-8")
    assert (
        "ok      since: the log begins with the 25 leaves you knew"
        in check(log.files(), "--since", kept)[1]
    )

    cut = small_organisation()
    del cut.leaves[14:], cut.checkpoint_sizes[2:]
    assert 0 == check(cut.files())[0]
    status, out = check(cut.files(), "--since", kept)
    assert (1, True) == (status, "since: it is of 25 leaves, but the bundle ends after 14" in out)

    log.leaves[9]["nonce_hash"] = "0" * 64
    assert 0 == check(log.files())[0]
    status, out = check(log.files(), "--since", kept)
    assert (1, True) == (status, "since: the leaves from 0 to 24 do not give its root" in out)


def test_since_must_be_a_checkpoint_of_this_log(check: Check, tmp_path: Path) -> None:
    """A checkpoint of somebody else proves nothing, and neither does a text."""
    kept = tmp_path / "kept.txt"
    kept.write_text(LogBuilder(seed=9).note_at(1), encoding="utf-8")
    assert (
        "FAILED  since: the checkpoint at size 1 has no"
        in check(small_organisation().files(), "--since", kept)[1]
    )

    kept.write_bytes(b"\xff")
    status, out = check(small_organisation().files(), "--since", kept)
    assert (1, True) == (status, "FAILED  since: note 1: it is no signed checkpoint" in out)


# ---------------------------------------------------------------- receipts


def test_a_receipt_finds_its_ballot(check: Check, tmp_path: Path) -> None:
    """My ballot is listed as I cast it, and I learn when it was voided."""
    log = small_organisation()
    mine = write_receipt(log.receipt(9, "c", 10), tmp_path / "r.json")
    assert (
        "ok      receipt: 'up' on prop_01 is leaf 9\n" in check(log.files(), "--receipt", mine)[1]
    )

    mine = write_receipt(log.receipt(6, "b", 7), tmp_path / "r.json")
    status, out = check(log.files(withhold=True), "--receipt", mine)
    assert 0 == status
    assert "ok      receipt: 'down' on prop_01 is leaf 6; it was voided by leaf 10\n" in out


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"leaf": 5}, "the receipt has no proper 'leaf'"),
        ({"index": -1}, "the receipt has no proper 'index'"),
        ({"index": 10}, "leaf 10 at size 10 is not in a log of 25 leaves"),
        ({"size": None}, "leaf 9 at size -1 is not in a log of 25 leaves"),
        ({"size": 26}, "leaf 9 at size 26 is not in a log of 25 leaves"),
        ({"size": 11}, "its checkpoint signs another size or root"),
        ({"leafBytes": None}, "the receipt has no proper 'leafBytes'"),
        ({"leafBytes": "{}"}, "leafBytes do not hash to leaf"),
        ({"leafBytes": "\ud800"}, "leafBytes do not hash to leaf"),
        ({"nonce": "00"}, "the receipt has no proper 'nonce'"),
        ({"nonce": "00" * 16}, "the nonce is not the ballot's"),
        ({"tracker": "AAAA-BBBB-CCCC"}, "the tracker is not the leaf's"),
        ({"root": "00" * 32}, "its checkpoint signs another size or root"),
        ({"checkpoint": "x"}, "it is no signed checkpoint"),
        ({"checkpoint": LogBuilder(seed=9).note_at(1)}, "the checkpoint at size 1 has no"),
        ({"proof": None}, "the receipt has no proper 'proof'"),
        ({"proof": [5]}, "the proof does not lead from leaf 9"),
        ({"proof": []}, "the proof does not lead from leaf 9"),
        ({"proof": ["00" * 32] * 9}, "the proof does not lead from leaf 9"),
        ({"index": 8}, "the proof does not lead from leaf 8"),
    ],
)
def test_a_receipt_with_a_changed_field_fails(
    check: Check, tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    """Each field of a receipt is checked."""
    log = small_organisation()
    path = tmp_path / "r.json"
    document = {**log.receipt(9, "c", 10), **fields}
    path.write_bytes(canonical_or_json(document))

    status, out = check(log.files(), "--receipt", path)

    assert 1 == status
    assert f"FAILED  receipt: {message}" in out


def canonical_or_json(document: object) -> bytes:
    """Write JSON in ASCII, so that halves of surrogates can be written too."""
    return jara_verify.json.dumps(document).encode("ascii")


def test_a_receipt_of_something_else_than_a_ballot_fails(check: Check, tmp_path: Path) -> None:
    """An entry has a proof too, but nobody voted with it."""
    log = small_organisation()
    receipt = {**log.receipt(2, "c", 10), "nonce": "00" * 16}

    _, out = check(log.files(), "--receipt", write_receipt(receipt, tmp_path / "r.json"))

    assert "FAILED  receipt: the leaf is no ballot" in out


def test_a_receipt_of_another_history_fails(check: Check, tmp_path: Path) -> None:
    """A signed root that the bundle does not have is two logs under one name."""
    told = small_organisation()
    path = write_receipt(told.receipt(9, "c", 10), tmp_path / "r.json")

    shown = small_organisation()
    shown.leaves[9]["choice"] = "down"
    assert (
        "FAILED  receipt: the bundle's root at size 10 is another one"
        in check(shown.files(), "--receipt", path)[1]
    )


def test_a_receipt_whose_leaf_the_bundle_replaced_fails(check: Check, tmp_path: Path) -> None:
    """The bundle's own line is compared, not its hash in the proof alone."""
    log = small_organisation()
    path = write_receipt(log.receipt(9, "c", 10), tmp_path / "r.json")
    files = log.files()
    lines = lines_of(files)
    lines[9] = bundle.withheld_line(merkle.leaf_hash(lines[9][:-1]))

    status, out = check({**files, bundle.ENTRIES: b"".join(lines)}, "--receipt", path)

    assert 1 == status
    assert "FAILED  receipt: leaf 9 of the bundle is another one or withheld" in out


# ---------------------------------------------------------------- unreadable


@pytest.mark.parametrize(
    "name",
    ["entries.ndjson", "checkpoints.txt", "key.txt", "rolls/prop_01.txt", "proposals/prop_02.json"],
)
def test_a_missing_file_is_named_with_status_2(check: Check, tmp_path: Path, name: str) -> None:
    """Nothing can be said of a bundle that lacks a file."""
    files = small_organisation().files()
    del files[name]

    assert (2, True) == (lambda s, o: (s, f"UNREADABLE the bundle has no {name}\n" in o))(
        *check(files)
    )

    tar = tmp_path / "b.tar"
    with tar.open("wb") as out:
        bundle.write_tar(out, [(n, len(data), [data]) for n, data in files.items()])
    assert 2 == jara_verify.main([str(tar)])


@pytest.mark.parametrize(
    "key",
    [
        b"",
        b"\xff",
        b"jara.example/log+00000000+AQ==\n",
        b"jara.example/log+00000000+" + b"A" * 44 + b"\n",
        b"jara.example/log+00000000+AX" + b"A" * 42 + b"\n",
    ],
)
def test_a_malformed_key_is_unreadable(check: Check, key: bytes) -> None:
    """Without a key no signature can be looked at."""
    status, out = check({**small_organisation().files(), bundle.KEY: key})

    assert 2 == status
    assert out.startswith("UNREADABLE key.txt")


def test_what_is_no_bundle_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path to nothing, a file that is no tar, and a tar that holds a name twice."""
    assert 2 == jara_verify.main([str(tmp_path / "nothing")])
    (tmp_path / "text").write_text("no tar at all")
    assert 2 == jara_verify.main([str(tmp_path / "text")])
    with (tmp_path / "twice.tar").open("wb") as out:
        bundle.write_tar(out, [("key.txt", 1, [b"a"]), ("key.txt", 1, [b"b"])])
    assert 2 == jara_verify.main([str(tmp_path / "twice.tar")])

    assert "UNREADABLE key.txt is in the tar twice" in capsys.readouterr().out


@pytest.mark.parametrize("data", [b"\xff", b"[]", b"{", b"[" * 9999])
def test_a_receipt_that_is_no_object_is_unreadable(
    check: Check, tmp_path: Path, data: bytes
) -> None:
    """A receipt is a JSON object in UTF-8."""
    (tmp_path / "r.json").write_bytes(data)

    assert 2 == check(small_organisation().files(), "--receipt", tmp_path / "r.json")[0]


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(["entries.ndjson", "checkpoints.txt"]), st.binary()))
def test_no_content_makes_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, broken: Files
) -> None:
    """Law: whatever stands in the files, the answer is a status."""
    folder = write_folder({**tiny_log().files(), **broken}, tmp_path_factory.mktemp("b"))

    assert jara_verify.main([str(folder)]) in ({1, 2} if broken else {0})


# ---------------------------------------------------------------- its own mathematics


RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701"
        "cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d"
        "0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f7609"
        "84dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_the_published_signatures_verify(key: str, message: str, signature: str) -> None:
    """RFC 8032 §7.1, tests 1 to 3; and not for another message or a larger S."""
    public, data, signed = map(bytes.fromhex, (key, message, signature))
    s = int.from_bytes(signed[32:], "little") + 2**252 + 27742317777372353535851937790883648493

    assert jara_verify.ed25519_verifies(public, data, signed)
    assert not jara_verify.ed25519_verifies(public, data + b"\0", signed)
    assert not jara_verify.ed25519_verifies(public, data, signed[:32] + s.to_bytes(32, "little")), (
        "S is not reduced (RFC 8032 §8.4)"
    )
    assert not jara_verify.ed25519_verifies(public, data, signed + b"\0")


@pytest.mark.parametrize(
    "key",
    [
        (1).to_bytes(32, "little"),  # the neutral point: would verify what nobody signed
        (2**255 - 20).to_bytes(32, "little"),  # of order 2
        bytes(32),  # of order 4
        (2**255 - 19 + 1).to_bytes(32, "little"),  # y is not reduced
        (2).to_bytes(32, "little"),  # on no point of the curve
        (1 + 2**255).to_bytes(32, "little"),  # x is 0 and yet odd
        b"short",
    ],
)
def test_bad_points_are_no_keys(key: bytes) -> None:
    """A key that is no point, or one of small order, verifies nothing."""
    neutral = (1).to_bytes(32, "little") + bytes(32)

    assert not jara_verify.ed25519_verifies(key, b"", neutral)


@settings(max_examples=25, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=80), st.integers(0, 511))
def test_signatures_agree_with_another_implementation(
    secret: bytes, message: bytes, bit: int
) -> None:
    """Law: what `cryptography` signs verifies, and with one bit changed it does not."""
    signer = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = signer.public_key().public_bytes_raw(), signer.sign(message)
    flipped = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")

    assert jara_verify.ed25519_verifies(public, message, signature)
    assert not jara_verify.ed25519_verifies(public, message, flipped)


weights = st.lists(st.integers(0, 100), min_size=4, max_size=4).filter(any)


@given(st.integers(-(10**7), 10**7), weights)
def test_the_split_is_the_domains(cents: int, numbers: list[int]) -> None:
    """Law: two programs, one rule (money §7)."""
    by_fund = dict(zip(SPLIT_FUNDS, numbers, strict=True))
    expected = {fund: part for fund, part in fund_policy.split(cents, by_fund).items() if part}

    assert expected == jara_verify.split(cents, {str(f): n for f, n in by_fund.items()})


@given(weights, st.integers(0, 400))
def test_what_is_given_back_is_the_domains(parts: list[int], refunded: int) -> None:
    """Law: two programs, one rule (money §8)."""
    by_fund = {f: part for f, part in zip(SPLIT_FUNDS, parts, strict=True) if part}
    expected = fund_policy.given_back(by_fund, refunded)

    assert expected == jara_verify.given_back({str(f): n for f, n in by_fund.items()}, refunded)


json_values = st.recursive(
    st.integers(-(2**54), 2**54) | st.booleans() | st.none() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


@given(json_values)
def test_canonical_is_what_the_domain_calls_canonical(value: object) -> None:
    """Law: both refuse the same bytes."""
    data = jara_verify.json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8", "surrogatepass")

    assert _accepts(canonical.decode, data) == _accepts(jara_verify.read_canonical, data)


def _accepts(read: Callable[[bytes], object], data: bytes) -> bool:
    try:
        read(data)
    except (canonical.NotCanonical, jara_verify.Bad):
        return False
    return True
