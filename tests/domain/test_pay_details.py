"""Texts that tell readers where to send money are found in the forms that people use."""

import pytest

from jara.domain.pay_details import pay_details

SITE = "https://jara.example"


@pytest.mark.parametrize(
    "text",
    [
        "Our account has changed: DE89 3704 0044 0532 0130 00.",
        "IBAN GB82 WEST 1234 5698 7654 32",
        "FR14.2004.1010.0505.0001.3M02.606",
        "DE89 **3704** 0044 *0532*\n0130 00",
        "DE89370400440532013000",
        "Account １２３４５６７８９",  # full-width digits are the case
        "Account 12\u200b34\u200b56\u200b78",
        pytest.param("DE" + "\ufe0f\u20e3".join("8937040044"), id="keycaps"),
        pytest.param("DE" + "\u034f".join("8937040044"), id="joiners"),
        pytest.param("DE" + "\u3164".join("8937040044"), id="fillers"),
        "DE89     3704     0044",
        "DE89 • 3704 • 0044",
        "Account ❽❾❸❼⓿❹⓿⓿",
        "DE&#56;9 3&#55;04 00&#x34;4 05&#51;2 01&#51;0 00",  # entities
        "DE89 <b>3704</b><i> 0044</i> <span class='a'>0532</span> 0130 00",
        "DE89 **3704** **0044** **0532**",
        r"3704\_0044\_0532\_0130",
        "3704,0044,0532,0130",
        "37,04,00,44",
        "3704, 0044, 0532 and 0130",
        "| 3704 | 0044 | 0532 |",
        "370,400,440,532",
        pytest.param("1" * 40_000, id="long"),  # took 100 seconds once
        "٨٩٣٧ ٠٤٠٠ ٤٤٠٥ ٣٢٠١",
        "/Pay\u00a0to\u00a0DE89370400440532013000",
        "/DE89370400440532013000",
        "/Pay-to-DE89370400440532013000.pdf",
        "Send it to +221 77 123 45 67 by mobile money.",
        "Pay [here](https://paypal.me/mallory).",
        "www.gofundme.com/reef",
        "Give at https://reef.example/donate",
        "Give at https://pay.reef.example/",
        "Give at https://jara.example.evil.example/donate",
        "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W",
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "Zelle: mallory@evil.example",
        "Cash App $mallory",
        "https://bit.ly/3xyz",
    ],
)
def test_where_to_send_money_is_found(text: str) -> None:
    """In a text, and anywhere in a document."""
    assert pay_details(text, SITE)
    assert pay_details({"id": "a", "parts": [{"text": f"One. {text}"}]}, SITE)


@pytest.mark.parametrize(
    "text",
    [
        "The well is full since 2026-11-29; 1,250,000 litres in 2025-2026.",
        "In 2024\n\n10 wells, in 2025 25 wells, on 29.11.2026 at 18:30.",
        "Look at https://jara.example/give and https://jara.example/ledger?day=20261129.",
        "It ends on 2026-12-01T10:00:00Z.",
        "A film: https://news.example/2026/11/29/well-20261129",
        "a photo, 0f8fad5bd9cb469fa16570867728950e12345678901234567890123456789012",
        "We paid by Wave.",
        "Villages 10, 20, 30, 40 and 50 have 12,345,678 people, in $1,234,567 of houses.",
        "In 2024, 2025 and 2026; 2019,2020,2021.",
        "| 2024 | 2025 | 2026 |\n| 120 | 3,400 | 560 |",
        "<td>2024</td><td>2025</td><td>2026</td>",
    ],
)
def test_other_texts_tell_no_way_to_pay(text: str) -> None:
    """Dates, amounts, links to the own site and to newspapers."""
    assert pay_details(text, SITE) == frozenset()


def test_the_name_of_a_file_may_be_a_number() -> None:
    """Pages show its picture or a word, never the name."""
    paths = ["/media/12345678901234567890.jpg", "/media/photos/20261129-123456789.jpg"]
    assert pay_details({"image": paths[0], "milestones": [{"evidence": paths}]}, SITE) == set()
    assert pay_details({"title": paths[0]}, SITE)


def test_any_link_to_another_site_can_count() -> None:
    """Announcements ask for it; links to the own site are never counted."""
    assert pay_details("https://news.example/a", SITE, any_link=True) == {"https://news.example/a"}
    assert pay_details("[well](https://jara.example/projects/well)", SITE, any_link=True) == set()
