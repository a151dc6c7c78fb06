"""A process that posts entries one after the other and may be killed.

``python poster.py FOLDER FIRST`` posts the entries ``bank-FIRST`` and following, and prints
``posted`` for each new entry and ``known`` for an existing one.
"""

import sys
import time
from itertools import count
from pathlib import Path

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import DuplicateEntry, Unavailable
from jara.services.books.bookkeeping import post_entry
from tests.places import settings_of


def main() -> None:
    """Post entries until killed."""
    settings = load_settings({}, overrides=settings_of(Path(sys.argv[1])))
    context = build(settings, any_mode=True).context
    for number in count(int(sys.argv[2])):
        entry = JournalEntry(
            day=context.today(),
            kind=EntryKind.GRANT,
            description="Grant",
            postings=(
                Posting("assets:bank", Fund.OTHER, 100 + number),
                Posting("income:grants", Fund.OTHER, -100 - number),
            ),
            external_id=f"bank-{number}",
        )
        answer = ""
        while not answer:
            try:
                post_entry(context, entry)
                answer = "posted"
            except DuplicateEntry:
                answer = "known"
            except Unavailable:
                time.sleep(0.05)  # busy, and nothing was written
        sys.stdout.write(f"{answer} {number}\n")
        sys.stdout.flush()
        time.sleep(0.01)


if __name__ == "__main__":
    main()
