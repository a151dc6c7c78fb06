"""The answers: a file of them, and those of a run that was interrupted."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from jara.config.settings import Settings
from jara.config.settings_file import Value, key_lines
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.lookup import nearest_names
from jara_cli.inputs import name_input, open_input, write_output
from jara_cli.output import note
from jara_cli.setup.questions import EFFECTIVE, STRIPE_KEYS, check_first_day, questions

Answers = Mapping[str, Value]
_BYTES_MAX = 1 << 20
_DRAFT = ".jara-setup.json"


def read_answers(source: str, before: Answers, settings: Settings) -> Answers:
    """Return the checked answers of a TOML file; ``-`` is standard input.

    `before` is what the organisation says now, `settings` are those of now.

    Raises:
        InvalidInput: it is not TOML, or has mistakes; each was noted with its line and its rule.
    """
    with open_input(source) as stream:
        data = stream.read(_BYTES_MAX)
    place = name_input(source)
    try:
        text = data.decode("utf-8")
        document, lines = tomllib.loads(text), key_lines(text)
    except UnicodeDecodeError:
        raise InvalidInput(f"{place} is not UTF-8 text; nothing was written.") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{place} is not valid TOML: {error}; nothing was written.") from None
    mistakes = dict(_mistakes(document))
    if not mistakes:
        mistakes = dict(_misfits(document, before, settings))
    for key in sorted(mistakes, key=lambda key: _line(lines, key)):
        note(f"{place}, line {_line(lines, key)}: {mistakes[key]}")
    if mistakes:
        which = "a mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        raise InvalidInput(f"{place} has {which}; nothing was written.")
    return {_key(key): questions()[_key(key)].read(value) for key, value in document.items()}


def _mistakes(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for key, value in document.items():
        name = _key(key)
        if name not in questions():
            near = nearest_names(name, list(questions()), most=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            yield key, f"'{key}' is not an answer.{hint}"
        elif name in seen:
            yield key, f"'{name}' is there twice."
        else:
            seen.add(name)
            try:
                questions()[name].read(value)
            except JaraError as error:
                yield key, error.message


def _misfits(
    document: Mapping[str, object], before: Answers, settings: Settings
) -> Iterator[tuple[str, str]]:
    """Yield answers that are right alone, but not with the others and with what is there."""
    keys = {_key(key): key for key in document}
    try:
        check_first_day({name: document[key] for name, key in keys.items()}, before)
    except InvalidInput as error:
        yield keys[EFFECTIVE], error.message
    for name, other in (STRIPE_KEYS, reversed(STRIPE_KEYS)):
        if name in keys and not (other in keys or getattr(settings, questions()[other].setting)):
            yield keys[name], f"'{other}' is missing; setup makes the webhook secret itself."


def _line(lines: Mapping[str, range], key: str) -> int:
    """Return the line of a key, from 1; that of its table if it has one."""
    return lines[key].start + 1 if key in lines else len(lines) + 1


def _key(key: str) -> str:
    """Return a key as options spell it; settings have underscores."""
    return key.replace("_", "-")


class Draft:
    """The answers so far, which only their owner can read; None means left out."""

    def __init__(self, folder: Path) -> None:
        """Read those of a run that was interrupted."""
        self.path = folder / _DRAFT
        self.answers: dict[str, Value | None] = {}
        if self.path.exists():
            try:
                self.answers = json.loads(self.path.read_text("utf-8"))
            except ValueError:
                raise InvalidInput(f"'{self.path}' is damaged; remove it.") from None

    def put(self, key: str, value: Value | None) -> None:
        """Add an answer; it is on disk when this returns."""
        self.answers[key] = value
        self._write()

    def take_back(self, key: str) -> None:
        """Remove an answer; it is gone from the disk when this returns."""
        self.answers.pop(key, None)
        self._write()

    def _write(self) -> None:
        text = json.dumps(self.answers, ensure_ascii=False, indent=1)
        write_output(str(self.path), text.encode(), private=True)

    def remove(self) -> None:
        """Remove the file, because everything was done."""
        self.path.unlink(missing_ok=True)
