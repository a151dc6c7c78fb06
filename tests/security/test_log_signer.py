"""The log's signer signs only logs that contain what it signed before."""

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerRefused
from jara.security.keys import SecretsFolder
from jara.security.log_signer import SignerState
from tests.security.trees import MemoryTree

LEAVES = [bytes([number]) for number in range(40)]
TREE = MemoryTree(*LEAVES)


@pytest.fixture
def folder(tmp_path: Path) -> SecretsFolder:
    """The keys of a new organisation; the signer's state is in another folder."""
    made = SecretsFolder(tmp_path / "secrets", signer_folder=tmp_path / "state")
    made.create(log_name="jara.example/log")
    return made


def reopened(folder: SecretsFolder) -> SecretsFolder:
    """Return the same keys as another process opens them."""
    return SecretsFolder(folder.folder, signer_folder=folder.folder.parent / "state")


def sign(folder: SecretsFolder, tree: MemoryTree, size: int) -> str:
    """Sign a size of a log."""
    return folder.log_signer().sign(tree.seen(size), tree)


def start(folder: SecretsFolder, size: int) -> None:
    """Sign a log with the given number of leaves."""
    sign(folder, MemoryTree(*LEAVES[:size]), size)


def state_of(folder: SecretsFolder) -> Path:
    """Return the file with the signer's state."""
    return next((folder.folder.parent / "state").glob("*.signed"))


def test_old_sizes_of_the_same_log_are_signed_again(folder: SecretsFolder) -> None:
    """An old size gets the same signature, so receipts are equal each time."""
    start(folder, 1)
    first = sign(folder, TREE, 7)
    sign(folder, TREE, 30)

    assert first == sign(folder, TREE, 7)
    assert first == sign(reopened(folder), TREE, 7)


@pytest.mark.parametrize("open_again", [reopened, lambda folder: folder])
@pytest.mark.parametrize("size", [3, 20, 21, 35])
def test_another_history_is_not_signed(
    folder: SecretsFolder, size: int, open_again: Callable[[SecretsFolder], SecretsFolder]
) -> None:
    """A log without the signed tree is refused at any size; the error names both."""
    start(folder, 20)
    other = MemoryTree(b"other", *LEAVES[1:])

    with pytest.raises(SignerRefused) as refused:
        sign(open_again(folder), other, size)
    for seen in (TREE.seen(20), other.seen(size)):
        assert f"{seen.size} leaves" in refused.value.message
        assert seen.root.hex() in refused.value.message
    assert TREE.seen(20) == SignerState(state_of(folder)).read()


def test_a_log_that_was_put_back_is_not_signed(folder: SecretsFolder) -> None:
    """A log is refused if its newest signed leaves are missing."""
    start(folder, 20)

    with pytest.raises(SignerRefused, match="highest signed log has 20 leaves"):
        start(folder, 19)


def test_random_forks_are_never_signed(folder: SecretsFolder) -> None:
    """Every signed log contains all logs signed before, by any process."""
    chance = random.Random(17)
    processes = [folder, *(reopened(folder) for _ in range(3))]
    start(folder, 1)
    highest = 1
    for _ in range(500):
        at, size = chance.randrange(40), chance.randrange(1, 40)
        forked = MemoryTree(*LEAVES[:at], b"fork", *LEAVES[at + 1 :])
        process = chance.choice(processes)
        try:
            sign(process, forked, size)
        except SignerRefused:
            assert at < max(size, highest)
            sign(chance.choice(processes), TREE, min(40, highest + chance.randrange(2)))
        else:
            assert size <= at  # this tree contains nothing of the fork
        state = SignerState(state_of(folder)).read() or Seen()
        assert TREE.seen(state.size) == state
        assert highest <= state.size
        highest = state.size


def test_the_signer_stores_its_state_before_signing(
    folder: SecretsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If writing the state fails, there is no signature; it is signed later."""
    start(folder, 20)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("os.pwrite", killed)
        with pytest.raises(KeyboardInterrupt):
            sign(folder, TREE, 25)

    assert TREE.seen(20) == SignerState(state_of(folder)).read()
    assert sign(folder, TREE, 25) == sign(reopened(folder), TREE, 25)
    assert TREE.seen(25) == SignerState(state_of(folder)).read()


def test_a_missing_state_is_not_made_anew(folder: SecretsFolder) -> None:
    """After its state is deleted, the log is not signed until the operator gives the last size."""
    start(folder, 20)
    state_of(folder).unlink()

    for process in (folder, reopened(folder)):
        with pytest.raises(Unavailable, match="jara proofs signer reset"):
            sign(process, TREE, 20)
        with pytest.raises(Unavailable, match="JARA_SIGNER_DIR"):
            process.log_signer().require_ready(TREE)
    assert (
        folder.log_signer().standing(TREE).seen,
        folder.log_signer().standing(TREE).is_expected,
    ) == (None, True)
    folder.log_signer().adopt(TREE.seen(18))
    assert sign(folder, TREE, 20)


def test_keys_from_a_backup_bring_no_state(folder: SecretsFolder, tmp_path: Path) -> None:
    """Restored keys have signed before, so another machine creates no state by itself."""
    folder.export(tmp_path / "keys.txt")
    other = SecretsFolder(tmp_path / "other", signer_folder=tmp_path / "nothing")
    other.restore(tmp_path / "keys.txt")

    with pytest.raises(Unavailable, match="missing or damaged"):
        sign(other, TREE, 20)


def test_a_state_comes_along_to_the_folder_that_is_set(tmp_path: Path) -> None:
    """If the folder is set later, the state is copied to it."""
    before = SecretsFolder(tmp_path / "secrets")
    before.create(log_name="jara.example/log")
    start(before, 20)
    after = SecretsFolder(tmp_path / "secrets", signer_folder=tmp_path / "state")
    after.log_signer().require_ready(TREE)

    with pytest.raises(SignerRefused):
        start(after, 19)
    assert sign(after, TREE, 21)


def test_a_torn_write_leaves_the_state_before_it(folder: SecretsFolder) -> None:
    """Each slot has a checksum; without a valid slot nothing is signed."""
    start(folder, 20)
    sign(folder, TREE, 21)
    path = state_of(folder)
    data = bytearray(path.read_bytes())
    data[4096 + 20] ^= 1
    path.write_bytes(bytes(data))

    assert TREE.seen(20) == SignerState(path).read()
    assert sign(reopened(folder), TREE, 22)
    data[20] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(Unavailable, match="damaged"):
        sign(reopened(folder), TREE, 21)


def test_two_at_once_never_forget_a_size(folder: SecretsFolder) -> None:
    """The highest size is stored, in whatever order threads and processes sign."""
    start(folder, 1)
    sizes = list(range(1, 41))
    random.Random(3).shuffle(sizes)
    shared = reopened(folder)
    failures: list[BaseException] = []

    def some(part: list[int], own: SecretsFolder) -> None:
        try:
            for size in part:
                sign(own, TREE, size)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [
        threading.Thread(target=some, args=(sizes[one::6], own))
        for one, own in enumerate([shared] * 3 + [reopened(folder) for _ in range(3)])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert TREE.seen(40) == SignerState(state_of(folder)).read()


class _GrowingTree(MemoryTree):
    """A log that grows each time its size is read, as with another process."""

    def size(self) -> int:
        """Return the number of leaves, then add one."""
        size = super().size()
        self.add(bytes([size]))
        return size


@pytest.mark.parametrize("leaves", [0, 5])
def test_a_log_that_grows_while_its_state_is_made_is_signed(
    folder: SecretsFolder, leaves: int
) -> None:
    """Size and root belong together, although two processes add the first votes."""
    assert sign(folder, _GrowingTree(*LEAVES[:leaves]), leaves)

    assert TREE.seen(leaves) == SignerState(state_of(folder)).read()
    assert sign(folder, TREE, 30)


def test_a_fork_of_another_process_is_not_joined(folder: SecretsFolder) -> None:
    """The state on disk has priority over what this process remembers."""
    start(folder, 20)
    late = reopened(folder)
    sign(late, TREE, 20)
    sign(folder, TREE, 30)
    other = MemoryTree(*LEAVES[:20], b"fork", *LEAVES[21:])

    with pytest.raises(SignerRefused):
        sign(late, other, 35)
    assert sign(late, TREE, 35)


def test_no_leaf_is_added_to_a_log_that_is_behind(folder: SecretsFolder) -> None:
    """A log that lacks signed leaves accepts no new ones; an unsigned log does."""
    folder.log_signer().require_ready(TREE)
    start(folder, 20)
    folder.log_signer().require_ready(TREE)

    for log in (MemoryTree(*LEAVES[:19]), MemoryTree(b"other", *LEAVES[1:20])):
        with pytest.raises(SignerRefused):
            folder.log_signer().require_ready(log)
        assert not folder.log_signer().standing(log).contained
    assert folder.log_signer().standing(TREE).contained


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The message names the setting to change."""
    (tmp_path / "file").touch()
    state = SignerState(tmp_path / "file" / "state")

    with pytest.raises(Unavailable, match="JARA_SIGNER_DIR"):
        state.put(Seen())
    with pytest.raises(Unavailable, match="cannot be written"):
        state.advance(lambda _: Seen(1))
    with pytest.raises(Unavailable, match="cannot be read"):
        state.read()
    with pytest.raises(Unavailable, match="cannot be locked"), state.locked():
        pass
