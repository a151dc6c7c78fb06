"""Proposals in several languages: the vote is on the original, a translation stands beside it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.publiclog.leaves import content_bytes
from jara.services.context import Context
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_vote
from jara.services.proposals.lifecycle import (
    draft_proposal,
    edit_proposal,
    export_proposals,
    import_proposals,
    put_to_vote,
)
from jara.services.proposals.views import list_languages, show_proposal
from tests.harness import clock_of
from tests.services.ballots.voting_world import PROPOSAL, add_member, vote

FRENCH = Language("fr")
BUDGET = [{"description": "Pump", "amountCents": 200}, {"description": "Pipe", "amountCents": 300}]
TEXTS: dict[str, Any] = {
    "title": "De l’eau propre",
    "storySections": "<p>Une histoire.</p>",
    "budgetList": [{"description": "Pompe"}, {"description": "Tuyau"}],
    "metrics": "Litres.",
}
STORED = {**TEXTS, "metrics": ["Litres."]}
DOCUMENT: dict[str, Any] = {
    **PROPOSAL,
    "storySections": "<p>A story.</p>",
    "budgetList": BUDGET,
    "metrics": "Liters.",
    "fr": TEXTS,
}


def in_french(context: Context) -> dict[str, Any]:
    """Return the proposal as a reader of French sees it."""
    return show_proposal(context.for_reader(FRENCH), "prop_01")


def test_the_log_has_the_original_and_readers_their_language(context: Context) -> None:
    """A translation changes neither the voted text nor its hash."""
    plain = {key: value for key, value in DOCUMENT.items() if key != "fr"}
    before = content_bytes(draft_proposal(context, plain).proposal)
    edit_proposal(context, "prop_01", TEXTS, language=FRENCH)
    opened = put_to_vote(context, "prop_01")
    french, english = in_french(context), show_proposal(context, "prop_01")

    assert content_bytes(opened.proposal) == before
    assert (french["title"], french["summary"]) == ("De l’eau propre", PROPOSAL["summary"])
    assert french["metrics"] == "Litres."
    assert french["original"] == {
        "title": PROPOSAL["title"],
        "storySections": "<p>A story.</p>",
        "metrics": "Liters.",
    }
    assert [(one["description"], one["amountCents"]) for one in french["budgetList"]] == [
        ("Pompe", 200),
        ("Tuyau", 300),
    ]
    assert french["budgetList"][0]["original"] == {"description": "Pump"}
    assert (english["title"], english["language"]) == (PROPOSAL["title"], "en")
    assert "original" not in english


def test_a_correction_needs_a_reason(context: Context) -> None:
    """The text of an open vote is fixed; its translation changes with a reason, in the log."""
    draft_proposal(context, DOCUMENT)
    put_to_vote(context, "prop_01")
    with pytest.raises(InvalidInput, match="reason of a correction"):
        edit_proposal(context, "prop_01", {"summary": "En bref."}, language=FRENCH)
    edit_proposal(context, "prop_01", {"summary": "En bref."}, language=FRENCH, why="shorter")

    assert in_french(context)["summary"] == "En bref."
    with pytest.raises(Conflict, match="its text is fixed"):
        edit_proposal(context, "prop_01", {"summary": "Short."}, language=ENGLISH)
    assert [row.before.get("fr") for row in audit(context)[-1:]] == [STORED]


def audit(context: Context) -> list[Any]:
    """Return the rows of the audit log about corrections."""
    with context.store.read() as work:
        return list(work.operations.audit(action="votes.correct"))


def test_exported_and_imported_again_nothing_changes(context: Context) -> None:
    """Files have the translations; a file without them leaves them."""
    draft_proposal(context, DOCUMENT)
    (exported,) = export_proposals(context)
    bare = {key: value for key, value in exported.items() if key != "fr"}

    assert exported["fr"] == STORED
    assert import_proposals(context, [exported]).unchanged == ("prop_01",)
    assert import_proposals(context, [bare]).unchanged == ("prop_01",)
    assert import_proposals(context, [{**bare, "fr": {}}]).changed == ("prop_01",)
    assert "fr" not in export_proposals(context)[0]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"slug": "eau"}, "'fr' of the proposal 'prop_01' has the unknown key 'slug'"),
        ({"title": "x" * 201}, "has 201 characters"),
        ({"title": " "}, "is empty"),
        ({"budgetList": [{}, {}, {}]}, "has 3 parts and the original has 2"),
        ({"metrics": ["a", "b"]}, "has 2 parts and the original has 1"),
        ({"metrics": 5}, "'metrics' of the 'fr' of the proposal 'prop_01' is 5"),
    ],
)
def test_a_wrong_translation_is_refused(
    context: Context, texts: dict[str, Any], message: str
) -> None:
    """The message names the value and the rule."""
    with pytest.raises(InvalidInput, match=message):
        draft_proposal(context, {**DOCUMENT, "fr": texts})
    with pytest.raises(InvalidInput, match="no language 'de'"):
        draft_proposal(context, {**DOCUMENT, "de": {"title": "Wasser"}})


def test_a_changed_draft_makes_its_translation_old(context: Context) -> None:
    """The list says so until somebody looked at it; a shorter budget loses its translation."""
    draft_proposal(context, DOCUMENT)
    edit_proposal(context, "prop_01", {"title": "Cleaner water", "budgetList": BUDGET[:1]})

    assert list_languages(context) == {"prop_01": "fr (older than the original: title)"}
    assert "budgetList" not in export_proposals(context)[0]["fr"]
    edit_proposal(context, "prop_01", {}, language=FRENCH, checked=True)
    assert list_languages(context) == {"prop_01": "fr"}


def test_a_funded_project_has_the_translations(context: Context) -> None:
    """A project that is made from a proposal takes its title, summary and story in each."""
    member = add_member(context, "ada")
    draft_proposal(context, DOCUMENT)
    put_to_vote(context, "prop_01")
    vote(context, member)
    clock_of(context).set(datetime(2026, 12, 31, 12, tzinfo=UTC))
    close_vote(context, "prop_01")
    item = fund_proposal(context, "prop_01")

    assert item.doc["fr"] == {"title": "De l’eau propre", "story": "<p>Une histoire.</p>"}
