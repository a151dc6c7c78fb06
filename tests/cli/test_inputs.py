"""Files of commands are written completely or not at all, and errors name them."""

import io
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import InvalidInput, NotFound, Unavailable
from jara_cli.inputs import open_input, write_output


class Standard:
    """A standard stream: text on top, bytes below."""

    def __init__(self, data: bytes = b"") -> None:
        """Store the bytes."""
        self.buffer = io.BytesIO(data)

    def flush(self) -> None:
        """Do nothing."""

    def isatty(self) -> bool:
        """Say that it is a pipe."""
        return False


def mode_of(path: Path) -> int:
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Set a fixed umask, so that the machine's own does not matter."""
    old = os.umask(0o022)
    yield
    os.umask(old)


def test_a_file_and_standard_input_are_read_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``-`` is standard input, and any other name is a file."""
    path = tmp_path / "rows.csv"
    path.write_bytes(b"file")
    monkeypatch.setattr(sys, "stdin", Standard(b"pipe"))

    with open_input(str(path)) as from_file, open_input("-") as from_pipe:
        assert from_file.read() == b"file"
        assert from_pipe.read() == b"pipe"


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    """A missing file, a folder and an unreadable file give different errors, each with the name."""
    loop = tmp_path / "loop"
    loop.symlink_to(loop)

    for name, kind in (("none", NotFound), (".", InvalidInput), ("loop", Unavailable)):
        target = str(tmp_path / name)
        with pytest.raises(kind) as caught, open_input(target):
            pass
        assert f"'{target}'" in str(caught.value)


@pytest.mark.parametrize("data", [b"abc", [b"a", b"bc"]])
def test_a_file_is_written_whole(tmp_path: Path, data: Any) -> None:
    """The file holds the bytes, or their pieces in order, and no draft is left."""
    path = tmp_path / "report.md"

    write_output(str(path), data)

    assert path.read_bytes() == b"abc"
    assert list(tmp_path.iterdir()) == [path]
    assert mode_of(path) == 0o644


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """If the data fail half way, the old file stays and no draft is left."""
    path = tmp_path / "report.md"
    path.write_bytes(b"old")

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_output(str(path), broken())

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    """A full disk raises Unavailable."""
    full = tmp_path / "full"
    full.symlink_to("/dev/full")

    with pytest.raises(Unavailable, match="No space left on device"):
        write_output(str(full), b"x" * 100_000)


def test_a_pipe_without_a_reader_is_no_error_of_the_disk(tmp_path: Path) -> None:
    """If the reader of a named pipe leaves, the error is a broken pipe, not a disk error."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def leave() -> Iterator[bytes]:
        os.close(reader)
        yield b"x" * 100_000

    with pytest.raises(BrokenPipeError):
        write_output(str(pipe), leave())


def test_permissions_stay_and_secrets_are_private(tmp_path: Path) -> None:
    """An existing file keeps its mode; only the owner can read a private file."""
    path = tmp_path / "export.csv"
    path.touch()
    path.chmod(0o664)

    write_output(str(path), b"x")
    assert mode_of(path) == 0o664
    write_output(str(path), b"x", private=True)
    assert mode_of(path) == 0o600


def test_a_link_keeps_pointing(tmp_path: Path) -> None:
    """Writing through a symbolic link changes the target file."""
    path, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(path)

    write_output(str(link), b"x")

    assert link.is_symlink()
    assert path.read_bytes() == b"x"


def test_an_unwritable_file_is_named(tmp_path: Path) -> None:
    """A missing folder, a folder in place of a file and the reverse are three errors."""
    (tmp_path / "file").touch()

    for name, kind in (("none/x", NotFound), (".", InvalidInput), ("file/x", Unavailable)):
        target = str(tmp_path / name)
        with pytest.raises(kind) as caught:
            write_output(target, b"x")
        assert f"'{target}'" in str(caught.value)


def test_standard_output_takes_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` writes the same bytes to standard output."""
    standard = Standard()
    monkeypatch.setattr(sys, "stdout", standard)

    write_output("-", [b"a", b"b"])

    assert standard.buffer.getvalue() == b"ab"
