"""A command with a bad value changes nothing: no table, no file."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from jara.store.sqlite.connection import sqlite3
from jara.store.unit_of_work import PUBLIC_REVISION
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.cli.operations.audit_walk import Walk
from tests.fakes.clock import FakeClock
from tests.fakes.operators import public
from tests.pages.commands import list_commands
from tests.sizes import IS_FULL

COMMANDS = {path.removeprefix("jara "): command for path, command in list_commands()}
DONE = {ExitCode.DONE, ExitCode.NO, ExitCode.WAITING}
BAD_VALUES = (("999999999",), ("a\x07b",), ("/no/such/folder/x",))
"""Values that the command's own rules refuse; a free text may accept the first and the last."""
NOT_VALUES = {"as_json", "help", "yes", "password_stdin"}


class TriedWalk(Walk):
    """A walk that tries each change with one bad value more, on a copy of everything."""

    def __init__(self, shell: GivingShell, clock: FakeClock, patch: pytest.MonkeyPatch) -> None:
        """Start with nothing tried."""
        super().__init__(shell, clock, patch)
        self.refused: set[tuple[str, str]] = set()
        self.half_done: list[str] = []

    def change(self, *words: str, typed: str = "") -> str:
        """Try a command with each bad value; then run it."""
        try_bad_values(self, self._path(words), words, typed)
        return super().change(*words, typed=typed)


def try_bad_values(walk: TriedWalk, path: str, words: tuple[str, ...], typed: str = "") -> None:
    """Run a command with each bad value; note and undo what it did nevertheless.

    In an ordinary run, an option that has refused a value is tried no more.
    """
    folder = walk.shell.folder
    copy = folder.parent / f"{folder.name}-copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    marks = marks_of(folder)
    for name, option in bad_options(path):
        if (path, name) in walk.refused and not IS_FULL:
            continue
        status, _, _ = walk.shell.run(*words, *option, typed=typed)
        if status not in DONE:
            walk.refused.add((path, name))
        if marks_of(folder) == marks:
            continue
        if status not in DONE and (changed := difference(state_of(copy), state_of(folder))):
            walk.half_done.append(f"{' '.join((*words, *option))}: {changed}")
        _put_back(copy, folder)
        marks = marks_of(folder)


def _put_back(copy: Path, folder: Path) -> None:
    for one in folder.iterdir():
        shutil.rmtree(one) if one.is_dir() else one.unlink()
    shutil.copytree(copy, folder, dirs_exist_ok=True)


def bad_options(path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each option or repeated argument of a command with a value that it may refuse."""
    for one in COMMANDS[path].params:
        if one.name in NOT_VALUES:
            continue
        if one.param_type_name == "option":
            for value in ((),) if one.is_flag else BAD_VALUES:
                yield one.name, (one.opts[0], *value)
        elif one.nargs == -1:
            yield from ((one.name, value) for value in BAD_VALUES)


def state_of(folder: Path) -> dict[str, Any]:
    """Return the rows of each table, and the hash of every other file.

    The count of commits that visitors may see is left out: it grows with a commit of nothing.
    """
    files = {
        name: digest for name, digest in files_of(folder).items() if not name.startswith("jara.db")
    }
    with closing(sqlite3.connect(folder / "jara.db")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = {
            name: [
                repr(row)
                for row in sorted(database.execute(f"SELECT * FROM {name}"), key=repr)  # noqa: S608 - our own
                if row[0] != PUBLIC_REVISION
            ]
            for (name,) in tables
        }
    return {**rows, **files}


def marks_of(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return size and time of every file: the same ones mean that nothing was written."""
    stats = {file: file.stat() for file in folder.rglob("*")}
    return {file: (stat.st_size, stat.st_mtime_ns) for file, stat in stats.items()}


def files_of(folder: Path) -> dict[str, Any]:
    """Return the hash of every file."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def difference(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the tables and files that differ."""
    return sorted(
        f"{name}: {set(after.get(name, ())) ^ set(before.get(name, ()))}"
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    )


@pytest.fixture
def walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> TriedWalk:
    """A walk over a new organisation."""
    return new_walk(tmp_path, monkeypatch, capsys)


def new_walk(
    path: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> TriedWalk:
    """Return a walk over a new organisation, whose folder has everything that it may write."""
    clock = stop_clock(patch)
    folder = path / "organisation"
    folder.mkdir()
    patch.setenv("JARA_BOUNCE_ADDRESS", "bounces+{id}@jara.example")
    patch.setenv("XDG_STATE_HOME", str(folder / "states"))
    return TriedWalk(GivingShell(folder, patch, capsys), clock, patch)


SEVERAL: dict[str, dict[str, tuple[str, str]]] = {
    "organisation set": {
        "--name": ("Sankofa", "a\x07b"),
        "--colour": ("#7a1f3d", "blueish"),
        "--logo": ("logo.png", "none.png"),
        "--donate-url": ("https://give.example/now", "give"),
        "--currency": ("EUR", "XQQ"),
        "--payment-account": ("assets:savings", "assets:nowhere"),
        "--time-zone": ("Africa/Accra", "Mars/Olympus"),
        "--effective": ("today", "2026-02-30"),
    },
    "members edit ama@example.org": {
        "--firstname": ("Efua", ""),
        "--lastname": ("Addo", "a\x07b"),
        "--country": ("Kenya", "Atlantis"),
        "--email": ("efua@example.org", "ben@example.org"),
        "--emails": ("votes", "some"),
    },
    "partners link Maji": {
        "--project": ("wells", "nowhere"),
        "--until": ("2027-03-31", "2020-01-01"),
        "--print": ("sheet.html", "/no/such/folder/x.html"),
    },
    "policy set projects=82,staff=6,marketing=8,other=4 --why Voted --yes": {
        "--fees": ("projects=1,staff=1", "roof=1"),
        "--from": ("2027-01-01", "2026-02-30"),
    },
    "operators policy set --why Voted --yes": {
        "--limit": ("500", "-1"),
        "--day-limit": ("1000", "some"),
        "--total-limit": ("2000", "1.005"),
        "--approvals": ("2", "99"),
    },
    "legal import terms": {
        "en=terms.md": ("en=terms.md", "en=none.md"),
        "fr=terms.md": ("fr=terms.md", "xx=terms.md"),
        "--effective": ("2027-05-01", "2020-01-01"),
    },
    "report statement ama@example.org --mail": {
        "--year": ("2026", "2099"),
        "--format": ("", "docx"),
        "--at": ("", "1"),
        "--language": ("", "fr"),
    },
}
"""Commands with several values: a good and a bad one for each; a good one may be left out."""


def test_one_bad_value_among_good_ones_undoes_all(walk: TriedWalk) -> None:
    """A command with good values and one bad value changes nothing; with good ones it is done."""
    shell = walk.shell
    shell.done("ledger", "accounts", "add", "assets:savings", "--meaning", "Savings")
    shell.add("ama@example.org")
    shell.add("ben@example.org")
    shell.done(
        "projects",
        "add",
        "--set",
        "title=Wells",
        "--set",
        "status=Planning",
        "--set",
        "category=water",
    )
    shell.done("partners", "add", "Maji", "--project", "wells")
    walk.write("terms.md", "# Terms\n\nOf {{ organisation }}.\n")
    Image.new("RGB", (64, 64)).save(shell.folder / "logo.png")

    for words, values in SEVERAL.items():
        before = state_of(shell.folder)
        for bad in values:
            pairs = [
                (name, faulty if name == bad else good) for name, (good, faulty) in values.items()
            ]
            status, _, err = shell.run(*words.split(), *_typed(pairs))
            assert status not in DONE, (words, bad)
            assert difference(before, state_of(shell.folder)) == [], (words, bad, err)
        goods = [(name, good) for name, (good, _) in values.items()]
        assert shell.run(*words.split(), *_typed(goods))[0] in DONE, words
        assert state_of(shell.folder) != before


def _typed(pairs: list[tuple[str, str]]) -> list[str]:
    """Return options with their values, and values that stand alone."""
    given = [(name, value) for name, value in pairs if value or name == "--firstname"]
    return [
        word for name, value in given for word in ((name, value) if name[0] == "-" else (value,))
    ]


ANSWERS: dict[str, tuple[object, object]] = {
    "name": ("Sankofa", "a\x07b"),
    "legal-name": ("Sankofa Inc.", "\x07"),
    "address": ("12 Harbour Road", "x" * 5000),
    "contact": ("hello@sankofa.example", "hello"),
    "currency": ("EUR", "XQQ"),
    "time-zone": ("Africa/Accra", "Mars/Olympus"),
    "split": ("projects=82,staff=6,marketing=8,other=4", "roof=1"),
    "province": ("Ontario", "\x07"),
    "refund-days": (30, -1),
    "effective": ("today", "2026-02-30"),
    "log-days": (30, -1),
    "language": ("fr", "xx"),
    "site-url": ("https://give.example.org", "give"),
    "operator": ("ada", "a\x07b"),
    "key": ("ada.pub", "none.pub"),
}


@pytest.mark.parametrize("is_first", [True, False], ids=["first run", "again"])
def test_setup_with_one_bad_answer_changes_nothing(
    walk: TriedWalk, tmp_path: Path, is_first: bool
) -> None:
    """Neither in an empty folder nor beside an organisation: no table, no setting, no file."""
    shell = walk.shell
    if is_first:
        for one in shell.folder.iterdir():
            shutil.rmtree(one) if one.is_dir() else one.unlink()
    (shell.folder / "ada.pub").write_text(public("ada"))
    file = tmp_path / "answers.toml"
    before = files_of(shell.folder) if is_first else state_of(shell.folder)

    for bad in ANSWERS:
        lines = [
            f"{key} = {json.dumps(faulty if key == bad else good)}\n"
            for key, (good, faulty) in ANSWERS.items()
        ]
        file.write_text("".join(lines), "utf-8")
        status, _, err = shell.run("setup", "--answers", str(file))
        assert status not in DONE, bad
        after = files_of(shell.folder) if is_first else state_of(shell.folder)
        assert difference(before, after) == [], (bad, err)
