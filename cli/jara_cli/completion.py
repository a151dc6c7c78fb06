"""Completes values such as members, proposals and accounts, by their names in the help."""

import os
import re
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from jara.bootstrap import build_from_environ
from jara.domain.books.account import Fund
from jara.domain.control.roles import Role
from jara.domain.errors import JaraError
from jara.domain.giving.payment_way import PaymentWay
from jara.files.shipped import CountryList
from jara.reports.render import ReportFormat
from jara.services.operations.completion import STORED_VALUES, stored_values
from jara_cli.groups import TOPICS, LazyGroup, tidy_help

VALUES_MAX = 200
"""Maximum number of suggestions."""

_BREAK = re.compile(r"[:@=]+")
_BEFORE = "_JARA_TYPED_BEFORE"


_FIXED: dict[str, Callable[[], Iterable[str]]] = {
    "FUND": lambda: (fund.value for fund in Fund),
    "FORMAT": lambda: (each.value for each in ReportFormat),
    "TOPIC": lambda: (page.stem for page in sorted(TOPICS.glob("*.txt"))),
    "WAY": lambda: (way.value for way in PaymentWay if way is not PaymentWay.CARD),
    "ROLE": lambda: (role.value for role in Role),
    "COUNTRY": CountryList,
    "MONTH": lambda: ("this-month", "last-month"),
    "YEAR": lambda: ("this-year", "last-year"),
}
"""Values that do not depend on the database."""


def complete(jara: Any, argv: list[str]) -> None:  # noqa: ANN401 - Typer's class is private
    """Answer the shell: Typer's names of commands and options, and also values."""
    _join_words()
    LazyGroup.finish = staticmethod(lambda command: _with_values(tidy_help(command)))
    jara.main(argv, prog_name="jara")


def _with_values(command: Any) -> Any:  # noqa: ANN401 - Typer's class is private
    for parameter in getattr(command, "params", ()):
        name = (parameter.metavar or "").strip("[].")
        if name in STORED_VALUES or name in _FIXED:
            parameter._custom_shell_complete = _values(name)  # noqa: SLF001 - as Typer sets it
    for verb in getattr(command, "commands", {}).values():
        _with_values(verb)
    return command


def _join_words() -> None:
    # Bash splits words at these characters, and replaces only the last piece.
    words = os.environ.get("COMP_WORDS", "").split("\n")
    at = int(os.environ.get("COMP_CWORD", "0"))
    joined: list[str] = []
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        if joined and (_BREAK.fullmatch(word) or _BREAK.fullmatch(before)):
            joined[-1] += word
        else:
            joined.append(word)
        if index == at:
            os.environ["COMP_CWORD"] = str(len(joined) - 1)
            is_whole = _BREAK.fullmatch(word)
            os.environ[_BEFORE] = joined[-1] if is_whole else joined[-1].removesuffix(word)
    os.environ["COMP_WORDS"] = "\n".join(joined)


def _values(name: str) -> Callable[[Any, Any, str], list[str]]:
    def complete(context: Any, _parameter: Any, typed: str) -> list[str]:  # noqa: ANN401 - Typer's classes are private
        before = os.environ.get(_BEFORE, "")
        values = _FIXED[name]() if name in _FIXED else _stored(context, name)
        fitting = (value for value in values if value.startswith(typed))
        return [value.removeprefix(before) for value in islice(fitting, VALUES_MAX)]

    return complete


def _stored(context: Any, name: str) -> list[str]:  # noqa: ANN401 - Typer's class is private
    """Read values from the command line's database; return none on failure."""
    options = context.find_root().params
    config = options.get("config")
    try:
        application = build_from_environ(
            os.environ,
            toml_path=None if config is None else Path(config),
            overrides={"database_url": options.get("db")},
            any_mode=True,
        )
        return stored_values(application.context, name, context.parent.info_name)
    except JaraError:  # a message would interrupt the typing
        return []
