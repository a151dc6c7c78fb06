"""Decodes banks' text files, which do not declare their encoding."""

from __future__ import annotations

from jara.domain.errors import InvalidInput

_NO_REFERENCE = frozenset({"NONREF", "NOTPROVIDED", "NOT PROVIDED"})


def reference(text: str) -> str:
    """Return a reference; empty if the text only means that there is none."""
    return "" if text.strip().upper() in _NO_REFERENCE else text.strip()


def decoded(data: bytes, encoding: str | None = None, *, name: str = "The file") -> str:
    """Decode text from the given encoding, by default from UTF-8 or else Windows-1252.

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
