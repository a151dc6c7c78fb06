"""Every kind of content is shown on all its pages, with and without each optional key."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.domain.content.fields import Document, Field, Form
from jara.domain.content.kinds import KINDS, PROJECTS
from jara.domain.content.schema import ContentKind
from jara.services.content import add_item, import_items
from jara.services.projects import catalogue
from jara_webapi.pages.page_rendering import FIXED_PAGES
from tests.webapi.pages.site_world import PICTURE, open_site

READ_ALSO = (
    *("/impact", "/impact?period=all", "/api/feed.xml", "/api/votes.ics"),
    *("/api/grants", "/api/donations", "/api/projects", "/api/faqs", "/api/stats"),
)
VALUES: dict[Form, object] = {
    Form.TEXT: "Some text.",
    Form.TEXTS: ["One.", "Two."],
    Form.HTML: "<p>A story.</p>",
    Form.URL: PICTURE,
    Form.URLS: [PICTURE],
    Form.COUNTRY: "GH",
    Form.DAY: "2026-01-05",
    Form.TIME: "18:30",
    Form.CENTS: 1200,
    Form.COUNT: 7,
    Form.NUMBER: 2.5,
    Form.FLAG: True,
}
AMA = {"group": "trustees", "name": "Ama", "role": "Chair"}
SAME = {"measure": "homes", "amount": "$12", "project": "school"}
"""Values that must agree with another one."""


def value_of(kind: ContentKind, field: Field, name: str) -> object:
    """Return a value that the field of an item takes."""
    if field.name in SAME and (kind.name, field.name) != ("roadmap", "measure"):
        return SAME[field.name]
    if field.choices:
        return field.choices[0]
    if field.form is Form.ITEMS:
        return [{one.name: value_of(kind, one, "homes") for one in field.fields}]
    if field.form is Form.ACCOUNT:
        return f"{kind.account}:{name}"
    return VALUES.get(field.form, name)


def documents_of(kind: ContentKind) -> Iterator[Document]:
    """Yield an item with only the needed keys, one with all, and one without each other key."""
    optional = [field.name for field in kind.fields if not field.required and field.name != "id"]
    wanted = [set(), set(optional), *(set(optional) - {name} for name in optional)]
    for place, keys in enumerate(wanted):
        name = f"{kind.noun.replace(' ', '-')}-{place}"
        document: Document = {
            field.name: value_of(kind, field, name)
            for field in kind.fields
            if field.required or field.name in keys
        }
        if "measurements" in keys and "measures" not in keys:
            del document["measurements"]
        parts = [field for field in kind.fields if field.form is Form.ITEMS]
        yield document
        for part in parts if not keys else ():
            least = {one.name: value_of(kind, one, "homes") for one in part.fields if one.required}
            yield {
                **document,
                **dict.fromkeys(("id", "slug", kind.title), f"{name}-{part.name}"),
                "measures": value_of(kind, kind.field("measures"), name),
                part.name: [{**least, **({"id": "homes"} if part.name == "measures" else {})}],
            }


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_page_needs_an_optional_key(
    place: Path, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Pages are filled, and their data and feeds answered."""
    site = open_site(place, ("en", "fr"))
    paths = [*FIXED_PAGES, *READ_ALSO, "/projects/school"]
    for name, kind in KINDS.items():
        documents = list(documents_of(kind))
        import_items(site.desk.application.context, name, documents)
        if name == PROJECTS:
            paths += [f"/projects/{one['slug']}" for one in documents]
    asked: dict[str, Any] = {"params": {"lang": language}}
    failing = {
        path: answer.status_code
        for path in paths
        if (answer := site.get(path, **({} if "?" in path else asked))).status_code != 200
    }

    assert failing == {}
    assert "defect" not in caplog.text


def test_a_page_that_cannot_be_filled_is_sent_without_data(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A document that no template foresees is in the log; the page asks for its data itself."""
    site = open_site(place)
    drawn = site.get("/team").text
    monkeypatch.setattr(catalogue, "list_published", lambda *_: [{"id": "a", "name": "Ama"}])
    add_item(site.desk.application.context, "team", AMA, published=True)
    answer = site.get("/team")

    assert (answer.status_code, "Ama" in answer.text) == (200, False)
    assert "<main>team" in drawn
    assert "<main>team" in answer.text
    assert "defect in GET" in caplog.text
