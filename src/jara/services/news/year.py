"""Members who gave in a year are told that its statement is ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from jara.domain.language import Language
from jara.domain.reports.parts import ReportPeriod
from jara.records.operations import NewsItem
from jara.services.context import Context
from jara.services.news.recipients import Recipient
from jara.services.news.stories import Story, StoryCache
from jara.services.news_items import cause_news
from jara.services.reports.statements import read_basis, statement_key, write_statement
from jara.store.unit_of_work import UnitOfWork

STATEMENT = "statement"
READY_ON = (1, 15)
"""Month and day on which the statements of the year before are ready: by then the bank's file of
December is usually imported. A year that was closed earlier is ready earlier."""
LAST_MONTH = 3
"""Later in the year, the statements of the year before are no news."""


def announce_statements(context: Context, work: UnitOfWork) -> None:
    """Note that the statements of last year are ready."""
    today, year = context.today(), context.today().year - 1
    is_closed = any(lock.year == year for lock in work.book_settings.locked_years())
    if today.month > LAST_MONTH or not (is_closed or (today.month, today.day) >= READY_ON):
        return
    if work.news.get(f"{STATEMENT}:{year}") is None:
        cause_news(context, work, STATEMENT, str(year), year=str(year))


def tell_statement(
    _context: Context, _work: UnitOfWork, item: NewsItem, _language: Language
) -> Story | None:
    """Return the story: the days of the year."""
    period = _year_of(item)
    return Story({"first": period.first.isoformat(), "last": period.last.isoformat()})


def concerned_by_statement(
    context: Context, work: UnitOfWork, item: NewsItem
) -> Callable[[Recipient], bool]:
    """Return whether somebody paid, or got money back, in the year."""
    basis = read_basis(context, work, _year_of(item))

    def has_statement(recipient: Recipient) -> bool:
        statement = recipient.member and write_statement(work, basis, recipient.member)
        return bool(statement and (statement.lines or statement.returns))

    return has_statement


def statement_values(
    _cache: StoryCache, _work: UnitOfWork, _item: NewsItem, story: Story, _recipient: Recipient
) -> Mapping[str, Any]:
    """Return what the email says: the same to everybody."""
    return story.values


def key_of_statement(item: NewsItem, recipient: Recipient) -> str:
    """Return the once-key that the command which mails statements uses, too."""
    return statement_key(recipient.name, _year_of(item))


def _year_of(item: NewsItem) -> ReportPeriod:
    year = int(item.about["year"])
    return ReportPeriod(date(year, 1, 1), date(year, 12, 31))
