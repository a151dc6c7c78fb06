"""Editing content: one item, or a whole file at a time."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.content import kinds
from jara.domain.content.fields import Document, arrange
from jara.domain.content.kinds import PROJECTS, UPDATES, kind_of
from jara.domain.content.schema import DERIVED, ContentKind, milestones_of
from jara.domain.content.translations import changes_in, languages_in, note_originals
from jara.domain.control.effects import Touch
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.language import Language
from jara.domain.lookup import did_you_mean, fold, nearest_names
from jara.domain.pay_details import pay_details
from jara.domain.publiclog.leaves import milestones_leaf
from jara.records.content import ContentItem
from jara.records.operations import Approval
from jara.services.approvals import Handler, needs_another, require_approval
from jara.services.audit import record_act
from jara.services.authority import authorise
from jara.services.context import Context
from jara.services.news_items import TOLD_WITHIN, cause_news, tell_again
from jara.services.organisation import own_site
from jara.store.unit_of_work import UnitOfWork

PUBLISHED = "published"
"""The key that publishes or hides an item in a file; without it, a known item stays as it is."""

EXCERPT_CHARACTERS = 200
"""How many characters of a text the audit log stores; the item's history has all of it."""


class ImportResult(NamedTuple):
    """The outcome of an import, counted in items."""

    read: int
    added: int
    changed: int
    unchanged: int


def list_items(context: Context, kind: str, *, published_only: bool = False) -> list[ContentItem]:
    """Return the items of a kind in their order."""
    with context.store.read() as work:
        return work.content.all(kind_of(kind).name, published_only=published_only)


def show_item(context: Context, kind: str, text: str) -> ContentItem:
    """Return the item with that id or slug, or with a unique prefix of either.

    Raises:
        NotFound: no item matches.
        Conflict: several items match.
    """
    with context.store.read() as work:
        return work.content.find(kind_of(kind).name, text)


def export_items(context: Context, kind: str) -> list[Document]:
    """Return the documents of a kind; importing them again changes nothing."""
    return [document_of(item) for item in list_items(context, kind)]


def document_of(item: ContentItem) -> Document:
    """Return an item as in files, with its ``published`` key if it is hidden."""
    fields = kind_of(item.kind).fields
    document = {**arrange(fields, item.doc), **languages_in(fields, item.doc)}
    if not item.published:
        document[PUBLISHED] = False
    return document


def find_project_titled(context: Context, title: str) -> str | None:
    """Return the slug of a project with that title, if there is one."""
    with context.store.read() as work:
        known = {fold(str(item.doc["title"])): item.slug for item in work.content.all(PROJECTS)}
    return known.get(fold(title))


def add_item(
    context: Context, kind: str, document: Mapping[str, Any], *, published: bool = False
) -> ContentItem | Approval:
    """Add a new item; it waits for another operator if it says where to send money.

    Raises:
        Conflict: its id or slug is taken.
        InvalidInput: a value breaks a rule.
    """
    with context.store.write() as work:
        editor = ContentEditor(context, work, kind_of(kind))
        doc = editor.complete(document)
        if doc["id"] in editor.items:
            raise Conflict(f"There is a {editor.kind.noun} '{doc['id']}' already; edit it instead.")
        return editor.put_or_wait(doc, published=published, position=editor.next_position())


def edit_item(
    context: Context,
    kind: str,
    text: str,
    changes: Mapping[str, Any],
    *,
    language: Language | None = None,
    checked: bool = False,
) -> ContentItem | Approval:
    """Change some keys of an item, or of its texts in a language; None removes a key.

    A shown item that says anew where to send money waits for another operator.
    With `checked`, the texts in that language count as translated from the originals of now.

    Raises:
        NotFound: there is no such item.
        InvalidInput: a value breaks a rule.
    """
    with context.store.write() as work:
        editor = ContentEditor(context, work, kind_of(kind))
        item = work.content.find(kind, text)
        return editor.put_or_wait(
            editor.complete({**item.doc, **changes_in(item.doc, changes, language)}),
            published=item.published,
            position=item.position,
            checked=(language,) if checked and language is not None else (),
        )


def publish_item(
    context: Context, kind: str, text: str, *, published: bool = True
) -> ContentItem | Approval:
    """Publish or hide an item; one that says where to send money waits for another operator."""
    with context.store.write() as work:
        editor = ContentEditor(context, work, kind_of(kind))
        item = work.content.find(kind, text)
        return editor.put_or_wait(dict(item.doc), published=published, position=item.position)


def remove_item(context: Context, kind: str, text: str) -> ContentItem:
    """Remove an item; earlier reports keep it as it was.

    Raises:
        NotFound: there is no such item.
        Conflict: something refers to it; it can be hidden.
    """
    with context.store.write() as work:
        item = work.content.find(kind, text)
        uses = list(uses_of(work, item))
        if uses:
            raise Conflict(
                f"The {kind_of(kind).noun} '{item.slug}' cannot be removed: {', '.join(uses)}. "
                f"`jara {kind_of(kind).command} publish {item.slug} --hide` hides it."
            )
        remove_unused(context, work, item)
    return item


def remove_unused(context: Context, work: UnitOfWork, item: ContentItem) -> None:
    """Remove an item that nothing refers to, in a transaction."""
    work.content.remove(item, at=context.now())
    record_act(context, work, f"{item.kind}.remove", item.id)


def uses_of(work: UnitOfWork, item: ContentItem) -> Iterator[str]:
    """Yield what refers to an item: payments, a vote, updates, approvals."""
    if item.kind not in {PROJECTS, kinds.GRANTS, kinds.DONATIONS}:
        return
    account = item.account
    if work.journal.balances(accounts=(account,)):
        yield f"it was paid through '{account}'"
    proposal = item.doc.get("proposal")
    if proposal and work.commitments.get(str(proposal)) is not None:
        yield f"the vote '{proposal}' decided on it"
    if item.kind == PROJECTS:
        updates = [one for one in work.content.all(UPDATES) if one.doc["project"] == item.slug]
        if updates:
            yield f"the update '{updates[0].id}' is about it"
        if any(link.project == item.slug for link in work.field.links()):
            yield "a partner has a link for it"
    for approval in work.operations.approvals(waiting_only=True):
        if (approval.payload.get("payee"), approval.payload.get("slug")) == (item.kind, item.slug):
            yield f"{approval.id} waits to pay it"


def import_items(
    context: Context, kind: str, documents: Iterable[Mapping[str, Any]]
) -> ImportResult:
    """Import a file, all of it or nothing; unchanged items are left alone.

    Known items share the positions they have, in the file's order. New ones come last and are
    published unless the file says otherwise. A project may contain its field updates.

    Raises:
        InvalidInput: an item breaks a rule or occurs twice; nothing was imported.
    """
    with context.store.write() as work:
        editor = ContentEditor(context, work, kind_of(kind))
        countries = context.rules.countries
        known = [editor.kind.with_country_codes(document, countries) for document in documents]
        own, updates = _split_updates(kind, known, context.rules.languages)
        result = _take_over(editor, own)
        if updates:
            more = _take_over(ContentEditor(context, work, kinds.KINDS[UPDATES]), updates)
            result = ImportResult(*map(sum, zip(result, more, strict=True)))
        return result


class ContentEditor:
    """Changes the items of one kind in a write transaction."""

    def __init__(self, context: Context, work: UnitOfWork, kind: ContentKind) -> None:
        self._context = context
        self._work = work
        self.kind = kind
        self.items = {item.id: item for item in work.content.all(kind.name)}
        self._documents = {item.id: item.doc for item in self.items.values()}

    def next_position(self) -> int:
        """Return the position after the last item."""
        return 1 + max((item.position for item in self.items.values()), default=0)

    def complete(self, document: Mapping[str, Any]) -> Document:
        """Return a document as it is stored; a country may be named in any usual form.

        Raises:
            InvalidInput: a value breaks a rule.
        """
        rules = self._context.rules
        coded = self.kind.with_country_codes(document, rules.countries)
        if self.kind.name == UPDATES:  # it may name its project by the id
            named = self._work.content.get(PROJECTS, str(coded.get("project")))
            coded = coded if named is None else {**coded, "project": named.slug}
        return self.kind.complete(coded, rules.languages, self._documents)

    def as_published(self, document: Mapping[str, Any]) -> Document:
        """Return a stored document as pages are filled with it; it may be older than its checks.

        Raises:
            InvalidInput: a value breaks a rule of today.
        """
        return self.kind.complete(document, self._context.rules.languages)

    def put_or_wait(
        self,
        document: Document,
        *,
        published: bool,
        position: int,
        checked: Collection[Language] = (),
    ) -> ContentItem | Approval:
        """Store a complete document; what says where to send money waits for another operator.

        Raises:
            Refused: it needs another, and the acting operator's signature does not count for such.
        """
        is_approved = self._context.approved is not None
        if is_approved or self._needs_another(document, published=published):
            before = self.items.get(document["id"])
            if not is_approved:
                authorise(self._context, self._work, "approvals.prepare")
            waiting = require_approval(
                self._context,
                self._work,
                action=f"{self.kind.name}.{'add' if before is None else 'edit'}",
                payload={
                    "item": document["id"],
                    "published": published,
                    "position": position,
                    "checked": list(checked),
                    "document": document,
                    "before": None if before is None else document_of(before),
                },
                why="",
                touches=(Touch.HEARING,),
            )
            if waiting is not None:
                return waiting
        return self._store(document, published=published, position=position, checked=checked)

    def put(
        self,
        document: Document,
        *,
        published: bool,
        position: int,
        is_news: bool = True,
        checked: Collection[Language] = (),
    ) -> ContentItem:
        """Store a complete document; without a change nothing is recorded.

        What is new in it causes news, unless it is no news. Texts in the languages `checked`
        count as translated from the originals of now.

        Raises:
            Conflict: it says where to send money, and another operator must sign that.
        """
        if self._needs_another(document, published=published):
            raise Conflict(
                f"The {self.kind.noun} '{document['id']}' says where to send money, which another "
                f"operator must sign: hide it, then jara {self.kind.command} publish "
                f"{document['id']}"
            )
        return self._store(
            document, published=published, position=position, is_news=is_news, checked=checked
        )

    def _needs_another(self, document: Document, *, published: bool) -> bool:
        """Return whether a document says anew, on the site, where to send money."""
        action, touches = f"{self.kind.name}.edit", (Touch.HEARING,)
        if not published or not needs_another(self._context, self._work, action, touches):
            return False
        before, site = self.items.get(document["id"]), own_site(self._work)
        read = {key: value for key, value in document.items() if key not in DERIVED}
        shown = pay_details(before.doc, site) if before and before.published else frozenset()
        return bool(pay_details(read, site) - shown)

    def _store(
        self,
        document: Document,
        *,
        published: bool,
        position: int,
        is_news: bool = True,
        checked: Collection[Language] = (),
    ) -> ContentItem:
        before, known = self.items.get(document["id"]), self._documents.get(document["id"], {})
        if published:
            document = self.as_published(document)
        doc = note_originals(self.kind.fields, document, known, checked=checked)
        slug = str(document.get("slug", document["id"]))
        item = ContentItem(self.kind.name, document["id"], slug, position, published, doc)
        if before is not None and item == before:
            return before
        self._check_place(item, before)
        self._work.content.put(item, at=self._context.now())
        self._record(before, item)
        if self.kind.name == PROJECTS and doc.get("proposal"):
            self._work.log.note_plan(milestones_leaf(doc["proposal"], milestones_of(doc)))
        if is_news:
            self._cause_news(before, item)
        self.items[item.id], self._documents[item.id] = item, item.doc
        return item

    def is_news(self, document: Document) -> bool:
        """Return whether what a file brings is news: no sample, and no update of long ago."""
        if document.get("sample"):
            return False
        if self.kind.name != UPDATES:
            return True
        return self._context.today() - date.fromisoformat(document["date"]) <= TOLD_WITHIN

    def _cause_news(self, before: ContentItem | None, after: ContentItem) -> None:
        is_shown = after.published and (before is None or not before.published)
        if self.kind.name == UPDATES and is_shown:
            self._cause("update", after.id, update=after.id, project=after.doc["project"])
        elif self.kind.name == kinds.EVENTS and is_shown:
            self._cause("event", after.id, event=after.id)
        elif self.kind.name == PROJECTS and before is not None:
            for milestone in sorted(_done(after) - _done(before)):
                name = f"{after.slug}:{milestone}"
                self._cause("milestone", name, milestone=milestone, project=after.slug)
            if is_shown:  # what happened while it was hidden is told now
                tell_again(self._context, self._work, "project", after.slug)

    def _cause(self, kind: str, name: str, **about: str) -> None:
        cause_news(self._context, self._work, kind, name, **about)

    def _check_place(self, item: ContentItem, before: ContentItem | None) -> None:
        if before is not None and before.slug != item.slug:
            raise Conflict(
                f"The {self.kind.noun} '{item.id}' is '{before.slug}' in links and in the "
                f"ledger; it cannot become '{item.slug}'."
            )
        for other in self.items.values():
            if other.slug == item.slug and other.id != item.id:
                raise Conflict(
                    f"The {self.kind.noun} '{other.id}' has the slug '{item.slug}' already."
                )
        if self.kind.name == UPDATES:
            self._check_project(item, before)

    def _check_project(self, item: ContentItem, before: ContentItem | None) -> None:
        slug = item.doc["project"]
        known = [project.slug for project in self._work.content.all(PROJECTS)]
        if slug not in known:
            near = did_you_mean(nearest_names(slug, known))
            raise NotFound(f"The update '{item.id}' names the unknown project '{slug}'.{near}")
        if before is not None and before.doc["project"] != slug:
            raise Conflict(
                f"The update '{item.id}' belongs to the project '{before.doc['project']}' already; "
                "give the other one its own id."
            )

    def _record(self, before: ContentItem | None, after: ContentItem) -> None:
        old: Mapping[str, Any] = {} if before is None else before.doc
        changed = [key for key in {**old, **after.doc} if old.get(key) != after.doc.get(key)]
        shown = [] if self.kind.name == kinds.TEAM else changed  # its values are personal data
        was_public = {} if before is None else {PUBLISHED: before.published}
        record_act(
            self._context,
            self._work,
            f"{self.kind.name}.{'add' if before is None else 'edit'}",
            after.id,
            changed=changed,
            before={**_excerpt(old, shown), **was_public},
            facts={**_excerpt(after.doc, shown), PUBLISHED: after.published},
        )


def _done(project: ContentItem) -> set[str]:
    """Return the ids of the completed milestones of a project."""
    return {one["id"] for one in project.doc.get("milestones", ()) if one.get("completed")}


def _excerpt(document: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """Return some values for the audit log, a long text cut short."""
    values = {key: document[key] for key in keys if key in document}
    return {
        key: value[:EXCERPT_CHARACTERS] if isinstance(value, str) else value
        for key, value in values.items()
    }


def _split_updates(
    kind: str, documents: Iterable[Mapping[str, Any]], languages: Collection[Language]
) -> tuple[list[Document], list[Document]]:
    """Separate the field updates from the projects that contain them."""
    own = [dict(document) for document in documents]
    updates: list[Document] = []
    for document in own if kind == PROJECTS else ():
        brought = document.pop("updates", None) or []
        slug = kinds.KINDS[PROJECTS].complete(
            {key: value for key, value in document.items() if key != PUBLISHED}, languages
        )["slug"]
        if not isinstance(brought, list) or not all(isinstance(u, Mapping) for u in brought):
            raise InvalidInput(f"'updates' of the project '{slug}' must be a list of items.")
        sample = {"sample": True} if document.get("sample") is True else {}
        updates += [{**sample, **update, "project": slug} for update in brought]
    return own, updates


def _take_over(editor: ContentEditor, documents: list[Document]) -> ImportResult:
    wanted: dict[str, tuple[Document, bool]] = {}
    for document in documents:
        public = document.pop(PUBLISHED, None)
        doc = editor.complete(document)
        if public is not None and not isinstance(public, bool):
            raise InvalidInput(
                f"'published' of the {editor.kind.noun} '{doc['id']}' is {public!r}; it must be "
                "true or false."
            )
        if doc["id"] in wanted:
            raise InvalidInput(f"The {editor.kind.noun} '{doc['id']}' is in the file twice.")
        known = editor.items.get(doc["id"])
        stays = True if known is None else known.published
        wanted[doc["id"]] = (doc, stays if public is None else public)
    before = dict(editor.items)
    for position, (doc, public) in zip(_places(editor, wanted), wanted.values(), strict=True):
        editor.put(doc, published=public, position=position, is_news=editor.is_news(doc))
    changed = [item for item in before if editor.items[item] != before[item]]
    added = len(editor.items) - len(before)
    return ImportResult(
        read=len(wanted),
        added=added,
        changed=len(changed),
        unchanged=len(wanted) - added - len(changed),
    )


def _places(editor: ContentEditor, wanted: Mapping[str, object]) -> list[int]:
    """Return the positions of the file's items: those they have already, then new ones."""
    held = sorted(editor.items[item].position for item in wanted if item in editor.items)
    first = editor.next_position()
    return [*held, *range(first, first + len(wanted) - len(held))]


def _put_approved(kind: str) -> Handler:
    """Return what stores an approved document, unless its item was changed since."""

    def put(context: Context, payload: Mapping[str, Any]) -> object:
        with context.store.write() as work:
            editor = ContentEditor(context, work, kind_of(kind))
            now = editor.items.get(payload["item"])
            if (None if now is None else document_of(now)) != payload["before"]:
                raise Conflict(f"The {editor.kind.noun} '{payload['item']}' was changed since.")
            return editor.put_or_wait(
                payload["document"],
                published=payload["published"],
                position=payload["position"],
                checked=[Language(code) for code in payload["checked"]],
            )

    return put


HANDLERS: Mapping[str, Handler] = {
    f"{kind}.{change}": _put_approved(kind) for kind in kinds.KINDS for change in ("add", "edit")
}
