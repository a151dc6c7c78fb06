"""The year's statement is told to each member who gave in the year, once."""

from datetime import UTC, date, datetime

from jara.domain.reports.parts import ReportPeriod
from jara.services.context import Context
from jara.services.operations.daily_run import queue_due_emails
from jara.services.reports.statements import mail_statements
from tests.harness import clock_of
from tests.services.news.news_world import Mailbox, give, join, tell

YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))


def run_until_april(context: Context, mailbox: Mailbox) -> list[tuple[str, str]]:
    """Run the emails of some days after the year; return who was told of a statement."""
    for month, day in ((1, 2), (1, 14), (1, 15), (1, 16), (3, 20), (4, 2)):
        clock_of(context).set(datetime(2027, month, day, 7, tzinfo=UTC))
        queue_due_emails(context)
        tell(context, mailbox)
        if day < 15 and month == 1:
            assert ("ama", "statement") not in mailbox.told
    return [told for told in mailbox.told if told[1] == "statement"]


def test_each_giver_gets_the_yearly_statement_once(context: Context) -> None:
    """It is about their own money, so it needs no consent."""
    ama, kofi = join(context, "ama", choice="nothing"), join(context, "kofi")
    join(context, "esi")
    give(context, ama, kofi)
    mailbox = Mailbox()

    assert run_until_april(context, mailbox) == [("ama", "statement"), ("kofi", "statement")]
    (email,) = mailbox.to("ama", "statement")
    assert "/my-impact?from=2026-01-01&to=2026-12-31" in email.text
    assert "/my-impact/2026\n" in email.text


def test_a_statement_sent_by_an_operator_is_not_sent_again(context: Context) -> None:
    """Both have one once-key."""
    ama, kofi = join(context, "ama"), join(context, "kofi")
    give(context, ama, kofi)
    clock_of(context).set(datetime(2027, 1, 3, tzinfo=UTC))
    mail_statements(context, ama.id, YEAR)

    mailbox = Mailbox()
    with context.store.write() as work:
        assert work.outbox.count_waiting()
    clock_of(context).set(datetime(2027, 1, 15, tzinfo=UTC))
    queue_due_emails(context)
    tell(context, mailbox)

    told = [told for told in mailbox.told if told[1] == "statement"]
    assert told == [("ama", "statement"), ("kofi", "statement")]
