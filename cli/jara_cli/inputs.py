"""Files that commands read and write; ``-`` is standard input or output."""

import os
import secrets
import stat
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EACCES
from pathlib import Path
from typing import BinaryIO

from jara.domain.errors import InvalidInput, NotFound, Unavailable
from jara_cli.output import show_lines

_STANDARD = "-"
_ANYBODY = 0o666  # minus the umask
_OWNER_ONLY = 0o600


@contextmanager
def open_input(source: str) -> Iterator[BinaryIO]:
    """Open a file for reading, or standard input for ``-``.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is a folder.
        Unavailable: the user has no permission to read it.
    """
    if source == _STANDARD:
        yield sys.stdin.buffer
        return
    try:
        stream = Path(source).open("rb")  # noqa: SIM115 - closed below, beyond the translation
    except FileNotFoundError:
        raise NotFound(f"There is no file '{source}'.") from None
    except IsADirectoryError:
        raise InvalidInput(f"'{source}' is a folder; name a file.") from None
    except OSError as error:
        raise Unavailable(f"'{source}' cannot be read: {error.strerror}.") from error
    with stream:
        yield stream


@contextmanager
def naming(source: str | None) -> Iterator[None]:
    """Prefix the message of invalid input with the name of its file, if there is one."""
    try:
        yield
    except InvalidInput as error:
        if source is None:
            raise
        raise InvalidInput(f"{name_input(source)}: {error.message}") from None


def name_input(source: str) -> str:
    """Return the name of an input for messages."""
    return "standard input" if source == _STANDARD else source


def target_folder(name: str) -> Path:
    """Return a folder to write to, which need not exist yet.

    Raises:
        InvalidInput: it is a file.
    """
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"'{name}' is a file; name a folder.")
    return folder


def require_writable(target: str) -> str:
    """Return the name of a file to write, once it is clear that `write_output` can begin it.

    A command that changes something checks this first, and writes the file at its end.

    Raises:
        NotFound: its folder does not exist.
        InvalidInput: it is a folder.
        Unavailable: the folder may not be written.
    """
    path = Path(os.path.realpath(target))
    if target in {"", _STANDARD}:
        return target
    if path.is_dir():
        raise InvalidInput(f"'{target}' is a folder; name a file.")
    if not path.parent.is_dir():
        raise NotFound(f"'{target}' cannot be written: there is no folder '{path.parent}'.")
    is_other = path.exists() and not path.is_file()  # a pipe or a device is written in place
    if not os.access(path if is_other else path.parent, os.W_OK):
        raise Unavailable(f"'{target}' cannot be written: {os.strerror(EACCES)}.")
    return target


def _shown(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Make what is written safe for a terminal, piece by piece."""
    decoder = getincrementaldecoder("utf-8")("replace")
    for piece in pieces:
        yield show_lines(decoder.decode(piece)).encode()


def write_output(target: str, data: bytes | Iterable[bytes], *, private: bool = False) -> None:
    """Write a file whole or not at all, or to standard output for ``-``.

    The data is written to a temporary file and synced to disk, which is then renamed to
    the target; a concurrent reader sees the old file or the new one.

    Args:
        target: the file; a symbolic link is followed, not replaced.
        data: the bytes, or pieces of them in order.
        private: readable only by its owner, even if the old file was not.

    Raises:
        NotFound: its folder does not exist.
        InvalidInput: it is a folder.
        Unavailable: the disk is full or the folder may not be written.
    """
    pieces = [data] if isinstance(data, bytes) else data
    if target == _STANDARD:
        sys.stdout.flush()
        for piece in _shown(pieces) if sys.stdout.isatty() else pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    path = Path(os.path.realpath(target))
    try:
        _write_path(path, pieces, private=private)
    except IsADirectoryError:
        raise InvalidInput(f"'{target}' is a folder; name a file.") from None
    except FileNotFoundError:
        raise NotFound(
            f"'{target}' cannot be written: there is no folder '{path.parent}'."
        ) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unavailable(f"'{target}' cannot be written: {error.strerror}.") from error


def _write_path(path: Path, pieces: Iterable[bytes], *, private: bool) -> None:
    mode = path.stat().st_mode if path.exists() else None
    if mode is None or stat.S_ISREG(mode):
        _replace(path, pieces, _permissions(mode, private=private))
        return
    with path.open("wb") as device:  # a pipe or a device cannot be replaced
        device.writelines(pieces)


def _permissions(mode: int | None, *, private: bool) -> tuple[int, bool]:
    """Return the mode of the new file, and whether it overrides the umask."""
    if private:
        return _OWNER_ONLY, True
    if mode is not None:
        return stat.S_IMODE(mode), True
    return _ANYBODY, False


def _replace(path: Path, pieces: Iterable[bytes], permissions: tuple[int, bool]) -> None:
    mode, exact = permissions
    draft = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(number, "wb") as stream:
            if exact:
                os.fchmod(stream.fileno(), mode)
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # sync the new name too
    finally:
        os.close(folder)
