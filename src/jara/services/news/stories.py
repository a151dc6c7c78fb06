"""Stories: what an item of news says to everybody, and whose money it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

from jara.domain.language import Language
from jara.records.operations import NewsItem
from jara.services.books.tracing import payers_of_spending, spent_on, trace_rows
from jara.services.context import Context
from jara.store.unit_of_work import PUBLIC_REVISION, UnitOfWork

T = TypeVar("T")


class Story(NamedTuple):
    """What an item says.

    Args:
        values: of its email, the same for everybody of a language.
        account: the account whose payouts it is about; empty for news without a share.
        entries: the log indexes of these payouts; None for all of the account.
    """

    values: Mapping[str, Any]
    account: str = ""
    entries: frozenset[int] | None = None


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
