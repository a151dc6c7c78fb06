"""One operator alone cannot end a vote that has ballots."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, Refused
from jara.domain.language import ENGLISH, Language
from jara.domain.voting.proposal import ProposalStatus
from jara.records.operations import Approval
from jara.records.voting import ProposalRecord
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.proposals import lifecycle
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import (
    edit_proposal,
    export_proposals,
    import_proposals,
    withdraw_proposal,
)
from jara.services.proposals.views import list_public, show_proposal
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of, copy_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.operations.controlled_world import verify

WHY = "The site was sold"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with operators and an open vote that has a ballot."""
    return copy_of(with_a_vote, place)


def with_a_vote(folder: Path) -> Context:
    """Make the organisation."""
    context = make_organisation(folder)
    member = add_member(context, "ama")
    open_vote(context)
    vote(context, member)
    enrol(context, ada="admin", ben="approver", eve="editor", scheduler="scheduler")
    return context


def test_a_vote_with_ballots_is_withdrawn_by_two(context: Context, tmp_path: Path) -> None:
    """An admin's withdrawal waits; with an approver's signature it is carried out and listed."""
    waiting = withdraw_proposal(acting(context, "ada"), "prop_01", reason=WHY)
    assert isinstance(waiting, Approval)
    (listed,) = list_public(context)
    assert listed["status"] == "open"

    done = approve_as(context, waiting, "ben")

    assert isinstance(done, ProposalRecord)
    assert done.proposal.status is ProposalStatus.WITHDRAWN
    (listed,) = list_public(context)
    assert listed["withdrawal"] == {"reason": WHY, "ballots": 1}
    status, lines = verify(context, tmp_path)
    assert status == 0, lines
    assert "withdrawn with 1 ballots" in lines


def test_an_editor_cannot_withdraw_a_vote_with_ballots(context: Context) -> None:
    """An editor may withdraw drafts, but no vote that has ballots."""
    with pytest.raises(Refused, match=r"'votes\.withdraw' is for admin"):
        withdraw_proposal(acting(context, "eve"), "prop_01", reason=WHY)


def test_a_vote_without_ballots_is_withdrawn_by_one(context: Context) -> None:
    """Nobody's ballot is lost, so an editor may do it."""
    open_vote(acting(context, "eve"), id="prop_02", slug="prop-2")

    done = withdraw_proposal(acting(context, "eve"), "prop_02", reason=WHY)

    assert isinstance(done, ProposalRecord)


FRENCH = Language("fr")
MALLORY = {"title": "Une voiture pour le directeur"}


def served_in_french(context: Context) -> str:
    """Return the title that readers of French see."""
    return str(show_proposal(context.for_reader(FRENCH), "prop_02")["title"])


@pytest.fixture
def translated(context: Context) -> Context:
    """The same organisation with a vote that has a French text."""
    texts = {"id": "prop_02", "slug": "eau", "fr": {"title": "De l’eau propre"}}
    open_vote(acting(context, "eve"), **texts)
    return context


def test_a_translation_is_fixed_while_people_vote(translated: Context, tmp_path: Path) -> None:
    """An editor cannot change it; two people correct it, and the log and the page say so."""
    with pytest.raises(Refused, match=r"'votes\.correct' is for admin"):
        edit_proposal(acting(translated, "eve"), "prop_02", MALLORY, language=FRENCH, why=WHY)
    right = {"title": "De l’eau"}
    waiting = edit_proposal(acting(translated, "ada"), "prop_02", right, language=FRENCH, why=WHY)
    assert served_in_french(translated) == "De l’eau propre"

    approve_as(translated, waiting, "ben")

    assert served_in_french(translated) == "De l’eau"
    correction = {"language": "fr", "day": "2026-11-20", "reason": WHY}
    assert show_proposal(translated, "prop_02")["corrections"] == [correction]
    assert verify_books(translated).findings == ()
    status, lines = verify(translated, tmp_path)
    assert status == 0, lines
    assert "open; corrected: fr" in lines
    with translated.store.write() as work:
        record = work.proposals.find("prop_02")
        work.proposals.put(record._replace(languages={"fr": MALLORY}))
    assert [one.message for one in verify_books(translated).findings] == [
        "The vote on 'eau' differs in 'fr' from the leaf that corrected it."
    ]


def test_a_translation_changed_in_the_database_is_noticed(
    translated: Context, tmp_path: Path
) -> None:
    """The server's verification and the verifier of bundles compare it with the log."""
    with translated.store.write() as work:
        record = work.proposals.find("prop_02")
        work.proposals.put(record._replace(languages={"fr": MALLORY}))

    assert [one.check for one in verify_books(translated).findings] == ["votes"]
    status, lines = verify(translated, tmp_path)
    assert status == 1
    assert "proposals/prop_02/fr.json is not the text that was shown" in lines


PAYING = "Give to DE89 3704 0044 0532 0130 00"


@pytest.fixture
def governed(translated: Context) -> Context:
    """The same organisation with a limit."""
    return replace(translated, rules=translated.rules._replace(approval_cents=10_000))


def test_the_text_of_a_decided_vote_says_nowhere_where_to_pay(governed: Context) -> None:
    """An editor corrects its translation alone, and visitors read text and reason."""
    clock_of(governed).advance(days=30)
    close_due_votes(governed, unattended=True)
    editor = acting(governed, "eve")

    for changes, why in ({"title": PAYING}, WHY), (MALLORY, PAYING):
        with pytest.raises(Conflict, match="The correction says where to send money"):
            edit_proposal(editor, "prop_02", changes, language=FRENCH, why=why)
    assert served_in_french(governed) == "De l’eau propre"
    assert edit_proposal(editor, "prop_02", MALLORY, language=FRENCH, why=WHY)


def test_the_reason_of_a_withdrawal_says_nowhere_where_to_pay(governed: Context) -> None:
    """The list of proposals shows it."""
    with pytest.raises(Conflict, match="The reason says where to send money"):
        withdraw_proposal(acting(governed, "eve"), "prop_02", reason=PAYING)


def test_a_file_changes_no_translation_of_an_open_vote(translated: Context) -> None:
    """Neither imported nor given to an edit of the original; an unchanged file is fine."""
    exported = export_proposals(translated)

    assert import_proposals(acting(translated, "eve"), exported).changed == ()
    with pytest.raises(Conflict, match="its translations are fixed"):
        import_proposals(acting(translated, "eve"), [{**exported[-1], "fr": MALLORY}])
    for language in (None, ENGLISH):
        with pytest.raises(Conflict, match="its translations are fixed"):
            edit_proposal(acting(translated, "eve"), "prop_02", {"fr": MALLORY}, language=language)
    assert served_in_french(translated) == "De l’eau propre"


def test_the_verifier_refuses_a_withdrawal_by_one(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that skips the approval writes a log that the verifier refuses."""
    monkeypatch.setattr(lifecycle, "_ask", lambda *_args, **_kwargs: None)
    withdraw_proposal(acting(context, "ada"), "prop_01", reason=WHY)

    status, lines = verify(context, tmp_path)

    assert status == 1
    assert "votes.withdraw of prop_01 without approval" in lines
    (finding,) = verify_books(context).findings
    assert finding.check == "control"
    assert "breaks a rule: votes.withdraw of prop_01 without approval" in finding.message


def test_a_correction_by_one_is_noticed(
    translated: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that skips the approval of a correction is named by server and verifier."""
    monkeypatch.setattr(lifecycle, "_ask", lambda *_args, **_kwargs: None)
    edit_proposal(acting(translated, "ada"), "prop_02", MALLORY, language=FRENCH, why=WHY)

    messages = [one.message for one in verify_books(translated).findings]

    what = "votes.correct of prop_02 without approval"
    assert [what in message for message in messages] == [True]
    assert what in verify(translated, tmp_path)[1]
