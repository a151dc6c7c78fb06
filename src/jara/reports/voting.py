"""The voting report: every decided vote with its count, the open ones without."""

from jara.domain.reports.voting import ProposalRecord, VotingReport
from jara.domain.texts import tr
from jara.reports.document import (
    Block,
    Document,
    Paragraph,
    Section,
    Table,
    columns,
    figures,
    table_or_sentence,
)
from jara.reports.impact_parts import build_decided, open_votes
from jara.reports.words import count, percent, period_name, short_date


def build_voting(report: VotingReport) -> Document:
    """Build the voting report as a document."""
    return Document(
        title="Voting report",
        subtitle=period_name(report.period),
        organisation=report.organisation,
        blocks=(
            Section("Overview", (_overview(report),)),
            *(build_decided(record) for record in report.decided),
            Section("Open votes", _open(report)),
            Section("How votes are counted", _rules()),
        ),
        books=report.books,
        imprint=report.imprint,
    )


def _overview(report: VotingReport) -> Block:
    table = Table(
        "Decided in this period",
        (
            *columns("Proposal", "Vote ended", "Result"),
            *figures("Roll", "Yes", "No", "Not voted", "Turnout"),
        ),
        tuple(_overview_row(record) for record in report.decided),
    )
    return table_or_sentence(table, "No vote was decided in this period.")


def _overview_row(record: ProposalRecord) -> tuple[str, ...]:
    vote = record.require_vote()
    return (
        record.title,
        short_date(record.ends),
        tr("Passed" if vote.passes else "Rejected"),
        *map(count, (vote.tally.roll, vote.tally.yes, vote.tally.no, vote.tally.not_voted)),
        percent(vote.turnout_tenths),
    )


def _open(report: VotingReport) -> tuple[Block, ...]:
    if not report.open:
        return (Paragraph("No vote was open at the end of this period."),)
    return (
        Paragraph("A vote that is still open appears without its count."),
        open_votes(report.open),
    )


def _rules() -> tuple[Block, ...]:
    return (
        Paragraph(
            "Shares are of everyone on the electoral roll, not of those who voted, and are "
            "rounded down. Who did not vote counts as not yes. The rule is stored with the "
            "proposal when its vote opens; the roll is fixed when it closes."
        ),
        Paragraph(
            "The ballots of each closed vote are in the public log, and the bundle of "
            "jara proofs bundle holds a program with which anyone can count them again."
        ),
    )
