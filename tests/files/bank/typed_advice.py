"""The advice for an unknown CSV, typed as it is printed."""

import shlex
from typing import Any

from jara.files.bank.csv_mapping import CsvMapping, decimal_sign, read_mapping
from jara.files.bank.presets import read_preset

ACCOUNT = "1000200030"
_LISTS = frozenset({"text", "only", "ignore"})


def typed(message: str, **more: object) -> CsvMapping:
    """Return the mapping that the command at the end of a message defines, with more fields."""
    _, *words = shlex.split(message.partition("Type: jara bank mappings add ")[2])
    fields: dict[str, Any] = {}
    for option, value in zip(words[::2], words[1::2], strict=True):
        name = option.removeprefix("--").replace("-", "_")
        if name in _LISTS:
            fields.setdefault(name, []).append(value)
        else:
            fields[name] = value
    fields["columns"] = list(filter(None, fields.pop("columns", "").split(",")))
    fields["decimal"] = decimal_sign(fields.pop("decimal", "."))
    fields |= more | {"account": ACCOUNT}
    if "preset" not in fields:
        return read_mapping(fields)
    given = {key: fields[key] for key in fields.keys() & {"date_format", *more}}
    return read_preset(fields["preset"], account=ACCOUNT, changes=given)
