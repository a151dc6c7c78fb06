"""A site with live payments: no sandbox pages, and links to the configured address."""

from pathlib import Path

from falcon import testing

from jara.services.notices.outbox import list_outbox
from jara_webapi.app import create_app
from jara_webapi.pages.website import SANDBOX_PAGE, Website
from tests.places import NewPlace
from tests.sent_emails import values_of
from tests.webapi.desk import open_desk, registration
from tests.webapi.payments.live_desk import open_live_desk

EVIL = {"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
SITE = "https://give.example.org"


def website(folder: Path) -> Website:
    """Return a website of three files."""
    for name in ("index.html", "404.html", "shell.html"):
        (folder / name).write_text(f"<title>{name}</title>")
    return Website(folder)


def test_the_sandbox_has_no_page_with_live_payments(new_place: NewPlace, tmp_path: Path) -> None:
    """With a live gateway, no page or call under /sandbox/ exists (spec §7)."""
    dist = tmp_path / "dist"
    dist.mkdir()
    desk = open_desk(new_place())
    sandbox = testing.TestClient(create_app(desk.application, website=website(dist)))
    with open_live_desk(new_place()) as paid:
        live = testing.TestClient(create_app(paid.application, website=website(dist)))

        assert [client.simulate_get(SANDBOX_PAGE).status_code for client in (sandbox, live)] == [
            200,
            404,
        ]
        assert "404.html" in live.simulate_get(SANDBOX_PAGE).text
        assert live.simulate_post("/api/sandbox/confirm", json={}).status_code == 404
        assert live.simulate_get("/join").status_code == 200


def test_no_link_comes_from_the_host_header(place: Path) -> None:
    """Emails, feeds and the billing page use the configured site address."""
    desk = open_desk(place, site_url=SITE)
    desk.open_vote()
    form = registration()
    token = desk.post("/register", form, headers=EVIL).json["token"]
    desk.post("/user/forgot-password", {"email": form["email"]}, headers=EVIL)
    desk.post("/newsletter", {"email": "news@example.org"}, headers=EVIL)

    shown = [
        desk.get(path, token=token, headers=EVIL).text
        for path in ("/billing", "/feed.xml", "/votes.ics", "/config")
    ]
    emails = list_outbox(desk.application.context, include_sent=True)

    assert {email.kind for email in emails} == {
        "welcome",
        "receipt",
        "password_reset",
        "newsletter_confirmation",
    }
    assert all(SITE in text and "evil" not in text for text in shown)
    for email in emails:
        doc = values_of(desk.application.context, email)
        links = [text for text in doc.values() if str(text).startswith("http")]
        assert links
        assert all(str(link).startswith(SITE) for link in links)
