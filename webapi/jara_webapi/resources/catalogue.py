"""Published content: projects, grants, donations, team, questions and the rest."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import WithJsonSchema

from jara.bootstrap import Application
from jara.domain.content.kinds import KINDS, PROJECTS, ROADMAP
from jara.domain.content.schema import ContentKind
from jara.files.html import clean_html
from jara.services.projects.catalogue import (
    list_donations,
    list_projects,
    list_published,
    list_roadmap,
    show_project,
)
from jara_webapi.calls.operations import Call, operation
from jara_webapi.schemas.base import Document, Shape
from jara_webapi.schemas.content import card_schema, detail_schema, item_schema
from jara_webapi.schemas.projects import ProjectCard, ProjectPage
from jara_webapi.schemas.public import CategoryQuery, Donations

Card = Annotated[Document, Shape(ProjectCard, card_schema(KINDS[PROJECTS]))]
Detail = Annotated[Document, Shape(ProjectPage, detail_schema(KINDS[PROJECTS]))]


def content_list(application: Application, kind: ContentKind) -> object:
    """Return the resource that lists a kind of content."""
    item = Annotated[Document, WithJsonSchema(item_schema(kind))]

    class ContentList:
        @operation(answer=list[item], cached=True)
        def on_get(self, call: Call) -> list[Document]:
            """List the published items of this kind."""
            del call
            if kind.name == ROADMAP:
                return list_roadmap(application.context)
            return list_published(application.context, kind.name)

    return ContentList()


class Projects:
    """The cards of the projects."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=list[Card], query=CategoryQuery, cached=True)
    def on_get(self, call: Call, query: CategoryQuery) -> list[Document]:
        """List the projects, of one category or all."""
        del call
        return list_projects(self._app.context, query.category)


class Project:
    """One project."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Detail, refuses=(404,), cached=True)
    def on_get(self, call: Call, name: str) -> Document:
        """Return a project by its title or slug, with its vote, money and updates."""
        del call
        project = show_project(self._app.context, name)
        project["story"] = clean_html(str(project.get("story", "")))
        project["updates"] = [_cleaned(update) for update in project["updates"]]
        return project


class DonationList:
    """The donations."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Donations, cached=True)
    def on_get(self, call: Call) -> Donations:
        """List the donations, with their number and their sum."""
        del call
        return Donations.model_validate(list_donations(self._app.context), by_alias=True)


def _cleaned(update: dict[str, Any]) -> dict[str, Any]:
    return {**update, "content": clean_html(str(update.get("content", "")))}
