"""Reads Stripe's files, CSV reports and JSON lists, and sorts their movements by time."""

import heapq
import io
import pickle
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import datetime
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, BinaryIO, cast

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.files.reading import FileReport
from jara.files.stripe.balance_json import read_balance_json
from jara.files.stripe.csv_reports import read_stripe_csv

RUN_ROWS = 100_000
"""Rows sorted in memory; more are spilled to temporary files."""

_BATCH_ROWS = 500

_RANK = {category: rank for rank, category in enumerate(RowCategory)}

_Key = tuple[datetime, int, int, str, int]
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


def in_time_order(
    rows: Iterable[ProviderRow], *, run_rows: int = RUN_ROWS
) -> Iterator[ProviderRow]:
    """Yield the rows by time; at the same instant, charges come before their refunds.

    All rows are read before the first one is yielded, so a file's report is complete by
    then. Rows beyond ``run_rows`` wait in sorted runs in unnamed temporary files.
    """
    source = iter(rows)
    with ExitStack() as files:
        runs: list[Iterator[ProviderRow]] = []
        while run := sorted(islice(source, run_rows), key=_key):
            if len(run) < run_rows:
                runs.append(iter(run))
                break
            spilled = files.enter_context(TemporaryFile())
            runs.append(_spill(run, spilled))
        yield from heapq.merge(*runs, key=_key)


def _key(row: ProviderRow) -> _Key:
    name = row.txn_id or row.charge_id or ""
    return (row.created, _RANK[row.category], row.cumulative or 0, name, row.line)


def _spill(run: list[ProviderRow], spilled: IO[bytes]) -> Iterator[ProviderRow]:
    for start in range(0, len(run), _BATCH_ROWS):
        batch = list(map(tuple, run[start : start + _BATCH_ROWS]))  # pickled faster than records
        pickle.dump(batch, spilled, pickle.HIGHEST_PROTOCOL)
    spilled.seek(0)
    return _unspill(spilled, len(run))


def _unspill(spilled: IO[bytes], count: int) -> Iterator[ProviderRow]:
    for _ in range(0, count, _BATCH_ROWS):
        # This process wrote the bytes a moment ago, to a file that has no name.
        for values in pickle.load(spilled):  # noqa: S301 - see above
            yield ProviderRow(*values)
