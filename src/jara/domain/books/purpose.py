"""What money may be spent on, and what needs a reason."""

from __future__ import annotations

from jara.domain.books.account import (
    EXCHANGE,
    FEES,
    OPENING,
    PAYEE_PARENTS,
    TRANSFERS,
    AccountType,
    Fund,
    account_type,
    fund_of_account,
    is_below,
    nearest,
)
from jara.domain.books.fund_policy import Weights
from jara.domain.books.journal import JournalEntry, Posting
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents, plain_decimal

_OF_PROJECTS = (*PAYEE_PARENTS, EXCHANGE, OPENING)


def require_purpose(entry: JournalEntry, fee_weights: Weights) -> None:
    """Require that an entry spends money of `projects` on what it was promised to.

    That is projects, grants and donations, with exchange differences, and fees if the policy
    says so. Anything else is paid by another fund, after a transfer with its reason, which gives
    another fund what it takes from `projects`.

    Raises:
        InvalidInput: it spends it on something else, or transfers it without a reason or to no
            fund.
    """
    is_committed = any(posting.fund is Fund.COMMITTED for posting in entry.postings)
    for posting in entry.postings:
        if posting.fund is not Fund.PROJECTS or posting.cents < 0:
            continue
        if is_below(posting.account, TRANSFERS):
            _require_counterpart(entry)
            if not is_committed:
                require_reason(Fund.PROJECTS, entry.note)
        elif not _is_promised(posting, fee_weights):
            fund = fund_of_account(posting.account)
            raise InvalidInput(
                f"'{posting.account}' is not paid with money of 'projects', which is promised to "
                f"projects: use the fund '{fund}', or move the money first: jara ledger transfer "
                f"projects {fund} {plain_decimal(posting.cents)} --why REASON"
            )


def require_reason(source: Fund, reason: str | None) -> None:
    """Require that a transfer out of `projects` has a reason.

    Raises:
        InvalidInput: it has none.
    """
    if source is Fund.PROJECTS and not (reason or "").strip():
        raise InvalidInput(
            "The money of 'projects' is promised to projects, so a transfer of it needs its "
            "reason: jara ledger transfer projects FUND AMOUNT --why REASON"
        )


def require_why(entry: JournalEntry) -> None:
    """Require that an entry that spends has its reason, in its note.

    Raises:
        InvalidInput: it has none.
    """
    spends = any(
        posting.cents > 0 and account_type(posting.account) is AccountType.EXPENSES
        for posting in entry.postings
    )
    if spends and not (entry.note or "").strip():
        raise InvalidInput(
            "An expense needs its reason, which is stored with the entry: say --why, or "
            "'description' in a file."
        )


def _require_counterpart(entry: JournalEntry) -> None:
    lost = sum(one.cents for one in entry.postings if is_below(one.account, TRANSFERS))
    if lost:
        raise InvalidInput(
            f"The transfer takes {format_cents(lost)} that no fund gets: jara ledger transfer "
            "projects FUND AMOUNT --why REASON"
        )


def _is_promised(posting: Posting, fee_weights: Weights) -> bool:
    if account_type(posting.account) not in {AccountType.EXPENSES, AccountType.EQUITY}:
        return True
    if is_below(posting.account, FEES):
        return fee_weights[Fund.PROJECTS] > 0
    return nearest(posting.account, _OF_PROJECTS) is not None
