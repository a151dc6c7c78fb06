"""Votes as documents: proposals with their counts and checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from jara.documents import Document, camel, to_document, to_json
from jara.domain.checks.log import paired, read_leaf
from jara.domain.checks.votes import StoredVote, check_ballot_columns, check_vote
from jara.domain.content.kinds import PROJECTS, PROPOSAL
from jara.domain.content.translations import describe_translations
from jara.domain.publiclog import merkle
from jara.domain.publiclog.ballots import tracker
from jara.domain.publiclog.leaves import LeafType
from jara.domain.voting.proposal import ProposalStatus, format_instant, listing_order
from jara.domain.voting.tally import VoteCounts, rule_in_force
from jara.records.voting import ProposalRecord
from jara.services.ballots.counting import count_open, count_vote, has_key, off_roll_of
from jara.services.books.checks import stored_vote
from jara.services.books.commitments import releases_of
from jara.services.context import Context
from jara.services.proposals.documents import export_proposal, proposal_in, whole_document
from jara.services.publiclog.receipts import CheckedPoint
from jara.store.unit_of_work import UnitOfWork


class ProposalName(NamedTuple):
    """The fields that identify a proposal next to its counts."""

    id: str
    slug: str
    title: str
    status: ProposalStatus
    end_date: str


@dataclass(frozen=True, slots=True)
class CheckedBallot:
    """One ballot of a vote, and whether its inclusion proof is valid."""

    index: int
    tracker: str
    choice: str
    proven: bool


class CheckedVote(NamedTuple):
    """The result of verifying one vote."""

    proposal: ProposalName
    size: int
    root: str
    points: tuple[CheckedPoint, ...]
    ballots: tuple[CheckedBallot, ...]

    @property
    def ok(self) -> bool:
        """Whether all checks passed."""
        return all(point.ok for point in self.points)


def tally_vote(context: Context, text: str) -> Document:
    """Return the counts of a vote, with its proposal."""
    with context.store.read() as work:
        record = work.proposals.find(text)
        counts = _count(context, work, record)
        off_roll = _off_roll(work, record)
    return {
        "proposal": to_document(name_proposal(record)),
        **to_document(counts),
        **({} if off_roll is None else {"offRoll": off_roll}),
    }


def list_proposals(
    context: Context, *statuses: ProposalStatus, whole: bool = False
) -> list[Document]:
    """Return proposals with their counts: open ones first, then the newest.

    They are in the reader's language, or whole: as in files, with their translations.
    """
    now = context.now()
    with context.store.read() as work:
        records = sorted(
            work.proposals.all(*statuses), key=lambda one: listing_order(one.proposal, now)
        )
        projects = _projects(work)
        return [_view(context, work, record, projects, whole=whole) for record in records]


def list_public(context: Context) -> list[Document]:
    """Return the proposals that the site lists, as `list_proposals` does."""
    now = context.now()
    with context.store.read() as work:
        records = sorted(work.proposals.listed(), key=lambda one: listing_order(one.proposal, now))
        projects = _projects(work)
        return [_view(context, work, record, projects, whole=False) for record in records]


def show_proposal(context: Context, text: str, *, whole: bool = False) -> Document:
    """Return one proposal with its counts; `whole` as for `list_proposals`."""
    with context.store.read() as work:
        return _view(context, work, work.proposals.find(text), _projects(work), whole=whole)


def list_languages(context: Context) -> dict[str, str]:
    """Return which translations each proposal has, and what in them is out of date, by id."""
    with context.store.read() as work:
        return {
            record.proposal.id: describe_translations(PROPOSAL.fields, whole_document(record))
            for record in work.proposals.all()
        }


def verify_vote(context: Context, text: str) -> CheckedVote:
    """Recount one vote, check its roll, and prove each of its ballots in the log."""
    with context.store.read() as work:
        record = work.proposals.find(text)
        vote = stored_vote(work, record)
        size, root = work.log.size(), work.log.root()
        ballots = tuple(_proven(work, vote, size, root))
        is_open = record.proposal.status is ProposalStatus.OPEN
        sealed = _sealed(context, work, record) if is_open else None
        unlike = list(
            check_ballot_columns(
                paired(
                    _ballot_leaves(work, record.proposal.id),
                    ((ballot.index, ballot) for ballot in vote.ballots),
                )
            )
        )
    wrong = [finding.message for finding in [*check_vote(vote), *unlike]]
    unproven = [ballot.index for ballot in ballots if not ballot.proven]
    points = (
        sealed or _recounted(vote),
        CheckedPoint("rules", not wrong, " ".join(wrong) or "Opening, roll and result agree."),
        CheckedPoint(
            "proofs",
            not unproven,
            f"Ballots without a proof: {unproven}."
            if unproven
            else f"All {len(ballots):,} ballots are in the log of {size:,} leaves."
            if ballots
            else "The log lists no ballot of this vote.",
        ),
    )
    return CheckedVote(name_proposal(record), size, root.hex(), points, ballots)


def _recounted(vote: StoredVote) -> CheckedPoint:
    yes, no, void = vote.recount()
    return CheckedPoint(
        "recount",
        vote.recount() == vote.kept,
        f"The ballots count {yes} yes, {no} no and {void} dropped.",
    )


def _sealed(context: Context, work: UnitOfWork, record: ProposalRecord) -> CheckedPoint:
    proposal_id = record.proposal.id
    if not has_key(context, work, proposal_id):
        return CheckedPoint("recount", False, "The ballot key does not open the ballots.")  # noqa: FBT003 - a fact
    if record.proposal.hides_figures:
        return CheckedPoint("recount", True, "The ballots are sealed until the vote closes.")  # noqa: FBT003 - a fact
    yes, no = count_open(context, work, proposal_id)
    return CheckedPoint(
        "recount",
        True,  # noqa: FBT003 - a fact
        f"The ballots count {yes} yes and {no} no; they are sealed until the vote closes.",
    )


def name_proposal(record: ProposalRecord) -> ProposalName:
    """Return the name of a proposal."""
    proposal = record.proposal
    return ProposalName(
        proposal.id, proposal.slug, proposal.title, proposal.status, proposal.ends_text
    )


def _view(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    projects: Mapping[str, str],
    *,
    whole: bool,
) -> Document:
    counts = _count(context, work, record)
    view = {
        **(export_proposal(record) if whole else proposal_in(record, context.language)),
        "_id": record.proposal.id,
        "votes": None if counts.yes is None or counts.no is None else counts.yes + counts.no,
        "upvotePercentage": counts.upvote_percentage,
        "downvotePercentage": counts.downvote_percentage,
        "tally": to_document(counts),
    }
    if record.opened_at is not None:
        view["openedAt"] = format_instant(record.opened_at)
    if record.decided_at is not None:
        view["decidedAt"] = format_instant(record.decided_at)
    if record.key_destroyed_at is not None:
        view["keyDestroyedAt"] = format_instant(record.key_destroyed_at)
    if record.proposal.status is ProposalStatus.WITHDRAWN and record.closed_index is not None:
        leaf = read_leaf(work.log.leaf(record.closed_index).body)
        view["withdrawal"] = {"reason": leaf["reason"], "ballots": leaf.get("ballots")}
    corrections = work.log.corrections().get(record.proposal.id, ())
    keys = ("language", "day", "reason")
    view["corrections"] = [{key: leaf[key] for key in keys} for leaf in corrections]
    if record.is_final:
        passed = record.proposal.status is not ProposalStatus.REJECTED
        view["result"] = "passed" if passed else "rejected"
        off_roll = _off_roll(work, record)
        view |= {} if off_roll is None else {"offRoll": off_roll}
        if passed:
            view["project"] = projects.get(record.proposal.id)
            releases = releases_of(work, record.proposal.id)
            view |= {"releases": to_json(releases)} if releases else {}
    return view


def _off_roll(work: UnitOfWork, record: ProposalRecord) -> Document | None:
    """Return how many members were not on the roll of a decided vote, by reason, as published."""
    counts = off_roll_of(work, record)
    return {camel(name): counts[name] for name in sorted(counts)} or None


def _projects(work: UnitOfWork) -> dict[str, str]:
    """Return the slug of the published project that each proposal funds."""
    slugs: dict[str, str] = {}
    for item in work.content.all(PROJECTS, published_only=True):
        slugs.setdefault(str(item.doc.get("proposal")), item.slug)
    return slugs


def _count(context: Context, work: UnitOfWork, record: ProposalRecord) -> VoteCounts:
    tally = count_vote(context, work, record)
    rule = record.proposal.rule
    if record.opened_at is None:
        rule = rule_in_force(work.log.vote_rules(), context.today())
    return tally.counts(rule, final=record.is_final)


def _ballot_leaves(work: UnitOfWork, proposal_id: str) -> Iterator[tuple[int, Document]]:
    for leaf in work.log.leaves_of(LeafType.BALLOT):
        fields = read_leaf(leaf.body)
        if fields.get("proposal") == proposal_id:
            yield leaf.index, fields


def _proven(work: UnitOfWork, vote: StoredVote, size: int, root: bytes) -> Iterator[CheckedBallot]:
    for ballot in vote.ballots:
        digest = work.log.leaf(ballot.index).hash
        proof = work.log.inclusion(ballot.index, size)
        yield CheckedBallot(
            index=ballot.index,
            tracker=tracker(digest),
            choice=ballot.choice,
            proven=merkle.verify_inclusion(digest, ballot.index, size, proof, root),
        )
