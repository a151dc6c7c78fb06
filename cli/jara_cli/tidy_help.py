"""Formats help texts like manual pages: no Python types, no doubled brackets."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument

_WHOLE = 1000
"""Maximum characters of a verb's line of help; long lines wrap instead of being cut."""


def tidy_help(command: Any) -> Any:  # noqa: ANN401 - Typer's class is private
    """Return a command whose help names its arguments and shows each verb's line whole."""
    for parameter in getattr(command, "params", ()):
        if isinstance(parameter, TyperArgument):
            _tidy_argument(parameter)
        elif parameter.metavar is None:
            parameter.metavar = _option_value(parameter)
    for verb in getattr(command, "commands", {}).values():
        verb.short_help = verb.get_short_help_str(limit=_WHOLE)
        tidy_help(verb)
    return command


def _option_value(option: Any) -> str | None:  # noqa: ANN401 - Typer's class is private
    """Return the value shown after an option: its choices or its name; None for a flag."""
    kind = option.type_descriptor
    if kind.is_choice and kind.choices is not None:
        return "|".join(str(getattr(choice, "value", choice)) for choice in kind.choices)
    return str(option.name).upper() if kind.annotation is str else None


def _tidy_argument(argument: TyperArgument) -> None:
    name = (argument.metavar or str(argument.name).upper()).removesuffix("...")
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1].removesuffix("...")
    argument.metavar = name
    many = "..." if argument.nargs != 1 else ""
    shown = f"{name}{many}" if argument.required else f"[{name}{many}]"
    argument.display_type_rich = lambda ctx: ""  # type: ignore[method-assign] # noqa: ARG005
    argument._usage_display_name = lambda: shown  # type: ignore[method-assign] # noqa: SLF001
