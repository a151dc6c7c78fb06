"""The one door for what Stripe hands out: CSV files and JSON lists."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

from jara.domain.books.provider_row import ChargeKind, ProviderRow
from jara.files.reading import FileReport
from jara.files.stripe.balance_json import read_balance_json
from jara.files.stripe.csv_reports import read_stripe_csv

_JSON_STARTS = (b"[", b"{")


def read_stripe(
    stream: BinaryIO,
    name: str,
    report: FileReport,
    *,
    assume: ChargeKind | None = None,
    decimal_comma: bool = False,
) -> Iterator[ProviderRow]:
    """Read a file of Stripe's, a JSON list where it begins like one, else CSV.

    Raises:
        InvalidInput: it is neither.
    """
    if isinstance(stream, io.BufferedReader):
        buffered = stream
    else:
        buffered = io.BufferedReader(cast("io.RawIOBase", stream))
    start = buffered.peek(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(_JSON_STARTS):
        return read_balance_json(buffered, name, report, assume=assume)
    return read_stripe_csv(buffered, name, report, assume=assume, decimal_comma=decimal_comma)
