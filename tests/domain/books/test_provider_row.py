"""The UTC day of a provider's row."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from jara.domain.books.provider_row import ProviderRow, RowCategory


@pytest.mark.parametrize(
    "created",
    [
        datetime(2026, 1, 1, 0, 30, tzinfo=UTC),
        datetime(2026, 1, 1, 0, 30),  # noqa: DTZ001 - the case under test
        datetime(2025, 12, 31, 19, 30, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_the_day_is_that_of_utc(created: datetime) -> None:
    """An instant of another zone falls on its UTC day; one without zone is UTC."""
    row = ProviderRow(created=created, category=RowCategory.CHARGE, amount=1, fee=0, net=1)

    assert row.day == date(2026, 1, 1)
