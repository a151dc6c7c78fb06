"""Reads seed files, and the environment for the doctor."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from jara.config.loading import unknown_variables
from jara.config.settings import Settings
from jara.domain.errors import NotFound
from jara.files.content_files import read_content
from jara.files.shipped import data_folder
from jara.services.operations.diagnosis_setup import Environment
from jara.services.samples.plan import DemoFiles
from jara.services.samples.seeding import CONTENT_KINDS, SeedFiles


def inspect_environment(
    settings: Settings, environ: Mapping[str, str], config: Path | None
) -> Environment:
    """Gather facts that the doctor cannot get from a port."""
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
    """Return why the media folder cannot be written; it is created with the first photo."""
    place = folder if folder.exists() else folder.parent
    if not place.is_dir():
        return f"The media folder '{folder}' is a file, or its parent folder is missing."
    if not os.access(place, os.W_OK | os.X_OK):
        return f"The media folder '{folder}' cannot be written by this user."
    return ""


def _exposed_settings(settings: Settings, config: Path) -> str:
    """Return the settings file if it contains keys and every user can read it."""
    holds_keys = any(
        isinstance(getattr(settings, name), SecretStr) and source == config.name
        for name, source in settings.sources.items()
    )
    return str(config) if holds_keys and config.stat().st_mode & 0o004 else ""


def _free_beside(file: Path) -> int:
    return shutil.disk_usage(file.parent if file.parent.is_dir() else Path.cwd()).free


def read_seed_files(folder: Path | None = None) -> SeedFiles:
    """Read the seed files of a folder, or those shipped with Jara.

    Raises:
        NotFound: the folder does not exist, or contains none of the files.
        InvalidInput: a file is not a list of documents.
    """
    place = folder or data_folder()
    found = {
        name: _read(path)
        for name in (*CONTENT_KINDS, "proposals", "fixed-costs")
        if (path := place / f"{name}.yaml").is_file()
    }
    if not found:
        raise NotFound(f"The folder '{place}' contains no seed files, such as projects.yaml.")
    return SeedFiles(
        proposals=found.pop("proposals", []),
        fixed_costs=found.pop("fixed-costs", []),
        content=found,
    )


def read_demo_files() -> DemoFiles:
    """Read the files of the demo: seed files and past votes."""
    return DemoFiles(read_seed_files(), _read(data_folder() / "past-proposals.yaml"))


def _read(path: Path) -> list[dict[str, Any]]:
    return read_content(path.read_bytes(), path.name)
