"""Parts of the impact report: the promised shares, and the votes."""

from collections.abc import Iterable, Sequence
from functools import partial

from jara.domain.dates import long_date
from jara.domain.reports.impact import FundFigures, ImpactReport
from jara.domain.reports.voting import ProposalRecord, VoteCount
from jara.domain.texts import Text, as_written, count_of, joined, listing, tr
from jara.domain.voting.tally import Measure, counted_words
from jara.reports.charts import SplitBar, draw_split, draw_votes
from jara.reports.document import (
    Block,
    Chart,
    Paragraph,
    Section,
    Table,
    columns,
    figures,
    sum_table,
    table_or_sentence,
)
from jara.reports.words import (
    FUND_NAMES,
    NO_FIGURE,
    TOTAL,
    count,
    currency_name,
    money,
    percent,
    points,
    short_date,
    unsigned_points,
)


def build_promise(report: ImpactReport) -> tuple[Block, ...]:
    """Build the section that compares the fund split with what was spent."""
    if not report.funds:
        return (Paragraph("No fund policy was in force in this period."),)
    spent = any(line.actual_tenths for line in report.funds)
    template = "{fund} {share} promised" + (", {spent} spent or set aside" if spent else "")
    shares = [
        tr(
            template,
            fund=FUND_NAMES[line.fund],
            share=percent(line.promised_tenths),
            spent=percent(line.actual_tenths),
        )
        for line in report.funds
    ]
    bars = [_split_bar("Promised", report.funds, [line.promised_tenths for line in report.funds])]
    if spent:
        actual = [line.actual_tenths for line in report.funds]
        bars.append(_split_bar("Spent or set aside, less payment fees", report.funds, actual))
    return (
        Chart(
            "Promised and spent",
            tr("Of every 100 cents, one thread each: {parts}.", parts=joined(shares, "; ")),
            partial(draw_split, bars=bars),
            _fund_table(report),
        ),
        *_drift(report, has_spent=spent),
        Paragraph(_fee_sentence(report)),
    )


def _split_bar(name: str, funds: Sequence[FundFigures], shares: Sequence[int]) -> SplitBar:
    labels = (
        tr("{fund} {share}", fund=FUND_NAMES[line.fund], share=percent(share))
        for line, share in zip(funds, shares, strict=True)
    )
    return SplitBar(name, tuple(shares), tuple(labels))


def _fund_table(report: ImpactReport) -> Table:
    funds = report.funds
    amounts = [(f.received_cents, f.spent_cents, f.fees_cents, f.held_cents) for f in funds]
    promised = sum(f.promised_tenths for f in funds)
    actual = sum(f.actual_tenths for f in funds)

    def compared(line: FundFigures) -> tuple[str, str]:
        if not actual:
            return (NO_FIGURE, NO_FIGURE)
        return (percent(line.actual_tenths), points(line.actual_tenths - line.promised_tenths))

    return Table(
        tr(
            "Each fund, {currency}; shares are of what was spent or set aside, less payment fees",
            currency=currency_name(),
        ),
        (
            *columns("Fund"),
            *figures("Received", "Spent", "Of which fees", "Held"),
            *figures("Promised", "Actual", "Difference"),
        ),
        tuple(
            (FUND_NAMES[f.fund], *map(money, cents), percent(f.promised_tenths), *compared(f))
            for f, cents in zip(funds, amounts, strict=True)
        ),
        (
            TOTAL,
            *(money(sum(column)) for column in zip(*amounts, strict=True)),
            percent(promised),
            percent(actual) if actual else NO_FIGURE,
            "",
        ),
    )


def _drift(report: ImpactReport, *, has_spent: bool) -> tuple[Block, ...]:
    if not has_spent:
        return (Paragraph("Nothing was spent in this period, so there is no split to compare."),)
    widest = max(report.funds, key=lambda f: abs(f.actual_tenths - f.promised_tenths))
    off = widest.actual_tenths - widest.promised_tenths
    sentence = tr("Every fund spent exactly the share that was promised.")
    if off:
        more = "more" if off > 0 else "less"
        sentence = tr(
            f"The widest gap is in {{fund}}: {{points}} points {more} than promised.",
            fund=FUND_NAMES[widest.fund],
            points=unsigned_points(off),
        )
    if not report.drift_note:
        return (Paragraph(sentence),)
    own, note = "In the words of {organisation}: {note}", report.drift_note
    words = tr(own, organisation=report.organisation, note=note)
    return (Paragraph(sentence), Paragraph(words))


def _fee_sentence(report: ImpactReport) -> Text:
    if report.fees_cents == 0:
        return tr("No payment or bank fees were paid in this period.")
    bearers = [
        tr("{fund} {amount}", fund=FUND_NAMES[f.fund], amount=money(f.fees_cents))
        for f in report.funds
        if f.fees_cents
    ]
    return tr(
        "Payment and bank fees took {amount}. They were paid from: {list}.",
        amount=money(report.fees_cents),
        list=listing(bearers),
    )


def build_purposes(report: ImpactReport) -> tuple[Block, ...]:
    """Build the table of what each fund paid for."""
    if not report.spent:
        return ()
    funds = [line.fund for line in report.funds]
    table = sum_table(
        tr("What each fund paid for, {currency}", currency=currency_name()),
        ["Purpose"],
        [*(FUND_NAMES[fund] for fund in funds), TOTAL],
        (
            ([tr(line.label)], (*(line.by_fund[fund] for fund in funds), line.cents))
            for line in report.spent
        ),
    )
    return (table, *_papers(report))


def _papers(report: ImpactReport) -> tuple[Block, ...]:
    papers = report.papers
    if papers is None:
        return ()
    sentence = tr(
        "{share} of the {amount} spent in payments of {least} or more has its document.",
        share=percent(1000 * papers.documented_cents // papers.spent_cents),
        amount=money(papers.spent_cents),
        least=money(papers.from_cents),
    )
    return (Paragraph(sentence),)


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
        as_written(record.title),
        (
            Paragraph(describe_result(record, vote)),
            *_off_roll(vote),
            _vote_chart(record, vote),
            *(_money_after(record) if vote.passes else ()),
        ),
    )


def _off_roll(vote: VoteCount) -> tuple[Paragraph, ...]:
    """Say how many members were not on the roll, by reason; the words are those of the site."""
    off = vote.off_roll
    if not any(off.values()):
        return ()
    return (
        Paragraph(
            tr(
                "Not on the roll: {payment}; of those who pay, {address} and {bare}.",
                payment=count_of(
                    off["payment"], "member without a payment", "members without a payment"
                ),
                address=count_of(
                    off["address"],
                    "whose address is not confirmed",
                    "whose addresses are not confirmed",
                ),
                bare=count_of(off["no_address"], "without an address", "without an address"),
            )
        ),
    )


_PASSED = "Passed on {day}: {yes} voted yes, and it needed {rule}."
_REJECTED = "Rejected on {day}: {yes} voted yes, it needed {rule}; {missing} missing."


def describe_result(record: ProposalRecord, vote: VoteCount) -> Text:
    """Say in words how a vote ended, and by which rule (spec §9)."""
    return tr(
        _PASSED if vote.passes else _REJECTED,
        day=long_date(record.ends),
        yes=vote.tally.yes,
        rule=counted_words(vote.rule, vote.tally),
        missing=count_of(vote.needed, "more yes vote was", "more yes votes were"),
    )


def open_votes(records: tuple[ProposalRecord, ...]) -> Block:
    """List the votes that have no count: still open, or withdrawn."""
    table = Table(
        "Proposals without a final count",
        (
            *columns("Proposal", "Status", "Voting ends"),
            *figures(tr("Asks for, {currency}", currency=currency_name())),
        ),
        tuple(
            (
                record.title,
                tr(record.status.capitalize()),
                short_date(record.ends),
                money(record.goal_cents),
            )
            for record in records
        ),
    )
    return table_or_sentence(table, "No vote was open.")


_THREADS = {
    Measure.ROLL: "One thread is one whole percent of the roll of {roll}: {yes} yes, {no} no, the "
    "rest did not vote. Turnout was {turnout}.",
    Measure.VOTES: "One thread is one whole percent of the {votes} votes: {yes} yes, {no} no. "
    "Turnout was {turnout} of the roll of {roll}.",
}
_FLOORED = {Measure.ROLL: "Of the roll, floored", Measure.VOTES: "Of the votes, floored"}


def _vote_chart(record: ProposalRecord, vote: VoteCount) -> Chart:
    tally = vote.tally
    description = tr(
        _THREADS[vote.rule.of],
        roll=tally.roll,
        votes=tally.yes + tally.no,
        yes=percent(tally.yes_tenths(vote.rule)),
        no=percent(tally.no_tenths(vote.rule)),
        turnout=percent(vote.turnout_tenths),
    )
    yes, no = tally.yes_tenths(vote.rule) // 10, tally.no_tenths(vote.rule) // 10
    return Chart(
        tr("Vote on {title}", title=record.title),
        description,
        partial(draw_votes, yes=yes, no=no, rule=vote.rule),
        _count_table(vote),
    )


def _count_table(vote: VoteCount) -> Table:
    tally, caption = vote.tally, tr("The count")
    if tally.void:
        ballots = "ballot is" if tally.void == 1 else "ballots are"
        caption = tr(f"The count; {{count}} dropped {ballots} not in it", count=tally.void)
    return Table(
        caption,
        (*columns("Ballots"), *figures("Count", _FLOORED[vote.rule.of])),
        (
            (tr("Yes"), count(tally.yes), percent(tally.yes_tenths(vote.rule))),
            (tr("No"), count(tally.no), percent(tally.no_tenths(vote.rule))),
            (tr("Not voted"), count(tally.not_voted), ""),
        ),
        (tr("On the roll"), count(tally.roll), ""),
    )


_MONEY = (
    "Of the {goal} asked for, {paid} was paid, {held} is held for it and {queued} waits for "
    "further receipts."
)
_MONEY_RELEASED = (
    "Of the {goal} asked for, {paid} was paid, {held} is held for it, {queued} waits for further "
    "receipts and {released} was released to other projects."
)


def _money_after(record: ProposalRecord) -> tuple[Block, ...]:
    sentence = tr(
        _MONEY_RELEASED if record.released_cents else _MONEY,
        goal=money(record.goal_cents),
        paid=money(record.paid_cents),
        held=money(record.held_cents),
        queued=money(record.queued_cents),
        released=money(record.released_cents),
    )
    if not record.payouts:
        return (Paragraph(sentence),)
    table = Table(
        "Paid out under this vote",
        (*columns("Date", "For"), *figures(currency_name(capital=True))),
        tuple((short_date(p.day), p.title, money(p.cents)) for p in record.payouts),
        (TOTAL, "", money(record.paid_cents)),
    )
    return (Paragraph(sentence), table)
