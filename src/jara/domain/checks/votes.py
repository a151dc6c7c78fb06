"""Checks of votes: ballots, lists of participants, rolls."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.checks.books import Finding
from jara.domain.publiclog import canonical, leaves
from jara.domain.publiclog.ballots import roll_root
from jara.domain.voting.proposal import DECIDED, Proposal, ProposalStatus
from jara.domain.voting.tally import RuleChange, Tally, rule_in_force

Leaf = Mapping[str, Any]
Counts = tuple[int, int, int]
"""Yes, no, void."""


@dataclass(frozen=True, slots=True)
class StoredBallot:
    """A stored row of the ballots."""

    proposal: str
    voter: str
    choice: str
    index: int


class StoredVote(NamedTuple):
    """Everything stored about one vote, unchecked."""

    proposal: Proposal
    opened_index: int | None  # log index of the opening, if any
    closed_index: int | None  # log index of the close or the withdrawal, if any
    roll_size: int | None  # the size of the frozen roll, if any
    opening: Leaf  # the leaf at the first index; empty if there is none
    ending: Leaf  # the leaf at the second index; empty if there is none
    texts: Mapping[str, Leaf]  # the canonical text in each other language, as it is served
    opened_with: Mapping[str, Leaf]  # the same as it was at the opening, where it changed since
    corrected: Mapping[str, Leaf]
    """The text in each language that was corrected, as the newest leaf has it."""
    ballots: tuple[StoredBallot, ...]  # the ballots in the log
    sealed: int  # the number of sealed ballots; 0 while a close empties the box
    dropped: tuple[str, ...]  # the voters whose ballots were dropped at the close
    roll: tuple[str, ...]  # the frozen roll, sorted
    kept: Counts  # the maintained counts
    participants: int  # the number of members on the list of participants
    key_destroyed: bool  # whether the ballot key is destroyed
    rules: tuple[RuleChange, ...] = ()
    """The rules of new proposals that the log has before the opening."""
    opened_on: date | None = None  # the day of the opening, where there are such rules

    def recount(self) -> Counts:
        """Recount the ballots."""
        choices = [ballot.choice for ballot in self.ballots]
        return choices.count("up"), choices.count("down"), len(self.dropped)


def check_ballot_columns(
    pairs: Iterable[tuple[int, Leaf | None, StoredBallot | None]],
) -> Iterator[Finding]:
    """Find ballots whose row differs from their leaf: log index, leaf, row; None where missing."""
    for index, leaf, row in pairs:
        if leaf is None:
            yield _ballot(index, "has a row, but no leaf in the log")
        elif row is None:
            yield _ballot(index, "is in the log, but has no row")
        elif (row.proposal, row.voter, row.choice) != (
            leaf.get("proposal"),
            leaf.get("voter"),
            leaf.get("choice"),
        ):
            yield _ballot(index, "differs between its row and its leaf")


def check_vote_leaves(logged: Iterable[int], kept: Iterable[int]) -> Iterator[Finding]:
    """Find openings, closes and withdrawals in the log or the proposals, but not in both."""
    in_log, in_rows = set(logged), set(kept)
    for index in sorted(in_log ^ in_rows):
        word = "no proposal refers to it" if index in in_log else "it is not in the log"
        yield Finding(
            "proposal_columns", f"leaf {index}", f"At log index {index} a vote changes; {word}."
        )


def check_vote(vote: StoredVote) -> Iterator[Finding]:
    """Check one vote: opening, ballots, counts, roll, result."""
    for message in (
        *_wrong_opening(vote),
        *_wrong_corrections(vote),
        *_wrong_ballots(vote),
        *_wrong_ending(vote),
    ):
        yield Finding("votes", vote.proposal.id, f"The vote on '{vote.proposal.slug}' {message}.")


def _wrong_opening(vote: StoredVote) -> Iterator[str]:
    proposal = vote.proposal
    if vote.opened_index is None:
        if vote.ballots or proposal.status in {ProposalStatus.OPEN, *DECIDED}:
            yield "was never opened in the log"
        return
    expected = leaves.proposal_open_leaf(
        proposal,
        _translations_of(vote) if "translations" in vote.opening else None,
        vote.opened_on,
    )
    if proposal.rule != rule_in_force(vote.rules, vote.opened_on or date.min):
        yield "has another rule than the one that was in force when it opened"
    for key in sorted({*expected, *vote.opening}):
        if expected.get(key) != vote.opening.get(key):
            yield f"differs in '{key}' from the leaf that opened it"


def _translations_of(vote: StoredVote) -> dict[str, str]:
    """Return the hash of the text in each language, as it was at the opening."""
    listed = vote.opening["translations"]
    texts = {
        language: text
        for language, text in {**vote.texts, **vote.opened_with}.items()
        if language in listed or language not in vote.corrected
    }
    return {name: sha256(canonical.encode(text)).hexdigest() for name, text in texts.items()}


def _wrong_corrections(vote: StoredVote) -> Iterator[str]:
    for language, text in vote.corrected.items():
        if vote.texts.get(language, leaves.content_document(vote.proposal)) != text:
            yield f"differs in '{language}' from the leaf that corrected it"


def _wrong_ballots(vote: StoredVote) -> Iterator[str]:
    voters = [ballot.voter for ballot in vote.ballots]
    if len(set(voters)) != len(voters):
        yield "has two ballots of one voter"
    if not set(voters).isdisjoint(vote.dropped):
        yield "has a ballot that it dropped"
    cast = {*voters, *vote.dropped}
    if vote.participants > len(cast):
        yield f"has {len(cast):,} ballots, but {vote.participants:,} members took part"
    if vote.participants and not vote.key_destroyed:
        yield "has a list of who took part although its ballot key exists"
    if vote.sealed and vote.proposal.status is not ProposalStatus.OPEN:
        yield f"is {vote.proposal.status}, but has {vote.sealed:,} sealed ballots"
    if vote.proposal.status in DECIDED and vote.kept != vote.recount():
        yield f"is stored as {vote.kept} (yes, no, void); its ballots count {vote.recount()}"
    first = vote.opened_index
    last = vote.closed_index
    for ballot in vote.ballots:
        if (first is not None and ballot.index < first) or (
            last is not None and ballot.index > last
        ):
            yield f"has a ballot outside its time, at log index {ballot.index}"


def _wrong_ending(vote: StoredVote) -> Iterator[str]:
    status = vote.proposal.status
    if status not in DECIDED:
        withdrawn = status is ProposalStatus.WITHDRAWN and vote.opened_index is not None
        if withdrawn and vote.ending.get("proposal") != vote.proposal.id:
            yield "was withdrawn, but its withdrawal is not in the log"
        if not withdrawn and vote.closed_index is not None:
            yield f"is {status}, but ends in the log"
        return
    strangers = {ballot.voter for ballot in vote.ballots} - set(vote.roll)
    if strangers:
        yield f"has a ballot whose voter is not on the roll: {min(strangers)}"
    if vote.roll_size != len(vote.roll):
        yield f"has a roll of {vote.roll_size:,}, but {len(vote.roll):,} voters are on it"
    yes, no, _ = vote.recount()
    if not strangers and vote.roll_size == len(vote.roll) >= yes + no:
        yield from _wrong_close(vote)


def _wrong_close(vote: StoredVote) -> Iterator[str]:
    yes, no, void = vote.recount()
    tally = Tally(yes=yes, no=no, void=void, roll=len(vote.roll))
    passes = vote.proposal.rule.passes(tally)
    if passes != (vote.proposal.status is not ProposalStatus.REJECTED):
        yield f"is {vote.proposal.status}; by its rule it {'passes' if passes else 'fails'}"
    expected = leaves.proposal_close_leaf(
        vote.proposal.id,
        tally,
        roll_root=roll_root(vote.roll),
        passed=passes,
        last_index=(vote.closed_index or 0) - 1,
        # The stored data no longer implies these, so any counts are accepted.
        shared_cards=_count_in(vote.ending, "shared_cards"),
        emails=_count_in(vote.ending, "emails"),
        dropped=_hashes_in(vote),
        ways=_counts_in(vote.ending, "ways"),
        changed_addresses=_count_in(vote.ending, "changed_addresses"),
        off_roll=_counts_in(vote.ending, "off_roll"),
        lost_votes=_count_in(vote.ending, "lost_votes"),
    )
    for key in sorted({*expected, *vote.ending}):
        if expected.get(key) != vote.ending.get(key):
            yield f"differs in '{key}' from the leaf that closed it"


def _count_in(leaf: Leaf, name: str) -> int | None:
    value = leaf.get(name)
    return value if type(value) is int and value >= 0 else None


def _hashes_in(vote: StoredVote) -> list[str] | None:
    """Return the hashes of dropped ballots, if there is one for each."""
    hashes = vote.ending.get("dropped")
    if isinstance(hashes, list) and len(hashes) == len(vote.dropped):
        return hashes
    return [] if vote.dropped else None


def _counts_in(leaf: Leaf, name: str) -> Mapping[str, int] | None:
    counts = leaf.get(name)
    return counts if isinstance(counts, dict) else None


def _ballot(index: int, what: str) -> Finding:
    return Finding("ballot_columns", f"leaf {index}", f"The ballot at log index {index} {what}.")
