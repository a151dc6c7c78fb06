"""The verifier's rules, applied to the stored log."""

from collections.abc import Iterator, Mapping
from heapq import merge

from jara.domain.checks.books import Finding
from jara.domain.checks.log import read_leaf
from jara.domain.checks.rules import LogRules, check_control
from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import milestones_of
from jara.domain.control.state import Control
from jara.domain.publiclog.leaves import LeafType, milestones_leaf
from jara.records.journal import YearLock
from jara.store.unit_of_work import UnitOfWork

_ACTS = (
    LeafType.PROPOSAL_OPEN,
    LeafType.PROPOSAL_CORRECT,
    LeafType.PROPOSAL_WITHDRAW,
    LeafType.PROPOSAL_CLOSE,
    LeafType.PROPOSAL_RELEASE,
    LeafType.YEAR,
    LeafType.AUDIT,
)


def log_rules(work: UnitOfWork) -> LogRules:
    """Return the rules, applied to every entry that refers to another one."""
    policies = ((leaf.index, read_leaf(leaf.body)) for leaf in work.log.leaves_of(LeafType.POLICY))
    rules = LogRules(policies, lambda index: read_leaf(work.log.leaf(index).body))
    for index in work.inspection.referring():
        rules.add_leaf(index)
    return rules


def control_findings(work: UnitOfWork, control: Control, *, start: int) -> Iterator[Finding]:
    """Find what one person did alone that needed two; entries before an index are not judged."""
    if not control.needs_keys:
        return iter(())
    approved = (
        entry
        for index, count in control.approved.items()
        for entry in work.journal.next_indexes(index, count)
    )
    entries = sorted({*approved, *work.inspection.outgoing(start)})
    acts = ((leaf.index, read_leaf(leaf.body)) for leaf in work.log.control_leaves(*_ACTS))
    paid = ((index, read_leaf(work.log.leaf(index).body)) for index in entries)
    return check_control(control.organisation, merge(acts, paid, key=lambda one: one[0]))


def year_findings(work: UnitOfWork, locks: Mapping[str, YearLock]) -> Iterator[Finding]:
    """Compare the closed years with their leaves; years that 0.2.0 closed have none."""
    leaves = [read_leaf(leaf.body) for leaf in work.log.leaves_of(LeafType.YEAR)]
    for year, balances in {str(leaf["year"]): leaf.get("balances") for leaf in leaves}.items():
        if (locks[year].balances if year in locks else None) != balances:
            yield Finding("years", year, f"What is stored about {year} differs from its leaf.")


def plan_findings(work: UnitOfWork) -> Iterator[Finding]:
    """Compare the milestones of voted projects with their leaves, if they have one."""
    plans = work.log.plans()
    for item in work.content.all(PROJECTS) if plans else ():
        proposal = str(item.doc.get("proposal"))
        stored = milestones_leaf(proposal, milestones_of(item.doc))
        if plans.get(proposal, stored) != stored:
            what = f"The milestones of the project {item.slug} are not those of the log."
            yield Finding("commitments", item.slug, what)
