"""A declared field or kind of content appears in files, API, OpenAPI and commands."""

from pathlib import Path

import pytest

from jara.domain.content.fields import Field, Form
from jara.domain.content.kinds import KINDS
from jara.domain.content.schema import ContentKind
from jara.domain.control.effects import ACTS
from jara.domain.errors import InvalidInput
from jara.services.content import import_items
from jara_cli.content_commands import make_content_app
from jara_webapi.schemas.content import card_schema, detail_schema, item_schema
from tests.webapi.desk import open_desk

ALTITUDE = Field("altitude", Form.COUNT, minimum=0)
REGION = {"id": "usambara", "name": "Usambara", "status": "Active"}


def with_field(name: str, field: Field) -> ContentKind:
    """Return a kind with one additional field, as kinds.py would declare it."""
    return KINDS[name]._replace(fields=(*KINDS[name].fields, field))


def test_added_field_reaches_every_interface(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One ``Field`` is enough for file checks, API and OpenAPI document."""
    monkeypatch.setitem(KINDS, "regions", with_field("regions", ALTITUDE))
    desk = open_desk(place)
    context = desk.application.context

    with pytest.raises(InvalidInput, match="'altitude' of the region 'usambara' is -1"):
        import_items(context, "regions", [{**REGION, "altitude": -1}])
    import_items(context, "regions", [{**REGION, "altitude": 1200}])
    answers = desk.get("/openapi.json").json["paths"]["/api/regions"]["get"]["responses"]
    schema = answers["200"]["content"]["application/json"]["schema"]

    assert desk.get("/regions").json == [{**REGION, "altitude": 1200, "language": "en"}]
    assert schema["items"]["properties"]["altitude"] == {"type": "integer", "minimum": 0}


def test_added_kind_reaches_every_interface(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One ``ContentKind`` is enough for files, the API, the OpenAPI document and a command."""
    fields = (Field("id", Form.SLUG, required=True), Field("title", Form.LINE, required=True))
    recipes = ContentKind(
        "recipes", "recipes", "recipe", "What we cook.", fields, columns={"title": "Title"}
    )
    monkeypatch.setitem(KINDS, "recipes", recipes)
    monkeypatch.setitem(ACTS, "recipes.edit", ACTS["faqs.edit"])  # read when it is imported
    desk = open_desk(place)
    import_items(desk.application.context, "recipes", [{"title": "Ugali"}])
    verbs = [command.name for command in make_content_app(recipes).registered_commands]

    assert desk.get("/recipes").json == [{"id": "ugali", "title": "Ugali", "language": "en"}]
    assert "/api/recipes" in desk.get("/openapi.json").json["paths"]
    assert {"list", "import"} <= set(verbs)


def test_added_field_of_a_project_is_on_its_page() -> None:
    """A project's page shows all fields, its card only those that the kind lists."""
    projects = with_field("projects", ALTITUDE)
    carded = projects._replace(card=(*projects.card, "altitude"))

    assert "altitude" in detail_schema(projects)["properties"]
    assert "altitude" not in card_schema(projects)["properties"]
    assert card_schema(carded)["properties"]["altitude"]["anyOf"] == [
        {"type": "integer", "minimum": 0},
        {"type": "null"},
    ]


def test_schema_names_choices_and_lists() -> None:
    """The schema shows the allowed values and the type of list items."""
    schema = item_schema(KINDS["projects"])
    milestone = schema["properties"]["milestones"]["items"]

    assert schema["properties"]["status"]["enum"] == ["Planning", "In Progress", "Complete"]
    assert milestone["required"] == ["id", "date", "title", "costCents"]
    assert milestone["properties"]["images"] == {"type": "array", "items": {"type": "string"}}
