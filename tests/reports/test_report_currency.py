"""Reports of an organisation with its own currency: names, signs and the Canadian columns."""

import json
from collections.abc import Callable

import pytest

from jara.domain.currency import use_currency
from jara.domain.language import Language
from jara.reports.render import render
from tests.reports.builders.reports import a_statement, a_voting_report, an_impact_report
from tests.reports.builders.statements import a_funds_report

FRENCH = Language("fr")
REPORTS = (
    (render, an_impact_report),
    (render, a_statement),
    (render, a_voting_report),
    (render, a_funds_report),
)


@pytest.mark.parametrize(("render", "report"), REPORTS)
@pytest.mark.parametrize(
    ("currency", "words", "french"),
    [
        ("EUR", ("euros", "€"), ("euros", " €")),
        ("GBP", ("British pounds", "£"), ("livres sterling", " £")),
        ("CHF", ("Swiss francs", "CHF "), ("francs suisses", " CHF")),
    ],
)
def test_no_dollar_is_left(
    render: Callable[..., bytes],
    report: Callable[[], object],
    currency: str,
    words: tuple[str, ...],
    french: tuple[str, ...],
) -> None:
    """Each report says its currency by name and sign, in English and in French."""
    use_currency(currency)
    english = render(report(), "md").decode()
    translated = render(report(), "md", FRENCH).decode()

    for word in words:
        assert word in english
    for word in french:
        assert word in translated
    for text in (english, translated):
        assert "US dollar" not in text
        assert "$ US" not in text
        assert "$" not in text.replace("CA$", "").replace(" $", "")


def test_canadian_books_have_one_column_and_no_rate() -> None:
    """In CAD the thresholds are compared as they are; nothing is converted."""
    use_currency("CAD")
    report = a_funds_report()
    text = render(report, "md").decode()
    document = json.loads(render(report, "json"))

    assert "The lines are in Canadian dollars, as the books are." in text
    assert "US dollars" not in text
    assert document["sizeLines"][0]["cadCents"] == 1_212_000
    assert document["sizeLines"][0]["isReached"] is True
    assert "usdCents" not in document["sizeLines"][0]
