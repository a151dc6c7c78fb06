"""Lines are matched by reference and amount, never by a name alone."""

from datetime import date, timedelta
from typing import Any

import pytest

from jara.domain.bank.matching import BankedLine, Candidate, pair

DAY = date(2026, 5, 12)


def waiting(line_id: str, words: str = "", *, cents: int = 1000, after: int = 0) -> BankedLine:
    """Return a line dated some days after the entry."""
    return BankedLine(line_id, DAY + timedelta(after), cents, words)


def entry(key: str, *references: str, **changes: Any) -> Candidate[str]:
    """Return a candidate of $10."""
    facts: dict[str, Any] = {"cents": 1000, "is_by_amount": True}
    return Candidate(key, DAY, references=references, **(facts | changes))


def tranches(*days: int) -> list[Candidate[str]]:
    """Return two payments of one project, dated some days after the first day."""
    return [
        Candidate(f"e{n}", DAY + timedelta(after), 1000, ("clean-water", f"entry_e{n}"))
        for n, after in enumerate(days, 1)
    ]


@pytest.mark.parametrize(
    ("lines", "candidates", "expected"),
    [
        ([waiting("a", "stripepo123456")], [entry("e", "po_123456")], {"a": "e"}),
        ([waiting("a", "stripepo123456", after=45)], [entry("e", "po_123456")], {"a": "e"}),
        ([waiting("a", "stripepo123456", after=46)], [entry("e", "po_123456")], {}),
        ([waiting("a", "po123456", cents=1001)], [entry("e", "po_123456")], {}),
        ([waiting("a", "wells", after=9)], [entry("e", "wells")], {}),
        ([waiting("a", after=4)], [entry("e")], {"a": "e"}),
        ([waiting("a", after=5)], [entry("e")], {}),
        ([waiting("a")], [entry("e", is_by_amount=False)], {}),
        ([waiting("a", "stripe")], [entry("e", needs="stripe")], {"a": "e"}),
        ([waiting("a", "mastercard")], [entry("e", needs="stripe")], {}),
        ([waiting("a"), waiting("b", after=2)], [entry("e")], {}),
        ([waiting("a")], [entry("e"), entry("f")], {}),
        (
            [waiting("a", "payoutpo222222"), waiting("b")],
            [entry("e", "po_111111"), entry("f", "po_222222")],
            {"a": "f", "b": "e"},
        ),
        (
            [waiting("a", "po111111"), waiting("b", "po111111")],
            [entry("e", "po_111111", is_by_amount=False)],
            {"a": "e"},
        ),
        # Two tranches of one project: only the line's own text or day can decide.
        ([waiting("a", "cleanwater")], tranches(0, 0), {}),
        ([waiting("a", "cleanwater")], tranches(0, 3), {}),
        ([waiting("a", "cleanwater", after=2)], tranches(-30, 30), {}),
        ([waiting("a", "cleanwater")], [*tranches(-30, 30), entry("near")], {}),
        ([waiting("a", "cleanwater")], tranches(0, 30), {"a": "e1"}),
        ([waiting("a", "cleanwater"), waiting("b", "cleanwater", after=2)], tranches(0, 30), {}),
        (
            [waiting("a", "cleanwater"), waiting("b", "cleanwater", after=30)],
            tranches(0, 30),
            {"a": "e1", "b": "e2"},
        ),
        ([waiting("a", "cleanwaterentrye2")], tranches(0, 0), {"a": "e2"}),
        ([waiting("a", "cleanwaterentrye2entrye1")], tranches(0, 0), {}),
        (
            [waiting("a", "cleanwater"), waiting("b", "cleanwaterentrye2")],
            tranches(0, 0),
            {"a": "e1", "b": "e2"},
        ),
    ],
)
def test_only_certain_lines_are_matched(
    lines: list[BankedLine], candidates: list[Candidate[str]], expected: dict[str, str]
) -> None:
    """A line matches by reference and amount, or by an amount that nothing else nearby has."""
    assert pair(lines, candidates).found == expected


@pytest.mark.parametrize(
    ("lines", "candidates", "counts", "names"),
    [
        ([waiting("a"), waiting("b", after=2)], [entry("e")], "2 lines and 1 entry", "e"),
        ([waiting("a")], [entry("e"), entry("f")], "1 line and 2 entries", "e, f"),
        ([waiting("a"), waiting("b")], [entry("e"), entry("f")], "2 lines and 2 entries", "e, f"),
        (
            [waiting("a")],
            [entry("e"), entry("f", is_by_amount=False)],
            "1 line and 2 entries",
            "e, f",
        ),
        (
            [waiting("a")],
            [entry(key) for key in "efghi"],
            "1 line and 5 entries",
            "e, f, g and 2 more",
        ),
        ([waiting("a")], [entry("e", is_by_amount=False)], "", ""),
        ([waiting("a"), waiting("b")], [entry("e", needs="stripe")], "", ""),
        ([waiting("a", after=5)], [entry("e")], "", ""),
    ],
)
def test_an_ambiguous_line_gives_the_reason(
    lines: list[BankedLine], candidates: list[Candidate[str]], counts: str, names: str
) -> None:
    """The reason counts and names the entries of this amount; without any there is no reason."""
    pairs = pair(lines, candidates)

    says = f"Ambiguous: {counts} of this amount near this day; say which with --entry: {names}."
    assert pairs.ambiguous == ({one.id: says for one in lines} if counts else {})
    assert pairs.found == {}


def test_a_reference_that_several_share_says_so() -> None:
    """The reason names the entries that share the reference, so that the operator can choose."""
    pairs = pair([waiting("a", "cleanwater")], tranches(-30, 30))

    says = "Ambiguous: it names 2 entries of this amount; say which with --entry: e1, e2."
    assert pairs.ambiguous == {"a": says}


@pytest.mark.parametrize(
    ("line", "candidate", "expected"),
    [
        (
            waiting("a"),
            entry("e", "po_123456", is_by_amount=False, label="the payout"),
            "the payout",
        ),
        (waiting("a", "mastercard"), entry("e", needs="stripe"), "e"),
        (waiting("a", after=5), entry("e", is_by_amount=False), None),
        (waiting("a", "po123456"), entry("e", "po_123456"), None),
        (waiting("a"), entry("e"), None),
    ],
)
def test_entries_that_need_a_reference_are_listed(
    line: BankedLine, candidate: Candidate[str], expected: str | None
) -> None:
    """An entry is listed if its amount fits near the day but only a reference could match it."""
    unnamed = pair([line], [candidate]).unnamed

    says = f"It names no reference; {expected} has its amount near this day."
    assert unnamed == ({} if expected is None else {"a": says})


def test_several_entries_of_the_amount_are_listed() -> None:
    """Several entries of the amount are listed by name, in the plural."""
    candidates = [entry(name, is_by_amount=False) for name in "ef"]

    says = "It names no reference; e, f have its amount near this day."
    assert pair([waiting("a")], candidates).unnamed == {"a": says}
