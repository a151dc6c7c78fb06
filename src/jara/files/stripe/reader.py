"""Reads Stripe's files: CSV reports and JSON lists."""

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
    """Read a Stripe file: a JSON list if it begins like one, otherwise CSV.

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
