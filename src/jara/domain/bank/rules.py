"""The operator's rules, which assign lines to accounts by text or account number."""

from dataclasses import dataclass
from enum import StrEnum

from jara.documents import to_document
from jara.domain.bank.booking import Part, require_bookable
from jara.domain.bank.statement import StatementLine, is_same_number, payer_number, squeezed
from jara.domain.books.account import AccountType, Fund, account_type, parse_fund
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents

TEXT_LENGTH_MIN = 4
"""Shorter texts would occur in lines by chance."""


class Direction(StrEnum):
    """Whether money comes in or goes out."""

    IN = "in"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; a line must meet all of its conditions.

    The payer's name cannot be a condition: payers choose it themselves.

    Raises:
        InvalidInput: it has neither text nor account, or no amount can fit.
    """

    id: str
    direction: Direction
    account: str
    fund: Fund | None = None  # its fund; None as in `jara.domain.bank.booking.Part`
    contains: str = ""  # a text in the line's text or references; may be empty
    party_account: str = ""  # the counterparty's account; may be empty
    min_cents: int = 0
    max_cents: int | None = None  # the largest amount; None for any
    why: str = ""  # the reason for what it spends, which its entries get; rules of 0.2.0 have none

    def __post_init__(self) -> None:
        require_bookable(self.account, self.fund)
        if not (self.contains or self.party_account):
            raise InvalidInput("A rule needs a text or the other side's account number.")
        if self.max_cents is not None and self.max_cents < self.min_cents:
            raise InvalidInput(
                f"No amount is from {format_cents(self.min_cents)} to "
                f"{format_cents(self.max_cents)}."
            )

    @property
    def parts(self) -> tuple[Part, ...]:
        """The single part that a matching line is booked as."""
        return (Part(self.account, self.fund),)

    def fits(self, line: StatementLine) -> bool:
        """Return whether a line meets every condition."""
        if (line.cents > 0) is not (self.direction is Direction.IN):
            return False
        amount = abs(line.cents)
        if amount < self.min_cents or (self.max_cents is not None and amount > self.max_cents):
            return False
        if self.party_account and not is_same_number(
            self.party_account, payer_number(line.party_account)
        ):
            return False
        return squeezed(self.contains) in line.words

    def document(self) -> dict[str, object]:
        """Return the rule as it is stored."""
        return to_document(self, omit={"id"})


def check_length(rule: Rule) -> None:
    """Check that the text of a new rule is long enough to be specific.

    Raises:
        InvalidInput: it is too short.
    """
    if rule.contains and len(squeezed(rule.contains)) < TEXT_LENGTH_MIN:
        raise InvalidInput(
            f"'{rule.contains}' is too short; a rule needs {TEXT_LENGTH_MIN} letters or digits."
        )


def require_why_of(rule: Rule) -> None:
    """Require that a new rule that spends says why.

    Raises:
        InvalidInput: it does not.
    """
    spends = rule.direction is Direction.OUT and (
        account_type(rule.account) is AccountType.EXPENSES
    )
    if spends and not rule.why.strip():
        raise InvalidInput(
            "A rule for an expense needs its reason, which each entry gets: say --why."
        )


def read_rule(rule_id: str, document: dict[str, object]) -> Rule:
    """Return a stored rule."""
    fund, most = document["fund"], document["maxCents"]
    return Rule(
        id=rule_id,
        direction=Direction(str(document["direction"])),
        account=str(document["account"]),
        fund=None if fund is None else parse_fund(str(fund)),
        contains=str(document["contains"]),
        party_account=str(document["partyAccount"]),
        min_cents=int(str(document["minCents"])),
        max_cents=None if most is None else int(str(most)),
        why=str(document.get("why", "")),
    )
