"""Decodes text files of banks that do not say how they are encoded."""

from __future__ import annotations

from jara.domain.errors import InvalidInput

_NO_REFERENCE = frozenset({"NONREF", "NOTPROVIDED", "NOT PROVIDED"})


def reference(text: str) -> str:
    """Return a reference; empty where the bank only says that there is none."""
    return "" if text.strip().upper() in _NO_REFERENCE else text.strip()


def decoded(data: bytes, encoding: str | None = None, *, name: str = "The file") -> str:
    """Return text: in the given encoding, or else UTF-8, or else Latin-1 as Windows has it.

    Raises:
        InvalidInput: it is not in the given encoding.
    """
    plain = data.removeprefix(b"\xef\xbb\xbf")
    if encoding is not None:
        try:
            return plain.decode(encoding)
        except UnicodeDecodeError as error:
            line = plain.count(b"\n", 0, error.start) + 1
            raise InvalidInput(
                f"{name}, line {line}: byte 0x{plain[error.start]:02x} is not {encoding}."
            ) from None
    try:
        return plain.decode()
    except UnicodeDecodeError:
        return plain.decode("cp1252", "replace")
