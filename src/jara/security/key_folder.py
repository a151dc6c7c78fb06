"""A folder of keys: files of 32 bytes in hexadecimal that only their owner can read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.security.key_files import read_short, sync_folder, write_new

KEY_BYTES = 32


class KeyFolder:
    """Reads, generates and writes keys."""

    def __init__(self, folder: Path, draw: Callable[[int], bytes]) -> None:
        """Name the folder; nothing is read yet.

        Args:
            folder: where the keys are.
            draw: the source of random bytes.
        """
        self.folder = folder
        self._draw = draw

    def findings(self, names: tuple[str, ...]) -> list[str]:
        """Return the problems with the folder: permissions, missing files."""
        if not self.folder.is_dir():
            return [f"the secrets folder {self.folder} is missing"]
        found = [
            f"{self.folder / name} is missing"
            for name in names
            if not (self.folder / name).exists()
        ]
        for path in (self.folder, *sorted(self.folder.iterdir())):
            mode = path.stat().st_mode & 0o777
            if mode & 0o077:
                found.append(f"{path} can be read by others (mode {mode:03o})")
        return found

    def read(self, name: str) -> bytes:
        """Return a key.

        Raises:
            Unavailable: it is missing or damaged.
        """
        key = self.read_if_there(name)
        if key is None:
            path = self.folder / name
            raise Unavailable(f"The key {path} is missing; restore the secrets folder.")
        return key

    def read_if_there(self, name: str) -> bytes | None:
        """Return a key, or None.

        Raises:
            Unavailable: it is damaged.
        """
        path = os.path.join(self.folder, name)  # noqa: PTH118 - each vote reads two keys
        try:
            key = bytes.fromhex(read_short(path).decode("ascii"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise Unavailable(f"The key {path} cannot be read: {error}.") from error
        if len(key) != KEY_BYTES:
            raise Unavailable(f"The key {path} is not {KEY_BYTES} bytes long.")
        return key

    def make(self, name: str) -> bytes:
        """Return a key; create it if it is missing."""
        known = self.read_if_there(name)
        if known is None:
            known = self._draw(KEY_BYTES)
            self.write(name, known)
        return known

    def write(self, name: str, key: bytes) -> None:
        """Write a new key; it is on disk when this returns."""
        write_new(self.folder / name, key.hex().encode())
        sync_folder(self.folder)

    def replace(self, name: str, *, by: str) -> None:
        """Replace a key with another key of the folder; it is on disk when this returns."""
        (self.folder / by).replace(self.folder / name)
        sync_folder(self.folder)
