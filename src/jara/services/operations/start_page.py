"""An organisation's figures and waiting tasks, read from stored totals without summing up."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import SUSPENSE, AccountType, Fund
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.domain.money import format_cents
from jara.domain.texts import count_of
from jara.domain.voting.proposal import ProposalStatus
from jara.services.ballots.casting import changemakers
from jara.services.ballots.counting import count_vote
from jara.services.books.paper_rule import describe_missing, missing_papers
from jara.services.books.waiting_returns import waiting_rows
from jara.services.context import Context
from jara.services.field.claim_views import count_claims
from jara.services.field.publishing import count_missing, count_waiting
from jara.services.notices.returned_emails import read_stopped
from jara.services.operations.control import describe_missing_limits
from jara.services.operations.diagnosis_site import missing_on_site
from jara.services.operations.last_run import LATE_AFTER, last_run
from jara.services.organisation import PAYMENT_MODE, read_identity
from jara.services.projects.catalogue import hidden_payees
from jara.services.projects.milestones import overdue_measures
from jara.services.publiclog.witnesses import read_standing
from jara.store.unit_of_work import UnitOfWork

_LATE = {
    PaymentWay.CARD: ("pledge with a failed charge", "pledges with a failed charge"),
    PaymentWay.TRANSFER: ("late transfer",),
    PaymentWay.CASH: ("late cash payment",),
    PaymentWay.MOBILE: ("late mobile payment",),
    PaymentWay.CHEQUE: ("late cheque",),
}
"""What a past-due pledge is called, by way to pay."""

_EXPLAINED_BY = {"reconcile": "jara ledger reconcile", "books": "jara ledger verify"}
"""Commands that explain a failed step of the daily run; for other steps, the run is repeated."""

_DISPUTED = "jara payments list --state disputed"


class OpenVote(NamedTuple):
    """An open vote, with its counts so far; None if it shows them at the close."""

    title: str
    slug: str
    last_day: date
    yes: int | None
    no: int | None


class Waiting(NamedTuple):
    """Something that waits for an operator, and the command that deals with it."""

    what: str
    command: str


class StartPage(NamedTuple):
    """An organisation's figures, open votes, waiting tasks, and what its site does not say yet."""

    organisation: str
    mode: str
    members: int
    changemakers: int
    monthly_cents: int
    cash_cents: int
    free_cents: int
    votes: tuple[OpenVote, ...]
    waiting: tuple[Waiting, ...]
    missing: tuple[Waiting, ...]


def read_start_page(context: Context) -> StartPage:
    """Return the organisation's start page."""
    now = context.now()
    with context.store.read() as work:
        standing = changemakers(work, now)
        assets = work.journal.balances(accounts=(AccountType.ASSETS, AccountType.LIABILITIES))
        cash = sum(row.cents for row in assets if row.account.startswith(AccountType.ASSETS))
        free = sum(row.cents for row in assets if row.fund is Fund.PROJECTS)
        votes = tuple(_open_votes(context, work))
        waiting = (
            *_waiting(context, work),
            *_field_reports(context, work),
            *_claims(work),
            *_hidden_payees(work),
            *_overdue(context, work),
            *_papers(context, work),
        )
        missing = tuple(_missing(context, work))
        members = work.members.count()
        name = read_identity(context, work).name
        mode = work.meta.get(PAYMENT_MODE) or context.payment_mode.value
    return StartPage(
        organisation=name,
        mode=mode if mode == context.payment_mode else f"{mode}, keys missing",
        members=members,
        changemakers=standing.count,
        monthly_cents=standing.monthly_cents,
        cash_cents=cash,
        free_cents=free,
        votes=votes,
        waiting=(*waiting, *_daily_run(context)),
        missing=missing,
    )


def _open_votes(context: Context, work: UnitOfWork) -> Iterator[OpenVote]:
    for record in work.proposals.all(ProposalStatus.OPEN):
        proposal = record.proposal
        tally = count_vote(context, work, record)
        yes, no = (None, None) if tally.is_hidden else (tally.yes, tally.no)
        yield OpenVote(proposal.title, proposal.slug, proposal.last_day(work.zone), yes, no)


def _waiting(context: Context, work: UnitOfWork) -> Iterator[Waiting]:
    ended = [
        record
        for record in work.proposals.all(ProposalStatus.OPEN)
        if record.proposal.ends_at <= context.now()
    ]
    if ended:
        yield Waiting(
            f"{count_of(len(ended), 'vote')} ended and not closed", "jara proposals close"
        )
    limits = describe_missing_limits(context, work)
    if limits is not None:
        yield Waiting(*limits)
    approvals = len(work.operations.approvals(waiting_only=True))
    if approvals:
        what = count_of(approvals, "action to approve", "actions to approve")
        yield Waiting(what, "jara approvals list")
    for way, late in work.pledges.count_in(PledgeState.PAST_DUE).items():
        yield Waiting(
            count_of(late, *_LATE[way]), f"jara pledges list --state past_due --way {way.value}"
        )
    disputed = len(work.payments.in_dispute())
    if disputed:
        yield Waiting(f"{count_of(disputed, 'payment')} in dispute", _DISPUTED)
    returns = len(waiting_rows(work))
    if returns:
        yield Waiting(f"{count_of(returns, 'movement')} without a cause", "jara ledger waiting")
    suspense = sum(row.cents for row in work.journal.balances(accounts=(SUSPENSE,)))
    if suspense:
        yield Waiting(
            f"{format_cents(abs(suspense))} that belongs nowhere yet",
            f"jara ledger register {SUSPENSE}",
        )
    lines = work.bank.count_waiting()
    if lines:
        yield Waiting(f"{count_of(lines, 'bank line')} without a match", "jara bank waiting")
    standing = read_standing(work)
    if standing.is_late(context.now()):
        yield Waiting(
            f"witnesses: fewer than {standing.quorum} have seen the log lately",
            "jara proofs status",
        )
    yield from _emails(context, work)


def _emails(context: Context, work: UnitOfWork) -> Iterator[Waiting]:
    stopped = len(read_stopped(context, work))
    if stopped:
        what = count_of(stopped, "address that takes no email", "addresses that take no email")
        yield Waiting(what, "jara mail bounced")
    refused = work.outbox.count_refused()
    if refused:
        yield Waiting(f"{count_of(refused, 'email')} refused", "jara mail outbox")
    waiting = work.outbox.count_waiting()
    if waiting:
        yield Waiting(f"{count_of(waiting, 'email')} to be sent", "jara mail send")


def _field_reports(context: Context, work: UnitOfWork) -> Iterator[Waiting]:
    reports = count_waiting(work)
    if reports:
        yield Waiting(f"{count_of(reports, 'report')} from the field", "jara field list")
    missing = count_missing(work, context.now())
    if missing:
        said = f"{count_of(missing, 'report')} from the field with missing photos"
        yield Waiting(said, "jara field list")


def _claims(work: UnitOfWork) -> Iterator[Waiting]:
    waiting, owed = count_claims(work)
    if waiting:
        yield Waiting(count_of(waiting, "claim to decide", "claims to decide"), "jara claims list")
    if owed:
        yield Waiting(count_of(owed, "claim to pay back", "claims to pay back"), "jara claims list")


def _missing(context: Context, work: UnitOfWork) -> Iterator[Waiting]:
    for where, missing in missing_on_site(context, work).items():
        if missing:
            yield Waiting(f"{where}: {', '.join(missing)}", "jara doctor")


def _hidden_payees(work: UnitOfWork) -> Iterator[Waiting]:
    for slug, title in hidden_payees(work):
        yield Waiting(f"'{title}' is paid and not published", f"jara projects publish {slug}")


def _overdue(context: Context, work: UnitOfWork) -> Iterator[Waiting]:
    for one in overdue_measures(work, on=context.today()):
        yield Waiting(
            f"'{one.title}': {one.measure} is to be measured since {one.due_on}",
            f"jara projects measure {one.project}",
        )


def _papers(context: Context, work: UnitOfWork) -> Iterator[Waiting]:
    missing = missing_papers(context, work)
    if missing:
        yield Waiting(*describe_missing(missing))


def _daily_run(context: Context) -> Iterator[Waiting]:
    last = last_run(context)
    if last is None:
        yield Waiting("daily run, for the first time", "jara run daily")
    elif last.failed:
        for step in last.failed:
            what = f"failed step of the daily run: {step}"
            yield Waiting(what, _EXPLAINED_BY.get(step, "jara run daily"))
    elif context.now() - last.at > LATE_AFTER:
        yield Waiting(f"daily run, since {last.at:%Y-%m-%d}", "jara run daily")
