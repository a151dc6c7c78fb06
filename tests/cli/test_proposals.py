"""``jara proposals``: drafts, opening, closing, and the JSON for scripts."""

from __future__ import annotations

import pytest

from jara.files.html import clean_html
from jara.services.proposals.closing import close_due_votes
from tests.cli.voting_shell import PROPOSAL, Shell
from tests.harness import clock_of
from tests.services.ballots.voting_world import add_member, open_vote, vote


def test_a_proposal_from_draft_to_withdrawal(shell: Shell) -> None:
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


def test_lists_and_cards(shell: Shell) -> None:
    """Lists are arrays with ids and counts, and their HTML is sanitised."""
    shell.write("wells.yaml", PROPOSAL)
    shell.run("proposals", "new", "wells.yaml")
    [listed] = shell.json("proposals", "list", "--status", "draft")
    shown = shell.json("proposals", "show", "clean")

    assert listed == shown
    assert (
        shown["id"],
        shown["fundingGoalCents"],
        shown["storySections"],
    ) == ("prop_01", 500, "<p>Long walks.</p>")
    assert shell.json("proposals", "list", "--status", "open") == []
    assert "Clean water" in shell.run("proposals", "list")[1]
    assert "$5.00" in shell.run("proposals", "show", "prop_01")[1]
    assert shell.run("proposals", "show", "nothing")[0] == 3


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_export_then_import_changes_nothing(shell: Shell, form: list[str]) -> None:
    """An unchanged export can be imported again, in YAML and JSON."""
    shell.write("wells.yaml", PROPOSAL)
    created = shell.json("proposals", "import", "wells.yaml")
    status, _, err = shell.run("proposals", "export", "--out", "out", *form)

    assert (status, err) == (0, "Wrote 1 proposals to 'out'.\n")
    assert created == {"created": ["prop_01"], "changed": [], "unchanged": []}
    assert shell.json("proposals", "import", "out")["unchanged"] == ["prop_01"]
    assert shell.run("proposals", "export")[0] == 0


def test_closing_funding_and_releasing(shell: Shell) -> None:
    """Closing shows the tally; funding creates the project; releasing frees the money."""
    context = shell.context()
    open_vote(context)
    vote(context, add_member(context, "ada"))
    context.store.close()
    # Commands use the machine's clock, for which this vote may already be over.
    clock_of(context).advance(days=11)
    close_due_votes(context)
    context.store.close()

    assert shell.json("proposals", "fund", "prop_01") == {
        "id": "clean-water",
        "slug": "clean-water",
        "proposal": "prop_01",
    }
    released = shell.json("proposals", "release", "prop_01", "1.00", "--why", "Cheaper", "--yes")
    assert (released["heldCents"], released["releasedCents"]) == (400, 100)
    rest = shell.json("proposals", "release", "prop_01", "--why", "Done", "--yes")
    assert (rest["heldCents"], rest["releasedCents"]) == (0, 500)


def test_a_due_vote_is_closed_by_name_or_all(shell: Shell) -> None:
    """`close` reports each result with its counts."""
    context = shell.context()
    clock_of(context).advance(days=-700)
    open_vote(context, endDate="2025-01-01")
    open_vote(context, id="prop_02", title="Second", endDate="2025-01-01")
    context.store.close()

    [first] = shell.json("proposals", "close", "prop_01")
    assert (
        first["proposal"]["id"],
        first["proposal"]["status"],
        first["roll"],
        first["final"],
    ) == ("prop_01", "rejected", 0, True)
    assert "prop_02" in shell.run("proposals", "close")[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title: [", "x.yaml, line 1: not YAML"),
        ('{"title": }', "x.yaml, line 1: not JSON"),
        ('{"title": NaN}', "'NaN' is not a number"),
        ("5", "item 1: it is not a document"),
        ("[]", "contains 0 proposals"),
        ("title: a\x00b", "not YAML"),
    ],
)
def test_a_file_that_cannot_be_read(shell: Shell, text: str, message: str) -> None:
    """The one-line error names the file and the line."""
    shell.write("x.yaml", text)
    status, out, err = shell.run("proposals", "new", "x.yaml")

    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("<p onclick='x()'>a</p>", "<p>a</p>"),
        ("<script>x()</script><p>a</p>", "<p>a</p>"),
        ("<a href='javascript:x()'>a</a>", '<a rel="noopener noreferrer nofollow">a</a>'),
        ("<a href='http://a.example'>a</a>", '<a rel="noopener noreferrer nofollow">a</a>'),
        ("<img src='//a.example/x'>", "<img>"),
        ("<img src='/media/x' alt='x'>", '<img src="/media/x" alt="x">'),
        (
            "<a href='https://a.example'>a</a>",
            '<a href="https://a.example" rel="noopener noreferrer nofollow">a</a>',
        ),
    ],
)
def test_html_is_sanitised(dirty: str, clean: str) -> None:
    """Only allowed tags and safe links remain, and a second pass changes nothing."""
    assert clean == clean_html(dirty) == clean_html(clean_html(dirty))


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
