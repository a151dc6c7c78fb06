"""``jara legal``: own texts, in one language or several at once."""

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell

pytestmark = pytest.mark.usefixtures("stopped_clock")


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal with an organisation whose shipped texts hold, and own texts in files."""
    jara.done("organisation", "set", "--effective", "today")
    (jara.folder / "ours.md").write_text("# Ours\n", "utf-8")
    (jara.folder / "notre.md").write_text("# Le nôtre\n", "utf-8")
    return jara


def languages(shell: GivingShell) -> list[list[str]]:
    """Return the languages of each version of the terms."""
    return [one["languages"] for one in shell.json("legal", "list") if one["text"] == "terms"]


def test_one_import_brings_several_languages(shell: GivingShell) -> None:
    """It is one version, and no reader misses a text."""
    status, _, err = shell.run("legal", "import", "terms", "en=ours.md", "fr=notre.md")

    assert (status, err) == (ExitCode.DONE, "")
    assert languages(shell) == [["en", "fr"], ["en", "fr"]]
    assert shell.json("legal", "show", "terms", "--language", "fr")["markdown"] == "# Le nôtre\n"


def test_an_own_text_replaces_the_shipped_ones_of_every_language(shell: GivingShell) -> None:
    """A note says so, until there is one in each language; the list has what a version says."""
    told = [
        shell.run("legal", "import", "terms", "ours.md")[2],
        shell.run("legal", "import", "terms", "notre.md", "--language", "fr")[2],
    ]

    assert " ".join(told[0].split()) == (
        "There is no text of your own in fr, and those that come with Jara are not shown beside "
        "own ones: its readers get another language, and a note that says so."
    )
    assert told[1] == ""
    assert languages(shell) == [["en", "fr"], ["en"], ["en", "fr"]]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["ours.md", "notre.md"], "Two files are in 'en'; write en=FILE fr=FILE."),
        (["fr=ours.md", "fr=notre.md"], "Two files are in 'fr'; write en=FILE fr=FILE."),
        ([], "Name a file with your text, or --shipped."),
        (["ours.md", "--shipped"], "Name a file with your text, or --shipped."),
    ],
)
def test_each_file_has_another_language(shell: GivingShell, files: list[str], says: str) -> None:
    """Nothing is put into effect otherwise."""
    status, _, err = shell.run("legal", "import", "terms", *files)

    assert (status, says in " ".join(err.split())) == (ExitCode.USAGE, True), err
    assert len(languages(shell)) == 1


def test_a_language_without_texts_is_refused(shell: GivingShell) -> None:
    """It is no name of a file."""
    status, _, err = shell.run("legal", "import", "terms", "xx=ours.md")

    assert (status, "There are no texts in 'xx'" in err) == (ExitCode.NOT_FOUND, True)
