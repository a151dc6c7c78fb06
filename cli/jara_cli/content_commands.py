"""The commands of every kind of content: list, show, add, edit, publish, import, export."""

# ruff: noqa: FBT002 - flags of a command line are booleans

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.content.fields import Form, describe_keys, parse_value
from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import DERIVED, ContentKind
from jara.domain.errors import InvalidInput
from jara.files.content_files import (
    FILE_BYTES_MAX,
    clean_content,
    read_content,
    write_json,
    write_yaml,
)
from jara.records.content import ContentItem
from jara.services.content import (
    ImportResult,
    add_item,
    document_of,
    edit_item,
    export_items,
    find_project_titled,
    import_items,
    list_items,
    publish_item,
    remove_item,
)
from jara.services.content import show_item as find
from jara.services.context import Context
from jara_cli.columns import Column, Kind, Row, spell_key
from jara_cli.inputs import open_input, write_output
from jara_cli.options import JsonFlag, OutPath, Yes, confirm
from jara_cli.output import note
from jara_cli.verbs import Answer, verb

Name = Annotated[str, typer.Argument(metavar="ITEM", help="Id or slug, or its first characters.")]
Source = Annotated[str, typer.Argument(metavar="FILE", help="YAML or JSON; - is standard input.")]
MaybeSource = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="YAML or JSON of one item; - is standard input."),
]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Set one key; an empty value removes it."),
]

FIGURES = "tranches"
"""The key of what `show` computes; an item that is read again does not have it."""
PUBLISHED = Column("published", "Public")
_KINDS = {Form.CENTS: Kind.CENTS, Form.DAY: Kind.DATE}


ShowItem = Callable[[Context, ContentItem], Answer]


def make_content_app(kind: ContentKind, show_item: ShowItem | None = None) -> typer.Typer:
    """Return the commands of one kind of content; `show_item` answers `show`."""
    app = typer.Typer(no_args_is_help=True)
    _add_reading(app, kind, show_item or (lambda _context, item: item_answer(item)))
    _add_adding(app, kind)
    _add_changing(app, kind)
    _add_files(app, kind)
    return app


def item_answer(item: ContentItem, *, notes: Sequence[str] = ()) -> Answer:
    """Show one item: all its keys, a list as its titles."""
    document = item_document(item)
    return Answer(
        document,
        view={key: _brief(value) for key, value in document.items()},
        columns=[Column(key, spell_key(key), _kind_of(key)) for key in document],
        notes=notes,
    )


def item_document(item: ContentItem) -> Document:
    """Return an item with its HTML sanitised, and whether it is public."""
    return {**clean_content(document_of(item)), "published": item.published}


def _add_reading(app: typer.Typer, kind: ContentKind, show_item: ShowItem) -> None:
    @verb(
        app,
        *_list_columns(kind),
        name="list",
        help_text=_help(f"List {kind.command} in display order.", f"jara {kind.command} list"),
    )
    def list_command(context: Context) -> list[Document]:
        return [item_document(item) for item in list_items(context, kind.name)]

    @verb(
        app, help_text=_help("Show one item with all its keys.", f"jara {kind.command} show NAME")
    )
    def show(context: Context, name: Name) -> Answer:
        return show_item(context, find(context, kind.name, name))


def _add_adding(app: typer.Typer, kind: ContentKind) -> None:
    @verb(
        app,
        help_text=_help(
            "Add an item; it is not public until it is published.",
            f"jara {kind.command} add new.yaml --publish",
            kind,
        ),
    )
    def add(
        context: Context,
        source: MaybeSource = None,
        assignments: Assignments = None,
        publish: Annotated[bool, typer.Option("--publish", help="Publish it at once.")] = False,
        yes: Yes = False,
    ) -> Answer:
        document = {**_one_document(source), **_read_assignments(kind, assignments)}
        public = document.pop("published", publish) is True
        title = str(document.get("title", ""))
        if kind.name == PROJECTS and (twin := find_project_titled(context, title)):
            confirm(f"The project '{twin}' has this title. Add another one?", yes=yes)
        item = add_item(context, kind.name, document, published=public)
        hidden = f"It is not public yet; jara {kind.command} publish {item.slug} shows it."
        return item_answer(item, notes=() if item.published else [hidden])


def _add_changing(app: typer.Typer, kind: ContentKind) -> None:
    @verb(
        app,
        help_text=_help(
            "Change some keys of an item.",
            f"jara {kind.command} edit NAME --set KEY=VALUE",
        ),
    )
    def edit(
        context: Context,
        name: Name,
        source: MaybeSource = None,
        assignments: Assignments = None,
    ) -> Answer:
        changes = {**_one_document(source), **_read_assignments(kind, assignments)}
        changes.pop("published", None)
        if not changes:
            raise InvalidInput("There is nothing to change; give a file or --set KEY=VALUE.")
        return item_answer(edit_item(context, kind.name, name, changes))

    @verb(
        app,
        Column("id", "Id"),
        PUBLISHED,
        help_text=_help("Publish an item, or hide it again.", f"jara {kind.command} publish NAME"),
    )
    def publish(
        context: Context,
        name: Name,
        hide: Annotated[bool, typer.Option("--hide", help="Hide it.")] = False,
    ) -> Document:
        item = publish_item(context, kind.name, name, published=not hide)
        return {"id": item.id, "slug": item.slug, "published": item.published}

    @verb(
        app,
        Column("removed", "Removed"),
        help_text=_help(
            "Remove an item that nothing refers to.", f"jara {kind.command} remove NAME"
        ),
    )
    def remove(context: Context, name: Name, yes: Yes = False) -> Document:
        item = find(context, kind.name, name)
        confirm(f"Remove the {kind.noun} '{item.slug}'?", yes=yes)
        return {"removed": remove_item(context, kind.name, item.id).slug}


def _add_files(app: typer.Typer, kind: ContentKind) -> None:
    @verb(
        app,
        Column("read", "Read", Kind.COUNT),
        Column("added", "Added", Kind.COUNT),
        Column("changed", "Changed", Kind.COUNT),
        Column("unchanged", "Unchanged", Kind.COUNT),
        name="import",
        help_text=_help(
            "Import a file, all of it or nothing.",
            f"jara {kind.command} import {kind.name}.yaml",
            kind,
        ),
    )
    def import_command(context: Context, source: Source) -> ImportResult:
        documents = _documents(source)
        try:
            return import_items(context, kind.name, documents)
        except InvalidInput as error:
            raise InvalidInput(f"{source}: {error.message}") from error

    @verb(
        app,
        help_text=_help(
            "Export all items as YAML or JSON, ready to import.",
            f"jara {kind.command} export --out {kind.name}.yaml",
        ),
    )
    def export(context: Context, out: OutPath = "-", as_json: JsonFlag = False) -> None:
        documents = [clean_content(d) for d in export_items(context, kind.name)]
        write_output(out, write_json(documents) if as_json else write_yaml(documents))
        if out != "-":
            note(f"Wrote {len(documents)} to '{out}'.")


def _help(line: str, example: str, kind: ContentKind | None = None) -> str:
    keys = f"Keys, * needed: {describe_keys(kind.fields, derived=DERIVED)}.\n\n" if kind else ""
    return f"{line}\n\n{keys}\b\nExample:\n  {example}"


def _documents(source: str) -> list[Document]:
    with open_input(source) as stream:
        data = stream.read(FILE_BYTES_MAX + 1)
    return read_content(data, "standard input" if source == "-" else source)


def _one_document(source: str | None) -> Document:
    if source is None:
        return {}
    documents = _documents(source)
    if len(documents) != 1:
        raise InvalidInput(f"'{source}' contains {len(documents)} items; this command takes one.")
    return {key: value for key, value in documents[0].items() if key != FIGURES}


def _read_assignments(kind: ContentKind, assignments: list[str] | None) -> Document:
    changes: Document = {}
    for text in assignments or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise InvalidInput(f"'{text}' is not a change; write KEY=VALUE.")
        changes[key] = parse_value(kind.field(key), value) if value else None
    return clean_content(changes)


def _list_columns(kind: ContentKind) -> list[Column]:
    columns = [
        Column(name, heading, _KINDS.get(kind.field(name).form, Kind.TEXT))
        for name, heading in kind.columns.items()
    ]
    has_slug = any(field.name == "slug" for field in kind.fields)
    slug = [Column("slug", "Slug")] if has_slug else []
    names = [Column("id", "Id", rank=len(slug)), *slug]
    return [*names, *columns, PUBLISHED]


def _kind_of(key: str) -> Kind:
    return Kind.CENTS if key.endswith("Cents") else Kind.TEXT


def _brief(value: object) -> object:
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return _list_titles(value)
    return value


def _list_titles(items: Sequence[Row]) -> str:
    """Join the titles of a list in one line, and mark completed milestones."""
    parts = []
    for item in items:
        title = str(item.get("title", item.get("id", "")))
        parts.append(f"{title} (done)" if item.get("completed") else title)
    return "; ".join(parts)
