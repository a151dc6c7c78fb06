"""Command groups that import a command's module only when it is used, and tidy help texts.

Importing all commands takes about a second; listing them takes nothing.
"""

import os
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_group

TOPICS = Path(__file__).parent / "topics"
"""The texts of `jara help TOPIC`."""

SANDBOX = "In a sandbox only"
"""The panel of commands and options that only a sandbox organisation shows."""

_SETTING = re.compile(
    r"""^\s*(?:JARA_)?(cards|stripe_secret_key)\s*=\s*["'](\w*)""", re.IGNORECASE | re.MULTILINE
)
_EXAMPLES = re.compile(r"\n\n(Examples?:)\s+", re.ASCII)
_WHOLE = 1000
"""Maximum characters of a verb's line of help; long lines wrap instead of being cut."""


def tidy_help(command: Any) -> Any:  # noqa: ANN401 - Typer's class is private
    """Return a command whose help names its arguments and shows examples and verbs' lines whole."""
    command.help = _EXAMPLES.sub(r"\n\n\b\n\1\n  ", command.help or "") or None
    for parameter in getattr(command, "params", ()):
        if isinstance(parameter, TyperArgument):
            _tidy_argument(parameter)
        elif parameter.metavar is None:
            parameter.metavar = _option_value(parameter)
        if parameter.rich_help_panel == SANDBOX:
            _hide_outside_sandbox(parameter)
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
    argument.display_type_rich = lambda ctx: ""  # type: ignore[method-assign] # noqa: ARG005 - Typer calls it so, and has no setting
    argument._usage_display_name = lambda: shown  # type: ignore[method-assign] # noqa: SLF001 - Typer has no setting


def _hide_outside_sandbox(parameter: Any) -> None:  # noqa: ANN401 - Typer's class is private
    if "get_help_record" not in vars(parameter):  # a command may be tidied twice
        shown = parameter.get_help_record
        parameter.get_help_record = lambda ctx: shown(ctx) if is_sandbox(ctx) else None


def is_sandbox(ctx: Any) -> bool:  # noqa: ANN401 - Typer's class is private
    """Return whether the settings are those of a sandbox.

    They are read without any check, since help imports neither Pydantic nor a database.
    """
    file = Path(ctx.find_root().params.get("config") or "jara.toml")
    try:
        given = {name.lower(): value for name, value in _SETTING.findall(file.read_text("utf-8"))}
    except (OSError, ValueError):
        given = {}
    cards, key = (
        os.environ.get(f"JARA_{name.upper()}") or given.get(name)
        for name in ("cards", "stripe_secret_key")
    )
    return cards == "sandbox" if cards else not key


class PanelGroup(TyperGroup):
    """A group whose help lists its commands by panel, the sandbox's only in a sandbox."""

    below: Mapping[str, Mapping[str, str]] = {}
    """For each panel, the verbs of nouns that it lists as well, each with its line of help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - Typer's class is private
        """Return the names that help and completion show."""
        hides = SANDBOX in map(_panel_of, self.commands.values()) and not is_sandbox(ctx)
        return [
            name
            for name, command in self.commands.items()
            if not (hides and _panel_of(command) == SANDBOX)
        ]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's classes are private
        """Write one list for each panel."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in self.below}
        for name in self.list_commands(ctx):
            command = self.commands[name]
            if not command.hidden:
                line = command.get_short_help_str(limit=_WHOLE)
                panels.setdefault(_panel_of(command) or "Commands", []).append((name, line))
        for panel, verbs in self.below.items():
            if panel != SANDBOX or is_sandbox(ctx):
                panels[panel] += verbs.items()
        width = max((len(name) for name in self.commands), default=0)
        for panel, rows in panels.items():
            if not rows:
                continue
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(width), line) for name, line in rows])


def _panel_of(command: Any) -> str | None:  # noqa: ANN401 - Typer's class is private
    panel: str | None = command.rich_help_panel
    return panel


class LazyGroup(PanelGroup):
    """A group of placeholders that show a line of help and load the real command."""

    finish: ClassVar[Callable[[Any], Any]] = staticmethod(tidy_help)
    """Applied to each loaded command."""

    def add_placeholder(
        self, name: str, line: str, load: Callable[[], Any], *, panel: str | None = None
    ) -> None:
        """Add a command by its name and its line of help; ``load`` imports the real one."""
        self.commands[name] = TyperCommand(name, help=line, callback=load, rich_help_panel=panel)

    def resolve_command(
        self,
        ctx: Any,  # noqa: ANN401 - Typer's class is private
        args: list[str],
    ) -> tuple[str | None, Any, list[str]]:
        """Find the command named first, and load it."""
        name, placeholder, rest = super().resolve_command(ctx, args)
        return name, None if placeholder is None else self.load(args[0]), rest

    def load(self, name: str) -> Any:  # noqa: ANN401 - Typer's class is private
        """Return the real command of a name."""
        load = self.commands[name].callback
        assert load is not None  # noqa: S101 - add_placeholder set it
        return type(self).finish(load())


def add_verbs(noun: LazyGroup, package: str, verbs: Mapping[str, tuple[str, str]]) -> None:
    """Add the verbs of a noun; the module of each in `package` is imported when it is used."""

    def load(module: str, verb: str) -> Any:  # noqa: ANN401 - Typer's class is private
        return _group_of(f"{package}.{module}").commands[verb]

    for verb, (module, line) in verbs.items():
        noun.add_placeholder(verb, line, partial(load, module, verb))


@cache
def _group_of(module: str) -> TyperGroup:
    return get_group(import_module(module).app)
