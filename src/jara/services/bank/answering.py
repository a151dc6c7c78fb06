"""Operators' decisions about waiting lines, and their rules."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jara.domain.bank.booking import Part
from jara.domain.bank.rules import Direction, Rule, check_length, require_why_of
from jara.domain.bank.senders import Share, divide
from jara.domain.bank.statement import squeezed
from jara.domain.books.journal import PostedEntry
from jara.domain.claim import number_of
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.field_report import ReportState
from jara.domain.giving.payment_way import print_reference, references_in
from jara.domain.giving.pledge import Pledge
from jara.domain.lookup import choose_one
from jara.domain.money import format_cents
from jara.records.bank import BankAccount, BankLine
from jara.services.audit import record_act
from jara.services.bank.booking import LineBooker
from jara.services.bank.contributions import Contributions
from jara.services.bank.senders import Sender, Senders
from jara.services.bank.settling import Settled, settle_accounts
from jara.services.bank.vouching import ask_to_vouch
from jara.services.books.papers import attach_papers
from jara.services.context import Context
from jara.services.payments.receiving import find_payer
from jara.store.unit_of_work import UnitOfWork

MATCH_ACTION = "bank.match"
RULE_ACTION = "bank.rules.add"
_PROPOSED_MAX = 3
_REVERSED = "The entry that it was matched with is reversed; `jara bank rematch` matches it again."


def list_waiting(context: Context) -> list[BankLine]:
    """Return the waiting lines, oldest first; reasons name the members who may have paid."""
    with context.store.read() as work:
        payers = work.pledges.with_reference()
        senders = Senders(context, work)
        lines = [
            line._replace(reason=_with_names(work, line, payers) + _proposed(work, line, senders))
            for account in work.bank.accounts()
            for line in work.bank.waiting(account.number)
        ]
    return sorted(lines, key=lambda one: one.line.day)


def book_line(context: Context, text: str, parts: Sequence[Part], *, why: str = "") -> PostedEntry:
    """Book a waiting line, by a prefix of its id, to the accounts that an operator names.

    With several accounts, each has its amount. `why` is the reason, which an expense needs; it is
    the entry's note.

    Raises:
        Conflict: the line is matched already, or needs approval.
        InvalidInput: the parts do not add up to the line's amount, or an expense has no reason.
        FundOverdrawn: a fund has too little money.
    """
    with context.store.write() as work:
        line, account = waiting_line(work, text)
        booker = LineBooker(context, work, account.ledger)
        booker.load([line])
        posted = booker.match_leg(line, parts) or booker.book(line, parts, why=why)
        others = [one for one in work.bank.accounts() if one.ledger in booker.legs]
        settle_accounts(context, work, others, Settled())
        attach_papers(context, work, posted.index)
        record_act(context, work, MATCH_ACTION, line.id, why=why, facts={"entry": posted.id})
    return posted


def match_with_entries(context: Context, text: str, entries: Sequence[str]) -> list[PostedEntry]:
    """Match a waiting line with entries that are in the books.

    One operator's match proves no payment; see `jara.services.payments.vouching`.

    Raises:
        Conflict: the line is matched already, or an entry is.
        InvalidInput: the entries do not add up to the line's amount.
    """
    with context.store.write() as work:
        line, account = waiting_line(work, text)
        posted_entries = [work.journal.find(entry) for entry in dict.fromkeys(entries)]
        first = min(posted.entry.day for posted in posted_entries)
        free = {one.index: one for one in work.bank.standing_entries(account.ledger, since=first)}
        for posted in posted_entries:
            if posted.index not in free:
                raise Conflict(
                    f"{posted.id} is matched already, is reversed, or does not move money on "
                    f"{account.ledger}."
                )
        total = sum(free[posted.index].cents for posted in posted_entries)
        if total not in {line.line.cents, line.line.gross_cents}:
            raise InvalidInput(
                f"The entries add up to {format_cents(total)}; the line has "
                f"{format_cents(line.line.gross_cents)}."
            )
        for posted in posted_entries:
            work.bank.match(line.id, posted.index)
        if total != line.line.cents:
            LineBooker(context, work, account.ledger).book_fee(line)
        for posted in posted_entries:
            attach_papers(context, work, posted.index)
        ids = ", ".join(posted.id for posted in posted_entries)
        record_act(context, work, MATCH_ACTION, line.id, facts={"entry": ids})
    return posted_entries


class MatchedMember(NamedTuple):
    """A line that is matched with members' payments."""

    entries: Sequence[PostedEntry]
    sender: Sender | None
    """What is remembered; None if the line names nobody, or if it was not to be."""
    settled: Settled  # what the next lines of the sender led to, and what waits for a signature


def match_with_members(
    context: Context,
    text: str,
    shares: Sequence[tuple[str, int | None]],
    *,
    is_remembered: bool = True,
) -> MatchedMember:
    """Book a waiting line as payments of members, and remember whose its sender's lines are.

    Later lines of the sender are then matched by themselves. One operator's word gives no vote: the
    payments wait for another operator's signature under the statement. `text` is a prefix of the
    line's id; each of several members has a part of the line. With `is_remembered` false the sender
    pays for somebody else only this time.

    Raises:
        NotFound: there is no such line or member.
        Conflict: the line is matched already, a member has no promise to pay without a card, or
            the payment is booked elsewhere.
        InvalidInput: the parts do not add up to the line, or it is money out.
    """
    settled = Settled()
    with context.store.write() as work:
        line, account = waiting_line(work, text)
        if line.line.cents <= 0:
            raise InvalidInput("The line is money out; `jara payments refund` books a refund.")
        payers = [(find_payer(work, name)[0], cents) for name, cents in shares]
        parts = tuple(Share(member.id, cents) for member, cents in payers)
        divide(line.line.gross_cents, parts)
        booker = LineBooker(context, work, account.ledger)
        booker.load([line])
        contributions = Contributions(context, work, booker)
        contributions.load([line])
        sender = contributions.senders.remember(line, parts) if is_remembered else None
        posted = contributions.book_sent(line, parts, sender)
        contributions.finish()
        if sender is not None:
            settle_accounts(context, work, work.bank.accounts(), settled)
        for one in posted:
            attach_papers(context, work, one.index)
        settled.approvals += ask_to_vouch(context, work)
        facts = {"entry": ", ".join(one.id for one in posted)}
        if sender is not None:
            facts["sender"] = sender.id
        record_act(context, work, MATCH_ACTION, line.id, facts=facts)
    return MatchedMember(posted, sender, settled)


def add_rule(context: Context, rule: Rule) -> Settled:
    """Add a rule, and book the waiting lines that fit it.

    Raises:
        Conflict: another rule has the same conditions.
        InvalidInput: its text is too short, or it spends and has no reason.
    """
    check_length(rule)
    require_why_of(rule)
    settled = Settled()
    with context.store.write() as work:
        work.book_settings.chart().require(rule.account)
        if any(_conditions(one) == _conditions(rule) for one in work.bank_rules.rules()):
            raise Conflict("A rule has these conditions already; remove it first.")
        work.bank_rules.add_rule(rule, at=context.now())
        settle_accounts(context, work, work.bank.accounts(), settled)
        settled.approvals += ask_to_vouch(context, work)
        record_act(context, work, RULE_ACTION, rule.id, facts=dict(rule.document()))
    return settled


def rule_like(context: Context, text: str, part: Part, *, contains: str, why: str = "") -> Rule:
    """Build a rule for lines like a given one: same text, direction and account."""
    with context.store.read() as work:
        line = work.bank.find(text).line
    rule = Rule(
        id=new_rule_id(context),
        direction=Direction.IN if line.cents > 0 else Direction.OUT,
        account=part.account,
        fund=part.fund,
        contains=contains,
        why=why,
    )
    check_length(rule)
    require_why_of(rule)
    if not rule.fits(line):
        raise InvalidInput(f"The line does not contain '{contains}'.")
    return rule


def new_rule_id(context: Context) -> str:
    """Return a new rule's id."""
    return context.new_key("rule_")


def list_rules(context: Context) -> list[Rule]:
    """Return the rules, oldest first."""
    with context.store.read() as work:
        return work.bank_rules.rules()


def remove_rule(context: Context, text: str) -> Rule:
    """Remove a rule; the entries it booked stay.

    Raises:
        NotFound: there is no such rule.
        Conflict: several ids begin with the text.
    """
    with context.store.write() as work:
        rule = choose_one(
            text,
            [rule for rule in work.bank_rules.rules() if rule.id.startswith(text)],
            kinds="rules",
            label=lambda rule: rule.id,
            missing=f"There is no rule '{text}'; see `jara bank rules list`.",
        )
        work.bank_rules.remove_rule(rule.id)
        record_act(context, work, "bank.rules.remove", rule.id)
    return rule


def waiting_line(work: UnitOfWork, text: str) -> tuple[BankLine, BankAccount]:
    """Return a line that is not matched yet, and its account at the bank.

    Raises:
        NotFound: there is no such line.
        Conflict: it is matched already.
    """
    line = work.bank.find(text)
    account = next(one for one in work.bank.accounts() if one.number == line.account)
    if all(one.id != line.id for one in work.bank.waiting(account.number)):
        raise Conflict(f"The line {line.id} is matched already; reverse its entry first.")
    return line, account


def _proposed(work: UnitOfWork, line: BankLine, senders: Senders) -> str:
    """Return who may have paid a line, or the claim that it paid, with what to type."""
    if line.line.cents < 0:
        claims = claims_of_line(work, line)
        return ";".join(
            f" Perhaps {why}: jara claims pay {claim} --line {line.id}"
            for claim, why in list(claims.items())[:_PROPOSED_MAX]
        )
    if line.line.cents == 0 or line.twin or line.line.is_collective:
        return ""
    members = [work.members.get(one) for one in senders.candidates(line)]
    words = [
        f" Perhaps {one.names[0]}: jara bank match {line.id} --member {one.email or one.id}"
        for one in members
        if one is not None
    ]
    return ";".join(sorted(words)[:_PROPOSED_MAX])


def claims_of_line(work: UnitOfWork, line: BankLine) -> dict[str, str]:
    """Return the approved claims that money out may have paid back.

    Their amount is the line's. If the line names the number of one, that is it; else those whose
    claimant it names, and else all of this amount.

    Returns:
        By the claim's id, whose it is and why it may be.
    """
    reports = work.field.reports(of_claims=True)
    owed = [one for one in reports if one.state is ReportState.APPROVED]
    if not owed:
        return {}
    words, claims = line.line.words, work.field.claims()
    names = {partner.id: partner.name for partner in work.field.partners()}
    found: list[tuple[int, str, str]] = []
    for report in owed:
        name = names[report.partner]
        if claims[report.id].cents != -line.line.gross_cents:
            continue
        if squeezed(number_of(report.id)) in words:
            found.append((0, report.id, f"the claim of {name}, which it names"))
        elif all(squeezed(part) in words for part in name.split()):
            found.append((1, report.id, f"a claim of {name}, whom it names"))
        else:
            found.append((2, report.id, f"a claim of {name}, by its amount"))
    best = min((rank for rank, _, _ in found), default=0)
    return {claim: why for rank, claim, why in sorted(found) if rank == best}


def _with_names(work: UnitOfWork, line: BankLine, payers: Mapping[str, tuple[Pledge, str]]) -> str:
    """Add the members whom a reason names by reference; stored reasons hold no names."""
    names, reason = [], line.reason
    for reference in dict.fromkeys(references_in(squeezed(reason))):
        member = work.members.get(payers[reference][0].member_id) if reference in payers else None
        if member is not None:
            names.append(f"{print_reference(reference)} is {member.mailbox}.")
    return " ".join([reason or _REVERSED, *names])


def _conditions(rule: Rule) -> tuple[object, ...]:
    return (rule.direction, rule.contains, rule.party_account, rule.min_cents, rule.max_cents)
