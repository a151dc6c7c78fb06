"""``jara proposals``: drafts, opening, closing, and the JSON for scripts."""

import pytest

from tests.cli.voting_shell import PROPOSAL, Shell


def test_each_step_of_a_proposal_reports_its_state(shell: Shell) -> None:
    """Each step reports the new state; opening asks for confirmation."""
    shell.write("wells.yaml", PROPOSAL)
    named = {
        "id": "prop_01",
        "slug": "clean-water",
        "title": "Clean water",
        "status": "draft",
        "endDate": "2999-12-31",
    }

    assert shell.json("proposals", "new", "wells.yaml") == named
    shell.write("change.yaml", "title: Cleaner water\n")
    assert shell.json("proposals", "edit", "prop", "change.yaml")["title"] == "Cleaner water"
    status, out, err = shell.run("proposals", "open", "prop_01")
    assert (status, out) == (2, "")
    assert "'Open the vote on 'Cleaner water'? Its text" in err
    assert "add --yes" in err
    for words in (("withdraw",), ("release",)):
        asked = shell.run("proposals", *words, "cle", "--why", "Sold")
        assert (asked[0], "'Cleaner water'" in asked[2]) == (2, True)
        assert shell.run("proposals", *words, "nothing", "--why", "Sold")[0] == 3
    assert shell.run("proposals", "open", "nothing")[0] == 3
    assert shell.json("proposals", "open", "prop_01", "--yes")["status"] == "open"
    assert shell.json("proposals", "close") == []
    assert shell.run("proposals", "close", "prop_01")[0] == 4
    withdrawn = shell.json("proposals", "withdraw", "prop_01", "--why", "Sold", "--yes")
    assert withdrawn["status"] == "withdrawn"


def test_lists_have_ids_and_counts_and_clean_html(shell: Shell) -> None:
    """Lists are arrays with ids and counts, and their HTML is sanitised."""
    shell.write("wells.yaml", PROPOSAL)
    shell.run("proposals", "new", "wells.yaml")
    [listed] = shell.json("proposals", "list", "--status", "draft")
    shown = shell.json("proposals", "show", "clean")

    assert listed == shown
    assert (shown["id"], shown["fundingGoalCents"], shown["storySections"]) == (
        "prop_01",
        500,
        "<p>Long walks.</p>",
    )
    assert shell.json("proposals", "list", "--status", "open") == []
    assert "Clean water" in shell.run("proposals", "list")[1]
    assert "$5.00" in shell.run("proposals", "show", "prop_01")[1]
    assert shell.run("proposals", "show", "nothing")[0] == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title: [", "x.yaml, line 1: not YAML"),
        ('{"title": }', "x.yaml, line 1: not JSON"),
        ('{"title": NaN}', "'NaN' is not a number"),
        ("5", "item 1: it is not a document"),
        ("[]", "contains 0 items"),
        ("title: a\x00b", "not YAML"),
    ],
)
def test_a_bad_file_is_named_with_its_line(shell: Shell, text: str, message: str) -> None:
    """The one-line error names the file and the line."""
    shell.write("x.yaml", text)
    status, out, err = shell.run("proposals", "new", "x.yaml")

    assert (status, out) == (2, "")
    assert message in err


def test_the_same_title_twice_asks(shell: Shell) -> None:
    """A second proposal or project with the same title needs confirmation."""
    shell.write("wells.yaml", PROPOSAL)
    shell.write("again.yaml", PROPOSAL.replace("prop_01", "prop_02"))
    words = ("title=Wells", "status=Planning", "category=water")
    assignments = [part for word in words for part in ("--set", word)]
    shell.json("proposals", "new", "wells.yaml")
    assert shell.run("projects", "add", *assignments)[0] == 0

    status, _, err = shell.run("proposals", "new", "again.yaml")
    assert (status, "'clean-water' has this title" in err) == (2, True)
    status, _, err = shell.run("projects", "add", *assignments, "--set", "id=other")
    assert (status, "'wells' has this title" in err) == (2, True)

    assert shell.json("proposals", "new", "again.yaml", "--yes")["slug"] == "clean-water-2"
    assert "clean-water-2" in shell.run("proposals", "list")[1]
    status, _, err = shell.run("proposals", "show", "clean-w")
    assert (status, "'clean-w': clean-water, clean-water-2." in err) == (4, True)
