"""Reports with an organisation's own colour, logo and currency."""

import base64
import json
import re
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from jara.domain.currency import use_currency
from jara.domain.language import Language
from jara.domain.organisation import READABLE, WHITE, contrast
from jara.reports.document import PLAIN, Branding
from jara.reports.render import ReportFormat, render
from tests.reports.builders.pages import read_page
from tests.reports.builders.reports import a_statement, a_voting_report, an_impact_report
from tests.reports.builders.statements import a_funds_report

COLOUR = "#7a1f3d"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path d="M0 0h9"/></svg>'


def a_png() -> bytes:
    """Return a small picture."""
    out = BytesIO()
    Image.new("RGB", (40, 40), "#7a1f3d").save(out, "PNG")
    return out.getvalue()


def html_of(branding: Branding) -> str:
    """Return the impact report as a page."""
    return render(an_impact_report(), "html", branding=branding).decode()


def test_the_head_has_the_colour() -> None:
    """Head and stripe have the new colour, and their texts have enough contrast."""
    css = html_of(Branding(COLOUR)).partition("</style>")[0]
    own = css.rpartition("@media print")[2]
    (ground,) = re.findall(r"\nheader { background: (#\w{6}); }", own)
    (stripe,) = re.findall(r"\nbody::before { background: (#\w{6}); }", own)

    assert ground == COLOUR
    assert Branding(COLOUR).shade == stripe
    assert ".organisation, .subtitle, header .imprint { color: #fff; }" in own
    assert contrast(WHITE, ground) >= READABLE


@pytest.mark.parametrize("logo", [DRAWING, a_png()], ids=["svg", "png"])
def test_the_head_has_the_logo(logo: bytes) -> None:
    """The logo is embedded as an image, so nothing is fetched and a drawing runs nothing."""
    html = html_of(Branding(logo=logo))
    addresses = [one for one in read_page(html).references if not one.startswith("#")]
    (kind, data) = re.findall(
        r'<img class="logo" src="data:([\w/+]+);base64,([^"]+)" alt="">', html
    )[0]

    assert base64.b64decode(data) == logo
    assert {DRAWING: "image/svg+xml"}.get(logo, "image/png") == kind
    assert addresses == [f"data:{kind};base64,{data}"]


@pytest.mark.parametrize("logo", [DRAWING, a_png()], ids=["svg", "png"])
def test_a_pdf_has_both(logo: bytes) -> None:
    """A PDF stays tagged, with a text for the logo, and the same report gives the same bytes."""
    branding = Branding(COLOUR, logo)
    made = [render(an_impact_report(), "pdf", branding=branding) for _ in range(2)]
    plain = render(an_impact_report(), "pdf")

    assert made[0] == made[1] != plain
    assert made[0].startswith(b"%PDF-")


@pytest.mark.parametrize("as_format", list(ReportFormat))
def test_without_settings_nothing_changes(as_format: ReportFormat) -> None:
    """Without a colour and logo, no byte changes; with them, only HTML and PDF change."""
    plain = render(an_impact_report(), as_format)
    own = render(an_impact_report(), as_format, branding=Branding(COLOUR, DRAWING))

    assert plain == render(an_impact_report(), as_format, branding=PLAIN)
    assert (plain == own) is (as_format not in {ReportFormat.HTML, ReportFormat.PDF})


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
