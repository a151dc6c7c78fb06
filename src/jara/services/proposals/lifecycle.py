"""Proposals: drafting, opening, withdrawing, importing and exporting."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from jara.domain.content.translations import changes_in, translations_of
from jara.domain.content.values import SLUG_MAX, check_line
from jara.domain.countries import settle_country
from jara.domain.errors import Conflict
from jara.domain.language import Language
from jara.domain.lookup import fold
from jara.domain.publiclog.leaves import (
    Leaf,
    content_document,
    content_hash,
    proposal_correct_leaf,
    proposal_open_leaf,
    proposal_withdraw_leaf,
)
from jara.domain.voting.proposal import (
    Proposal,
    ProposalStatus,
    fix_end,
    move_proposal,
    open_proposal,
    require_draft,
)
from jara.domain.voting.tally import rule_in_force
from jara.records.operations import Approval, AuditRow
from jara.records.voting import ProposalRecord
from jara.services.approvals import Handler, require_approval
from jara.services.audit import write_audit
from jara.services.ballots.counting import count_cast
from jara.services.context import Context
from jara.services.organisation import require_no_pay_details
from jara.services.proposals.documents import export_proposal, read_texts, settle
from jara.services.proposals.vote_emails import queue_vote_emails
from jara.services.publiclog.receipts import name_promise_key
from jara.store.unit_of_work import UnitOfWork

WITHDRAW_VOTE = "votes.withdraw"
CORRECT_VOTE = "votes.correct"
"""Acts on open votes, which need two people; see `jara.domain.control.effects`."""


class ImportReport(NamedTuple):
    """The ids of imported proposals: new, changed or unchanged."""

    created: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]


def draft_proposal(context: Context, document: Mapping[str, Any]) -> ProposalRecord:
    """Store a new draft.

    Raises:
        InvalidInput: the document breaks a rule.
        Conflict: its id or its slug is taken.
    """
    with context.store.write() as work:
        return _add_draft(context, work, document)


def edit_proposal(
    context: Context,
    text: str,
    changes: Mapping[str, Any],
    *,
    language: Language | None = None,
    checked: bool = False,
    why: str = "",
) -> ProposalRecord | Approval:
    """Change a draft, or the translations of any proposal; other keys stay unchanged.

    A translation that changes after the opening is published in the log, with the reason. While the
    vote is open, a second operator approves it. `text` is a unique prefix of the proposal's id or
    slug. `language` is that of the changed texts, by default the proposal's own; with `checked`
    they fit the originals of now. `why` is the reason, for a translation of a proposal that was
    opened.

    Returns:
        The proposal, or the approval that the change waits for.

    Raises:
        Conflict: it is not a draft any more, or the new slug is taken.
        InvalidInput: a value breaks a rule, or the id would change.
    """
    with context.store.write() as work:
        record = work.proposals.find(text)
        changed = changes_in(record.languages, changes, language)
        fits = (language,) if checked and language is not None else ()
        edited = _edited(context, work, record, changed, checked=fits)
        is_opened = record.opened_index is not None
        if language is None or not is_opened or _text(record, language) == _text(edited, language):
            _require_translations_kept(record, edited)
            return _store(context, work, record, edited)
        payload = {"proposal": record.proposal.id, "language": language, "why": why}
        return _correct(context, work, record, edited, {**payload, "changes": dict(changes)})


def find_proposal(context: Context, text: str) -> Proposal:
    """Return the proposal with that id or slug, or a unique prefix of either.

    Raises:
        NotFound: no proposal matches.
        Conflict: several proposals match.
    """
    with context.store.read() as work:
        return work.proposals.find(text).proposal


def find_title(context: Context, title: str) -> str | None:
    """Return the slug of a proposal with that title, if there is one."""
    with context.store.read() as work:
        every = [record.proposal for record in work.proposals.all()]
    slugs = {fold(proposal.title): proposal.slug for proposal in every}
    return slugs.get(fold(title))


def put_to_vote(context: Context, text: str) -> ProposalRecord:
    """Open the vote: the text is fixed and its hash written to the public log.

    The ballot key is on disk before the opening commits; nobody could vote without it.

    Raises:
        IllegalTransition: it is not a draft.
        InvalidInput: its end is in the past.
        Conflict: there are limits, and it says where to send money, which all members would read.
    """
    with context.store.write() as work:
        record = work.proposals.find(text)
        read = {**export_proposal(record), "id": "", "slug": ""}
        require_no_pay_details(context, work, f"The vote on '{record.proposal.title}'", read)
        rules, today = work.log.vote_rules(), context.today()
        proposal = open_proposal(
            fix_end(record.proposal, work.zone), rule=rule_in_force(rules, today), now=context.now()
        )
        if not work.proposals.all(ProposalStatus.OPEN):
            work.electors.forget_lapsed()
        context.vault.make_ballot_key(proposal.id)
        name_promise_key(context, work)
        leaf = work.log.append(
            proposal_open_leaf(
                proposal,
                {
                    language: content_hash(record._replace(proposal=proposal).text_in(language))
                    for language in translations_of(record.languages)
                },
                today if rules else None,
            )
        )
        opened = record._replace(proposal=proposal, opened_index=leaf.index)
        work.proposals.put(opened)
        record_change(context, work, "proposals.open", record, opened)
        queue_vote_emails(context, work, opened)
        return opened


def withdraw_proposal(context: Context, text: str, *, reason: str) -> ProposalRecord | Approval:
    """Withdraw a draft or an open vote; the public log records the latter.

    Its ballots are destroyed: nothing is counted, and only their number is published. A vote that
    has ballots needs a second operator.

    Returns:
        The proposal, or the approval that it waits for.

    Raises:
        IllegalTransition: it is decided already.
    """
    check_line("reason of a withdrawal", reason)
    with context.store.write() as work:
        record = work.proposals.find(text)
        require_no_pay_details(context, work, "The reason", reason)
        action = "proposals.withdraw"
        withdrawn = record._replace(
            proposal=move_proposal(record.proposal, ProposalStatus.WITHDRAWN)
        )
        if record.proposal.status is ProposalStatus.OPEN:
            ballots = count_cast(work, record.proposal.id)
            if ballots:
                action = WITHDRAW_VOTE
                payload = {"proposal": record.proposal.id, "reason": reason}
                waiting = _ask(context, work, action, payload, reason)
                if waiting is not None:
                    return waiting
            leaf = work.log.append(
                proposal_withdraw_leaf(record.proposal.id, reason, work.log.size() - 1, ballots)
            )
            withdrawn = withdrawn._replace(
                proposal=replace(withdrawn.proposal, decided_at=context.now()),
                closed_index=leaf.index,
            )
            work.box.empty(record.proposal.id)
            work.closings.forget(record.proposal.id)
        work.proposals.put(withdrawn)
        record_change(context, work, action, record, withdrawn, why=reason)
        return withdrawn


def _ask(
    context: Context, work: UnitOfWork, action: str, payload: Mapping[str, Any], why: str
) -> Approval | None:
    """Ask for the approval of an act on a vote; the approval's leaf names the vote."""
    return require_approval(
        context,
        work,
        action=action,
        payload=payload,
        why=why,
        spends=lambda _salt: {"proposal": payload["proposal"]},
    )


def import_proposals(context: Context, documents: Iterable[Mapping[str, Any]]) -> ImportReport:
    """Import proposals, all or none: new ones become drafts, existing drafts change.

    Votes are never imported; a status in the file is ignored.

    Raises:
        Conflict: the text of a proposal that is not a draft any more would change.
    """
    created: list[str] = []
    changed: list[str] = []
    unchanged: list[str] = []
    with context.store.write() as work:
        for document in documents:
            stored = work.proposals.get(str(document.get("id", "")))
            if stored is None:
                created.append(_add_draft(context, work, document).proposal.id)
                continue
            # `endsInDays` counts from the first import of the file.
            settled = {key: value for key, value in document.items() if key != "endsInDays"}
            edited = _edited(context, work, stored, settled)
            _require_translations_kept(stored, edited)
            edited = _store(context, work, stored, edited)
            (unchanged if edited == stored else changed).append(stored.proposal.id)
    return ImportReport(tuple(created), tuple(changed), tuple(unchanged))


def export_proposals(context: Context) -> list[dict[str, Any]]:
    """Return every proposal as a document that can be imported again."""
    with context.store.read() as work:
        return [export_proposal(record) for record in work.proposals.all()]


def record_change(
    context: Context,
    work: UnitOfWork,
    action: str,
    before: ProposalRecord | None,
    after: ProposalRecord,
    *,
    why: str = "",
    unattended: bool = False,
) -> None:
    """Record a change of a proposal, by an operator or due by its time: each changed key."""
    old = {} if before is None else export_proposal(before)
    new = export_proposal(after)
    touched = sorted(key for key in new if old.get(key) != new[key])
    row = AuditRow(
        at=context.now(),
        operator=context.operator,
        action=action,
        subject=after.proposal.id,
        why=why,
        before={key: old[key] for key in touched if key in old},
        after={key: new[key] for key in touched},
    )
    if unattended:
        work.operations.record(row)
    else:
        write_audit(context, work, row)


def _add_draft(context: Context, work: UnitOfWork, document: Mapping[str, Any]) -> ProposalRecord:
    given = _with_country(context, settle(document, context.today()))
    own, key = given.get("id"), context.new_key("prop_")
    text, languages = read_texts({**given, "id": own or given.get("slug")}, context.rules.languages)
    proposal = Proposal(text={**text, "id": own or key})
    if work.proposals.get(proposal.id) is not None:
        raise Conflict(f"Proposal '{proposal.id}' already exists; edit it instead.")
    taken = _slugs(work)
    if given.get("slug"):
        _require_free(proposal.slug, taken)
    else:
        proposal = proposal.with_text(slug=_free_slug(proposal.slug, taken))
    record = ProposalRecord(proposal, created_at=context.now(), languages=languages)
    work.proposals.put(record)
    record_change(context, work, "proposals.new", None, record)
    return record


def _edited(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    changes: Mapping[str, Any],
    *,
    checked: Collection[Language] = (),
) -> ProposalRecord:
    old, given = record.proposal, settle(changes, context.today())
    document: Mapping[str, Any] = {**old.text, **given}
    if any(document.get(key) != old.text.get(key) for key in ("country", "countryCode")):
        document = _with_country(context, document, given=given)
    text, languages = read_texts(document, context.rules.languages, before=record, checked=checked)
    edited = replace(old, text=text)
    if old.status is not ProposalStatus.DRAFT:
        edited = fix_end(edited, work.zone)  # a file names the day that the vote was opened with
    if edited != old:
        require_draft(old)
    if edited.id != old.id:
        raise Conflict(f"The id of the proposal '{old.id}' cannot be changed.")
    if edited.slug != old.slug:
        _require_free(edited.slug, _slugs(work))
    return record._replace(proposal=edited, languages=languages)


def _require_translations_kept(record: ProposalRecord, edited: ProposalRecord) -> None:
    """Refuse other translations of a proposal that was opened, but as a correction.

    Raises:
        Conflict: they differ.
    """
    if record.opened_index is not None and export_proposal(edited) != export_proposal(record):
        slug = record.proposal.slug
        raise Conflict(
            f"The proposal '{slug}' is {record.proposal.status} and its translations are fixed; to "
            f"correct one: jara proposals edit {slug} --language CODE --why REASON"
        )


def _store(
    context: Context, work: UnitOfWork, record: ProposalRecord, edited: ProposalRecord
) -> ProposalRecord:
    """Store a changed proposal; without a change nothing is recorded."""
    if edited == record:
        return record
    work.proposals.put(edited)
    record_change(context, work, "proposals.edit", record, edited)
    return edited


def _text(record: ProposalRecord, language: Language) -> Leaf:
    return content_document(record.text_in(language))


def _correct(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    edited: ProposalRecord,
    payload: Mapping[str, Any],
) -> ProposalRecord | Approval:
    """Change a translation after the opening: the log gets the whole text in that language."""
    proposal, language, why = payload["proposal"], Language(payload["language"]), payload["why"]
    check_line("reason of a correction", why)
    action = "proposals.correct"
    if record.proposal.status is ProposalStatus.OPEN or context.approved is not None:
        action = CORRECT_VOTE
        waiting = _ask(context, work, action, payload, why)
        if waiting is not None:
            return waiting
    else:
        shown = {"reason": why, "text": _text(edited, language)}
        require_no_pay_details(context, work, "The correction", shown)
    work.log.append(
        proposal_correct_leaf(
            proposal, language, _text(edited, language), day=context.today(), reason=why
        )
    )
    before = {language: _text(record, language), **record.opened_with}
    corrected = edited._replace(opened_with=before)
    work.proposals.put(corrected)
    record_change(context, work, action, record, corrected, why=why)
    return corrected


def _correct_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return edit_proposal(
        context,
        payload["proposal"],
        payload["changes"],
        language=Language(payload["language"]),
        why=payload["why"],
    )


def _with_country(
    context: Context, document: Mapping[str, Any], *, given: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """Return a document with the country's name and code from the list of countries.

    If a change gives a country without a code, the country's own code replaces the old one.
    """
    countries = context.rules.countries
    texts = {key: document.get(key) for key in ("country", "countryCode")}
    if given is not None and "countryCode" not in given:
        texts["countryCode"] = None
    name, code = texts["country"], texts["countryCode"] or ""
    if not countries or not isinstance(name, str) or not isinstance(code, str) or not name:
        return document  # the check of its kind reports the error
    name, code = settle_country(name, code, countries)
    return {**document, "country": name, "countryCode": code}


def _slugs(work: UnitOfWork) -> set[str]:
    return {record.proposal.slug for record in work.proposals.all()}


def _require_free(slug: str, taken: set[str]) -> None:
    if slug in taken:
        raise Conflict(f"Another proposal has the slug '{slug}'; choose another.")


def _free_slug(slug: str, taken: set[str]) -> str:
    number, free = 1, slug
    while free in taken:
        number += 1
        ending = f"-{number}"
        free = slug[: SLUG_MAX - len(ending)].rstrip("-") + ending
    return free


HANDLERS: Mapping[str, Handler] = {
    WITHDRAW_VOTE: lambda context, payload: withdraw_proposal(
        context, payload["proposal"], reason=payload["reason"]
    ),
    CORRECT_VOTE: _correct_approved,
}
