"""Loads the settings from options, the environment and ``jara.toml``.

Every setting is a variable ``JARA_…``. In ``jara.toml`` the key is
the variable's name, or the same in lower case without the prefix: ``site_url``. An option
beats the environment, the environment beats the file, the file beats the default.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jara.config.settings import (
    DATABASE_SOURCE,
    DECIDED,
    RETIRED,
    SETTING_NAMES,
    Settings,
    variable_of,
)
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import nearest_names

_PREFIX = "JARA_"
SETTINGS_FILE = "jara.toml"
# Read elsewhere.
_OTHER_VARIABLES = frozenset({"JARA_DEBUG", "JARA_SKIP_UI", "JARA_USE_DIST"})


def load_settings(
    environ: Mapping[str, str],
    *,
    toml_path: Path | str | None = None,
    overrides: Mapping[str, object] | None = None,
    decided: Callable[[Settings], Mapping[str, str]] | None = None,
) -> Settings:
    """Load the settings and check each one.

    Args:
        environ: the environment; an empty variable counts as unset.
        toml_path: a file that must exist; without it ``jara.toml`` of the working
            directory is read when there is one.
        overrides: values of options, by setting name; None counts as not given.
        decided: returns what the organisation decided, by setting name; not asked if everything
            is given.

    Raises:
        InvalidInput: a value breaks its rule; the message names variable, value and rule.
        NotFound: ``toml_path`` does not exist.
    """
    from_file, file_name = _read_toml(toml_path)
    from_environ = {
        name: text
        for name in (*SETTING_NAMES, *RETIRED)
        if (text := environ.get(variable_of(name)))
    }
    from_options = {name: value for name, value in (overrides or {}).items() if value is not None}
    values: dict[str, Any] = {"operator": _operating_user(environ)}
    sources = dict.fromkeys(SETTING_NAMES, "default")
    for source, given in (
        (file_name, from_file),
        ("environment", from_environ),
        ("option", from_options),
    ):
        values |= given
        sources |= dict.fromkeys(given, source)
    retired = {name: str(values.pop(name)) for name in RETIRED if name in values}
    settings = Settings(**values, sources=sources, retired=retired)
    if decided is not None and not values.keys() >= DECIDED.keys():
        found = {name: text for name, text in decided(settings).items() if name not in values}
        if found:
            values, sources = values | found, sources | dict.fromkeys(found, DATABASE_SOURCE)
            settings = Settings(**values, sources=sources, retired=retired)
    return settings if "site_url" in values else _as_served(settings, values)


def _as_served(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Let links of emails that commands write lead to where the site was served last.

    A note that is missing, torn or unreadable changes nothing.
    """
    sources = {**settings.sources, "site_url": settings.served_file.name}
    retired = settings.retired
    try:
        address = settings.served_file.read_text("utf-8").strip()
        return Settings(**values, site_url=address, sources=sources, retired=retired)
    except (OSError, ValueError, InvalidInput):
        return settings


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return variables that start with ``JARA_`` but are not settings; most are typos."""
    known = {variable_of(name) for name in (*SETTING_NAMES, *RETIRED)} | _OTHER_VARIABLES
    return tuple(sorted(v for v in environ if v.startswith(_PREFIX) and v not in known))


def setting_of(key: str) -> str:
    """Return the name of the setting that a key of a settings file means."""
    return key.removeprefix(_PREFIX).lower() if key.startswith(_PREFIX) else key


def _read_toml(toml_path: Path | str | None) -> tuple[dict[str, Any], str]:
    path = Path(SETTINGS_FILE if toml_path is None else toml_path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        if toml_path is None:
            return {}, SETTINGS_FILE
        raise NotFound(f"There is no file '{path}' with settings.") from None
    except OSError as error:
        raise InvalidInput(f"'{path}' cannot be read: {error.strerror}.") from error
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput(f"'{path}' is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"'{path}' is not valid TOML: {error}.") from None
    values: dict[str, Any] = {}
    for key, value in document.items():
        name = setting_of(key)
        if name not in SETTING_NAMES and name not in RETIRED:
            near = nearest_names(name, SETTING_NAMES, most=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise InvalidInput(f"'{path}' has an unknown setting '{key}'.{hint}")
        if name in values:
            raise InvalidInput(f"'{path}' has the setting '{name}' twice.")
        values[name] = value
    return values, path.name


def _operating_user(environ: Mapping[str, str]) -> str:
    """Return the operating system's user, who is the operator in the audit log."""
    named = environ.get("LOGNAME") or environ.get("USER") or environ.get("USERNAME")
    if named:
        return named[:100]
    try:
        import pwd  # noqa: PLC0415 - Windows has none

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # not a Unix, or a container's user without a name
        return "operator"
