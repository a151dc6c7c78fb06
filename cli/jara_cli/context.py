"""Opens the application for a command."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time
from functools import partial
from pathlib import Path

import typer

from jara.bootstrap import Application, build_from_environ
from jara.domain.dates import parse_instant, parse_last_day
from jara.services.context import Context
from jara_cli.act import describe_command
from jara_cli.root_options import RootOptions

_LATE = time(23)


def open_application(
    ctx: typer.Context, *, any_mode: bool = False, settings: Mapping[str, object] | None = None
) -> Application:
    """Build the application from the environment, ``jara.toml`` and the root options.

    With ``any_mode`` the payment keys need not match the database, so that commands without
    payments work in an emergency. ``settings`` are the command's own options.

    Raises:
        InvalidInput: a setting breaks a rule; the message names it.
    """
    return build_from_environ(
        os.environ,
        toml_path=config_path(ctx),
        overrides={**root_overrides(ctx), **(settings or {})},
        any_mode=any_mode,
        describe=lambda: describe_command(ctx),
        now=_moved_now(ctx),
    )


def reopening(ctx: typer.Context) -> Callable[[], Context]:
    """Return a function that reopens the organisation in another process, for checks."""
    return partial(_reopen, config_path(ctx), root_overrides(ctx))


def _reopen(toml_path: Path | None, overrides: Mapping[str, str]) -> Context:
    return build_from_environ(
        os.environ, toml_path=toml_path, overrides=overrides, any_mode=True
    ).context


def _moved_now(ctx: typer.Context) -> datetime | None:
    """Return the instant that ``--now`` names; a day means 23:00, after its charges."""
    options = ctx.find_root().obj
    if not isinstance(options, RootOptions) or options.now is None:
        return None
    today = datetime.now(UTC).date()  # noqa: TID251 - for words such as yesterday
    if "T" in options.now:
        return parse_instant(options.now, today=today)
    return datetime.combine(parse_last_day(options.now, today=today), _LATE, tzinfo=UTC)


def config_path(ctx: typer.Context) -> Path | None:
    """Return the file that ``--config`` names, or None."""
    options = ctx.find_root().obj
    if isinstance(options, RootOptions) and options.config:
        return Path(options.config)
    return None


def root_overrides(ctx: typer.Context) -> dict[str, str]:
    """Return the settings that ``--db`` and ``--key`` override."""
    options = ctx.find_root().obj
    if not isinstance(options, RootOptions):
        return {}
    given = {"database_url": options.db, "operator_key": options.key}
    return {name: value for name, value in given.items() if value}
