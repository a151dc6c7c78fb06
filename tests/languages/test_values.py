"""Values keep sign, decimals and currency in another language."""

from datetime import UTC, date, datetime

import pytest

from jara.domain.currency import format_minor
from jara.domain.dates import long_date
from jara.domain.language import Language
from jara.domain.money import format_cents, format_dollars
from jara.domain.texts import Value, listing, tr, value
from jara.languages.catalogue import catalogue_of
from jara.reports import words


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (format_cents(2_600), "26,00 $ US"),
        (format_cents(-2_600), "\u221226,00 $ US"),
        (words.dollars(-145_700), "\u22121 457 $ US"),
        (format_cents(500, "CAD"), "5,00 $"),
        (words.bare_money(500), "5,00 $"),
        (words.percent(-4), "\u22120,4 %"),
        (words.points(376), "+37,6"),
        (words.points(0), "0,0"),
        (words.number(-1.25), "\u22121,25"),
        (words.number(12_345), "12 345"),
        (value("2650.00", "decimal", "2650.00"), "2 650,00"),
        (format_minor("TZS", 169_600_000), "1 696 000 TZS"),
        (format_minor("KES", -50), "\u22120,50 KES"),
        (long_date(date(2026, 5, 1)), "1er mai 2026"),
        (words.instant(datetime(2026, 10, 31, 14, 5, tzinfo=UTC)), "31 octobre 2026 à 14 h 05 UTC"),
        (words.currency_name(capital=True), "Dollars des États-Unis"),
    ],
)
def test_a_value_is_written_as_french_does(english: Value, french: str) -> None:
    """Spaces within a value do not break."""
    written = catalogue_of(Language("fr"), "reports").write(english)

    assert " ".join(written.split()) == french


@pytest.mark.parametrize(
    ("parts", "english", "french"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a and b", "a et b"),
        (["B and C", format_dollars(145_700), "Total"], "B and C, $1,457 and Total", None),
    ],
)
def test_a_list_is_a_sentence(parts: list[str], english: str, french: str | None) -> None:
    """A name in a list stays as it is; amounts are translated."""
    made = listing(parts)
    written = catalogue_of(Language("fr"), "reports").write(tr("{list}", list=made))

    assert made == english
    assert " ".join(written.split()) == (
        french if french is not None else "B and C, 1 457 $ US et Total"
    )
