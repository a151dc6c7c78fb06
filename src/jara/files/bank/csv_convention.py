"""How a CSV writes signs and charges: one convention for the whole file.

It follows from all rows: the sign that most amounts of a column have is the usual one, and an
amount with the other sign is given back. Balances prove a convention, and decide where rows do not.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from jara.domain.errors import InvalidInput, JaraError
from jara.files.bank.csv_mapping import CsvMapping

_GROSS, _NET = "gross", "net"
Amounts = list[tuple[int, int]]
"""What each row moves, and the charge in it."""
Balances = Sequence[tuple[int, int | None]]
"""What each row moves, and the balance after it."""


class CsvRow(NamedTuple):
    """A row that is read."""

    number: int  # its line
    cells: list[str]
    day: str  # the text of its day
    amount: int | None  # its amount as written, if its sign is the direction
    out: int | None  # its amount as written, if a column says that it is money out
    into: int | None  # the same for money in
    fee: int  # its charge as written
    balance: int | None  # the balance after it


class Convention(NamedTuple):
    """What is said about the amounts of a file."""

    mapping: CsvMapping  # what the operator says
    others: Sequence[tuple[str, Callable[[Sequence[str]], str]]]
    """Other columns that may hold the amount before or after the charge."""
    cents: Callable[[str], int | None]  # reads an amount; None for an empty cell


class _Choice(NamedTuple):
    """A convention: the usual signs of money out, money in and charges, and what amounts are."""

    out: int
    into: int
    charge: int
    kind: str

    def amounts(self, rows: Iterable[CsvRow], *, is_inverted: bool) -> Amounts:
        sign = -1 if is_inverted else 1
        found = []
        for row in rows:
            whole = sign * (row.amount or 0) - self.out * (row.out or 0)
            whole += self.into * (row.into or 0)
            charge = self.charge * row.fee
            found.append((whole - (charge if self.kind == _GROSS else 0), charge))
        return found


def choose_amounts(rows: Sequence[CsvRow], convention: Convention) -> Amounts:
    """Return what each row moves and its charge, by the only convention that fits the file.

    Raises:
        InvalidInput: several fit, and nothing decides; the message has the option to add.
    """
    mapping = convention.mapping
    out, is_out_sure = _usual_signs(row.out or 0 for row in rows)
    into, is_in_sure = _usual_signs(row.into or 0 for row in rows)
    charge, is_charge_sure = _usual_signs(row.fee for row in rows)
    kinds = _kinds(rows, convention, charge[0])
    inverted = mapping.inverted is True
    choices = [_Choice(*one) for one in product(out, into, charge, kinds)]
    found = [(one, one.amounts(rows, is_inverted=inverted)) for one in choices]
    is_proven = False
    if _links(rows):
        found = [one for one in found if _fits(rows, one[1])] or found[:1]
        # A charge in the first row alone follows either way.
        kinds = list({one.kind for one, _ in found})
        is_proven = found[0][0] == choices[0]
        is_one_kind = is_proven and len(kinds) == 1
        if is_one_kind or all(amounts == found[0][1] for _, amounts in found):
            return found[0][1]
    if not (is_proven or (is_out_sure and is_in_sure)):
        column = mapping.sign or (mapping.debit if not is_out_sure else mapping.credit)
        raise InvalidInput(
            f"amounts of column {column.partition('=')[0]} have both signs, and no balance "
            "tells which of them is given back; name the balance with --balance, or import a "
            "longer period."
        )
    if len(kinds) > 1 or not is_charge_sure:
        raise InvalidInput(
            f"nothing tells whether column {mapping.amount or mapping.credit} is before or "
            "after the charge; add --amount-is gross or --amount-is net to the mapping."
        )
    return found[0][1]


def needs_charge(rows: Sequence[CsvRow]) -> bool:
    """Return whether the balances follow only if the charges are taken off the amounts."""
    out, _ = _usual_signs(row.out or 0 for row in rows)
    into, _ = _usual_signs(row.into or 0 for row in rows)
    charge, _ = _usual_signs(row.fee for row in rows)

    def fits(kind: str) -> bool:
        choices = [_Choice(*one, kind) for one in product(out, into, charge)]
        return any(_fits(rows, one.amounts(rows, is_inverted=False)) for one in choices)

    return _links(rows) > 0 and fits(_GROSS) and not fits(_NET)


def _usual_signs(amounts: Iterable[int]) -> tuple[list[int], bool]:
    """Return the signs that a column may have usually, the likely one first, and if it is sure."""
    signs = [1 if cents > 0 else -1 for cents in amounts if cents]
    plus, minus = signs.count(1), signs.count(-1)
    if not minus:
        return [1], True
    likely = 1 if plus > minus else -1
    return [likely, -likely], not plus or (plus != minus and max(plus, minus) > 1)


def _kinds(rows: Sequence[CsvRow], convention: Convention, charge: int) -> list[str]:
    """Return what the amounts may be: before the charge, after it, or both."""
    charged = [row for row in rows if row.fee]
    if convention.mapping.amount_is or not charged:
        return [convention.mapping.amount_is or _GROSS]
    kinds = set()
    for _, cell in convention.others:
        try:
            other = [convention.cents(cell(row.cells)) for row in charged]
        except JaraError:
            continue
        for kind, sign in ((_NET, charge), (_GROSS, -charge)):
            if all(
                cents is not None and abs(cents) == abs(_as_written(row) + sign * row.fee)
                for row, cents in zip(charged, other, strict=True)
            ):
                kinds.add(kind)
    return list(kinds) if len(kinds) == 1 else [_GROSS, _NET]


def _as_written(row: CsvRow) -> int:
    return (row.amount or 0) - abs(row.out or 0) + abs(row.into or 0)


def _links(rows: Sequence[CsvRow]) -> int:
    """Return how many rows follow another one with a balance."""
    return sum(
        one.balance is not None and other.balance is not None for one, other in pairwise(rows)
    )


def _fits(rows: Sequence[CsvRow], amounts: Amounts) -> bool:
    """Return whether the balances follow, in either order; those of a card are what is owed."""
    pairs = [(net, row.balance) for row, (net, _) in zip(rows, amounts, strict=True)]
    owed = [(net, None if balance is None else -balance) for net, balance in pairs]
    return any(first_break(one) is None for one in (pairs, pairs[::-1], owed, owed[::-1]))


def first_break(lines: Balances) -> int | None:
    """Return the place of the first balance that does not follow from the one before it."""
    before: int | None = None
    for place, (cents, balance) in enumerate(lines):
        if before is not None and balance is not None and before + cents != balance:
            return place
        before = balance
    return None
