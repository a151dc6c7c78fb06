"""Several Stripe reports of one period, imported together."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import BinaryIO

from jara.domain.books.provider_row import ChargeKind, ProviderRow
from jara.files.reading import FileReport
from jara.files.stripe.columns import StripeFormat
from jara.files.stripe.reader import in_time_order, read_stripe
from jara.services.books.imports import ImportOutcome, Progress, Rejected
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from jara_cli.output import note


class ChargesAs(StrEnum):
    """Kind of the charges in files that do not name it."""

    PLEDGES = "pledges"
    GIFTS = "gifts"


class StripeFiles:
    """Several files as one sequence of rows, each with a line number of its own.

    Line numbers continue from one file to the next, so that each number identifies a file
    and a line. The files are read when they are booked.
    """

    def __init__(
        self,
        streams: Sequence[tuple[str, BinaryIO]],
        charges_as: ChargesAs | None,
        *,
        decimal_comma: bool,
    ) -> None:
        self._streams = streams
        self._charges_as = charges_as
        self._decimal_comma = decimal_comma
        self._starts = [0]
        self._reports: list[FileReport] = [FileReport() for _ in streams]
        self._faults: list[Rejected] = []

    def book(
        self, context: Context, *, partial: bool, progress: Progress, dry_run: bool = False
    ) -> ImportOutcome:
        """Book every row in chronological order, and print the readers' notes."""
        outcome = book_rows(
            context,
            in_time_order(self._rows()),
            faults=self._faults,
            partial=partial,
            progress=progress,
            act="ledger.import",
            dry_run=dry_run,
            is_file=True,
        )
        return count_and_note(outcome, self._reports)

    def place(self, line: int) -> tuple[str, int]:
        """Return a row's file, and its line in that file."""
        number = min(bisect_right(self._starts, line - 1), len(self._streams)) - 1
        return self._streams[number][0], line - self._starts[number]

    def _rows(self) -> Iterator[ProviderRow]:
        kinds = {ChargesAs.PLEDGES: ChargeKind.PLEDGE, ChargesAs.GIFTS: ChargeKind.GIFT}
        assume = None if self._charges_as is None else kinds[self._charges_as]
        for (name, stream), report in zip(self._streams, self._reports, strict=True):
            start = end = self._starts[-1]
            for row in read_stripe(
                stream, name, report, assume=assume, decimal_comma=self._decimal_comma
            ):
                end = max(end, start + row.line)
                yield row._replace(line=start + row.line) if start else row
            self._faults += [Rejected(start + bad.line, bad.message) for bad in report.rejected]
            self._starts.append(max([end, *(start + bad.line for bad in report.rejected)]))


def count_and_note(outcome: ImportOutcome, reports: Sequence[FileReport]) -> ImportOutcome:
    """Print the readers' notes; items that move no money count as skipped."""
    forms = {report.form for report in reports}
    for report in reports:
        if report.form == StripeFormat.BALANCE_CHANGE and StripeFormat.PAYOUTS in forms:
            continue  # the payouts file completes it
        for sentence in report.notes:
            note(sentence)
    ignored = sum(report.ignored for report in reports)
    is_booked = outcome.posted + outcome.skipped > 0 or not outcome.rejected
    return outcome._replace(
        read=outcome.read + ignored, skipped=outcome.skipped + (ignored if is_booked else 0)
    )
