"""Lines are matched by reference and amount, never by a name alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from jara.domain.bank.matching import BankedLine, Candidate, pair

DAY = date(2026, 5, 12)


def waiting(line_id: str, words: str = "", *, cents: int = 1000, after: int = 0) -> BankedLine:
    """Return a line some days after the entry."""
    return BankedLine(line_id, DAY + timedelta(after), cents, words)


def entry(key: str, *references: str, **changes: Any) -> Candidate[str]:
    """Return a candidate of $10."""
    facts: dict[str, Any] = {"cents": 1000, "is_by_amount": True}
    return Candidate(key, DAY, references=references, **(facts | changes))


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
    ],
)
def test_only_what_is_certain_is_matched(
    lines: list[BankedLine], candidates: list[Candidate[str]], expected: dict[str, str]
) -> None:
    """A reference with its amount, or an amount that nothing else near has."""
    assert expected == pair(lines, candidates).found


@pytest.mark.parametrize(
    ("lines", "candidates", "counts"),
    [
        ([waiting("a"), waiting("b", after=2)], [entry("e")], "2 lines and 1 entry"),
        ([waiting("a")], [entry("e"), entry("f")], "1 line and 2 entries"),
        ([waiting("a"), waiting("b")], [entry("e"), entry("f")], "2 lines and 2 entries"),
        ([waiting("a")], [entry("e"), entry("f", is_by_amount=False)], "1 line and 2 entries"),
        ([waiting("a")], [entry("e", is_by_amount=False)], ""),
        ([waiting("a"), waiting("b")], [entry("e", needs="stripe")], ""),
        ([waiting("a", after=5)], [entry("e")], ""),
    ],
)
def test_what_is_ambiguous_says_so(
    lines: list[BankedLine], candidates: list[Candidate[str]], counts: str
) -> None:
    """With how many lines and entries have the amount; a line that fits nothing does not."""
    pairs = pair(lines, candidates)

    says = f"Ambiguous: {counts} of this amount near this day; say which with --entry."
    assert ({one.id: says for one in lines} if counts else {}) == pairs.ambiguous
    assert {} == pairs.found
