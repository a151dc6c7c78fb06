"""How ``jara ledger post`` reads an entry: from a file, or from options."""

from __future__ import annotations

from typing import Any

from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara.files.content_files import FILE_BYTES_MAX, read_document
from jara.files.ledger.file_entry import kind_by_accounts
from jara.services.books.entry_documents import read_entry
from jara.services.context import Context
from jara_cli.inputs import name_input, open_input

_WORDS = 3


def read_entry_document(
    source: str | None,
    postings: list[str],
    pair: dict[str, str | None],
) -> object:
    """Read the entry from the file or from the options, whichever was given."""
    given = [source is not None, bool(postings), any(v is not None for v in pair.values())]
    if sum(given) != 1:
        raise InvalidInput(
            "Give a file, or --posting twice or more, or --debit, --credit, --fund and --amount."
        )
    if source is not None:
        return _read_file(source)
    if postings:
        return {"postings": [_read_posting(text) for text in postings]}
    return {"postings": _read_pair(pair)}


def _read_file(source: str) -> object:
    """Read one document from a file or standard input."""
    with open_input(source) as stream:
        data = stream.read(FILE_BYTES_MAX + 1)
    return read_document(data, name_input(source))


def _read_posting(text: str) -> dict[str, str]:
    words = text.split()
    if len(words) != _WORDS:
        raise InvalidInput(f"'{text}' is not a posting; write it like 'assets:bank staff -12.50'.")
    return dict(zip(("account", "fund", "amount"), words, strict=True))


def _read_pair(pair: dict[str, str | None]) -> list[dict[str, object]]:
    missing = [name for name, value in pair.items() if value is None]
    if missing:
        raise InvalidInput(f"{', '.join(missing)} is missing.")
    cents = parse_cents(pair["--amount"] or "")
    return [
        {"account": pair["--debit"], "fund": pair["--fund"], "cents": cents},
        {"account": pair["--credit"], "fund": pair["--fund"], "cents": -cents},
    ]


def guess_kind(document: dict[str, Any], context: Context) -> str:
    """Guess the kind of entry from its accounts."""
    return kind_by_accounts(read_entry(document, today=context.today()).postings).value
