"""Which spends need a document, and which have none, for reports, start page, doctor and audit."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.checks.log import read_leaf
from jara.domain.money import format_cents
from jara.domain.publiclog.leaves import LeafType
from jara.domain.texts import count_of
from jara.records.papers import Spend
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_FROM, _WITHIN = "documents_from_cents", "documents_within_days"


class PaperRule(NamedTuple):
    """From which amount a spend needs a document, within how many days; it begins at a leaf."""

    from_cents: int
    within: timedelta
    leaf: int


def paper_rule(work: UnitOfWork) -> PaperRule | None:
    """Return the rule in force; None if the organisation has set none."""
    rule = None
    for leaf in work.log.control_leaves():
        if leaf.type != LeafType.CONTROL_POLICY:
            continue
        fields = read_leaf(leaf.body)
        begun = leaf.index if rule is None else rule.leaf
        rule = (
            PaperRule(fields[_FROM], timedelta(days=fields.get(_WITHIN, 0)), begun)
            if _FROM in fields
            else None
        )
    return rule


def spends_without_document(work: UnitOfWork, first: date, last: date) -> list[Spend]:
    """Return the spends of a period that have no document: those the rule asks for, or all."""
    rule = paper_rule(work)
    least = 1 if rule is None else rule.from_cents
    return _without(work.papers.spends(least, first, last))


def missing_papers(context: Context, work: UnitOfWork) -> list[Spend]:
    """Return the spends since the rule was set that have no document yet, oldest first."""
    rule = paper_rule(work)
    if rule is None:
        return []
    return _without(work.papers.spends(rule.from_cents, date.min, context.today(), after=rule.leaf))


def overdue_papers(context: Context, work: UnitOfWork) -> list[Spend]:
    """Return those of `missing_papers` whose document should be there by now."""
    rule = paper_rule(work)
    last = context.today() - (timedelta() if rule is None else rule.within)
    return [one for one in missing_papers(context, work) if one.day < last]


def describe_missing(spends: Iterable[Spend]) -> tuple[str, str]:
    """Return how many spends lack a document, and the command that adds the first one's."""
    listed = list(spends)
    amount = format_cents(sum(one.cents for one in listed))
    what = count_of(len(listed), "spend without a document", "spends without a document")
    return f"{what}, {amount} together", f"jara ledger document {listed[0].entry} FILE"


def _without(spends: Iterable[Spend]) -> list[Spend]:
    return [one for one in spends if not one.papers]
