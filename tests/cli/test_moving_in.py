"""``jara members import``: the result of each row, and the reasons to reject a file."""

from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell

PEOPLE = """Email,First name,Surname,Country
ama@example.org,Ama,Mensah,Ghana
BEN@example.org,Ben,O’Neill,uk
ama@example.org,Ama,Mensah,Ghana
"""


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal with a new organisation and a file of people."""
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    return GivingShell(tmp_path, monkeypatch, capsys)


def test_an_import_has_stable_keys(shell: GivingShell) -> None:
    """The document has stable keys, and a second import of the file adds nobody."""
    first = shell.json("members", "import", "people.csv", "--invite")
    again = shell.json("members", "import", "people.csv", "--invite")

    assert tuple(first[key] for key in ("created", "known", "skipped", "refused", "invited")) == (
        2,
        0,
        1,
        0,
        2,
    )
    assert (first["rows"][0]) == {
        "line": 2,
        "email": "ama@example.org",
        "fate": "created",
        "reason": "",
    }
    assert (again["created"], again["known"], again["invited"]) == (0, 2, 0)
    assert first["import"] == again["import"]
    assert count_kinds(shell) == {"invitation": 2}
    (line,) = shell.json("members", "imports")
    assert tuple(line[key] for key in ("members", "invited", "file", "undoneAt")) == (
        2,
        2,
        "people.csv",
        None,
    )


def count_kinds(shell: GivingShell) -> dict[str, int]:
    """Return the number of emails of each kind."""
    kinds = [mail["kind"] for mail in shell.json("mail", "outbox")]
    return {kind: kinds.count(kind) for kind in kinds}


def test_a_refused_row_names_line_value_and_rule(shell: GivingShell) -> None:
    """Without --partial, one bad row stops the import."""
    shell.folder.joinpath("people.csv").write_text(f"{PEOPLE}no address,X,Y,gh\n", "utf-8")

    status, out, err = shell.run("members", "import", "people.csv")
    assert status == ExitCode.USAGE
    assert "people.csv, line 5: 'no address' is not an email address" in err
    assert "Nothing was imported; --partial imports the rest." in err
    assert "created" not in out
    done = shell.json("members", "import", "people.csv", "--partial")

    assert (done["created"], done["refused"], done["written"]) == (2, 1, True)


def test_columns_country_and_encoding_are_options(shell: GivingShell) -> None:
    """Columns, country and encoding can be set for files in an unknown format."""
    raw = "Post;Wer\njürgen@example.org;X Y\nju@example.org;Jürgen Ähre\n".encode("cp1252")
    shell.folder.joinpath("odd.csv").write_bytes(raw)
    words = ("members", "import", "odd.csv", "--column", "email=Post", "--column", "name=Wer")

    assert "--country" in shell.run(*words, "--encoding", "latin-1")[2]
    guessed = shell.run(*words, "--country", "gh")[2]
    assert "is read as Windows-1252, which is a guess: 'jürgen'" in guessed
    done = shell.json(*words, "--country", "gh", "--encoding", "latin-1", "--partial")

    assert [row["fate"] for row in done["rows"]] == ["refused", "created"]
    (member,) = shell.json("members", "list")
    assert tuple(member[key] for key in ("firstname", "lastname", "country")) == (
        "Jürgen",
        "Ähre",
        "Ghana",
    )


def test_invitations_follow_and_an_undo_takes_back(shell: GivingShell) -> None:
    """Invitations are sent after the import; the undo asks, and reports how many it removed."""
    found = shell.json("members", "import", "people.csv")["import"]

    assert shell.json("members", "send-invitations", "--import", found[:9]) == {"invited": 2}
    assert shell.json("members", "send-invitations") == {"invited": 0}
    status, _, err = shell.answer("n\n", "members", "undo", found, "--why", "wrong")
    assert status != ExitCode.DONE
    assert "Erase up to 2 members" in err
    done = shell.json("members", "undo", found, "--why", "wrong", "--yes")

    assert done == {"id": found, "removed": 2, "kept": []}
    assert shell.json("members", "list") == []
    assert count_kinds(shell) == {}


def test_a_column_that_may_matter_is_named(shell: GivingShell) -> None:
    """The warning says how to use it; skipped rows are counted by reason."""
    people = "Email,First name,Last name,Country,Opted out\na@example.org,A,B,Ghana,yes\n"
    (shell.folder / "plain.csv").write_text(people + "c@example.org,C,D,CIV,\n")
    words = ("members", "import", "plain.csv", "--dry-run")

    _, _, err = shell.run(*words)
    used = shell.json(*words, "--leave-out", "Opted out")

    assert "the column 'Opted out' is not used" in err
    assert "--leave-out 'Opted out' skips those rows" in err
    assert (used["created"], used["skippedBy"]) == (1, {"Opted out is 'yes'": 1})
