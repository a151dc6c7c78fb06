"""``jara help``: topics, and the help of commands."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from jara_cli.exits import ExitCode
from jara_cli.groups import SANDBOX, TOPICS
from jara_cli.main import execute
from jara_cli.root import EXPERTS, PANELS, build_root
from tests.harness import DATA
from tests.pages.commands import MEANINGS

PAGES = sorted(TOPICS.glob("*.txt"))


def examples(page: Path) -> list[str]:
    """Return the commands of a topic, up to a pipe or an "or"."""
    joined = page.read_text("utf-8").replace("\\\n", " ")
    return [line.split(" || ")[0] for line in re.findall(r"^  jara (.*)$", joined, re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_topic_fits_the_terminal_and_has_examples(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A topic fits into 80 columns, and the parser accepts its examples."""
    assert execute(["help", page.stem]) == ExitCode.DONE
    shown = capsys.readouterr().out
    assert page.read_text("utf-8") == shown
    assert max(map(len, shown.splitlines())) <= 80
    assert examples(page)
    for line in examples(page):
        require_understood(shlex.split(line))


def require_understood(words: list[str]) -> None:
    """Parse a line with the command's own parser, which raises on unknown words."""
    command: Any = build_root()
    name, context = "jara", None
    while True:
        context = command.make_context(name, list(words), parent=context)
        if not hasattr(command, "commands"):
            return
        rest = [*context._protected_args, *context.args]
        name, command, words = command.resolve_command(context, rest)


@pytest.mark.parametrize(
    "words",
    [
        *("init --currency", "init --time-zone", "organisation set --payment-account"),
        *("bank mappings presets", "bank accounts set", "ledger undo", "ledger waiting"),
        *("members edit", "projects milestone", "approvals approve"),
        *("restore 2026-11-20.db --rehearsal", "bank reconcile"),
    ],
)
def test_a_topic_tells_each_way_out(words: str) -> None:
    """What operators look for when something went wrong, or differs from the default."""
    told = [page.stem for page in PAGES if f"jara {words}" in " ".join(page.read_text().split())]

    assert told


def test_without_a_word_the_topics_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """The list shows each topic with its title."""
    assert execute(["help", "--json"]) == ExitCode.DONE
    listed = {row["topic"]: row["title"] for row in json.loads(capsys.readouterr().out)}

    assert list(listed) == [page.stem for page in PAGES]
    assert listed["dates"] == "Dates and periods"


@pytest.mark.parametrize(
    "words", [["split"], ["ledger"], ["ledger", "import"], ["bank", "rules", "add"]]
)
def test_a_command_shows_its_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The output is the same as with ``--help``."""
    assert execute(["help", *words]) == ExitCode.DONE
    shown = capsys.readouterr().out
    assert execute([*words, "--help"]) == ExitCode.DONE

    assert capsys.readouterr().out == shown


def panels_of(text: str) -> dict[str, list[str]]:
    """Return the names that each panel of a help text lists."""
    parts = re.findall(r"^(\w[\w ]*):\n((?:  .*\n?)+)", text, re.MULTILINE)
    return {
        panel: re.findall(r"^  (\S+(?: [a-z-]+)?)(?:  |$)", rows, re.MULTILINE)
        for panel, rows in parts
        if panel not in {"Options", "Arguments"}
    }


def help_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the help of a command."""
    assert execute([*words, "--help"]) == ExitCode.DONE
    return capsys.readouterr().out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, whose settings are a sandbox's."""
    monkeypatch.chdir(tmp_path)
    for name in ("JARA_CARDS", "JARA_STRIPE_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_commands_are_listed_by_task(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command is in one panel; those for experts are the last."""
    shown = panels_of(help_of([], capsys))

    assert shown == {panel: list(lines) for panel, lines in PANELS.items()}
    assert list(shown)[-1] == EXPERTS


@pytest.mark.parametrize(
    "settings",
    ['cards = "none"', 'JARA_CARDS = "none"', "stripe_secret_key = 'sk_live_x'", "environment"],
)
def test_a_real_organisation_sees_nothing_of_the_sandbox(
    settings: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither commands nor options that only a sandbox has are shown to it."""
    (folder / "real.toml").write_text(settings if "=" in settings else "")
    if "=" not in settings:
        monkeypatch.setenv("JARA_CARDS", "none")

    for words in ([], ["pledges"], ["members"], ["votes"], ["samples"], ["serve"]):
        text = help_of(["--config", "real.toml", *words], capsys)
        assert SANDBOX not in text
        assert not re.search(r"^  (?:--now|--public|start|cast|load)", text, re.MULTILINE)


@pytest.mark.parametrize("settings", ["", 'cards = "sandbox"', "cards = ", "\xff"])
def test_a_sandbox_sees_all_commands(
    settings: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without keys the settings are a sandbox's, also if the file cannot be read."""
    (folder / "jara.toml").write_bytes(settings.encode("latin-1"))

    assert "start" in panels_of(help_of(["pledges"], capsys))[SANDBOX]
    assert "--now" in help_of([], capsys)


def test_a_verb_stands_in_one_panel_of_its_noun(capsys: pytest.CaptureFixture[str]) -> None:
    """What only experts need is apart in the noun's own help, also in nouns loaded in parts."""
    assert panels_of(help_of(["proofs"], capsys))[EXPERTS] == ["rotate-key", "signer"]
    assert panels_of(help_of(["votes"], capsys))[EXPERTS] == ["destroy-key"]
    assert list(panels_of(help_of(["ledger"], capsys))) == ["Commands"]


def test_every_command_has_an_example() -> None:
    """Commands that also have verbs below them have an example, too."""
    page = (DATA.parent / "docs" / "commands.md").read_text("utf-8")
    shown = [part for part in re.split(r"^#+ ", page, flags=re.MULTILINE) if "```text" in part]

    assert len(shown) > 100
    assert [part.split("\n")[0] for part in shown if not re.search("Examples?:", part)] == []


@pytest.mark.parametrize(
    "words", [["nothing"], ["ledger", "nothing"], ["../exits"], ["dates", "x"]]
)
def test_an_unknown_topic_is_not_found(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """For an unknown word the message lists the topics."""
    assert execute(["help", *words]) == ExitCode.NOT_FOUND
    assert "topics are amounts, backup, bank," in capsys.readouterr().err


def test_the_exit_codes_are_those_of_the_page() -> None:
    """The topic and docs/commands.md list the same exit codes."""
    text = (TOPICS / "exit-codes.txt").read_text("utf-8")
    shown = dict(re.findall(r"^  (\d+) +(.*)$", text, re.MULTILINE))

    assert {str(int(code)) for code in MEANINGS} == set(shown)
