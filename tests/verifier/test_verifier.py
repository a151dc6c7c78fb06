"""The stand-alone verifier accepts valid bundles and notices any changed bit or line."""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jara import jara_verify
from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.files.publiclog import bundle
from tests.sizes import IS_SOAK, saw, some
from tests.verifier.log_builder import (
    Check,
    LogBuilder,
    failures,
    lines_of,
    small_organisation,
    tiny_log,
    write_folder,
)

# ---------------------------------------------------------------- good bundles


def test_a_good_bundle_passes_and_each_check_has_a_line(check: Check) -> None:
    """A log with every kind of leaf passes, and each check prints a line."""
    status, out = check(small_organisation().files())

    assert (status, failures(out)) == (0, "")
    words = [line[8:].split(":")[0] for line in out.splitlines()]
    assert words == [
        "leaves", "key", "checkpoints", "balance", "splits", "refunds", "reversals",
        "proposal prop_01", "proposal prop_02", "proposal prop_03", "every check passed",
    ]  # fmt: skip


def test_the_tar_passes_when_run_as_a_program_without_jara(tmp_path: Path) -> None:
    """The verifier in the bundle runs without Jara, on the tar of `tar_pieces`."""
    files = small_organisation().files()
    tar = tmp_path / "bundle.tar"
    with tar.open("wb") as out:
        out.writelines(
            bundle.tar_pieces([(name, len(data), [data]) for name, data in files.items()])
        )
    shutil.unpack_archive(tar, tmp_path)

    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / bundle.VERIFIER), str(tar)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("GOOD    every check passed\n")


def test_the_tar_is_the_same_every_time(tmp_path: Path) -> None:
    """The tar contains no time or owner, and its end is padded as required."""
    for name in ("a", "b"):
        with (tmp_path / name).open("wb") as out:
            out.writelines(bundle.tar_pieces([("x" * 150, 4, [b"da", b"ta"]), ("empty", 0, [])]))

    data = (tmp_path / "a").read_bytes()
    assert data == (tmp_path / "b").read_bytes()
    assert len(data) % tarfile.RECORDSIZE == 0
    with tarfile.open(tmp_path / "a") as archive:
        assert archive.getnames() == ["x" * 150, "empty"]
        assert {int(member.mtime) for member in archive} == {0}


@pytest.mark.parametrize("pieces", [[b"abc"], [b"a"], [b"ab", b"c", b"d"]])
def test_a_member_of_another_size_than_announced_is_refused(
    tmp_path: Path, pieces: list[bytes]
) -> None:
    """Otherwise the tar would be damaged without notice."""
    with (tmp_path / "a").open("wb") as out, pytest.raises(bundle.WrongMemberSize, match="2 bytes"):
        out.writelines(bundle.tar_pieces([("name", 2, pieces)]))


def test_a_tar_with_folders_and_dotted_names_is_read(tmp_path: Path) -> None:
    """A bundle packed again with `tar -c .` is still valid."""
    folder = write_folder(small_organisation().files(), tmp_path / "bundle")
    with tarfile.open(tmp_path / "again.tar", "w") as archive:
        archive.add(folder, arcname=".")

    assert jara_verify.main([str(tmp_path / "again.tar")]) == 0


def test_withheld_entries_are_counted_and_their_checks_skipped(check: Check) -> None:
    """A visitor's bundle proves log and votes; the lines name what it cannot prove."""
    status, out = check(small_organisation().files(withhold=True))

    assert status == 0
    assert "25, 11 of them withheld" in out
    assert "skipped balance: 0 checked, 11 leaves are withheld" in out
    assert (
        "ok      proposal prop_01: passed, 2 yes and 1 no of 4, 1 dropped; paid by card 2, cash 1"
        in out
    )


def test_a_single_withheld_entry_skips_only_what_needs_it(check: Check) -> None:
    """A check that needs a withheld entry is skipped, and does not fail."""
    files = small_organisation().files()
    lines, hidden = lines_of(files), lines_of(small_organisation().files(withhold=True))
    lines[8], lines[20] = hidden[8], hidden[20]

    status, out = check({**files, bundle.ENTRIES: b"".join(lines)})

    assert status == 0
    assert "ok      refunds: 2 checked, 1 skipped, 2 leaves are withheld" in out
    assert "skipped reversals: 0 checked, 1 skipped, 2 leaves are withheld" in out


def test_reversing_a_refund_takes_its_step_back(check: Check) -> None:
    """After the reversal of a refund, the next refund starts from the earlier state."""
    log = LogBuilder()
    payment = log.move(RowCategory.CHARGE, 1000, kind=ChargeKind.PLEDGE)
    wrong = log.move(RowCategory.REFUND, -39, of=(payment, 0))
    undone = log.reverse(wrong)
    log.move(RowCategory.REFUND, -40, of=(payment, 0))
    log.reverse(undone)
    log.move(RowCategory.REFUND, -961, of=(payment, 79))
    log.checkpoint()

    status, out = check(log.files())

    assert status == 0
    assert "refunds: 3 checked, more was given back than paid in leaf 2\n" in out


# ---------------------------------------------------------------- bits and bytes


def flips(length: int) -> list[tuple[int, int]]:
    """Return a bit of every third byte; in a full run of every byte, in a soak all eight."""
    return [
        (place, bit)
        for place in some(range(length), step=3)
        for bit in range(8)
        if IS_SOAK or bit == place % 8
    ]


def test_one_flipped_bit_in_any_byte_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every bit of a data file matters."""
    files = tiny_log().files()
    folder = write_folder(files, tmp_path / "bundle")
    del files[bundle.VERIFIER]
    unseen, count = [], 0
    for name, data in files.items():
        for place, bit in flips(len(data)):
            flipped = data[place] ^ 1 << bit
            (folder / name).write_bytes(data[:place] + bytes([flipped]) + data[place + 1 :])
            if jara_verify.main([str(folder)]) == 0:
                unseen.append((name, place, bit))
            count += 1
        (folder / name).write_bytes(data)
        capsys.readouterr()
    saw(bits_flipped=count, not_reported=len(unseen))

    assert unseen == []
    assert jara_verify.main([str(folder)]) == 0


def test_a_changed_leaf_is_narrowed_down_by_the_checkpoints_around_it(check: Check) -> None:
    """A changed but canonical leaf is located between two checkpoints."""
    files = small_organisation().files()
    lines = lines_of(files)
    lines[10] = lines[10].replace(b'"up"', b'"down"')

    status, out = check({**files, bundle.ENTRIES: b"".join(lines)})

    assert status == 1
    assert "FAILED  checkpoints: note 2: the leaves from 7 to 13 do not give its root" in out
    assert "FAILED  proposal prop_01: leaf 13: the ballots are 1 yes, 2 no, 1 dropped" in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:12] + lines[13:], "checkpoints: note 2: the leaves from 7 to 13"),
        (lambda lines: lines[:2] + lines[1:], "checkpoints: note 1: the leaves from 0 to 6"),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "note 1: the leaves from 0"),
        (lambda lines: [*lines[:24], lines[24][:-1]], "leaves: leaf 24: the line is cut off"),
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], "leaves: leaf 3: not valid UTF-8 JSON"),
        (lambda lines: [lines[0][:-2] + b" }\n", *lines[1:]], "leaf 0: not canonical JSON"),
        (lambda lines: [lines[0][:-2] + b',"z":null}\n', *lines[1:]], "leaf 0: not canonical"),
        (lambda lines: [lines[0][:-2] + b',"z":1.5}\n', *lines[1:]], "leaf 0: not canonical"),
        (lambda lines: [lines[0][:-2] + b',"z":"\\u0000"}\n', *lines[1:]], "leaf 0: not canon"),
        (lambda lines: [lines[0][:-2] + b',"z":"e\xcc\x81"}\n', *lines[1:]], "leaf 0: not canon"),
        (lambda lines: [lines[0][:-2] + b',"z":"\xff"}\n', *lines[1:]], "leaf 0: not valid UTF-8"),
        (lambda lines: [lines[0][:-2] + b',"z":"\\ud800"}\n', *lines[1:]], "leaf 0: not valid UTF"),
        (lambda lines: [lines[0][:-2] + b',"z":9007199254740992}\n', *lines[1:]], "leaf 0: not"),
        (lambda lines: [b"[" * 21 + b"]" * 21 + b"\n", *lines[1:]], "leaf 0: not canonical"),
        (lambda lines: [b"[" * 9999 + b"]" * 9999 + b"\n", *lines[1:]], "leaf 0: not valid UTF-8"),
        (lambda lines: [b'{"a":' * 21 + b"1" + b"}" * 21 + b"\n", *lines[1:]], "leaf 0: not can"),
        (lambda lines: [b"[1]\n", *lines[1:]], "leaf 0: not a leaf of a known type"),
        (lambda lines: [b'{"leaf":"ab"}\n', *lines[1:]], "leaf 0: not a leaf of a known type"),
        (lambda lines: [lines[0][:-2] + b',"z":1}\n', *lines[1:]], "leaf 0: not a leaf"),
        (lambda lines: [lines[1], *lines[1:]], "leaves: leaf 0: leaf 0 is the genesis"),
        (lambda lines: [lines[0], lines[0], *lines[2:]], "leaves: leaf 1: leaf 0 is the genesis"),
        (lambda lines: [lines[0].replace(b"jara.e", b"kara.e"), *lines[1:]], "names another log"),
        (lambda _lines: [], "checkpoints: note 1: it covers 7 leaves, but the bundle ends after 0"),
    ],
)  # fmt: skip
def test_tampering_with_lines_is_reported_by_index(
    check: Check, change: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    """Lines that are dropped, repeated, swapped, cut or misspelt are named."""
    files = small_organisation().files()

    status, out = check({**files, bundle.ENTRIES: b"".join(change(lines_of(files)))})

    assert status == 1
    assert message in failures(out)
