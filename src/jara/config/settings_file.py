"""Changes a file of settings, and finds the lines of its keys.

The file is flat TOML that people edit: comments, order and spelling of keys stay.
"""

import json
import tomllib
from collections.abc import Mapping

from jara.config.loading import setting_of

Value = str | int | bool | list[str]
"""A value of a setting, as TOML has it."""


def key_lines(text: str) -> dict[str, range]:
    """Return the lines, from 0, of each key of a TOML file without tables.

    Raises:
        tomllib.TOMLDecodeError: it is not TOML.
    """
    tomllib.loads(text)
    lines, begin = text.splitlines(keepends=True), 0
    places: dict[str, range] = {}
    for end in range(1, len(lines) + 1):
        try:
            document = tomllib.loads("".join(lines[begin:end]))
        except tomllib.TOMLDecodeError:
            continue  # a value that goes on in the next line
        places |= dict.fromkeys(document, range(begin, end))
        begin = end
    return places


def with_settings(text: str, changes: Mapping[str, Value]) -> str:
    """Return the text of a settings file with other values of some settings.

    Raises:
        tomllib.TOMLDecodeError: it is not TOML.
    """
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    spelled = {setting_of(key): (key, place) for key, place in key_lines(text).items()}
    for name, value in changes.items():
        key, place = spelled.get(name, (name, None))
        line = f"{setting_line(key, value)}\n"
        if place is None:
            lines.append(line)
        else:  # the other lines keep their numbers
            lines[place.start : place.stop] = [line, *[""] * (len(place) - 1)]
    return "".join(lines)


def setting_line(key: str, value: Value) -> str:
    """Return the line of a setting; JSON's values are TOML's, but for one character."""
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
