"""Values keep sign, decimals and currency in another language."""

from __future__ import annotations

import pytest

from jara.domain.language import Language
from jara.languages.formats import formats_of
from jara.languages.values import Values


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("$26.00", "26,00 $ US"),
        ("-$26.00", "\u221226,00 $ US"),
        ("+$26.00", "+26,00 $ US"),
        ("\u2212$1,457", "\u22121 457 $ US"),
        ("5%", "5 %"),
        ("-5%", "\u22125 %"),
        ("+37.6%", "+37,6 %"),
        ("\u22120.4%", "\u22120,4 %"),
        ("-1.25", "\u22121,25"),
        ("12,345", "12 345"),
        ("2650.00", "2 650,00"),
        ("TZS 1,696,000", "1 696 000 TZS"),
        ("-KES 0.50", "\u22120,50 KES"),
    ],
)
def test_a_value_is_written_as_french_does(english: str, french: str) -> None:
    """Spaces within a value do not break."""
    written = Values(formats_of(Language("fr"))).write(english)

    assert written is not None
    assert " ".join(written.split()) == french
