"""Opens the application for a command, whose words and values are signed."""

import hmac
import os
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Any

import typer

from jara.bootstrap import Application, build_from_environ
from jara.config.values import without_password
from jara.domain.currency import DEFAULT_CURRENCY
from jara.domain.dates import parse_instant, parse_last_day
from jara.domain.errors import JaraError
from jara.domain.time_zone import TimeZone
from jara.records.operations import Command
from jara.services.context import Context
from jara.services.organisation import currency_of

_OF_MEMBERS = ("members ", "payments ", "pledges ", "votes ")
_SECRET = ("secret", "password", "token", "code")
_LEFT_OUT = frozenset({"as_json", "yes"})
_INTEGER_MAX = 2**53 - 1
_LATE = timedelta(hours=1)


def open_application(
    ctx: typer.Context, *, any_mode: bool = False, settings: Mapping[str, object] | None = None
) -> Application:
    """Build the application from the environment, ``jara.toml`` and the root options.

    With ``any_mode`` the payment keys need not match the database, so that commands without
    payments work in an emergency. ``settings`` are the command's own options. The database is
    closed when the command ends, so that no file of SQLite's stays beside it.

    Raises:
        InvalidInput: a setting breaks a rule; the message names it.
    """
    moved = _root_option(ctx, "now")
    application = build_from_environ(
        os.environ,
        toml_path=config_path(ctx),
        overrides={**root_overrides(ctx), **(settings or {})},
        any_mode=any_mode,
        describe=lambda: describe_command(ctx),
        now=None if moved is None else partial(_read_now, moved),
    )
    ctx.call_on_close(application.database.close)
    return application


def read_currency(ctx: typer.Context) -> str:
    """Return the currency of the books, the default if they cannot be opened."""
    try:
        application = open_application(ctx, any_mode=True)
        currency = currency_of(application.context)
        application.database.close()
    except JaraError:
        return DEFAULT_CURRENCY  # the command itself says what is wrong with the database
    return currency


def reopening(ctx: typer.Context) -> Callable[[], Context]:
    """Return a function that reopens the organisation in another process, for checks."""
    return partial(_reopen, config_path(ctx), root_overrides(ctx))


def _reopen(toml_path: Path | None, overrides: Mapping[str, str]) -> Context:
    context = build_from_environ(
        os.environ, toml_path=toml_path, overrides=overrides, any_mode=True
    ).context
    context.store.accept_unfinished()  # the command that asks has opened it already
    return context


def _read_now(text: str, zone: TimeZone) -> datetime:
    """Return the instant that ``--now`` names; a day means 23:00, after its charges."""
    today = zone.day_of(datetime.now(UTC))  # noqa: TID251 - for words such as yesterday
    if "T" in text:
        return parse_instant(text, today=today, zone=zone)
    return zone.end_of(parse_last_day(text, today=today)) - _LATE


def config_path(ctx: typer.Context) -> Path | None:
    """Return the file that ``--config`` names, or None."""
    config = _root_option(ctx, "config")
    return None if config is None else Path(config)


def root_overrides(ctx: typer.Context) -> dict[str, str]:
    """Return the settings that ``--db`` and ``--key`` override."""
    given = {"database_url": _root_option(ctx, "db"), "operator_key": _root_option(ctx, "key")}
    return {name: value for name, value in given.items() if value is not None}


def _root_option(ctx: typer.Context, name: str) -> str | None:
    """Return an option before the noun, such as ``--db PATH``; empty counts as absent."""
    return ctx.find_root().params.get(name) or None


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
