"""The money that an entry takes out, by its effect: its kind and its way in do not matter."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import (
    BANK,
    FEE_TAX,
    FEES,
    GIFTS,
    IN_TRANSIT,
    PLEDGES,
    RESERVE,
    STRIPE,
    SUSPENSE,
    TRANSFERS,
    AccountType,
    Fund,
    account_type,
)
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import InvalidInput

AT_PROVIDER = frozenset({STRIPE, IN_TRANSIT, RESERVE})
"""The accounts of money at the payment provider, which it moves itself."""

FIRST_ACCOUNTS = AT_PROVIDER | {BANK}
"""The organisation's own accounts while the limits in the log name none."""

PROVIDER_KINDS = frozenset(
    {
        EntryKind.PLEDGE,
        EntryKind.GIFT,
        EntryKind.REFUND,
        EntryKind.REFUND_FAILURE,
        EntryKind.DISPUTE,
        EntryKind.DISPUTE_REVERSAL,
        EntryKind.FEE,
        EntryKind.PAYOUT,
        EntryKind.PAYOUT_ARRIVED,
        EntryKind.PAYOUT_REVERSAL,
        EntryKind.RESERVE,
        EntryKind.TOPUP,
        EntryKind.SUSPENSE,
    }
)
"""The kinds of entries that only Jara's own code makes, of movements at the provider and members'
payments."""

_OF_PROVIDER = frozenset({FEES, FEE_TAX, PLEDGES, GIFTS, SUSPENSE})
"""Where the provider takes money to by itself: fees, refunds, disputes, unknown movements."""

DECIDED_FUNDS = (Fund.PROJECTS, Fund.COMMITTED)
"""The funds whose money others decided on, by the split or a vote. Each is added up by itself, so
what it loses to another fund counts; the other funds are added up together."""


class Outflow(NamedTuple):
    """The money that an entry takes out."""

    day: date
    paid: dict[str, int]  # the cents that each account gets
    payer: str | None = None  # the key of the member who gets it back; None if there is none

    @property
    def cents(self) -> int:
        """The sum."""
        return sum(self.paid.values())

    @property
    def by_payee(self) -> dict[str, int]:
        """The cents by account, and by payer."""
        payer = {} if self.payer is None else {f"payer:{self.payer}": self.cents}
        return self.paid | payer


def outflow_of(entry: JournalEntry, own: frozenset[str], *, is_of_provider: bool = True) -> Outflow:
    """Return the money that an entry takes out of our own accounts, or of a decided fund.

    Every account that is not an asset counts with what it gets. An asset account that is not
    ours counts with what it gets from other asset accounts. What a fund of `DECIDED_FUNDS` loses
    to others counts too, but for what is set aside for a vote: from `projects` to `committed`.

    `own` are our asset accounts. If `is_of_provider`, the movement came from the provider itself:
    of an entry that then only lowers accounts at the provider, what it takes by itself does not
    count.
    """
    sums, parts = _sums(entry.postings), _parts(entry)
    drawn = {name for part in parts for name, cents in part.items() if _is_drawn(name, cents)}
    excused = AT_PROVIDER if is_of_provider else frozenset()
    exempt = _OF_PROVIDER if entry.kind in PROVIDER_KINDS and drawn <= excused else frozenset()
    paid: Counter[str] = Counter()
    for part in parts:
        for name, cents in part.items():
            if cents > 0 and not _is_asset(name) and name not in exempt:
                paid[name] += cents
    paid[TRANSFERS] -= _set_aside(parts)
    given = -sum(cents for name, cents in sums.items() if _is_drawn(name, cents))
    for name, cents in sums.items():
        if _is_asset(name) and name not in own:
            paid[name] = min(cents, given)
    return Outflow(entry.day, dict(+paid), entry.member_key)


def received(entries: Iterable[JournalEntry], *, by_fund: bool) -> dict[str, int]:
    """Return the cents that each account gets from entries, by which an approval names them.

    With `by_fund` each fund of `DECIDED_FUNDS` is added up by itself. Approvals under limits that
    name no funds, which earlier versions set, are over all funds.
    """
    sums: Counter[str] = Counter()
    for entry in entries:
        for part in _parts(entry) if by_fund else [_sums(entry.postings)]:
            sums.update({account: cents for account, cents in part.items() if cents > 0})
    return dict(sums)


def refuse_provider_kind(entry: JournalEntry) -> None:
    """Refuse an entry of an operator that has a kind of the provider.

    Raises:
        InvalidInput: it has.
    """
    if entry.kind in PROVIDER_KINDS:
        raise InvalidInput(
            f"'{entry.kind}' is for movements at the payment provider and members' payments, "
            "which Jara books itself; use another kind, such as expense or manual."
        )


def require_elsewhere(account: str) -> None:
    """Require that an operator's account is not one at the provider, whose movements do not count.

    Raises:
        InvalidInput: it is.
    """
    if account in AT_PROVIDER:
        raise InvalidInput(
            f"'{account}' is the payment provider's; name an account like assets:bank."
        )


def _parts(entry: JournalEntry) -> list[Counter[str]]:
    """Return the sums by account of each decided fund, and of the others together."""
    funds = {fund: [p for p in entry.postings if p.fund is fund] for fund in DECIDED_FUNDS}
    others = [p for p in entry.postings if p.fund not in DECIDED_FUNDS]
    return [*map(_sums, funds.values()), _sums(others)]


def _set_aside(parts: list[Counter[str]]) -> int:
    """Return what moves from `projects` to `committed`, the first two parts."""
    projects, committed, _others = parts
    return max(0, min(projects[TRANSFERS], -committed[TRANSFERS]))


def _sums(postings: Iterable[Posting]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for posting in postings:
        sums[posting.account] += posting.cents
    return sums


def _is_drawn(account: str, cents: int) -> bool:
    return cents < 0 and _is_asset(account)


def _is_asset(account: str) -> bool:
    return account_type(account) is AccountType.ASSETS
