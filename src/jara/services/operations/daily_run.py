"""The daily run: independent steps, each safe to repeat.

A step that fails does not stop the others. Most emails are queued in the transaction of their
cause; the step of the emails queues those due by date, and those not queued yet. Each has a
once-key, so that it never queues an email twice. It looks back one week.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from jara.domain.errors import Conflict, JaraError
from jara.domain.giving.member import Member
from jara.domain.money import format_cents
from jara.domain.organisation import PaymentMode
from jara.domain.texts import count_of
from jara.records.journal import EntryQuery
from jara.services.approvals import drop_impossible
from jara.services.audit import require_operator
from jara.services.authority import SCHEDULER
from jara.services.books.commitments import top_up
from jara.services.books.posting import Books
from jara.services.books.verification import Reopen, verify_and_note, verify_recent
from jara.services.context import Context
from jara.services.giving.joining import expire_incomplete, finish_registrations
from jara.services.giving.pledge_emails import queue_pledge_emails
from jara.services.news.announcement_news import note_chat
from jara.services.news.event_news import remind_of_events
from jara.services.news.fan_out import fan_out_news
from jara.services.news.late_projects import tell_of_late_projects
from jara.services.news.month import announce_statements, close_months
from jara.services.notices.emails import LOOK_BACK, queue_amount_changed
from jara.services.notices.outbox import send_due
from jara.services.notices.receipts import queue_receipt
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import describe_missing_limits
from jara.services.operations.last_run import clock_fault, last_run, note_run
from jara.services.operations.upkeep import delete_expired, wipe_erased
from jara.services.payments.charging import (
    cancel_overdue,
    charge_due,
    refresh_pledges,
)
from jara.services.payments.events import work_events
from jara.services.payments.importing import collect_movements
from jara.services.payments.receiving import follow_payments
from jara.services.payments.reconciling import repair
from jara.services.ports.outside import MailSender
from jara.services.ports.payments import EventSource, SandboxClockwork
from jara.services.proposals.closing import close_due_votes, destroy_due_keys
from jara.services.proposals.vote_emails import queue_vote_emails
from jara.services.publiclog.key_changes import finish_key_change
from jara.services.publiclog.offering import offer_checkpoint
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.publiclog.tiles import WriteFiles, publish_files
from jara.store.unit_of_work import UnitOfWork


def queue_due_emails(context: Context) -> Counter[str]:
    """Queue every email that is due and not queued yet; count them by kind."""
    written: Counter[str] = Counter()
    last = last_run(context)
    with context.store.write() as work:
        members = {member.id: member for member in work.members.all() if member.is_open}
        by_key = {member.key: member for member in members.values()}
        pledges = {pledge.member_id: pledge for pledge in work.pledges.all()}
        for member in members.values():
            pledge = pledges.get(member.id)
            if pledge is not None:
                written.update(queue_pledge_emails(context, work, member, pledge))
        written.update(_write_receipts(context, work, by_key))
        written.update(_write_changes(context, work, by_key))
        for record in work.proposals.all():
            written.update(queue_vote_emails(context, work, record))
        remind_of_events(context, work)
        note_chat(context, work)
        close_months(context, work, last_run=None if last is None else last.at)
        announce_statements(context, work)
        written.update(tell_of_late_projects(context, work))
    return written + fan_out_news(context)


def _write_receipts(
    context: Context, work: UnitOfWork, members: dict[str, Member]
) -> Iterator[str]:
    query = EntryQuery(first_day=context.today() - LOOK_BACK, kinds=("pledge", "gift"))
    for posted in list(work.journal.entries(query)):
        member = members.get(posted.entry.member_key or "")
        if member is None or work.journal.reversal_of(posted.index) is not None:
            continue
        if queue_receipt(context, work, member, posted):
            yield "receipt"


def _write_changes(context: Context, work: UnitOfWork, members: dict[str, Member]) -> Iterator[str]:
    since = context.now() - LOOK_BACK
    dollars: dict[str, int] = {}
    for change in list(work.pledges.changes()):
        before = dollars.get(change.member_key, change.dollars)
        dollars[change.member_key] = change.dollars
        member = members.get(change.member_key)
        if member is None or change.at < since or before == change.dollars:
            continue
        if queue_amount_changed(
            context,
            work,
            member,
            before_dollars=before,
            after_dollars=change.dollars,
            pledge=work.pledges.get(member.id),
            at=change.at,
        ):
            yield "amount_changed"


VERIFIED_FOR = timedelta(hours=20)
"""The daily run, which may be hourly, verifies all books again after this time."""


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome of a step: a message, and figures for scripts."""

    message: str
    counts: Mapping[str, int] = field(default_factory=dict)
    ok: bool = True


class Step(NamedTuple):
    """A named step of the daily run."""

    name: str
    run: Callable[[Context], StepOutcome]


class StepResult(NamedTuple):
    """One line of the daily run."""

    step: str
    ok: bool
    message: str
    counts: Mapping[str, int]


def run_daily(context: Context, steps: Iterable[Step]) -> list[StepResult]:
    """Run each step as the scheduler, and record the run.

    Raises:
        Refused: operators have keys, and this run has no key with the right role.
        Conflict: the clock was set back; a run would send old emails again.
    """
    fault = clock_fault(context)
    if fault is not None:
        raise Conflict(f"{fault} Nothing was done.")
    scheduled = replace(context, operator=SCHEDULER)
    with context.store.write() as work:
        require_operator(scheduled, work, "run.daily")
    results = [*(_run(scheduled, step) for step in steps), *_warnings(context)]
    failed = [result.step for result in results if not result.ok]
    with context.store.write() as work:
        note_run(work, context.now(), failed)
    return results


def daily_steps(
    *,
    clockwork: SandboxClockwork | None,
    sender: MailSender,
    events: EventSource | None = None,
    reopen: Reopen | None = None,
    sends_mail: bool = True,
) -> list[Step]:
    """Return the steps of the daily run.

    Money comes first, because payments give the right to vote and fill commitments. Deletion comes
    last. `clockwork` makes the sandbox's charges, None with a live provider; `events` reads the
    provider's events, None with the sandbox. `reopen` lets other processes verify large books too.
    `sends_mail` says whether there is a mail server; without one the sender writes files.
    """
    from_provider = (
        [] if events is None else [Step("events", partial(_work_on_events, events=events))]
    )
    return [
        Step("charges", lambda context: _charge(context, clockwork)),
        *from_provider,
        Step("registrations", _finish_registrations),
        Step("overdue", _cancel_overdue),
        Step("votes", _close_votes),
        Step("commitments", _top_up),
        Step("approvals", _drop_impossible),
        Step("notices", _write_notices),
        Step("retention", lambda context: _forget(context, sender)),
        Step("mail", lambda context: _send(context, sender, sends_mail=sends_mail)),
        Step("checkpoint", _publish),
        Step("keys", _destroy_keys),
        Step("erasure", _wipe),
        Step("reconcile", _reconcile),
        Step("books", partial(_verify_books, reopen=reopen)),
    ]


def _run(context: Context, step: Step) -> StepResult:
    try:
        outcome = step.run(context)
    except JaraError as error:
        return StepResult(step.name, ok=False, message=error.message, counts={})
    except Exception as error:  # noqa: BLE001 - a defect in one step must not stop the others
        message = f"{type(error).__name__}: {error} (a defect of Jara)"
        return StepResult(step.name, ok=False, message=message, counts={})
    return StepResult(step.name, outcome.ok, outcome.message, outcome.counts)


def _warnings(context: Context) -> Iterator[StepResult]:
    """Yield what a live organisation is told every day until it is put right."""
    if context.payment_mode is PaymentMode.LIVE:
        with context.store.read() as work:
            missing = describe_missing_limits(context, work)
        if missing is not None:
            yield StepResult("limits", ok=True, message=" ".join(missing), counts={})


def _charge(context: Context, clockwork: SandboxClockwork | None) -> StepOutcome:
    if clockwork is None:
        happened, refreshed, booked = 0, refresh_pledges(context), collect_movements(context)
    else:
        report = charge_due(context, clockwork)
        happened, refreshed, booked = report.happened, report.refreshed, report.booked
    problems = " ".join([*refreshed.failures, *(row.message for row in booked.rejected)])
    return StepOutcome(
        problems
        or f"{count_of(booked.posted, 'movement')} booked, "
        f"{count_of(refreshed.changed, 'pledge')} changed.",
        {
            "happened": happened,
            "booked": booked.posted,
            "pledges": refreshed.changed,
            "rejected": len(booked.rejected),
        },
        ok=not problems,
    )


def _work_on_events(context: Context, *, events: EventSource) -> StepOutcome:
    run = work_events(context, events)
    return StepOutcome(
        f"{count_of(run.worked, 'event')} worked on, {run.failed} failed. {run.failure}".strip(),
        {"worked": run.worked, "postponed": run.postponed, "failed": run.failed},
        ok=not run.failed,
    )


def _finish_registrations(context: Context) -> StepOutcome:
    report = finish_registrations(context)
    expired = expire_incomplete(context)
    return StepOutcome(
        " ".join(report.failures) or f"{report.finished} finished, {report.undone} undone.",
        {"finished": report.finished, "undone": report.undone, "expired": expired},
        ok=not report.failures,
    )


def _cancel_overdue(context: Context) -> StepOutcome:
    follow_payments(context)  # without a card, no provider reports an unpaid month
    return StepOutcome(
        f"{count_of(count := cancel_overdue(context), 'overdue pledge')} ended.", {"ended": count}
    )


def _close_votes(context: Context) -> StepOutcome:
    closed = close_due_votes(context)
    passed = sum(vote.passed for vote in closed)
    return StepOutcome(
        f"{count_of(len(closed), 'vote')} closed, {passed} passed.",
        {"closed": len(closed), "passed": passed},
    )


def _top_up(context: Context) -> StepOutcome:
    with context.store.write() as work:
        cents = top_up(context, work, Books(context, work))
    return StepOutcome(f"{format_cents(cents)} held for passed proposals.", {"heldCents": cents})


def _drop_impossible(context: Context) -> StepOutcome:
    dropped = drop_impossible(context, HANDLERS)
    return StepOutcome(
        " ".join(f"{name} is no longer possible: {reason}" for name, reason in dropped)
        or "Every act that waits is possible.",
        {"refused": len(dropped)},
    )


def _write_notices(context: Context) -> StepOutcome:
    written = queue_due_emails(context)
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(written.items()))
    message = f"{count_of(written.total(), 'email')} written{f': {kinds}' if kinds else ''}."
    return StepOutcome(message, dict(sorted(written.items())))


def _forget(context: Context, sender: MailSender) -> StepOutcome:
    counts = delete_expired(context, sender)
    letters = counts["letters"]
    others = sum(counts.values()) - letters
    return StepOutcome(
        f"{count_of(letters, 'old email')} and "
        f"{count_of(others, 'other row or copy', 'other rows and copies')} removed.",
        counts,
    )


def _send(context: Context, sender: MailSender, *, sends_mail: bool) -> StepOutcome:
    run = send_due(context, sender)
    done = "sent" if sends_mail else "written as files and not sent, as JARA_SMTP_URL is not set"
    return StepOutcome(
        f"{count_of(run.sent, 'email')} {done}, {run.failed} failed. {run.failure}".strip(),
        {"sent": run.sent, "failed": run.failed},
        ok=not run.failed,
    )


def _publish(context: Context) -> StepOutcome:
    finish_key_change(context)
    checkpoint = make_checkpoint(context)
    return StepOutcome(
        f"The log of {checkpoint.size:,} leaves is signed.", {"size": checkpoint.size}
    )


def _destroy_keys(context: Context) -> StepOutcome:
    destroyed = destroy_due_keys(context)
    return StepOutcome(
        f"{count_of(len(destroyed), 'ballot key')} destroyed.", {"destroyed": len(destroyed)}
    )


def _wipe(context: Context) -> StepOutcome:
    wiped = wipe_erased(context)
    return StepOutcome(
        "The database was rewritten." if wiped else "Nothing was erased since the last time.",
        {"wiped": int(wiped)},
    )


def _reconcile(context: Context) -> StepOutcome:
    """Book missing movements of the provider; report what still differs."""
    if not context.takes_cards:
        return StepOutcome("There is no payment provider.")
    repaired, comparison = repair(context)
    difference = format_cents(comparison.difference_cents)
    return StepOutcome(
        f"{comparison.matched:,} of {comparison.rows:,} movements agree, "
        f"the difference is {difference}.",
        {
            "repaired": repaired.posted,
            "matched": comparison.matched,
            "differenceCents": comparison.difference_cents,
        },
        ok=comparison.ok,
    )


def _verify_books(context: Context, *, reopen: Reopen | None) -> StepOutcome:
    """Verify all books once a day, and only what was added since then in other runs."""
    result = verify_recent(context, reopen=reopen)
    if result.since is not None and context.now() - result.since.verified_at >= VERIFIED_FOR:
        result = verify_and_note(context, reopen=reopen)
    message = "Entries, totals, log, votes and traces agree."
    if result.since is not None:
        message = f"Everything added since {context.zone.minute(result.since.verified_at)} agrees."
    counts = {"entries": result.entries, "findings": len(result.findings)}
    return StepOutcome(message if result.ok else "See: jara ledger verify", counts, ok=result.ok)


def tiles_step(write: WriteFiles) -> Step:
    """Return the step; it comes after the day's checkpoint."""
    return Step("tiles", partial(_write_files, write=write))


def _write_files(context: Context, *, write: WriteFiles) -> StepOutcome:
    publication = publish_files(context, write)
    return StepOutcome(
        f"{publication.tiles} tiles and {publication.pages} pages of leaves are new.",
        {"size": publication.size, "tiles": publication.tiles, "pages": publication.pages},
    )


def witness_step() -> Step:
    """Return the step; it comes after the day's checkpoint."""
    return Step("witnesses", _ask_witnesses)


def _ask_witnesses(context: Context) -> StepOutcome:
    """Offer the checkpoint; a missing signature is shown elsewhere, and is no failure."""
    standing = offer_checkpoint(context)
    if standing is None:
        return StepOutcome("No witnesses are chosen.", {"seen": 0, "witnesses": 0})
    witnesses = len(standing.sights)
    return StepOutcome(
        f"{standing.seen} of {witnesses} witnesses have seen the log of {standing.size:,} leaves.",
        {"seen": standing.seen, "witnesses": witnesses},
    )
