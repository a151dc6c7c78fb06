"""Tests of the cut-off of a report, which includes its own instant."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from jara.services.content import add_item
from jara.services.reports.cut import items_at
from tests.harness import clock_of, make_organisation

FAQ = {"id": "why", "question": "Why?", "answer": "Because."}


def test_content_counts_from_the_second_of_its_change(place: Path) -> None:
    """Content published at the report's instant is included; a second later it is not."""
    context = make_organisation(place)
    at = context.now()
    add_item(context, "faqs", FAQ, published=True)
    clock_of(context).set(at + timedelta(hours=1))

    with context.store.read() as work:
        found = [
            [item.id for item in items_at(work, "faqs", at + timedelta(seconds=seconds))]
            for seconds in (-1, 0, 1)
        ]

    assert found == [[], ["why"], ["why"]]
