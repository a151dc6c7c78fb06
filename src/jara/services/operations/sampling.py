"""The sample of a year's spending, drawn by the log: neither side chooses it.

Its seed is the root of the first checkpoint after the year was closed, that a witness cosigned if
there are witnesses, so everybody draws the same one.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from jara.domain.books import sample
from jara.domain.books.account import AccountType
from jara.domain.books.journal import total_of
from jara.domain.books.sample import Projection, SampleItem
from jara.domain.checks.log import read_leaf
from jara.domain.errors import Conflict
from jara.domain.publiclog.leaves import CLOSE, LeafType
from jara.records.journal import EntryQuery
from jara.records.log import Checkpoint
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class DrawnSample(NamedTuple):
    """A monetary-unit sample of the year's spending."""

    year: int  # the closed year
    materiality_cents: int  # the error that must not be missed
    risk: int  # of missing it, in percent
    factor: int  # the confidence factor in hundredths
    interval_cents: int  # how far the drawn dollars are apart
    checkpoint: int  # the size of the log whose root is the seed
    seed: str  # the root
    is_cosigned: bool
    population_cents: int  # what was spent
    entries: int
    items: tuple[SampleItem, ...]  # what was drawn, by day

    def project(self, audited: Mapping[str, int]) -> Projection:
        """Project the errors that were found; see `project_errors`."""
        return sample.project_errors(self.items, audited, self.interval_cents, self.risk)


def draw_year(context: Context, year: int, *, materiality_cents: int, risk: int) -> DrawnSample:
    """Draw the sample of a closed year.

    Raises:
        InvalidInput: materiality or risk is out of range.
        Conflict: the year is not closed, or the log has no checkpoint since.
    """
    with context.store.read() as work:
        return draw_within(work, year, materiality_cents=materiality_cents, risk=risk)


def draw_within(work: UnitOfWork, year: int, *, materiality_cents: int, risk: int) -> DrawnSample:
    """Draw the sample of a closed year in a transaction; see `draw_year`."""
    interval = sample.interval_of(materiality_cents, risk)
    checkpoint, is_cosigned = _checkpoint(work, year)
    seed = checkpoint.root.hex()
    sums = [cents for _, cents in _spending(work, year)]
    return DrawnSample(
        year=year,
        materiality_cents=materiality_cents,
        risk=risk,
        factor=sample.confidence_factor(risk),
        interval_cents=interval,
        checkpoint=checkpoint.size,
        seed=seed,
        is_cosigned=is_cosigned,
        population_cents=sum(sums),
        entries=len(sums),
        items=tuple(
            sample.draw_sample(_spending(work, year), interval, sample.start_of(seed, interval))
        ),
    )


def _spending(work: UnitOfWork, year: int) -> Iterator[tuple[str, int]]:
    """Yield what each entry of a year spends, by day and then by log index."""
    query = EntryQuery(first_day=date(year, 1, 1), last_day=date(year, 12, 31))
    for posted in work.journal.entries(query):
        cents = total_of(posted.entry, AccountType.EXPENSES)
        if cents > 0:
            yield posted.id, cents


def _checkpoint(work: UnitOfWork, year: int) -> tuple[Checkpoint, bool]:
    """Return the first checkpoint after a year was closed, and whether it is cosigned."""
    closed = None
    for leaf in work.log.leaves_of(LeafType.YEAR):
        body = read_leaf(leaf.body)
        if body["year"] == year:
            closed = leaf.index if body["change"] == CLOSE else None
    if closed is None:
        raise Conflict(f"{year} is not closed; `jara ledger close-year {year}` closes it.")
    later = [one for one in work.log.checkpoints() if one.size > closed]
    cosigned = {one.size for one in work.witnesses.cosignatures()}
    known = [one for one in later if one.size in cosigned] if work.witnesses.count() else later
    if not known:
        what = "cosigned checkpoint" if work.witnesses.count() else "checkpoint"
        raise Conflict(f"The log has no {what} since {year} was closed; wait for the daily run.")
    return known[0], known[0].size in cosigned
