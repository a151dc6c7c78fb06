"""The built website: files from memory, a page for every path, missing files."""

from pathlib import Path

import pytest
from falcon import testing

from jara.services.notices.links import unsubscribe_url
from jara.services.organisation import create_organisation
from jara_webapi.app import create_app
from jara_webapi.pages.website import PAGES, Website
from tests.places import NewPlace, open_place
from tests.webapi.desk import Desk, open_desk

FILES = {
    "index.html": b"<title>Home</title>",
    "index.html.gz": b"gzipped home",
    "index.html.br": b"brotli home",
    "404.html": b"<title>Nothing here</title>",
    "ledger.html": b"<title>Ledger</title>",
    "projects/index.html": b"<title>Projects</title>",
    "assets/app-1234.js": b"console.info(1)",
    "assets/app-1234.js.gz": b"gzipped script",
    "about.txt": b"Jara",
    "site.webmanifest": b"{}",
    "assets/data.unknown": b"?",
    "shell.html": b"<title>Jara</title>",
    "project.html": b"<title>A project</title>",
    ".hidden": b"secret",
    ".vite/manifest.json": b"{}",
}


@pytest.fixture(scope="module")
def site(new_place: NewPlace, tmp_path_factory: pytest.TempPathFactory) -> testing.TestClient:
    """The API with a website of a few files."""
    folder = tmp_path_factory.mktemp("dist")
    for name, data in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    desk = open_desk(new_place())
    return testing.TestClient(create_app(desk.application, website=Website(folder)))


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_an_answer(site: testing.TestClient, path: str) -> None:
    """Built pages have their own HTML, others the application's; all are revalidated."""
    answer = site.simulate_get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/ledger", "Ledger"),
        ("/projects", "Projects"),
        ("/projects/", "Projects"),
        ("/projects/clean-water", "A project"),
        ("/dashboard", "Jara"),
    ],
)
def test_a_page_gets_its_own_html(site: testing.TestClient, path: str, title: str) -> None:
    """A page has its title before any script runs."""
    assert site.simulate_get(path).text == f"<title>{title}</title>"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/projects/a/b",
        "/.hidden",
        "/.vite/manifest.json",
        "/../secret",
        "/ledger.html",
        "/apix",
    ],
)
def test_an_unknown_path_is_the_not_found_page(site: testing.TestClient, path: str) -> None:
    """An unknown path is 404, and no file outside the website is served."""
    answer = site.simulate_get(path)

    assert (answer.status_code, answer.text) == (404, "<title>Nothing here</title>")


def test_assets_are_cached_and_a_missing_one_is_404(site: testing.TestClient) -> None:
    """Asset names change with their content, so assets are cached for ever."""
    script = site.simulate_get("/assets/app-1234.js")
    missing = site.simulate_get("/assets/app-0000.js")

    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert (missing.status_code, missing.json["code"]) == (404, "not_found")
    assert (
        site.simulate_get("/assets/data.unknown").headers["content-type"]
        == "application/octet-stream"
    )


@pytest.mark.parametrize(
    ("path", "accepted", "data"),
    [
        ("/", "gzip, br", b"brotli home"),
        ("/", "gzip", b"gzipped home"),
        ("/assets/app-1234.js", "br, gzip", b"gzipped script"),
        ("/assets/app-1234.js", "", b"console.info(1)"),
        ("/about.txt", "br", b"Jara"),
    ],
)
def test_compressed_files_are_sent_compressed(
    site: testing.TestClient, path: str, accepted: str, data: bytes
) -> None:
    """The best encoding that the browser accepts is sent."""
    answer = site.simulate_get(path, headers={"Accept-Encoding": accepted})

    assert answer.content == data
    assert "Accept-Encoding" in answer.headers["vary"]


def test_an_unchanged_file_is_304_and_head_has_no_body(site: testing.TestClient) -> None:
    """The ETag gives 304, separately for each encoding; HEAD has no body."""
    plain = site.simulate_get("/")
    again = site.simulate_get("/", headers={"If-None-Match": plain.headers["etag"]})
    head = site.simulate_head("/")
    packed = site.simulate_get("/", headers={"Accept-Encoding": "gzip"})

    assert (again.status_code, again.content) == (304, b"")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", "19")
    assert packed.headers["etag"] != plain.headers["etag"]


def test_pages_are_read_not_written_to(site: testing.TestClient) -> None:
    """POST to a page is 405."""
    assert site.simulate_post("/ledger").status_code == 405


def test_a_site_without_a_not_found_page_uses_its_index(place: Path) -> None:
    """Without a built 404 page, the application's index shows its own."""
    (place / "index.html").write_bytes(b"app")
    desk = open_desk(place)
    client = testing.TestClient(create_app(desk.application, website=Website(place)))

    assert (client.simulate_get("/nothing").status_code, client.simulate_get("/nothing").text) == (
        404,
        "app",
    )


def test_uploaded_media_are_served_by_their_hash(place: Path) -> None:
    """Other files in the media folder are not served."""
    desk = open_desk(place)
    folder = desk.application.settings.media_dir
    folder.mkdir()
    name = f"{'a' * 64}.png"
    (folder / name).write_bytes(b"png")
    (folder / "notes.txt").write_text("no")
    answer = desk.client.simulate_get(f"/media/{name}")

    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (
        200,
        b"png",
        "image/png",
    )
    for other in ("notes.txt", f"{'b' * 64}.png", "..%2Fjara.db"):
        assert desk.client.simulate_get(f"/media/{other}").status_code == 404


def test_one_click_ends_the_news(site: testing.TestClient, desk: Desk) -> None:
    """The unsubscribe address accepts a mail program's POST and shows people a page."""
    address = unsubscribe_url(desk.application.context, "ama@example.org")
    path, _, query = address.partition("127.0.0.1:8000")[2].partition("?")
    done = desk.client.simulate_post(
        path,
        query_string=query,
        body=b"List-Unsubscribe=One-Click",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )

    assert done.status_code == 200
    assert desk.client.simulate_post(path, query_string="code=x").status_code == 422
    assert desk.client.simulate_get(path).status_code == 404
    assert site.simulate_get(path).status_code == 200


def _pages_of(folder: Path, dist: Path, **settings: str | None) -> testing.TestClient:
    """Return the API of a new organisation with a website of a few pages."""
    for name in ("index.html", "shell.html", "404.html", "project.html"):
        (dist / name).write_bytes(
            b'<body class="a"><div id="root"></div><noscript>Hi</noscript></body>'
        )
    application = open_place(folder, settings)
    application.secrets.create(log_name="jara.example/log")
    create_organisation(application.context)
    return testing.TestClient(create_app(application, website=Website(dist)))


@pytest.mark.parametrize("path", ["/", "/projects/x", "/join", "/nothing-here"])
@pytest.mark.parametrize("public", [True, False])
def test_every_page_of_a_public_sandbox_has_a_notice(
    new_place: NewPlace, tmp_path: Path, path: str, public: bool
) -> None:
    """The notice comes first, with and without scripts."""
    client = _pages_of(new_place(), tmp_path, public_sandbox=str(public))

    page = client.simulate_get(path).text

    assert page.startswith('<body class="a"><p class="sandbox-notice"') == public
    assert ("no card is charged" in page) == public


def test_pages_of_real_payments_never_say_that_they_are_not(
    new_place: NewPlace, tmp_path: Path
) -> None:
    """A leftover setting shows no notice when Stripe's keys are set."""
    keys = {"secret_key": "sk_live_x", "publishable_key": "pk_live_x"}
    settings = {f"stripe_{name}": key for name, key in keys.items()}
    client = _pages_of(new_place(), tmp_path, public_sandbox="true", **settings)

    assert "sandbox-notice" not in client.simulate_get("/").text
