"""Voting through the website: within limits, each in one transaction that several may share."""

from __future__ import annotations

from jara.domain.errors import JaraError, NotFound, TooManyRequests
from jara.domain.voting.ballot import Choice
from jara.services.ballots.casting import cast_within, draw_nonce
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from jara.services.publiclog.receipts import ProvenLeaf, Receipt, make_receipt
from jara.services.rate_limits import Limit, Limits, take, take_within


def vote(
    context: Context,
    limits: Limits,
    proposal: str,
    member_id: str,
    choice: Choice,
    *,
    nonce: bytes | None = None,
) -> Receipt:
    """Count a member's vote and return the receipt; refused ones count for the limit too.

    The proposal is named by its whole id or slug: what was shown is what is voted on.

    Raises:
        TooManyRequests: the member tries too often.
        JaraError: the vote is refused; see `cast_ballot`.
    """
    use = (Limit.VOTE_MEMBER, member_id)
    drawn = draw_nonce(context) if nonce is None else nonce

    def cast(work: UnitOfWork) -> ProvenLeaf:
        take_within(context, work, limits, [use])
        record = work.proposals.named(proposal)
        if record is None or not record.proposal.is_public:
            raise NotFound(f"There is no proposal '{proposal}'.")
        return cast_within(context, work, record, member_id, choice, nonce=drawn)

    try:
        ballot = context.store.write_grouped(cast)
    except TooManyRequests:
        raise
    except JaraError:
        take(context, limits, use)
        raise
    return make_receipt(context, ballot, drawn)
