"""Operators edit the site's content at the terminal: items, files, milestones, payouts."""

import json
from pathlib import Path

import pytest
import yaml

from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell
from tests.files.pdf_files import a_pdf
from tests.harness import DATA

NOUNS = {
    "projects": "projects",
    "grants": "grants",
    "donations": "donations",
    "events": "events",
    "team": "team",
    "faqs": "faqs",
    "roadmap": "roadmap",
    "regions": "regions",
    "content": "claims",
}


@pytest.mark.parametrize(("noun", "name"), NOUNS.items())
def test_each_kind_moves_in_files_and_is_listed(shell: Shell, noun: str, name: str) -> None:
    """Import, list, show and export work the same for every noun, and lose nothing."""
    source = str(DATA / f"{name}.yaml")
    result = shell.json(noun, "import", source)
    assert result["read"] == result["added"]
    listed = shell.json(noun, "list")
    assert f"see `jara {noun} list`." in shell.run(noun, "show", "nothing")[2]
    assert len(yaml.safe_load(Path(source).read_text())) == len(listed)
    assert all(item["id"] and item["published"] for item in listed)

    for out in ("all.yaml", "all.json"):
        words = [noun, "export", "--out", out, *(["--json"] if out.endswith("json") else [])]
        assert shell.run(*words)[0] == ExitCode.DONE
        assert result["read"] >= shell.json(noun, "import", out)["unchanged"]
        assert shell.json(noun, "import", out)["changed"] == 0
    if listed:
        shown = shell.json(noun, "show", listed[0]["id"])
        assert listed[0] == {key: shown[key] for key in shown if key != "tranches"}
        shell.write("shown.json", json.dumps(shown))
        assert shell.run(noun, "edit", listed[0]["id"], "shown.json")[0] == ExitCode.DONE
        assert listed[0]["id"] in shell.run(noun, "list")[1]
        assert shell.run(noun, "show", listed[0]["id"])[0] == ExitCode.DONE


def test_an_item_is_added_changed_published_and_hidden(shell: Shell) -> None:
    """A new item is a draft until it is published."""
    status, out, err = shell.run(
        "faqs", "add", "--set", "question=Why?", "--set", "answer=Because."
    )
    assert status == ExitCode.DONE
    assert "Because." in out
    assert err == "It is not public yet; jara faqs publish why shows it.\n"
    assert shell.json("faqs", "publish", "why") == {"id": "why", "slug": "why", "published": True}
    assert True is shell.json("faqs", "edit", "w", "--set", "onHome=true")["onHome"]
    assert "onHome" not in shell.json("faqs", "edit", "why", "--set", "onHome=")
    assert False is shell.json("faqs", "publish", "why", "--hide")["published"]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["faqs", "show", "nothing"], ExitCode.NOT_FOUND, "no item 'nothing' among the faqs"),
        (["faqs", "edit", "why"], ExitCode.USAGE, "There is nothing to change"),
        (["faqs", "edit", "why", "--set", "answer"], ExitCode.USAGE, "write KEY=VALUE"),
        (["faqs", "edit", "why", "--set", "colour=red"], ExitCode.USAGE, "has no key 'colour'"),
        (["faqs", "import", "missing.yaml"], ExitCode.NOT_FOUND, "no file 'missing.yaml'"),
        (["faqs", "import", "bad.yaml"], ExitCode.USAGE, "bad.yaml: The question 'x' has no"),
        (["faqs", "add", "two.yaml"], ExitCode.USAGE, "contains 2 items; this command takes one"),
    ],
)
def test_mistakes_are_one_sentence(
    shell: Shell, words: list[str], status: ExitCode, message: str
) -> None:
    """The message names the value and, for a file, the file and the item."""
    Path("bad.yaml").write_text("- id: x\n  question: Why?\n")
    Path("two.yaml").write_text("- id: x\n- id: y\n")
    found, out, err = shell.run(*words)

    assert (found, out) == (status, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_milestones_are_listed_added_and_completed(shell: Shell) -> None:
    """A milestone has a day of completion, and the list shows which are complete."""
    shell.json("projects", "import", str(DATA / "projects.yaml"))
    project = ["projects", "milestone", "clean-water"]
    assert len(shell.json(*project)) == 5
    added = shell.json(
        *project, "fence", "--title", "A fence", "--due", "2027-02-28", "--cost", "250"
    )
    assert (added[-1]["costCents"], added[-1]["date"], added[-1]["completed"]) == (
        25_000,
        "2027-02-28",
        False,
    )
    done = shell.json(*project, "handover", "--complete", "--on", "2026-11-01")
    assert done[-2]["completedOn"] == "2026-11-01"
    assert "completedOn" in shell.json(*project, "fence", "--complete")[-1]
    for words, message in (
        (["fence"], "Give --complete or --title for the milestone 'fence'"),
        (["gate", "--title", "A gate"], "needs a planned date"),
        (["gate", "--title", "A gate", "--complete"], "or complete one"),
    ):
        status, _, err = shell.run(*project, *words)
        assert status == ExitCode.USAGE
        assert message in err


def test_evidence_is_kept_in_the_media_folder(shell: Shell) -> None:
    """The file is named by its hash and stored beside the database by default."""
    shell.json("projects", "import", str(DATA / "projects.yaml"))
    Path("minutes.pdf").write_bytes(a_pdf())
    words = ["projects", "evidence", "boreholes", "handover", "minutes.pdf"]
    path = shell.json(*words)["path"]
    status, out, err = shell.run(*words)

    assert (shell.folder / "jara.media" / Path(path).name).read_bytes() == a_pdf()
    assert status == ExitCode.DONE
    assert "handover" in out or "training" in out
    assert err == f"Stored as {path}.\n"
    Path("page.html").write_text("<html>")
    status, _, err = shell.run("projects", "evidence", "boreholes", "handover", "page.html")
    assert (status, err) == (
        ExitCode.USAGE,
        "error: page.html is neither PDF, PNG, JPEG nor WebP.\n",
    )
