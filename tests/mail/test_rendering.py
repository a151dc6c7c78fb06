"""Emails: required content, and protection against injected values."""

import re
from email import message_from_bytes
from email.charset import BASE64, QP, Charset
from email.message import EmailMessage
from email.policy import SMTP
from importlib.resources import files

import pytest

from jara.domain.email_kinds import KINDS
from jara.domain.errors import NotFound, Unavailable
from jara.mail.rendering import SenderIdentity, build_message, render, sample_values
from tests.mail.emails_for_tests import IDENTITY, SITE, make_email


def bodies(message: EmailMessage) -> tuple[str, str]:
    """Return the plain text and the HTML of a message."""
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert rich is not None
    return plain.get_content(), rich.get_content()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_email_can_be_previewed(kind: str) -> None:
    """Each template has sample values, no open placeholder, and both forms."""
    email = render(kind, sample_values(kind, organisation="Jara", site_url=SITE), IDENTITY)

    for text in (email.subject, email.text):
        assert text.replace("$10.00", "").replace("$3,600", "").strip()
    assert "{{" not in email.text + email.html
    assert "%}" not in email.text + email.html
    assert re.search(r"\bNone\b", email.subject + email.text + email.html) is None
    assert email.html.startswith("<!doctype html>")
    assert IDENTITY.postal_address in email.text
    assert IDENTITY.postal_address in email.html


def test_each_template_is_declared_and_has_sample_values() -> None:
    """Templates, sample values and declarations name the same kinds."""
    names = [entry.name for entry in (files("jara.mail") / "templates").iterdir()]
    kinds = [name for name in names if not name.startswith(("_", "."))]

    assert sorted(kinds) == sorted(f"{kind}{end}" for kind in KINDS for end in (".json", ".txt"))


def test_an_unknown_email_is_named() -> None:
    """The error lists the known emails; a path is none of them."""
    with pytest.raises(NotFound, match=r"no email '\.\./emails'; there are account_closed"):
        render("../emails", {}, IDENTITY)


def test_an_email_without_its_values_does_not_leave() -> None:
    """A missing value stops the email."""
    with pytest.raises(Unavailable, match="'receipt' lacks a value: 'greeting' is undefined"):
        render("receipt", {"amountCents": 1_000}, IDENTITY)


def test_a_receipt_says_in_two_languages_that_it_is_no_tax_receipt() -> None:
    """Every receipt contains the sentences of the money rules word for word."""
    for body in bodies(build_message(make_email("receipt"), IDENTITY)):
        text = body.replace("&#39;", "'")
        assert (
            "This is a receipt for your records. It is not an official donation receipt and "
            "cannot be used for a tax credit." in text
        )
        assert (
            "Ce reçu est pour vos dossiers. Ce n’est pas un reçu officiel de don et il ne donne "
            "droit à aucun crédit d’impôt." in text
        )


def test_a_name_cannot_bring_markup_or_headers_along() -> None:
    """Neither HTML nor a line break in a value has an effect."""
    evil = "<script>x</script>\r\nBcc: all@example.org"
    message = build_message(
        make_email("vote_opened", values={"firstname": evil, "title": evil}), IDENTITY
    )
    plain, rich = bodies(message)

    assert "<script>" not in rich
    assert "&lt;script&gt;" in rich
    assert message["Bcc"] is None
    assert "\nBcc" not in plain
    assert message["Subject"] == "A new vote: <script>x</script> Bcc: all@example.org"


@pytest.mark.parametrize(
    "hidden", ["Pay DE89370400440532013000", "x\r\nBcc: y@example.org\r\n\r\nz"]
)
@pytest.mark.parametrize("encoding", ["b", "q"])
def test_an_encoded_word_in_a_title_stays_as_it_is(hidden: str, encoding: str) -> None:
    """Nothing that the checks of texts do not see reaches a reader, in Python's mail or another."""
    word = Charset("utf-8")
    word.header_encoding = {"b": BASE64, "q": QP}[encoding]
    title = f"Water {word.header_encode(hidden)} now"
    message = build_message(make_email("vote_opened", values={"title": title}), IDENTITY)
    read = message_from_bytes(message.as_bytes(), policy=SMTP)

    assert read["Subject"] == message["Subject"]
    assert str(read["Subject"]).replace("\u200b", "") == f"A new vote: {title}"
    assert read["Bcc"] is None
    assert set(read.keys()) == set(build_message(make_email("vote_opened"), IDENTITY).keys())


def test_links_are_clickable_and_end_where_the_address_ends() -> None:
    """A full stop after an address is not part of the link."""
    email = render(
        "vote_result",
        sample_values("vote_result", organisation="Jara", site_url=SITE)
        | {"link": "https://jara.example/a?b=1&c=2."},
        IDENTITY,
    )

    assert '<a href="https://jara.example/a?b=1&amp;c=2">' in email.html


@pytest.mark.parametrize("kind", ["vote_closed", "vote_result"])
@pytest.mark.parametrize(
    ("language", "subject", "count"),
    [
        ("en", "Passed: Beekeeping", "61 voted yes and 12 voted no, out of 109 who could vote."),
        (
            "fr",
            "Adoptée\u202f: Beekeeping",
            "61 ont voté oui et 12 non, sur 109 qui pouvaient voter.",
        ),
    ],
)
def test_the_result_of_a_vote_comes_with_its_count(
    kind: str, language: str, subject: str, count: str
) -> None:
    """The subject has the result and the text the counts; an older email has no counts."""
    values = sample_values(kind, organisation="Jara", site_url=SITE) | {"language": language}
    email = render(kind, values, IDENTITY)
    older = {key: value for key, value in values.items() if key not in {"yes", "no", "roll"}}

    assert email.subject.startswith(subject)
    assert count in email.text
    assert "109" not in render(kind, older, IDENTITY).text


def test_headers_mark_automatic_emails() -> None:
    """Sender, recipient, date and id are set, and out-of-office replies are suppressed."""
    message = build_message(make_email(), IDENTITY)

    assert message["From"] == "Jara <mail@jara.example>"
    assert message["To"] == "ama@example.org"
    assert message["Date"] == "Fri, 20 Nov 2026 12:00:00 +0000"
    assert message["Message-ID"] == "<email-receipt@jara.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Unsubscribe"] is None


def test_news_name_the_way_out() -> None:
    """The unsubscribe header has a one-click link if there is one, else a mail address."""
    plain = build_message(make_email("vote_opened"), IDENTITY)
    click = build_message(
        make_email("vote_opened", values={"unsubscribeUrl": f"{SITE}/u?c=1"}), IDENTITY
    )
    nobody = build_message(make_email("vote_opened"), SenderIdentity(sender="mail@jara.example"))

    assert plain["List-Unsubscribe"] == "<mailto:help@jara.example?subject=unsubscribe>"
    assert plain["List-Unsubscribe-Post"] is None
    assert click["List-Unsubscribe"] == f"<{SITE}/u?c=1>"
    assert click["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert nobody["List-Unsubscribe"] is None
    assert f"without signing in: {SITE}/dashboard" in bodies(nobody)[0]


def test_emails_about_sandbox_payments_say_so() -> None:
    """The notice is on sandbox receipts only, so that none is taken for real."""
    sandbox = bodies(build_message(make_email("receipt", values={"sandbox": "yes"}), IDENTITY))
    real = bodies(build_message(make_email("receipt"), IDENTITY))

    assert ["no real money moves" in body for body in (*sandbox, *real)] == [True] * 2 + [False] * 2


def test_an_invalid_address_is_refused() -> None:
    """Only the email with the invalid address fails."""
    with pytest.raises(Unavailable, match="no usable address"):
        build_message(make_email(address="nobody"), IDENTITY)


def test_colour_and_logo_are_in_the_html_alone() -> None:
    """The HTML has a coloured line and the logo; without them it is unchanged."""
    values = sample_values("receipt", organisation="Jara", site_url=SITE)
    looks = {"colour": "#7a1f3d", "logo": f"{SITE}/media/a.png", "organisation": 'Sou "Sou"'}
    plain = render("receipt", values, IDENTITY._replace(organisation='Sou "Sou"'))
    own = render("receipt", values, IDENTITY._replace(**looks))

    assert "border-top:4px solid #7a1f3d" in own.html
    assert f'<img src="{SITE}/media/a.png" alt="Sou &#34;Sou&#34;"' in own.html
    assert (plain.subject, plain.text) == (own.subject, own.text)
    assert "<img" not in plain.html
    assert "border-top:4px" not in plain.html
