"""Every kind of content is shown on all its pages, with and without each optional key."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.domain.content.fields import Document, Field, Form
from jara.domain.content.kinds import KINDS, PROJECTS
from jara.domain.content.schema import DERIVED, ContentKind
from jara.domain.errors import InvalidInput, NotFound
from jara.services.content import ContentEditor, add_item, import_items
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
_WHOLE = [0, -(10**15) + 1, 10**15 - 1]
DAMAGED: tuple[object, ...] = (None, 7.5, "x", ["x"], {"a": 1}, [{"a": 1}])
"""None: the key is missing."""
UNUSUAL: dict[Form, list[Any]] = {
    Form.TEXT: ["", "{{x}} {name} %s <script>"],
    Form.LINE: ["{name, plural, one {"],
    Form.HTML: ["<", "<b>" * 300 + "<svg><style><![CDATA["],
    Form.URL: ["", "https://[::1]/", "https://a:99999999/", "/\\x", "/a?b#c"],
    Form.URLS: [[], ["https://a/%zz"], ["/media/x.pdf"]],
    Form.COUNTRY: ["", "ZZ"],
    Form.ACCOUNT: ["expenses", "expenses:projects", "assets:bank", "expenses:projects:a:b"],
    Form.DAY: ["0001-01-01", "9999-12-31", "2026-13-01"],
    Form.TIME: ["00:00", "24:00"],
    Form.CENTS: _WHOLE,
    Form.COUNT: _WHOLE,
    Form.NUMBER: [0, -999999999999.999, 999999999999.999],
    Form.FLAG: [False],
    Form.ITEMS: [[]],
}
KEY = re.compile("'([a-zA-Z]+)'")
OF_OTHERS = {"measures", "measure", "id", "project", "date", "endDate", "time", "endTime"}
"""Keys that a rule of two keys refuses, which names their values."""
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


def stored_documents(kind: ContentKind) -> Iterator[tuple[str, Document]]:
    """Yield documents in which one key is missing, damaged or unusual, with this key."""
    fields = [field for field in kind.fields if field.name not in DERIVED]
    whole: Document = {one.name: value_of(kind, one, "homes") for one in fields}
    for field in fields:
        for value in (*DAMAGED, *UNUSUAL.get(field.form, ())):
            yield field.name, {**whole, field.name: value}
        for part in field.fields:
            for value in (*DAMAGED, *UNUSUAL.get(part.form, ())):
                yield part.name, {**whole, field.name: [{**whole[field.name][0], part.name: value}]}


def test_what_is_published_is_shown(place: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is stored is refused with its item and its key, or all pages show it."""
    site = open_site(place)
    paths, refused, unnamed = [*FIXED_PAGES, *READ_ALSO], set[str](), list[str]()
    with site.desk.application.context.store.write() as work:
        for name, kind in KINDS.items():
            editor = ContentEditor(site.desk.application.context, work, kind)
            for number, (key, stored) in enumerate(stored_documents(kind)):
                own = {one.name: f"x-{number}" for one in kind.fields if one.name in DERIVED}
                document = {each: one for each, one in stored.items() if one is not None} | own
                try:
                    editor.put(document, published=True, position=9, is_news=False)
                    paths += [f"/projects/x-{number}"] if name == PROJECTS else []
                except (InvalidInput, NotFound) as error:
                    refused.add(name)
                    keys = {*OF_OTHERS, *KEY.findall(error.message)}
                    if own["id"] not in error.message or key not in keys:
                        unnamed.append(f"{key} of {document}: {error.message}")
            assert len(editor.items) > 3

    assert refused == KINDS.keys()
    assert unnamed == []
    assert [path for path in paths if site.get(path).status_code != 200] == []
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
