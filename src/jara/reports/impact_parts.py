"""Parts of the impact report: the promised shares, and the votes."""

from __future__ import annotations

from collections.abc import Iterable

from jara.domain.counts import count_of
from jara.domain.reports.impact import FundFigures, ImpactReport
from jara.domain.reports.voting import ProposalRecord, VoteCount
from jara.reports.charts import SplitBar, draw_split, draw_votes
from jara.reports.document import Block, Chart, Column, Paragraph, Section, Table, table_or_sentence
from jara.reports.words import (
    FUND_NAMES,
    NO_FIGURE,
    currency_name,
    listing,
    long_date,
    money,
    percent,
    points,
    short_date,
)


def build_promise(report: ImpactReport) -> tuple[Block, ...]:
    """Build the section that compares the fund split with what was spent."""
    if not report.funds:
        return (Paragraph("No fund policy was in force in this period."),)
    title = "Promised and spent"
    spent = any(line.actual_tenths for line in report.funds)
    shares = "; ".join(
        f"{FUND_NAMES[f.fund]} {_promise_words(f, has_spent=spent)}" for f in report.funds
    )
    description = f"Of every 100 cents, one thread each: {shares}."
    bars = [_split_bar("Promised", [(f, f.promised_tenths) for f in report.funds])]
    if spent:
        actual = [(f, f.actual_tenths) for f in report.funds]
        bars.append(_split_bar("Spent or set aside, less card fees", actual))
    return (
        Chart(title, description, draw_split(title, description, bars), _fund_table(report)),
        *_drift(report, has_spent=spent),
        Paragraph(_fee_sentence(report)),
    )


def _promise_words(line: FundFigures, *, has_spent: bool) -> str:
    promised = f"{percent(line.promised_tenths)} promised"
    return (
        f"{promised}, {percent(line.actual_tenths)} spent or set aside" if has_spent else promised
    )


def _split_bar(name: str, shares: list[tuple[FundFigures, int]]) -> SplitBar:
    return SplitBar(
        name,
        tuple(tenths for _, tenths in shares),
        tuple(f"{FUND_NAMES[line.fund]} {percent(tenths)}" for line, tenths in shares),
    )


def _fund_table(report: ImpactReport) -> Table:
    columns = (
        "Received",
        "Spent",
        "Of which fees",
        "Held",
        "Promised",
        "Actual",
        "Difference",
    )
    totals = (
        sum(f.received_cents for f in report.funds),
        sum(f.spent_cents for f in report.funds),
        sum(f.fees_cents for f in report.funds),
        sum(f.held_cents for f in report.funds),
    )
    promised = sum(f.promised_tenths for f in report.funds)
    actual = sum(f.actual_tenths for f in report.funds)
    return Table(
        f"Each fund, {currency_name()}; shares are of what was spent or set aside, less card fees",
        (Column("Fund"), *(Column(heading, is_number=True) for heading in columns)),
        tuple(_fund_row(line, has_spent=bool(actual)) for line in report.funds),
        (
            "Total",
            *(money(cents) for cents in totals),
            percent(promised),
            percent(actual) if actual else NO_FIGURE,
            "",
        ),
    )


def _fund_row(line: FundFigures, *, has_spent: bool) -> tuple[str, ...]:
    drift = points(line.actual_tenths - line.promised_tenths)
    return (
        FUND_NAMES[line.fund],
        money(line.received_cents),
        money(line.spent_cents),
        money(line.fees_cents),
        money(line.held_cents),
        percent(line.promised_tenths),
        percent(line.actual_tenths) if has_spent else NO_FIGURE,
        drift if has_spent else NO_FIGURE,
    )


def _drift(report: ImpactReport, *, has_spent: bool) -> tuple[Block, ...]:
    if not has_spent:
        return (Paragraph("Nothing was spent in this period, so there is no split to compare."),)
    widest = max(report.funds, key=lambda f: abs(f.actual_tenths - f.promised_tenths))
    off = widest.actual_tenths - widest.promised_tenths
    name = FUND_NAMES[widest.fund]
    if off == 0:
        sentence = "Every fund spent exactly the share that was promised."
    else:
        more = "more" if off > 0 else "less"
        sentence = (
            f"The widest gap is in {name}: {points(abs(off)).lstrip('+')} points {more} "
            "than promised."
        )
    note = (Paragraph(f"In the words of {report.organisation}: {report.drift_note}"),)
    return (Paragraph(sentence), *(note if report.drift_note else ()))


def _fee_sentence(report: ImpactReport) -> str:
    if report.fees_cents == 0:
        return "No card or bank fees were paid in this period."
    bearers = listing(
        [f"{FUND_NAMES[f.fund]} {money(f.fees_cents)}" for f in report.funds if f.fees_cents]
    )
    return f"Card and bank fees took {money(report.fees_cents)}. They were paid from: {bearers}."


def build_purposes(report: ImpactReport) -> tuple[Block, ...]:
    """Build the table of what each fund paid for."""
    if not report.spent:
        return ()
    funds = [line.fund for line in report.funds]
    table = Table(
        f"What each fund paid for, {currency_name()}",
        (
            Column("Purpose"),
            *(Column(FUND_NAMES[fund], is_number=True) for fund in funds),
            Column("Total", is_number=True),
        ),
        tuple(
            (line.label, *(money(line.by_fund[fund]) for fund in funds), money(line.cents))
            for line in report.spent
        ),
        (
            "Total",
            *(money(sum(line.by_fund[fund] for line in report.spent)) for fund in funds),
            money(sum(line.cents for line in report.spent)),
        ),
    )
    return (table,)


def build_votes(records: Iterable[ProposalRecord]) -> tuple[Block, ...]:
    """Build a part for each decided vote, and a list of the others without their counts."""
    records = tuple(records)
    if not records:
        return (Paragraph("No proposal was put to a vote in this period."),)
    decided = tuple(record for record in records if record.vote is not None)
    other = tuple(record for record in records if record.vote is None)
    return (
        *(build_decided(record) for record in decided),
        *((open_votes(other),) if other else ()),
    )


def build_decided(record: ProposalRecord) -> Section:
    """Build the part of one decided vote: result, commitment and payouts.

    Raises:
        InvalidInput: the proposal has no final count.
    """
    vote = record.require_vote()
    return Section(
        record.title,
        (
            Paragraph(describe_result(record, vote)),
            _vote_chart(record, vote),
            *(_money_after(record) if vote.passes else ()),
        ),
    )


def describe_result(record: ProposalRecord, vote: VoteCount) -> str:
    """Say in words how a vote ended, and by which rule (spec §9)."""
    rule = f"{vote.rule.text} or more of the {vote.tally.roll:,} changemakers on the roll"
    end = long_date(record.ends)
    if vote.passes:
        return f"Passed on {end}: {vote.tally.yes:,} voted yes, and it needed {rule}."
    missing = count_of(vote.needed, "more yes vote was", "more yes votes were")
    return f"Rejected on {end}: {vote.tally.yes:,} voted yes, it needed {rule}; {missing} missing."


def open_votes(records: tuple[ProposalRecord, ...]) -> Block:
    """List the votes that have no count: still open, or withdrawn."""
    table = Table(
        "Proposals without a final count",
        (
            Column("Proposal"),
            Column("Status"),
            Column("Voting ends"),
            Column(f"Asks for, {currency_name()}", is_number=True),
        ),
        tuple(
            (record.title, record.status.capitalize(), short_date(record.ends), money(goal))
            for record in records
            for goal in (record.goal_cents,)
        ),
    )
    return table_or_sentence(table, "No vote was open.")


def _vote_chart(record: ProposalRecord, vote: VoteCount) -> Chart:
    title = f"Vote on {record.title}"
    tally = vote.tally
    description = (
        f"One thread is one whole percent of the roll of {tally.roll:,}: "
        f"{percent(tally.yes_tenths)} yes, {percent(tally.no_tenths)} no, the rest did not vote. "
        f"Turnout was {percent(vote.turnout_tenths)}."
    )
    drawing = draw_votes(
        title,
        description,
        yes=tally.yes_tenths // 10,
        no=tally.no_tenths // 10,
        pass_mark=-(-100 * vote.rule.num // vote.rule.den),
    )
    return Chart(title, description, drawing, _count_table(vote))


def _count_table(vote: VoteCount) -> Table:
    rows = [
        ("Yes", f"{vote.tally.yes:,}", percent(vote.tally.yes_tenths)),
        ("No", f"{vote.tally.no:,}", percent(vote.tally.no_tenths)),
        ("Not voted", f"{vote.tally.not_voted:,}", ""),
    ]
    columns = (
        Column("Ballots"),
        Column("Count", is_number=True),
        Column("Of the roll, floored", is_number=True),
    )
    caption = "The count"
    if vote.tally.void:
        caption += (
            f"; {count_of(vote.tally.void, 'dropped ballot is', 'dropped ballots are')} not in it"
        )
    return Table(caption, columns, tuple(rows), ("On the roll", f"{vote.tally.roll:,}", ""))


def _money_after(record: ProposalRecord) -> tuple[Block, ...]:
    parts = [f"Of the {money(record.goal_cents)} asked for, {money(record.paid_cents)} was paid"]
    parts.append(f"{money(record.held_cents)} is held for it")
    parts.append(f"{money(record.queued_cents)} waits for further receipts")
    if record.released_cents:
        parts.append(f"{money(record.released_cents)} was released to other projects")
    sentence = Paragraph(", ".join(parts[:-1]) + f" and {parts[-1]}.")
    if not record.payouts:
        return (sentence,)
    table = Table(
        "Paid out under this vote",
        (Column("Date"), Column("For"), Column(currency_name(capital=True), is_number=True)),
        tuple((short_date(p.day), p.title, money(p.cents)) for p in record.payouts),
        ("Total", "", money(record.paid_cents)),
    )
    return (sentence, table)
