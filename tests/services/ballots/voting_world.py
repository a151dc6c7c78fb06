"""An organisation with paying members, and proposals to vote on."""

from dataclasses import replace
from typing import Any

from jara.domain.books.account import GIFTS, PLEDGES, STRIPE, Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY, given_back, split
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.checks.log import read_leaf
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import NotAChangemaker
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentProof
from jara.domain.giving.pledge import PledgeState, move_pledge, start_pledge
from jara.domain.publiclog.ballots import Ballot, unpack_ballot
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.tally import Choice
from jara.security.sealing import BallotSealer
from jara.services.ballots.casting import ballot_key, cast_ballot, require_elector
from jara.services.books.posting import Books, fund_balances
from jara.services.context import Context
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from jara.services.publiclog.receipts import Receipt

PROPOSAL: dict[str, Any] = {
    "id": "prop_01",
    "title": "Clean water",
    "summary": "Three boreholes for three villages.",
    "fundingGoalCents": 500,
    "country": "Tanzania",
    "countryCode": "TZ",
    "category": "water",
    "endDate": "2026-11-30",
    "storySections": "<p>Long walks.</p>",
    "budgetList": [{"description": "Drilling", "amountCents": 500}],
    "metrics": "Households with water",
    "submitters": [{"name": "Asha", "linkedinUrl": "https://example.org/asha", "image": None}],
}


def add_member(
    context: Context,
    name: str,
    *,
    cents: int = 1000,
    card: str | None = None,
    name_at_provider: str = "",
) -> Member:
    """Add a member with an active pledge; 0 cents means that nothing is paid yet."""
    member = Member(
        id=context.new_id(),
        key=context.new_key("m_"),
        firstname=name.capitalize(),
        lastname="Test",
        email=f"{name}@example.org",
        country="Canada",
        email_choice=EmailChoice.NOTHING,
        joined_at=context.now(),
    )
    with context.store.write() as work:
        work.members.add(member, password_hash="x")
    start_paying(context, member, cents=cents, card=card, own=name_at_provider or name)
    return member


def add_former_payer(context: Context, name: str) -> Member:
    """Add a member who paid nothing, and whose pledge by card has ended."""
    member = add_member(context, name, cents=0)
    with context.store.write() as work:
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        ended = replace(pledge, subscription_id=None, state=PledgeState.CANCELED)
        work.pledges.put(ended, member_key=member.key, at=context.now())
    return member


def start_paying(
    context: Context, member: Member, *, cents: int = 1000, card: str | None = None, own: str = "x"
) -> None:
    """Give a member an active pledge by card, and a first payment unless it is 0 cents."""
    now = context.now()
    pledge = start_pledge(
        pledge_id=f"pledge-{own}",
        member_id=member.id,
        dollars=10,
        billing_day=BillingDay.CURRENT,
        now=now,
        zone=UTC_ZONE,
    )
    pledge = replace(
        move_pledge(pledge, PledgeState.ACTIVE, at=now),
        subscription_id=f"sub_{own}",
        card_fingerprint=card,
    )
    with context.store.write() as work:
        work.pledges.put(pledge, member_key=member.key, at=now)
        if cents:
            _post_payment(context, Books(context, work), member, cents, f"ch_{own}")


def refund(context: Context, member: Member, cents: int, *, disputed: bool = False) -> list[int]:
    """Refund a member's oldest payment in part or whole; return the leaves it caused besides."""
    kind = EntryKind.DISPUTE if disputed else EntryKind.REFUND
    with context.store.write() as work:
        payment = work.payments.of_member(member.key)[0]
        left = payment.returned_cents
        before, after = given_back(payment.parts, left), given_back(payment.parts, left + cents)
        parts = {fund: after[fund] - before[fund] for fund in after if after[fund] != before[fund]}
        entry = JournalEntry(
            day=context.today(),
            kind=kind,
            description=kind.value.capitalize(),
            postings=(
                *(Posting(PLEDGES, fund, part) for fund, part in parts.items()),
                *(Posting(STRIPE, fund, -part) for fund, part in parts.items()),
            ),
            source="stripe",
            external_id=f"refund-{member.key}-{left}",
            of=payment.index,
        )
        posted = Books(context, work).post(entry)
        return list(range(posted.index + 1, work.log.size()))


def leave(context: Context, member: Member) -> None:
    """Close a member's account: personal rows are deleted, everything else stays."""
    with context.store.write() as work:
        work.members.erase(member.id)


def open_vote(context: Context, **changes: Any) -> str:
    """Draft a proposal and put it to the vote; return its id."""
    record = draft_proposal(context, {**PROPOSAL, **changes})
    return put_to_vote(context, record.proposal.id).proposal.id


def vote(
    context: Context, member: Member, choice: str = "up", proposal: str = "prop_01"
) -> Receipt:
    """Cast a member's ballot."""
    return cast_ballot(context, proposal, member.id, Choice(choice))


def open_sealed(context: Context, proposal: str = "prop_01") -> list[Ballot]:
    """Return the ballots of an open vote with the key of the vote."""
    sealer = BallotSealer(ballot_key(context, proposal), proposal)
    with context.store.read() as work:
        return [unpack_ballot(sealer.open(b.box, b.sealed)) for b in work.box.since(proposal)]


def pay(context: Context, member: Member, *, cents: int = 1000, kind: str = "pledge") -> None:
    """Post a pledge payment or a gift of a member."""
    with context.store.write() as work:
        charge = f"ch_{member.id}_{work.log.size()}"
        _post_payment(context, Books(context, work), member, cents, charge, kind=EntryKind(kind))


def _post_payment(
    context: Context,
    books: Books,
    member: Member,
    cents: int,
    charge_id: str,
    *,
    kind: EntryKind = EntryKind.PLEDGE,
) -> None:
    parts = {f: part for f, part in split(cents, DEFAULT_POLICY.weights).items() if part}
    account = PLEDGES if kind is EntryKind.PLEDGE else GIFTS
    books.post(
        JournalEntry(
            day=context.today(),
            kind=kind,
            description="Payment",
            postings=(
                *(Posting(STRIPE, fund, part) for fund, part in parts.items()),
                *(Posting(account, fund, -part) for fund, part in parts.items()),
            ),
            source="stripe",
            external_id=charge_id,
            member_key=member.key,
        ),
        charge_id=charge_id,
        proof=PaymentProof.PROVIDER,
    )


def projects_free(context: Context) -> int:
    """Return the free money of the projects fund."""
    with context.store.read() as work:
        return fund_balances(work)[Fund.PROJECTS]


def may_vote(context: Context, member: Member) -> bool:
    """Return whether a member may vote now, after checking that the maintained counts agree."""
    with context.store.read() as work:
        assert list(work.electors.discrepancies()) == []
        is_elector = member.id in work.electors.member_ids(context.now())
        try:
            require_elector(work, member.id, context.now())
        except NotAChangemaker:
            assert not is_elector
            return False
    assert is_elector
    return True


def closing_leaf(context: Context, proposal: str = "prop_01") -> dict[str, Any]:
    """Return the leaf of a vote's result."""
    with context.store.read() as work:
        record = work.proposals.find(proposal)
        assert record.closed_index is not None
        return read_leaf(work.log.leaf(record.closed_index).body)
