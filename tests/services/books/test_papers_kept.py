"""Documents on both engines: cut off at each step, on a full disk."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Unavailable
from jara.domain.papers import PaperKind
from jara.services.books.papers import PaperFile, add_documents, list_documents, read_document
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.store.store import Store
from tests.fakes.kills import survive
from tests.harness import make_organisation
from tests.places import NewPlace
from tests.services.books.test_papers import INVOICE, spend

STEPS_MIN = 5


def stored(context: Context) -> list[str]:
    """Return the hashes of all documents."""
    with context.store.read() as work:
        return [one.hash for one in work.papers.all()]


def test_a_kill_leaves_a_document_whole_or_absent(new_place: NewPlace) -> None:
    """Bytes, rows, leaf and audit row are written together or not at all."""
    for step in count():
        context = make_organisation(new_place())
        entry = spend(context)
        ended = survive(
            lambda: add_documents(context, entry.id, [INVOICE], PaperKind.INVOICE),  # noqa: B023
            step,
        )

        assert stored(context) == ([INVOICE.hash] if ended else [])
        assert len(list_documents(context, entry.id)) == ended
        assert verify_books(context).ok
        context.store.close()
        if ended:
            break
    assert step >= STEPS_MIN


def test_a_document_is_read_as_it_was_stored(place: Path) -> None:
    """Large values too, on each engine."""
    context = make_organisation(place)
    large = PaperFile("image/png", bytes(range(256)) * 40_000)

    add_documents(context, spend(context).id, [large], PaperKind.OTHER)

    assert read_document(context, large.hash)[1] == large.data
    assert verify_books(context).ok


def test_on_a_full_disk_nothing_is_stored(tmp_path: Path) -> None:
    """The entry is there, and gets its document once there is room."""
    context = make_organisation(tmp_path)
    entry = spend(context)
    assert isinstance(context.store, Store)
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 50}")
    large = PaperFile("image/png", bytes(4 << 20))

    with pytest.raises(Unavailable):
        add_documents(context, entry.id, [large], PaperKind.OTHER)

    assert stored(context) == []
    connection.execute("PRAGMA max_page_count = 1000000")
    add_documents(context, entry.id, [large], PaperKind.OTHER)
    assert verify_books(context).ok
