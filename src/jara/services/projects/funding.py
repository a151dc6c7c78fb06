"""Connecting a passed proposal to its project; the project's payouts refer to the proposal."""

from collections.abc import Iterable

from jara.domain.content.fields import Document
from jara.domain.content.kinds import PROJECTS, PROPOSAL, kind_of
from jara.domain.content.translations import languages_in, translations_of
from jara.domain.projects import ProjectStatus
from jara.domain.voting.proposal import Proposal, ProposalStatus, move_proposal
from jara.records.content import ContentItem
from jara.records.voting import ProposalRecord
from jara.services.content import ContentEditor
from jara.services.context import Context
from jara.services.proposals.lifecycle import record_change
from jara.store.unit_of_work import UnitOfWork

_SHARED = {**{key: key for key in ("title", "summary", "measures")}, "storySections": "story"}
"""The texts of a proposal that its project has too, and their keys there."""


def fund_proposal(context: Context, text: str, *, project: str | None = None) -> ContentItem:
    """Connect a passed proposal, by id or slug, to its project, and mark it as funded.

    `project` is an existing one; by default a new unpublished one is created from the proposal.

    Raises:
        IllegalTransition: it has not passed, or is funded already.
        NotFound: there is no such proposal or project.
    """
    with context.store.write() as work:
        record = work.proposals.find(text)
        funded = record._replace(proposal=move_proposal(record.proposal, ProposalStatus.FUNDED))
        work.proposals.put(funded)
        record_change(context, work, "proposals.fund", record, funded)
        return _tie_project(context, work, record, project)


def _tie_project(
    context: Context, work: UnitOfWork, record: ProposalRecord, project: str | None
) -> ContentItem:
    editor, proposal = ContentEditor(context, work, kind_of(PROJECTS)), record.proposal
    if project is not None:
        item = work.content.find(PROJECTS, project)
        return editor.put(
            editor.complete(
                {
                    **item.doc,
                    "proposal": proposal.id,
                    "measures": _handed_over(proposal, item.doc.get("measures", ())),
                }
            ),
            published=item.published,
            position=item.position,
        )
    document = {
        "id": proposal.slug,
        "slug": proposal.slug,
        "title": proposal.title,
        "location": proposal.text["countryCode"] or None,
        "status": ProjectStatus.PLANNING.value,
        "category": proposal.text["category"],
        "summary": proposal.text["summary"],
        "fundingGoalCents": proposal.goal_cents,
        "proposal": proposal.id,
        "story": proposal.text["storySections"],
        "measures": _handed_over(proposal, ()),
        **_languages(record),
    }
    return editor.put(editor.complete(document), published=False, position=editor.next_position())


def _handed_over(proposal: Proposal, own: Iterable[Document]) -> list[Document]:
    """Return a project's measures with those that the vote was promised, which come first."""
    promised: list[Document] = proposal.text["measures"]
    known = {measure["id"] for measure in promised}
    return [*promised, *(measure for measure in own if measure["id"] not in known)]


def _languages(record: ProposalRecord) -> Document:
    """Return the language of a proposal, and its translations of what its project has too."""
    shared = {
        language: {_SHARED[key]: text for key, text in texts.items() if key in _SHARED}
        for language, texts in translations_of(record.languages).items()
    }
    return {**languages_in(PROPOSAL.fields, record.languages), **shared}
