"""Stories: what an item of news says to everybody, whose money it is about, and who is told.

Open members with a confirmed address and confirmed readers of the newsletter are told.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

from jara.domain.email_kinds import Delivery, EmailChoice, EmailKind
from jara.domain.email_kinds import Recipient as Group
from jara.domain.giving.member import Member
from jara.domain.language import Language
from jara.records.access import Reader
from jara.records.operations import Email, NewsItem
from jara.services.books.tracing import payers_of_spending, spent_on, trace_rows
from jara.services.context import Context
from jara.store.unit_of_work import PUBLIC_REVISION, UnitOfWork

_MEMBER, _READER = "m:", "r:"


class Recipient(NamedTuple):
    """A member, or a reader of the newsletter without an account."""

    address: str
    language: Language
    member: Member | None = None

    @property
    def name(self) -> str:
        """What identifies the recipient in once-keys."""
        return self.address if self.member is None else self.member.id

    @property
    def place(self) -> str:
        """The place in the order of `recipients_after`."""
        return f"{_READER if self.member is None else _MEMBER}{self.name}"

    @property
    def choice(self) -> EmailChoice:
        """Which emails they want; a reader gets the news of a month in one email."""
        return EmailChoice.MONTHLY if self.member is None else self.member.email_choice

    def delivery(self, kind: EmailKind) -> Delivery:
        """Return what becomes of an email of a kind to them."""
        if self.member is not None:
            return self.member.delivery(kind)
        return kind.delivery(self.choice) if Group.READERS in kind.to else Delivery.NEVER


def recipients_after(work: UnitOfWork, place: str, *, limit: int) -> list[Recipient]:
    """Return the next recipients: the members in the order of their ids, then the readers."""
    recipients: list[Recipient] = []
    if not place.startswith(_READER):
        members = work.members.open_after(place.removeprefix(_MEMBER), limit=limit)
        recipients = [_member(member) for member in members]
        if len(members) == limit:
            return recipients
    readers = work.access.readers_after(
        place.removeprefix(_READER) if place.startswith(_READER) else "",
        limit=limit - len(recipients),
    )
    return [*recipients, *(_reader(reader) for reader in readers)]


def may_be_told(work: UnitOfWork, recipient: Recipient, kind: EmailKind) -> bool:
    """Return whether the address is confirmed, and gets emails of a kind only once.

    The account of a reader decides once its address is confirmed. Before that a stranger may
    have joined with it: the reader is told, except what the account gets unconfirmed, as of votes.
    """
    if recipient.member is not None:
        return recipient.member.email_confirmed
    member = work.members.by_email(recipient.address)
    if member is None:
        return True
    gets_it = kind.is_optional and member.delivery(kind) is not Delivery.NEVER
    return not (member.email_confirmed or gets_it)


def recipient_of(work: UnitOfWork, email: Email) -> Recipient | None:
    """Return whom an email is for, as they are now; None if they left."""
    if email.member_id is not None:
        member = work.members.get(email.member_id)
        return None if member is None or not member.is_open else _member(member)
    reader = work.access.reader(email.address)
    return None if reader is None or reader.confirmed_at is None else _reader(reader)


def _member(member: Member) -> Recipient:
    return Recipient(member.email, member.language, member)


def _reader(reader: Reader) -> Recipient:
    return Recipient(reader.email, reader.language)


T = TypeVar("T")


class Story(NamedTuple):
    """What an item says."""

    values: Mapping[str, Any]  # of its email, the same for everybody of a language
    account: str = ""  # the account whose payouts it is about; empty for news without a share
    entries: frozenset[int] | None = None
    """The log indexes of these payouts; None for all of the account."""


TellStory = Callable[[Context, UnitOfWork, NewsItem, Language], Story | None]
"""Returns the story of an item; None while it is not public, or does not hold any more."""


class Share(NamedTuple):
    """How much of some payouts was a member's money, in cents."""

    own_cents: int = 0
    paid_cents: int = 0


class _Payout(NamedTuple):
    entry: int
    cents: int
    by_member: Mapping[str | None, int]


@dataclass
class StoryCache:
    """Stories and the payers of payouts, each computed once for a state of the public data.

    With thousands of recipients, the trace of an item is read once and not for each of them.
    """

    context: Context
    _state: str | None = None
    _known: dict[Hashable, object] = field(default_factory=dict)

    def once(self, work: UnitOfWork, key: Hashable, compute: Callable[[], T]) -> T:
        """Return a value that follows from the public data."""
        state = work.meta.get(PUBLIC_REVISION)
        if state != self._state:
            self._state = state
            self._known.clear()
        if key not in self._known:
            self._known[key] = compute()
        return cast("T", self._known[key])

    def story(
        self, work: UnitOfWork, item: NewsItem, language: Language, tell: TellStory
    ) -> Story | None:
        """Return the story of an item in a language."""
        return self.once(
            work, (item.id, language), lambda: tell(self.context, work, item, language)
        )

    def share(self, work: UnitOfWork, story: Story, member_key: str) -> Share:
        """Return how much of the payouts of a story a member's money paid."""
        if not story.account:
            return Share()
        payouts = [
            payout
            for payout in self.once(
                work, ("payouts", story.account), lambda: _payouts(work, story.account)
            )
            if story.entries is None or payout.entry in story.entries
        ]
        return Share(
            sum(payout.by_member.get(member_key, 0) for payout in payouts),
            sum(payout.cents for payout in payouts),
        )


def _payouts(work: UnitOfWork, account: str) -> list[_Payout]:
    rows = trace_rows(work, None)
    payouts = []
    for line in work.journal.register(account, first_day=None, last_day=None):
        by_member: Counter[str | None] = Counter()
        for payer in payers_of_spending(rows, line.posted, account).paid:
            by_member[payer.member] += payer.cents
        cents = spent_on(line.posted, account)
        payouts.append(_Payout(line.posted.index, cents, by_member))
    return payouts
