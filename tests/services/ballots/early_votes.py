"""Votes as earlier versions held them: each ballot was listed in the log at once."""

from typing import Any
from unittest.mock import patch

from jara.domain.giving.member import Member
from jara.domain.publiclog import ballots as box
from jara.domain.publiclog.leaves import ballot_leaf
from jara.services.ballots.casting import cards_of, claims_of
from jara.services.context import Context
from jara.services.proposals import lifecycle
from jara.services.publiclog.signer import sign_size
from jara.services.publiclog.witnesses import newest_cosigned
from tests.services.ballots.voting_world import open_vote


def open_early(context: Context, **changes: Any) -> str:
    """Open a vote in a log that names no key for promises."""
    with patch.object(lifecycle, "name_promise_key", lambda *_: False):
        return open_vote(context, **changes)


NONCE = bytes(range(16))


def early_receipt(context: Context, ballot: int) -> dict[str, Any]:
    """Return the receipt of a ballot that `list_early` listed with the log's newest leaf."""
    with context.store.read() as work:
        leaf, size = work.log.leaf(ballot), ballot + 1
        return {
            "leaf": leaf.hash.hex(),
            "leafBytes": leaf.body.decode(),
            "index": ballot,
            "size": size,
            "root": work.log.root(size).hex(),
            "proof": [step.hex() for step in work.log.inclusion(ballot, size)],
            "checkpoint": sign_size(context, work, size),
            "nonce": NONCE.hex(),
            "tracker": box.tracker(leaf.hash),
            "cosigned": newest_cosigned(work),
        }


def list_early(
    context: Context, member: Member, choice: str = "up", *, proposal: str = "prop_01"
) -> int:
    """List a member's ballot in the log and store its row and claims; return its log index."""
    key = context.vault.ballot_key(proposal)
    assert key is not None
    voter = box.voter_token(key, proposal, member.id)
    mark = box.nonce_hash(proposal, NONCE)
    with context.store.write() as work:
        leaf = work.log.append(ballot_leaf(proposal, voter, choice, mark))
        work.sql.run(
            "INSERT INTO ballots (proposal, voter, choice, log_index) "
            "VALUES (:proposal, :voter, :choice, :log_index)",
            {"proposal": proposal, "voter": voter, "choice": choice, "log_index": leaf.index},
        )
        cards = cards_of(work, member, work.pledges.get(member.id), context.now())
        claims = claims_of(key, proposal, member, cards)
        work.box.add_claims(proposal, voter, claims.tokens)
    return leaf.index


def void_early(context: Context, ballot: int) -> int:
    """Void a listed ballot with a leaf of its own; return the log index of the void."""
    with context.store.write() as work:
        leaf = work.log.append(
            {"ballot": ballot, "reason": "no_contribution_left", "t": "jara/v1/ballot_void"}
        )
        work.sql.run(
            "INSERT INTO ballot_voids (proposal, voter, log_index) "
            "SELECT proposal, voter, :void FROM ballots WHERE log_index = :ballot",
            {"ballot": ballot, "void": leaf.index},
        )
    return leaf.index
