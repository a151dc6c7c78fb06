"""The log's signer: it signs no log that lacks what it signed before."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.security.keys import SecretsFolder
from jara.security.signer_state import SignerState
from tests.security.trees import MemoryTree

LEAVES = [bytes([number]) for number in range(40)]
TREE = MemoryTree(*LEAVES)


@pytest.fixture
def folder(tmp_path: Path) -> SecretsFolder:
    """The keys of a new organisation; the signer's state lies elsewhere."""
    made = SecretsFolder(tmp_path / "secrets", signer_folder=tmp_path / "state")
    made.create(log_name="jara.example/log")
    return made


def reopened(folder: SecretsFolder) -> SecretsFolder:
    """The same keys in another process."""
    return SecretsFolder(folder.folder, signer_folder=folder.folder.parent / "state")


def sign(folder: SecretsFolder, tree: MemoryTree, size: int, *, durable: bool = True) -> str:
    """Sign a size of a log."""
    return folder.sign_checkpoint(tree.seen(size), tree=lambda: tree, durable=durable)


@pytest.mark.parametrize("durable", [True, False])
def test_old_sizes_of_the_same_log_are_signed_again(
    folder: SecretsFolder, *, durable: bool
) -> None:
    """Receipts are the same each time, so an old size gets its signature again."""
    first = sign(folder, TREE, 7, durable=durable)
    sign(folder, TREE, 30, durable=durable)

    assert first == sign(reopened(folder), TREE, 7, durable=durable)


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("size", [3, 20, 21, 35])
def test_another_history_is_not_signed(folder: SecretsFolder, size: int, *, durable: bool) -> None:
    """Smaller, as large, or larger: it lacks the tree that was signed."""
    sign(folder, TREE, 20, durable=durable)
    other = MemoryTree(b"other", *LEAVES[1:])

    with pytest.raises(Unavailable, match="does not contain the log of 20 leaves"):
        sign(reopened(folder), other, size, durable=durable)


def test_a_log_that_was_put_back_is_not_signed(folder: SecretsFolder) -> None:
    """It has the right leaves, but not the newest that were signed."""
    sign(folder, TREE, 20)

    with pytest.raises(Unavailable, match="does not contain"):
        sign(folder, MemoryTree(*LEAVES[:19]), 19)


def test_random_forks_are_never_signed(folder: SecretsFolder) -> None:
    """Whatever is signed contains everything that was signed before."""
    chance = random.Random(17)
    highest = 0
    for _ in range(300):
        at, size = chance.randrange(40), chance.randrange(1, 40)
        forked = [*LEAVES[:at], b"fork", *LEAVES[at + 1 :]]
        try:
            sign(folder, MemoryTree(*forked), size)
        except Unavailable:
            sign(folder, TREE, chance.randrange(1, 41))
        else:
            assert max(size, highest) <= at
        with SignerState(_state_of(folder)).locked() as state:
            highest = state.seen.size
            assert TREE.seen(highest) == state.seen


def test_a_missing_state_is_not_made_anew(folder: SecretsFolder) -> None:
    """A deleted state stops signing until somebody gives what was signed."""
    sign(folder, TREE, 20)
    _state_of(folder).unlink()

    with pytest.raises(Unavailable, match="jara proofs adopt-log"):
        sign(reopened(folder), TREE, 20)
    assert not folder.signer_standing(TREE).contained or folder.signer_standing(TREE).is_expected
    folder.adopt_signed(TREE.seen(18))
    assert sign(folder, TREE, 20)


def test_a_state_beside_the_keys_moves_to_its_own_folder(tmp_path: Path) -> None:
    """Setting the folder later forgets nothing."""
    before = SecretsFolder(tmp_path / "secrets")
    before.create(log_name="jara.example/log")
    sign(before, TREE, 20)
    after = SecretsFolder(tmp_path / "secrets", signer_folder=tmp_path / "state")

    with pytest.raises(Unavailable, match="does not contain"):
        sign(after, MemoryTree(*LEAVES[:19]), 19)
    assert sign(after, TREE, 21)


def test_a_torn_write_leaves_the_state_before_it(folder: SecretsFolder) -> None:
    """Each slot has a checksum; without any good one nothing is signed."""
    sign(folder, TREE, 20)
    sign(folder, TREE, 21)
    path = _state_of(folder)
    data = bytearray(path.read_bytes())
    data[520] ^= 1
    path.write_bytes(bytes(data))

    with SignerState(path).locked() as state:
        assert TREE.seen(20) == state.seen
    data[3] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(Unavailable, match="damaged"):
        sign(folder, TREE, 21)


def test_two_at_once_never_forget_a_size(folder: SecretsFolder) -> None:
    """The highest of all stays, in whatever order threads sign."""
    sign(folder, TREE, 1)
    sizes = list(range(1, 41))
    random.Random(3).shuffle(sizes)

    def some(part: list[int]) -> None:
        own = reopened(folder)
        for size in part:
            sign(own, TREE, size, durable=False)

    threads = [threading.Thread(target=some, args=(sizes[one::4],)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with SignerState(_state_of(folder)).locked() as state:
        assert TREE.seen(40) == state.seen


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The message says which setting to change."""
    (tmp_path / "file").touch()

    with pytest.raises(Unavailable, match="JARA_SIGNER_DIR"):
        SignerState(tmp_path / "file" / "state").put(Seen())
    with (
        pytest.raises(Unavailable, match="cannot be opened"),
        SignerState(tmp_path / "no").locked(),
    ):
        os.abort()  # never reached


def _state_of(folder: SecretsFolder) -> Path:
    return next((folder.folder.parent / "state").glob("*.signed"))
