"""Writes the books as a Beancount file that `bean-check` accepts.

Account names are ours with each part capitalised: ``expenses:projects:wells-of-x``
becomes ``Expenses:Projects:Wells-of-x``; lower case reverses this. The fund is metadata of
the posting. The entry's id is metadata and a link; entries that undo it have the same link.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import TextIO

from jara.domain.books.journal import PostedEntry
from jara.domain.currency import books_currency, plain_minor
from jara.domain.money import plain_decimal
from jara.domain.organisation import DEFAULT_NAME
from jara.files.ledger.file_entry import IdOf

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def beancount_account(name: str) -> str:
    """Return an account's name as Beancount requires it."""
    return ":".join(part[:1].upper() + part[1:] for part in name.split(":"))


def write_beancount(
    entries: Iterable[PostedEntry], out: TextIO, id_of: IdOf, *, organisation: str = DEFAULT_NAME
) -> None:
    """Write entries as a Beancount file, one transaction each.

    The accounts are opened at the end, each on the first day it is used: Beancount sorts
    by date, and the first day is only known after the last entry.
    """
    currency = books_currency()
    title = f"The books of {organisation}".translate(_ESCAPES)
    out.write(f'option "title" "{title}"\noption "operating_currency" "{currency}"\n')
    opened: dict[str, date] = {}
    for posted in entries:
        out.write("\n" + "\n".join(_lines(posted, id_of)) + "\n")
        day = posted.entry.day
        for posting in posted.entry.postings:
            first = opened.get(posting.account, day)
            opened[posting.account] = min(first, day)
    if opened:
        out.write("\n")
    for account, day in sorted(opened.items()):
        out.write(f"{day.isoformat()} open {beancount_account(account)} {currency}\n")


def _lines(posted: PostedEntry, id_of: IdOf) -> Iterator[str]:
    entry = posted.entry
    linked = [id_of(index) for index in (entry.reverses, entry.of) if index is not None]
    links = " ".join(f"^{name}" for name in (posted.id, *linked))
    yield f"{entry.day.isoformat()} * {_string(entry.description)} {links}"
    yield f"  id: {_string(posted.id)}"
    yield f"  kind: {_string(entry.kind)}"
    yield f"  source: {_string(entry.source)}"
    if entry.reference:
        yield f"  reference: {_string(entry.reference)}"
    if entry.reverses is not None:
        yield f"  reverses: {_string(id_of(entry.reverses))}"
    if entry.of is not None:
        yield f"  of: {_string(id_of(entry.of))}"
    if entry.foreign is not None:
        foreign = entry.foreign
        amount = plain_minor(foreign.currency, foreign.amount_minor)
        yield f"  foreign: {amount} {foreign.currency}"
        yield f"  rate: {_string(foreign.rate)}"
        if foreign.receipt is not None:
            yield f"  receipt: {_string(foreign.receipt)}"
    for posting in entry.postings:
        yield f"  {beancount_account(posting.account)}  {_amount(posting.cents)}"
        yield f'    fund: "{posting.fund}"'


def _amount(cents: int) -> str:
    return f"{plain_decimal(cents)} {books_currency()}"


def _string(text: str) -> str:
    shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    return f'"{shown.translate(_ESCAPES)}"'
