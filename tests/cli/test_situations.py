"""Each command that a message names is typed where the message is printed, and does what it says.

`situations.yaml` is the table. A row has the hint as `hints.yaml` lists it, the steps before
(`given`), the command whose output has the message (`says`), and what holds afterwards (`then`).
The words of the message are typed as they are printed; `fill` has the values of its words in
capitals, `more` what a command needs that the message only mentions, `by` who types it, `first`
the steps that the message names before it; `rest` takes the message to its end, `words` only so
many words.

A step is a command. Before it may stand `!` if it fails, `~` if it may fail, `@ben` who types it.
After it: `=> text` the output has the text, `=/> text` it has not, `-> NAME path` a value of its
JSON for later steps (`<NAME>`), `>> FILE` its output is a file. In `then`, a step that begins with
`=>` or `=/>` is about the output of the hint's command. Others: `+ 30` lets days pass,
`key ben` makes an SSH key, `cd other` goes to an empty folder, `file x` writes a file of the row
with its values, `rm x` deletes and `cp a b` copies one, `env NAME VALUE` sets a setting. `-` is
`jara` alone.
"""

import json
import re
import shlex
import shutil
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.fakes.clock import FakeClock

ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[1] / "situations.yaml").read_text("utf-8")
)
_SLOT = r"""("[^"]*"|'[^']*'|\S+?)"""
_SIGNS = (" => ", " =/> ", " -> ", " >> ")
_OTHERS = {"+", "cd", "cp", "env", "file", "key", "rm"}
_GOOD = {ExitCode.DONE, ExitCode.WAITING}


class Stage:
    """A terminal at which the steps of a row are typed."""

    def __init__(
        self,
        shell: GivingShell,
        clock: FakeClock,
        patch: pytest.MonkeyPatch,
        files: Mapping[str, str],
    ) -> None:
        """Begin with a new organisation, and the files of the row."""
        self._shell = shell
        self._home = shell.folder
        self._values: dict[str, str] = {}
        self._clock = clock
        self._patch = patch
        self._files = files

    def run(self, words: list[str]) -> tuple[int, str, str]:
        """Type a command; return its status, its output, and all that it prints on one line."""
        name = words.pop(0)[1:] if words[0].startswith("@") else "tester"
        self._patch.setenv("JARA_OPERATOR", name)
        if (self._home / name).is_file():
            self._patch.setenv("JARA_OPERATOR_KEY", str(self._home / name))
        status, out, err = self._shell.run(*([] if words == ["-"] else words))
        return status, out, " ".join(f"{out} {err}".split())

    def filled(self, text: str) -> str:
        """Return a text with the values of earlier steps."""
        for name, value in self._values.items():
            text = text.replace(f"<{name}>", value)
        return text

    def step(self, text: str) -> None:
        """Make a step, and check what it expects."""
        text = self.filled(text)
        verb, *rest = text.split(" ")
        if verb in _OTHERS:
            self._arrange(verb, rest)
            return
        line, sign, wanted = next(
            (text.partition(one) for one in _SIGNS if one in text), (text, "", "")
        )
        mark, words = line[0], shlex.split(line.lstrip("!~ "))
        if sign == " -> ":
            words.append("--json")
        status, out, told = self.run(words)
        assert mark == "~" or (status in _GOOD) == (mark != "!"), (text, status, told)
        if sign == " >> ":
            Path(wanted).write_text(out, "utf-8")
        elif sign == " -> ":
            name, _, path = wanted.partition(" ")
            found: Any = json.loads(out)
            for part in filter(None, path.split(".")):
                found = found[int(part) if part.isdigit() else part]
            self._values[name] = str(found)
        elif sign:
            assert (wanted in told) == (sign == " => "), (text, told)

    def _arrange(self, verb: str, rest: list[str]) -> None:
        match verb:
            case "+":
                self._clock.advance(days=int(rest[0]))
            case "cd":
                Path(rest[0]).mkdir(exist_ok=True)
                self._patch.chdir(rest[0])
            case "key":
                make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", rest[0]]
                subprocess.run(make, check=True)
            case "file":
                Path(rest[0]).write_text(self.filled(self._files[rest[0]]), "utf-8")
            case "cp":
                shutil.copy(*rest)
            case "rm":
                for one in Path().glob(rest[0]):
                    one.unlink()
            case _:
                self._patch.setenv(rest[0], " ".join(rest[1:]))


def flat(steps: Iterable[Any]) -> Iterator[str]:
    """Yield steps; a list among them is a part that several rows share."""
    for one in steps:
        if isinstance(one, str):
            yield one
        else:
            yield from flat(one)


def typed(hint: str, told: str, row: Mapping[str, Any]) -> list[str]:
    """Return the words of the command in a message, with its words in capitals filled in."""
    pattern = re.escape(hint).replace(r'"\{\}"', '"[^"]*"').replace(r"\{\}", _SLOT)
    told = told.replace('\\"', '"')
    match = re.search(rf"\bjara {pattern}(?=[`'\"\s,;)]|[:.](?:\s|$)|$)", told)
    assert match is not None, f"'{hint}' is not in: {told}"
    words = shlex.split(told[match.start() :] if row.get("rest") else match[0])
    words = words[: row.get("words")]
    fill = {name: deque(flat([one])) for name, one in row.get("fill", {}).items()}
    filled = [fill[word].popleft() if word in fill else word for word in words if word != "…"]
    return [*filled[filled[0] == "jara" :], *shlex.split(row.get("more", ""))]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["hint"])
def test_a_message_is_followed_to_its_end(
    row: Mapping[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is typed as it is printed leads to the state that the message promises."""
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    for name, value in row.get("settings", {}).items():
        monkeypatch.setenv(name, value)
    clock, files = stop_clock(monkeypatch), row.get("files", {})
    stage = Stage(GivingShell(tmp_path, monkeypatch, capsys), clock, monkeypatch, files)
    for step in flat(row.get("given", [])):
        stage.step(step)

    told = stage.run(shlex.split(stage.filled(row["says"])))[2]
    for step in flat(row.get("first", [])):
        stage.step(step)
    by = [f"@{row['by']}"] if "by" in row else []
    words = [stage.filled(word) for word in typed(row["hint"], told, row)]
    status, _, answer = stage.run([*by, *words])

    assert status in _GOOD, (words, answer)
    steps = list(flat(row["then"]))
    assert steps, "the row says nothing about the state that the message promises"
    for step in steps:
        sign, _, text = step.partition(" ")
        if sign in {"=>", "=/>"}:
            assert (text in answer) == (sign == "=>"), (text, answer)
        else:
            stage.step(step)
