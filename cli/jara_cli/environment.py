"""What commands read around the application: seed files, and what the doctor wants to know."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jara.config.settings import Settings
    from jara.services.operations.check_result import Environment
    from jara.services.samples.plan import DemoFiles
    from jara.services.samples.seeding import SeedFiles


def inspect_environment(
    settings: Settings, environ: Mapping[str, str], config: Path | None
) -> Environment:
    """Gather what the doctor cannot ask a port."""
    from jara.config.loading import unknown_variables
    from jara.services.operations.check_result import Environment

    file = settings.database_file
    return Environment(
        unknown_variables=unknown_variables(environ),
        free_bytes=None if file is None else _free_beside(file),
        has_pdf=find_spec("typst") is not None,
        sends_mail=settings.smtp_url is not None,
        postal_address=settings.postal_address or "",
        trusted_proxies=settings.trusted_proxies,
        media_problem=_media_problem(settings.media_dir),
        exposed_settings=_exposed_settings(settings, config or Path("jara.toml")),
    )


def _media_problem(folder: Path) -> str:
    """Say why nothing can be kept in the media folder; it is made with the first photo."""
    place = folder if folder.exists() else folder.parent
    if not place.is_dir():
        return f"The media folder '{folder}' is a file, or has no place."
    if not os.access(place, os.W_OK | os.X_OK):
        return f"The media folder '{folder}' cannot be written by this user."
    return ""


def _exposed_settings(settings: Settings, config: Path) -> str:
    """Name the file of settings if it holds keys and everybody on the machine can read it."""
    from pydantic import SecretStr

    holds_keys = any(
        isinstance(getattr(settings, name), SecretStr) and source == config.name
        for name, source in settings.sources.items()
    )
    return str(config) if holds_keys and config.stat().st_mode & 0o004 else ""


def _free_beside(file: Path) -> int:
    return shutil.disk_usage(file.parent if file.parent.is_dir() else Path.cwd()).free


def read_seed_files(folder: Path | None = None) -> SeedFiles:
    """Read the seed files of a folder, or those that the product ships.

    Raises:
        NotFound: the folder does not exist, or has none of the files.
        InvalidInput: a file holds no list of documents.
    """
    from jara.domain.errors import NotFound
    from jara.files.shipped import data_folder
    from jara.services.samples.seeding import CONTENT_KINDS, SeedFiles

    place = folder or data_folder()
    found = {
        name: _read(path)
        for name in (*CONTENT_KINDS, "proposals", "fixed-costs")
        if (path := place / f"{name}.yaml").is_file()
    }
    if not found:
        raise NotFound(f"The folder '{place}' has none of the seed files, such as projects.yaml.")
    return SeedFiles(
        proposals=found.pop("proposals", []),
        fixed_costs=found.pop("fixed-costs", []),
        content=found,
    )


def read_demo_files() -> DemoFiles:
    """Read what the demonstration plays: the shipped seed files and the past votes."""
    from jara.files.shipped import data_folder
    from jara.services.samples.plan import DemoFiles

    return DemoFiles(read_seed_files(), _read(data_folder() / "past-proposals.yaml"))


def _read(path: Path) -> list[dict[str, Any]]:
    from jara.files.content_files import read_content

    return read_content(path.read_bytes(), path.name)
