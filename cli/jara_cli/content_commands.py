"""The commands of every kind of content: list, show, add, edit, publish, import, export."""

# ruff: noqa: FBT002 - flags of a command line are booleans

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.content.fields import Form, describe_keys, parse_value
from jara.domain.content.kinds import PROJECTS, kind_of
from jara.domain.content.schema import DERIVED, ContentKind
from jara.domain.content.translations import (
    describe_texts,
    describe_translations,
    outdated_texts,
    require_language,
)
from jara.domain.errors import InvalidInput
from jara.domain.language import Language
from jara.files.content_files import FILE_BYTES_MAX, read_content, write_json, write_yaml
from jara.files.html import clean_document
from jara.records.content import ContentItem
from jara.records.operations import Approval
from jara.services import content
from jara.services.context import Context
from jara.services.proposals.vote_rules import current_rule
from jara_cli.columns import Column, Kind, Row, spell_key
from jara_cli.inputs import open_input, write_output
from jara_cli.options import JsonFlag, OutPath, Yes, argument, confirm, flag, option
from jara_cli.output import note
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

Name = Annotated[str, argument("ITEM", "Id or slug, or its first characters.")]
Source = Annotated[str, argument("FILE", "YAML or JSON; - is standard input.")]
MaybeSource = Annotated[
    str | None, argument("[FILE]", "YAML or JSON of one item; - is standard input.")
]
Assignments = Annotated[
    list[str] | None, option("KEY=VALUE", "Set one key; an empty value removes it.", "--set")
]

LanguageOption = Annotated[
    str | None, option("LANGUAGE", "With the texts in this language, such as fr.")
]
ChangedLanguage = Annotated[
    str | None, option("LANGUAGE", "Change the texts in this language, such as fr.")
]
Checked = Annotated[
    bool, flag("--checked", "The texts in that language still fit, although the originals changed.")
]

FIGURES = "tranches"
"""The key of what `show` computes; an item that is read again does not have it."""
PUBLISHED = Column("published", "Public")
_LANGUAGES = Column("languages", "Other languages")
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
    """Show one item: all its keys, a list as its titles, a translation as its keys."""
    document = item_document(item)
    return Answer(
        document,
        view={key: _brief(value) for key, value in document.items()},
        columns=[Column(key, spell_key(key), _kind_of(key)) for key in document],
        notes=[*notes, *outdated_notes(outdated_texts(kind_of(item.kind).fields, item.doc))],
    )


def outdated_notes(outdated: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a note for each language whose originals changed after it."""
    return [
        f"Changed since they were translated into '{language}': {', '.join(names)}. Write them "
        f"anew with `edit --language {language}`; with --checked they stay as they are."
        for language, names in outdated.items()
    ]


def item_document(item: ContentItem) -> Document:
    """Return an item with its HTML sanitised, and whether it is public."""
    return {**clean_document(content.document_of(item)), "published": item.published}


def _add_reading(app: typer.Typer, kind: ContentKind, show_item: ShowItem) -> None:
    @verb(
        app,
        *_list_columns(kind),
        name="list",
        help_text=help_of(f"List {kind.command} in display order.", f"jara {kind.command} list"),
    )
    def list_command(context: Context, language: LanguageOption = None) -> Answer:
        reader = None if language is None else for_reader(context, language)
        items = content.list_items(context, kind.name)
        documents = [item_document(_read(reader, item)) for item in items]
        carried = [describe_translations(kind.fields, item.doc) for item in items]
        return Answer(
            documents,
            view=[
                {**document, _LANGUAGES.key: languages}
                for document, languages in zip(documents, carried, strict=True)
            ],
        )

    @verb(
        app, help_text=help_of("Show one item with all its keys.", f"jara {kind.command} show NAME")
    )
    def show(context: Context, name: Name, language: LanguageOption = None) -> Answer:
        item = content.show_item(context, kind.name, name)
        reader = None if language is None else for_reader(context, language)
        return show_item(context, _read(reader, item))


def _read(reader: Context | None, item: ContentItem) -> ContentItem:
    return item if reader is None else item.for_reader(reader.language)


def _add_adding(app: typer.Typer, kind: ContentKind) -> None:
    @verb(
        app,
        help_text=help_of(
            "Add an item; it is not public until it is published.",
            f"jara {kind.command} add new.yaml --publish",
            kind,
        ),
    )
    def add(
        context: Context,
        source: MaybeSource = None,
        assignments: Assignments = None,
        publish: Annotated[bool, flag("--publish", "Publish it at once.")] = False,
        yes: Yes = False,
    ) -> Answer:
        document = {**read_one(context, source), **_read_assignments(kind, assignments)}
        public = document.pop("published", publish) is True
        title = str(document.get("title", ""))
        if kind.name == PROJECTS and (twin := content.find_project_titled(context, title)):
            confirm(f"The project '{twin}' has this title. Add another one?", yes=yes)
        item = content.add_item(context, kind.name, document, published=public)
        if isinstance(item, Approval):
            return waiting(item)
        hidden = f"It is not public yet; jara {kind.command} publish {item.slug} shows it."
        return item_answer(item, notes=() if item.published else [hidden])


def _add_changing(app: typer.Typer, kind: ContentKind) -> None:
    @verb(
        app,
        help_text=help_of(
            "Change some keys of an item, or its texts in another language.",
            f"jara {kind.command} edit NAME --set KEY=VALUE\n"
            f"  jara {kind.command} edit NAME french.yaml --language fr",
        ),
    )
    def edit(
        context: Context,
        name: Name,
        source: MaybeSource = None,
        assignments: Assignments = None,
        language: ChangedLanguage = None,
        checked: Checked = False,
    ) -> Answer:
        changes = {**read_one(context, source), **_read_assignments(kind, assignments)}
        changes.pop("published", None)
        require_change(changes, language, checked=checked)
        chosen = None if language is None else Language(language)
        item = content.edit_item(
            context, kind.name, name, changes, language=chosen, checked=checked
        )
        return waiting(item) if isinstance(item, Approval) else item_answer(item)

    @verb(
        app,
        Column("id", "Id"),
        PUBLISHED,
        help_text=help_of(
            "Publish an item, or hide it again.", f"jara {kind.command} publish NAME"
        ),
    )
    def publish(
        context: Context, name: Name, hide: Annotated[bool, flag("--hide", "Hide it.")] = False
    ) -> Answer:
        item = content.publish_item(context, kind.name, name, published=not hide)
        if isinstance(item, Approval):
            return waiting(item)
        return Answer({"id": item.id, "slug": item.slug, "published": item.published})

    @verb(
        app,
        Column("removed", "Removed"),
        help_text=help_of(
            "Remove an item that nothing refers to.", f"jara {kind.command} remove NAME"
        ),
    )
    def remove(context: Context, name: Name, yes: Yes = False) -> Document:
        item = content.show_item(context, kind.name, name)
        confirm(f"Remove the {kind.noun} '{item.slug}'?", yes=yes)
        return {"removed": content.remove_item(context, kind.name, item.id).slug}


def _add_files(app: typer.Typer, kind: ContentKind) -> None:
    @verb(
        app,
        Column("read", "Read", Kind.COUNT),
        Column("added", "Added", Kind.COUNT),
        Column("changed", "Changed", Kind.COUNT),
        Column("unchanged", "Unchanged", Kind.COUNT),
        name="import",
        help_text=help_of(
            "Import a file, all of it or nothing.",
            f"jara {kind.command} import {kind.name}.yaml",
            kind,
        ),
    )
    def import_command(context: Context, source: Source) -> content.ImportResult:
        documents = read_documents(context, source)
        try:
            return content.import_items(context, kind.name, documents)
        except InvalidInput as error:
            raise InvalidInput(f"{source}: {error.message}") from error

    @verb(
        app,
        help_text=help_of(
            "Export all items as YAML or JSON, ready to import.",
            f"jara {kind.command} export --out {kind.name}.yaml",
        ),
    )
    def export(context: Context, out: OutPath = "-", as_json: JsonFlag = False) -> None:
        documents = [clean_document(d) for d in content.export_items(context, kind.name)]
        write_output(out, write_json(documents) if as_json else write_yaml(documents))
        if out != "-":
            note(f"Wrote {len(documents):,} to '{out}'.")


def for_reader(context: Context, language: str) -> Context:
    """Return the context of a reader of a language.

    Raises:
        InvalidInput: the site does not have it.
    """
    return context.for_reader(require_language(language, context.rules.languages))


def require_change(changes: Document, language: str | None, *, checked: bool) -> None:
    """Require that a command changes something.

    Raises:
        InvalidInput: it does not, or it does not say which language was checked.
    """
    if checked and language is None:
        raise InvalidInput("Name the language that you checked: --language fr --checked.")
    if not changes and not checked:
        raise InvalidInput("There is nothing to change; give a file or --set KEY=VALUE.")


def help_of(line: str, example: str, kind: ContentKind | None = None) -> str:
    """Return the help of a command, with the keys of a kind if its files have them."""
    keys = f"Keys, * needed: {_describe(kind)}.\n\n" if kind else ""
    heading = "Examples" if "\n" in example else "Example"
    return f"{line}\n\n{keys}{heading}:\n  {example}"


def _describe(kind: ContentKind) -> str:
    keys = describe_keys(kind.fields, derived=DERIVED)
    return f"{keys}, language; fr and other languages (with {describe_texts(kind.fields)})"


def read_documents(context: Context, source: str) -> list[Document]:
    """Read the items of a file, in which `{rule}` is our vote rule; ``-`` is standard input."""
    with open_input(source) as stream:
        data = stream.read(FILE_BYTES_MAX + 1)
    name = "standard input" if source == "-" else source
    return read_content(data, name, current_rule(context))


def read_one(context: Context, source: str | None) -> Document:
    """Read the one item of a file; without a file there is nothing in it.

    Raises:
        InvalidInput: it contains none, or several.
    """
    if source is None:
        return {}
    documents = read_documents(context, source)
    if len(documents) != 1:
        raise InvalidInput(f"'{source}' contains {len(documents):,} items; this command takes one.")
    return {key: value for key, value in documents[0].items() if key != FIGURES}


def _read_assignments(kind: ContentKind, assignments: list[str] | None) -> Document:
    changes: Document = {}
    for text in assignments or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise InvalidInput(f"'{text}' is not a change; write KEY=VALUE.")
        changes[key] = parse_value(kind.field(key), value) if value else None
    return clean_document(changes)


def _list_columns(kind: ContentKind) -> list[Column]:
    columns = [
        Column(name, heading, _KINDS.get(kind.field(name).form, Kind.TEXT))
        for name, heading in kind.columns.items()
    ]
    has_slug = any(field.name == "slug" for field in kind.fields)
    slug = [Column("slug", "Slug")] if has_slug else []
    names = [Column("id", "Id", rank=len(slug)), *slug]
    return [*names, *columns, PUBLISHED, _LANGUAGES]


def _kind_of(key: str) -> Kind:
    return Kind.CENTS if key.endswith("Cents") else Kind.TEXT


def _brief(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(value)
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
