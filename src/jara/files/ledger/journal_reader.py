"""Reads the journal that `jara.files.ledger.journal` writes; errors name the line."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import BinaryIO

from jara.domain.books.account import ChartOfAccounts, parse_fund
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, Posting
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import parse_cents
from jara.files.cells import parse_day
from jara.files.ledger.file_entry import SeenIds, decoded, outside_id
from jara.files.reading import FileReport, decoded_lines
from jara.services.books.entry_importing import FileEntry

_HEAD = re.compile(r"([^\s()]+) \(([^\s()]+)\)(?: (.*))?", re.ASCII)
_TAG = re.compile(r"[ \t]+; ?([a-z]+):(.*)", re.ASCII)
_POSTING = re.compile(
    r"[ \t]+(\S+) {2,}(-?[0-9]+\.[0-9]{2}) ([A-Z]{3}) {2,}; ?fund:(\S+)", re.ASCII
)
_COMMENT = re.compile(r"[ \t]+;.*")
_FOREIGN = re.compile(r"([A-Z]{3}) ([0-9]{1,18}) ([0-9.]{1,30})", re.ASCII)
_DIRECTIVES = ("account ", "commodity ", "payee ", "tag ", ";", "#", "*")
_TAGS = frozenset(
    {"kind", "source", "reference", "reverses", "of", "happened", "outside", "member"}
    | {"foreign", "receipt", "ratesource"}
)


@dataclass(slots=True)
class _Draft:
    """A transaction while its lines are read; the day is a placeholder until the head is read."""

    line: int
    entry_id: str = ""
    day: date = date.min
    description: str = ""
    postings: list[Posting] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    fault: tuple[int, str] | None = None


def read_journal(
    stream: BinaryIO, name: str, report: FileReport, *, chart: ChartOfAccounts | None = None
) -> Iterator[FileEntry]:
    """Read a journal in our own form; the report counts transactions, and has the rejected ones.

    With a chart, an unknown account is reported with its line.

    Raises:
        InvalidInput: the file is not UTF-8.
    """
    seen = SeenIds()
    for draft in _drafts(stream, name, chart):
        report.read += 1
        if draft.fault is None and not seen.add(draft.entry_id):
            draft.fault = (draft.line, f"The id '{draft.entry_id}' is used further up already.")
        if draft.fault is not None:
            report.reject(*draft.fault)
            continue
        try:
            yield _finished(draft)
        except JaraError as error:
            report.reject(draft.line, error.message)


def _drafts(stream: BinaryIO, name: str, chart: ChartOfAccounts | None) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for number, raw in enumerate(decoded_lines(stream, name), start=1):
        line = raw.rstrip("\r\n")
        if draft is not None and line[:1] in {" ", "\t"} and not line.isspace():
            _add_line(draft, number, line, chart)
            continue
        if draft is not None:
            yield draft
            draft = None
        if line and not line.isspace() and not line.startswith(_DIRECTIVES):
            draft = _Draft(number)
            _try(draft, number, partial(_read_head, draft, line))
    if draft is not None:
        yield draft


def _add_line(draft: _Draft, number: int, line: str, chart: ChartOfAccounts | None) -> None:
    if draft.fault is None:
        _try(draft, number, partial(_read_inner, draft, line, chart))


def _try(draft: _Draft, number: int, read: Callable[[], None]) -> None:
    try:
        read()
    except JaraError as error:
        draft.fault = (number, error.message)


def _read_head(draft: _Draft, line: str) -> None:
    match = _HEAD.fullmatch(line)
    if match is None:
        raise InvalidInput(
            f"'{line}' begins no transaction; write the day, its id in parentheses and the "
            "description, like '2026-11-20 (A1) Rent'."
        )
    draft.day = parse_day(match[1])
    draft.entry_id = match[2]
    draft.description = decoded(match[3] or "")


def _read_inner(draft: _Draft, line: str, chart: ChartOfAccounts | None) -> None:
    tag = _TAG.fullmatch(line)
    if tag is not None and tag[1] in _TAGS:
        draft.tags[tag[1]] = decoded(tag[2])
        return
    if _COMMENT.fullmatch(line):
        return
    match, ours = _POSTING.fullmatch(line), books_currency()
    if match is None:
        raise InvalidInput(
            f"'{line.strip()}' is not a posting like 'assets:bank  12.00 {ours}  ; fund:projects'."
        )
    if match[3] != ours:
        raise InvalidInput(f"'{line.strip()}' is in {match[3]}; the books are in {ours}.")
    cents = parse_cents(match[2], allow_negative=True)
    if chart is not None:
        chart.require(match[1])
    draft.postings.append(Posting(match[1], parse_fund(match[4]), cents))


def _finished(draft: _Draft) -> FileEntry:
    tags = draft.tags
    happened = tags.get("happened")
    entry = JournalEntry(
        day=draft.day,
        kind=_kind(tags),
        description=draft.description,
        postings=tuple(draft.postings),
        reference=tags.get("reference"),
        source=tags.get("source", "import"),
        external_id=tags.get("outside") or outside_id(draft.entry_id, "journal"),
        member_key=tags.get("member"),
        true_day=parse_day(happened) if happened else None,
        foreign=_foreign(tags),
    )
    return FileEntry(draft.line, draft.entry_id, entry, tags.get("reverses"), tags.get("of"))


def _kind(tags: Mapping[str, str]) -> EntryKind:
    word = tags.get("kind", EntryKind.MANUAL)
    try:
        return EntryKind(word)
    except ValueError:
        raise InvalidInput(f"There is no kind of entry '{word}'.") from None


def _foreign(tags: Mapping[str, str]) -> Foreign | None:
    text = tags.get("foreign")
    if text is None:
        return None
    match = _FOREIGN.fullmatch(text)
    if match is None:
        raise InvalidInput(f"'{text}' is not a foreign amount like 'KES 5160000 129.00'.")
    return Foreign(match[1], int(match[2]), match[3], tags.get("ratesource"), tags.get("receipt"))
