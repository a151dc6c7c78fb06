"""The emails of a month and of a year, with the news that members were not told singly."""

from datetime import UTC, date, datetime

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.spending import Spending
from jara.domain.reports.parts import ReportPeriod
from jara.services.books.tracing import trace_member
from jara.services.context import Context
from jara.services.operations.last_run import note_run
from jara.services.reports.statements import mail_statements
from tests.harness import clock_of
from tests.services.ballots.voting_world import open_vote
from tests.services.news import news_world
from tests.services.news.news_world import Mailbox, add_update, give, join, run_day, tell

pytestmark = pytest.mark.usefixtures("project")


def run(context: Context, mailbox: Mailbox, *, month: int, day: int = 1) -> None:
    """Do what the daily run does for emails on a day of the winter."""
    year = 2026 if month > 6 else 2027
    clock_of(context).set(datetime(year, month, day, 7, tzinfo=UTC))
    run_day(context, mailbox)


def test_the_monthly_email_has_uses_of_money_and_news(context: Context, mailbox: Mailbox) -> None:
    """Payments, where they went by the trace, each project with its share, events to come."""
    ama, kofi = (join(context, name, choice="monthly") for name in ("ama", "kofi"))
    news_world.give(context, ama, kofi, ama)
    entry = news_world.pay_project(context, 1000)
    news_world.spend(context, Spending("expenses:staff", Fund.STAFF, 100))
    add_update(context)
    news_world.add_event(context, datetime(2026, 12, 20, tzinfo=UTC).date())
    news_world.add_reader(context, "reader@example.org")
    open_vote(context)
    tell(context, mailbox)
    assert sorted(kind for _, kind in mailbox.told) == ["receipt"] * 3 + ["vote_opened"] * 3

    for day in (1, 1, 2):
        run(context, mailbox, month=12, day=day)

    told = [(name, kind) for name, kind in mailbox.told if kind == "month"]
    assert told == [("ama", "month"), ("kofi", "month"), ("reader", "month")]
    (email,) = mailbox.to("ama", "month")
    assert email.subject == "November 2026: what your $20 did"
    for part in (
        "You gave $20.00 in November 2026. So far $8.00 of it was paid out to A well for Atsu.",
        "$0.70 paid for running costs. $11.30 waits for its next use.",
        "$8.00 of the $10.00 paid to this project so far was yours.",
        "The water is clear. The pump comes next.",
        f"Paid on 20 November 2026: $10.00, $8.00 of it yours. In the books: entry {entry}.",
        "Clean water: open until 30 November 2026",
        "20 December 2026: Meet Neema, Halifax",
    ):
        assert part in email.text
    paid = [
        paid.cents for fund in trace_member(context, ama.id).funds.values() for paid in fund.paid
    ]
    assert sorted(paid) == [70, 800]
    (reader,) = mailbox.to("reader", "month")
    assert "A well for Atsu" in reader.text
    assert "yours" not in reader.text
    assert "You gave" not in reader.text


def test_a_month_without_news_sends_nothing(context: Context, mailbox: Mailbox) -> None:
    """Payments alone are no news: their receipts came."""
    ama = join(context, "ama", choice="monthly")
    news_world.give(context, ama)

    run(context, mailbox, month=12)

    assert [kind for _, kind in mailbox.told if kind != "receipt"] == []


def test_nobody_is_told_twice_or_left_out_when_a_choice_changes(context: Context) -> None:
    """The month has what was not told singly, and only that."""
    ama, kofi = join(context, "ama"), join(context, "kofi", choice="monthly")
    join(context, "esi")
    mailbox = Mailbox()
    add_update(context, "first", title="First news")
    tell(context, mailbox)
    news_world.choose(context, ama, "monthly")
    news_world.choose(context, kofi, "at-once")
    add_update(context, "second", title="Second news")
    tell(context, mailbox)

    run(context, mailbox, month=12)

    for name, kinds in (("ama", ["update", "month"]), ("kofi", ["update", "month"])):
        emails = mailbox.to(name)
        assert [kind for told, kind in mailbox.told if told == name] == sorted(kinds)
        texts = "\n".join(email.text for email in emails)
        assert [texts.count(f"{title} news (") for title in ("First", "Second")] in ([0, 1], [1, 0])
    assert [kind for name, kind in mailbox.told if name == "esi"] == ["update", "update"]


def test_news_withdrawn_after_a_month_are_not_told_again(context: Context) -> None:
    """Shown again in the next month, they are told to those who have not read them."""
    join(context, "ama", choice="monthly")
    news_world.add_reader(context, "reader@example.org")
    mailbox = Mailbox()
    add_update(context, "told", title="Told news")
    add_update(context, "hidden", title="Hidden news")
    news_world.hide(context, "updates", "hidden")
    run(context, mailbox, month=12)

    for name in ("told", "hidden"):
        news_world.hide(context, "updates", name)
        news_world.hide(context, "updates", name, published=True)
    run(context, mailbox, month=1)

    for name in ("ama", "reader"):
        first, second = (email.text for email in mailbox.to(name, "month"))
        assert ("Told news" in first, "Hidden news" in first) == (True, False)
        assert ("Told news" in second, "Hidden news" in second) == (False, True)


def test_a_single_email_that_waited_over_the_end_of_the_month_is_sent(context: Context) -> None:
    """The month does not have it, so a member who chose the month meanwhile still gets it."""
    ama = join(context, "ama")
    mailbox = Mailbox(is_away=True)
    add_update(context)
    tell(context, mailbox)
    news_world.choose(context, ama, "monthly")
    run(context, mailbox, month=12)
    mailbox.is_away = False
    run(context, mailbox, month=12, day=3)

    assert [kind for _, kind in mailbox.told] == ["update"]


@pytest.mark.parametrize(("last_run_on", "told"), [(30, ["month"]), (None, []), (3, [])])
def test_a_late_run_tells_only_the_months_that_no_run_closed(
    context: Context, last_run_on: int | None, told: list[str]
) -> None:
    """After an outage nobody is left out; an upgrade or a demo does not tell old months."""
    join(context, "ama", choice="monthly")
    add_update(context)
    if last_run_on is not None:
        at = datetime(2026, 11 if last_run_on == 30 else 12, last_run_on, 12, tzinfo=UTC)
        with context.store.write() as work:
            note_run(work, at, [])
    mailbox = Mailbox()

    run(context, mailbox, month=12, day=28)

    assert [kind for _, kind in mailbox.told] == told


YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))


def run_until_april(context: Context, mailbox: Mailbox) -> list[tuple[str, str]]:
    """Run the emails of some days after the year; return who was told of a statement."""
    for month, day in ((1, 2), (1, 14), (1, 15), (1, 16), (3, 20), (4, 2)):
        clock_of(context).set(datetime(2027, month, day, 7, tzinfo=UTC))
        run_day(context, mailbox)
        if day < 15 and month == 1:
            assert ("ama", "statement") not in mailbox.told
    return [told for told in mailbox.told if told[1] == "statement"]


def test_each_giver_gets_the_yearly_statement_once(context: Context, mailbox: Mailbox) -> None:
    """It is about their own money, so it needs no consent."""
    ama, kofi = join(context, "ama", choice="nothing"), join(context, "kofi")
    join(context, "esi")
    give(context, ama, kofi)

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
    run_day(context, mailbox)

    told = [told for told in mailbox.told if told[1] == "statement"]
    assert told == [("ama", "statement"), ("kofi", "statement")]
