"""Reports in other languages: Jara's texts are translated, other people's are not."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import ACCOUNTS, Fund
from jara.domain.books.foreign import foreign_payment
from jara.domain.language import Language
from jara.domain.projects import ProjectStatus
from jara.domain.reports.funds import SIZE_LINES
from jara.domain.reports.parts import BooksMark
from jara.domain.reports.statement import TraceFund, TracePayment
from jara.domain.voting.proposal import ProposalStatus
from jara.languages import read_text, translated_languages, writer_of
from jara.languages.catalogue import catalogue_of
from jara.reports.document import Document, Paragraph, Section
from jara.reports.funds import build_funds
from jara.reports.impact_parts import build_decided
from jara.reports.render import render
from jara.reports.statement import build_statement
from jara.services.reports import yearly_funds
from jara.services.reports.facts import Payees
from jara.services.reports.followed import name_of
from tests.languages.english_left import english_words
from tests.reports.builders.reports import (
    HOSTILE,
    a_month_impact_report,
    a_plan_report,
    a_spending_report,
    a_statement,
    a_voting_report,
    an_empty_impact_report,
    an_impact_report,
)
from tests.reports.builders.statements import a_funds_report

NO_PAYEES = Payees({}, {}, frozenset())
ROOT = Path(__file__).parents[2]
FRENCH = Language("fr")
SLOT = re.compile(r"\{([a-z_]+)\}")
BUILDERS = (
    *("impact", "impact_parts", "funds", "statement", "voting", "spending", "charts", "document"),
)
NO_TEXT = ("<", "Ce reçu est pour vos dossiers.", "'Source Sans 3'")
"""Markup, the French sentence of every receipt, and fonts."""


def texts_of(language: Language) -> dict[str, str | dict[str, str]]:
    """Return the report texts of a language, keyed by the English text."""
    texts: dict[str, str | dict[str, str]] = json.loads(read_text(language, "reports.json"))
    return texts


def literals(name: str) -> Iterator[str]:
    """Yield the string literals of a builder, without docstrings and quoted types."""
    tree = ast.parse((ROOT / f"src/jara/reports/{name}.py").read_text("utf-8"))
    docs = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }  # docstrings, and those below attributes
    docs |= {id(node.returns) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs
            and re.search(r"[a-z] |^[A-Z][a-z]", node.value)
        ):
            yield node.value


PIECES = sorted({(name, text) for name in BUILDERS for text in literals(name)})


def test_each_text_of_a_builder_has_a_translation() -> None:
    """Each part of a sentence is in a sentence of the catalogue."""
    known = "\n".join(texts_of(FRENCH))
    texts = [(name, text) for name, text in PIECES if not text.startswith(NO_TEXT)]

    assert [(name, text) for name, text in texts if text.strip(" .;,") not in known] == []


def test_each_text_of_the_facts_has_a_translation() -> None:
    """Texts for states and labels come from the domain and the services."""
    texts = [
        *ProjectStatus,
        *(status.capitalize() for status in ProposalStatus),
        *(f"{line.consequence} {line.source}" for line in SIZE_LINES),
        *(text for one in ACCOUNTS for text in (one.title, one.label)),
        *(label for _, label in yearly_funds._FLOWS),
        *yearly_funds.OTHER_LINES.values(),
        "Other payments",
    ]
    french = catalogue_of(FRENCH, "reports")

    assert [text for text in texts if french.say(text) is None] == []


@pytest.mark.parametrize("language", translated_languages())
def test_translations_keep_their_values(language: Language) -> None:
    """Each value of a sentence is in its translation once, and no English is left."""
    wrong = {}
    for english, text in texts_of(language).items():
        variants = [text] if isinstance(text, str) else list(text.values())
        if any(sorted(SLOT.findall(one)) != sorted(SLOT.findall(english)) for one in variants):
            wrong[english] = text
        if any(english_words(one) for one in variants):
            wrong[english] = text

    assert wrong == {}
    assert set(texts_of(FRENCH)) == set(texts_of(language))


@pytest.mark.parametrize(
    ("held", "said"), [(150, "1,50\xa0$\xa0US est réservé"), (200, "2,00\xa0$\xa0US sont réservés")]
)
def test_french_agrees_with_each_amount(held: int, said: str) -> None:
    """An amount below two takes the singular."""
    (record, *_) = a_voting_report().decided
    paid = record.payouts[0]._replace(cents=59)
    record = replace(
        record, goal_cents=199, held_cents=held, queued_cents=200, released_cents=0, payouts=(paid,)
    )
    money = build_decided(record).blocks[2]
    assert isinstance(money, Paragraph)

    french = writer_of(FRENCH, "reports")(money.text)
    assert french == (
        f"Sur le 1,99\xa0$\xa0US demandé, 0,59\xa0$\xa0US a été payé, {said} et 2,00\xa0$\xa0US "
        "attendent d’autres rentrées."
    )


def french_of(document: Document) -> Document:
    """Return a document in French."""
    return document.translated(FRENCH, writer_of(FRENCH, "reports"))


def in_french(as_format: str) -> Iterator[str]:
    """Yield the sample reports in French."""
    for report in (an_impact_report(), a_month_impact_report(), an_empty_impact_report()):
        yield render(replace(report, drift_note=""), as_format, "fr").decode()
    yield render(a_voting_report(), as_format, "fr").decode()
    yield render(a_spending_report(), as_format, "fr").decode()
    yield render(a_plan_report(), as_format, "fr").decode()
    yield render(a_statement(), as_format, "fr").decode()
    yield render(a_funds_report(), as_format, "fr").decode()


OF_PEOPLE = (
    *("Clean water boreholes", "A school roof in Jacmel", "Beekeepers of Enugu"),
    *("Solar power for a clinic", "Two fishing boats in Grenada", "A seed bank for Kisumu"),
    *("A seed library", "Refund of a pledge", "Bank of Canada, annual average of 2026"),
    *("Received from contributors", "Fees", "Homes with water", "Walk for water"),
)
"""The operators' texts in the samples, which are not translated."""


def test_no_english_is_left() -> None:
    """Only the operators' texts stay English."""
    for text in in_french("md"):
        for own in OF_PEOPLE:
            text = text.replace(own, "")  # noqa: PLW2901 - the rest of it
        assert english_words(re.sub(r"expenses:\S+", "", text)) == []
        assert not re.search(r"\$[0-9]", text)


def test_a_page_and_its_drawings_are_in_the_language() -> None:
    """Language, titles and descriptions of drawings are translated for screen readers."""
    page = next(in_french("html"))

    assert '<html lang="fr">' in page
    assert "Aller au rapport" in page
    assert ">Mensuels</text>" in page
    assert "<title>Versé par projet</title>" in page
    assert ">1\xa0000\xa0$\xa0US</text>" in page
    assert 'lang="en"' not in page


def test_amounts_in_canadian_dollars_are_not_called_american() -> None:
    """English writes both dollars with the same sign; French distinguishes them."""
    document = french_of(build_funds(a_funds_report()))
    page = render(a_funds_report(), "html", "fr").decode()

    assert '<td class="n">12\xa0120,00\xa0$\xa0US</td><td class="n">16\xa0618,94\xa0$</td>' in page
    assert document.frame.language == "fr"


def test_a_statement_leaves_nothing_in_english() -> None:
    """Account names and amounts in other currencies are translated."""
    foreign = foreign_payment("TZS 8,347,500", cents=315_000, source="slip")
    day, own = date(2026, 5, 30), "expenses:projects:wells"
    costs = [one for one in ACCOUNTS if one.name.startswith("expenses:") and one.meaning]
    paid = (
        TracePayment(own, "Brunnen", "e_01", day, 1_600, 315_000, foreign),
        *(TracePayment(one.name, name_of(one.name, NO_PAYEES), "e_02", day, 1) for one in costs),
    )
    trace = (TraceFund(Fund.PROJECTS, 1_600 + len(costs), 0, 0, paid),)
    page = render(a_statement(trace=trace), "html", "fr").decode()

    assert "3\xa0150,00\xa0$\xa0US = 8\xa0347\xa0500\xa0TZS à 2\xa0650,00" in page
    assert not [one.title for one in costs if f">{one.title}<" in page]


def test_written_content_is_not_translated() -> None:
    """A hostile title is escaped, and does not change the sentence around it."""
    report = replace(a_statement(), member_name=HOSTILE)
    page = render(report, "html", "fr").decode()

    assert "<script>" not in page
    assert "Pour &lt;script&gt;alert(1)&lt;/script&gt; | #evil[x] =cmd()" in page


def test_a_notice_in_both_languages_appears_once() -> None:
    """An English statement has the notice in both languages, a French one only in French."""
    english = build_statement(a_statement())
    notices = [b.text for b in french_of(english).blocks[:2] if hasattr(b, "text")]

    assert sum(text.startswith("Ce reçu est pour vos dossiers.") for text in notices) == 1


def test_a_text_in_a_third_language_stays() -> None:
    """A text with its own language mark is not translated."""
    own = Section("Projects", (Paragraph("Yes", "de"), Paragraph("Yes")))
    document = replace(build_statement(a_statement()), blocks=(own,), books=BooksMark(0, "", None))
    (section,) = french_of(document).blocks

    assert section == Section("Projets", (Paragraph("Yes", "de"), Paragraph("Oui", "fr")))


def test_data_and_unknown_languages_are_as_before() -> None:
    """JSON and CSV are not translated; a language without texts gives English."""
    report = an_impact_report()

    for as_format in ("json", "csv"):
        assert render(report, as_format) == render(report, as_format, "fr")
    assert render(report, "md") == render(report, "md", "xx")
