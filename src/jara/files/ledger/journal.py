"""The books as an hledger journal, in a form that Jara reads again.

    2026-03-01 (rsty2ynocrfsabcd) Pledge
        ; kind:pledge
        ; source:stripe
        assets:stripe  8.00 USD  ; fund:projects
        income:pledges  -8.00 USD  ; fund:projects

The entry's id is the code; accounts are declared before their first use, so that
`hledger check --strict` is silent. `tag_text` describes the encoding of free text.
"""

from collections.abc import Iterable, Iterator
from typing import TextIO

from jara.domain.books.journal import JournalEntry, PostedEntry
from jara.domain.currency import books_currency
from jara.domain.money import plain_decimal
from jara.domain.organisation import DEFAULT_NAME
from jara.files.ledger.file_entry import IdOf, encoded


def write_journal(
    entries: Iterable[PostedEntry],
    out: TextIO,
    id_of: IdOf,
    *,
    for_operators: bool = False,
    organisation: str = DEFAULT_NAME,
) -> None:
    """Write entries in their order as a journal; in that of the log, links point upwards.

    `id_of` returns the id of the entry at a log index. For operators it has the external ids and
    the contributors' random keys too, so that the journal rebuilds the books and later imports
    post nothing twice.
    """
    out.write(f"; The books of {organisation}. Accounts carry their fund as a tag.\n")
    out.write(f"commodity 1000.00 {books_currency()}\n")
    declared: set[str] = set()
    for posted in entries:
        out.write("\n")
        for posting in posted.entry.postings:
            if posting.account not in declared:
                declared.add(posting.account)
                out.write(f"account {posting.account}\n")
        out.write(_transaction(posted, id_of, for_operators=for_operators))


def _transaction(posted: PostedEntry, id_of: IdOf, *, for_operators: bool) -> str:
    entry = posted.entry
    text = encoded(entry.description)
    lines = [f"{entry.day.isoformat()} ({posted.id}) {text}".rstrip(" ")]
    tags = [*_tags(entry, id_of), *(_operator_tags(entry) if for_operators else ())]
    lines.extend(f"    ; {name}:{encoded(value)}" for name, value in tags)
    currency = books_currency()
    lines.extend(
        f"    {posting.account}  {plain_decimal(posting.cents)} {currency}  ; fund:{posting.fund}"
        for posting in entry.postings
    )
    return "\n".join(lines) + "\n"


def _tags(entry: JournalEntry, id_of: IdOf) -> Iterator[tuple[str, str]]:
    yield "kind", entry.kind
    yield "source", entry.source
    if entry.reference:
        yield "reference", entry.reference
    if entry.reverses is not None:
        yield "reverses", id_of(entry.reverses)
    if entry.of is not None:
        yield "of", id_of(entry.of)
    if entry.true_day is not None:
        yield "happened", entry.true_day.isoformat()
    if entry.foreign is not None:
        foreign = entry.foreign
        yield "foreign", f"{foreign.currency} {foreign.amount_minor} {foreign.rate}"
        if foreign.receipt:
            yield "receipt", foreign.receipt


def _operator_tags(entry: JournalEntry) -> Iterator[tuple[str, str]]:
    if entry.external_id:
        yield "outside", entry.external_id
    if entry.member_key:
        yield "member", entry.member_key
    if entry.foreign is not None and entry.foreign.source:
        yield "ratesource", entry.foreign.source
