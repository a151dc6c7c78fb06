"""The site as an installed app: name, colours, icons and the service worker."""

from pathlib import Path

import pytest

from jara.domain.organisation import IdentityPart, Logo
from jara.services.legal.changing import change_values
from tests.webapi.pages.site_world import FILES, Site, open_site

MANIFEST = "/manifest.webmanifest"
DRAWING = Logo(f"/media/{'b' * 64}.svg", 260, 80)
PIXELS = Logo(f"/media/{'c' * 64}.png", 512, 512)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with a service worker."""
    monkeypatch.setitem(FILES, "worker.js", "addEventListener('fetch', () => null)")
    return open_site(tmp_path)


def test_the_app_has_the_site_s_own_look(site: Site) -> None:
    """Without its own identity, the app uses the name and icons of the software."""
    answer = site.get(MANIFEST)

    assert answer.headers["content-type"] == "application/manifest+json; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert tuple(answer.json[key] for key in ("name", "scope", "display")) == (
        "Jara",
        "/",
        "standalone",
    )
    assert [icon["sizes"] for icon in answer.json["icons"]] == ["192x192", "512x512", "any"]


@pytest.mark.parametrize(
    ("logo", "icon"),
    [
        (DRAWING, {"src": DRAWING.path, "sizes": "any", "type": "image/svg+xml"}),
        (PIXELS, {"src": PIXELS.path, "sizes": "512x512", "type": "image/png"}),
    ],
)
def test_an_organisation_gives_the_app_its_own_look(
    site: Site, logo: Logo, icon: dict[str, str]
) -> None:
    """The app uses the organisation's name, colour and logo from the next request on."""
    site.get(MANIFEST)
    own = {
        IdentityPart.NAME: "Sankofa Givers",
        IdentityPart.COLOUR: "#7a1f3d",
        IdentityPart.LOGO: logo.text(),
    }
    change_values(site.desk.application.context, own)
    manifest = site.get(MANIFEST).json

    assert manifest["name"] == "Sankofa Givers"
    assert manifest["theme_color"] == "#7a1f3d"
    assert manifest["icons"] == [icon]


def test_the_worker_is_asked_for_again_each_time(site: Site) -> None:
    """The worker has one fixed address and is always revalidated, so updates arrive at once."""
    answer = site.get("/worker.js")

    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "worker-src 'self'" in answer.headers["content-security-policy"]
