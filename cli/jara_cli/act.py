"""The signed form of a command: its words, and its values by name."""

from __future__ import annotations

import hmac
import secrets
import unicodedata
from collections.abc import Callable
from enum import Enum
from hashlib import file_digest
from pathlib import Path
from typing import Any

import typer

from jara.config.values import without_password
from jara.records.operations import Command

_OF_MEMBERS = ("members ", "payments ", "pledges ", "votes ")
_SECRET = ("secret", "password", "token", "code")
_LEFT_OUT = frozenset({"as_json", "yes"})
_INTEGER_MAX = 2**53 - 1


def describe_command(ctx: typer.Context) -> Command:
    """Return the command with all its given values.

    A file appears with the hash of its content. Secrets, and values that may name a member, are
    replaced by hashes under a random key that is not stored.
    """
    _program, _, verb = ctx.command_path.partition(" ")
    hide = _hider()
    hides_all = f"{verb} ".startswith(_OF_MEMBERS)
    arguments = {
        name: hide(value) if hides_all or name.startswith(_SECRET) else _plain(value)
        for name, value in ctx.params.items()
        if name not in _LEFT_OUT and value not in (None, False, (), [])
    }
    return Command(verb, arguments)


def _plain(value: object) -> Any:  # noqa: ANN401 - a value of canonical JSON
    match value:
        case bool():
            return value
        case int() if abs(value) <= _INTEGER_MAX:
            return value
        case Enum():
            return _text(str(value.value))
        case list() | tuple():
            return [_plain(one) for one in value]
        case _:
            return _text_or_file(str(value))


def _text_or_file(text: str) -> str | dict[str, str]:
    if "://" in text:
        return _text(without_password(text))
    path = Path(text)
    try:
        if path.is_file():  # not a pipe: it can be read only once
            with path.open("rb") as file:
                return {"file": _text(text), "sha256": file_digest(file, "sha256").hexdigest()}
    except OSError:
        pass
    return _text(text)


def _text(text: str) -> str:
    """Normalise text for canonical JSON."""
    whole = text.encode("utf-8", "replace").decode().replace("\0", " ")
    return unicodedata.normalize("NFC", whole)


def _hider() -> Callable[[object], str]:
    key = secrets.token_bytes(32)
    return lambda value: hmac.new(key, repr(value).encode(), "sha256").hexdigest()
