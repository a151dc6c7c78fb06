"""The kinds of content (spec §3): each field is declared here and nowhere else in Python.

The check of files and commands, the lists of the command line, the API's addresses and
its OpenAPI document follow from this table. To add a field to projects, add one line::

    Field("altitude", Form.COUNT, minimum=0),

A field with words may be translated, unless it is ``verbatim`` (``translations.py``).

To add a kind, add one ``ContentKind`` to ``KINDS``. The database stores documents, so
neither needs a migration.

The text of a proposal is a kind too, but not in ``KINDS``: what can be done with it is a vote's.
"""

from jara.domain.books.account import PAYEE_PARENTS
from jara.domain.content.fields import Document, Field, Form
from jara.domain.content.schema import MEASURE, ContentKind
from jara.domain.content.values import Category
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.projects import ProjectStatus

PROJECTS = "projects"
GRANTS = "grants"
DONATIONS = "donations"
UPDATES = "updates"
EVENTS = "events"
ROADMAP = "roadmap"
CLAIMS = "claims"
TEAM = "team"


def _check_ids(document: Document) -> None:
    for key in ("milestones", "measures"):
        names = [part["id"] for part in document.get(key, ())]
        for name in names:
            if names.count(name) > 1:
                raise InvalidInput(f"Two {key} have the id '{name}'; each needs its own.")


def _check_project(document: Document) -> None:
    _check_ids(document)
    measures = {part["id"] for part in document.get("measures", ())}
    for part in document.get("measurements", ()):
        if part["measure"] not in measures:
            known = ", ".join(sorted(measures)) or "none yet"
            raise InvalidInput(
                f"A value is of the measure '{part['measure']}'; its measures are: {known}."
            )


def _check_event(document: Document) -> None:
    if document.get("endDate", document["date"]) < document["date"]:
        raise InvalidInput(
            f"it ends on {document['endDate']}, before it starts on {document['date']}."
        )
    begins, ends = document.get("time"), document.get("endTime")
    is_one_day = document.get("endDate", document["date"]) == document["date"]
    if begins and ends and is_one_day and ends < begins:
        raise InvalidInput(f"it ends at {ends}, before it starts at {begins}.")


_ID = Field("id", Form.SLUG, required=True)
_SLUG = Field("slug", Form.SLUG, required=True)
_SAMPLE = Field("sample", Form.FLAG)
AT_CLOSE = "at-close"
"""The figures of a vote whose counts nobody sees before the close; by default they are live."""
_CATEGORY = Field("category", required=True, choices=tuple(Category))
_ACCOUNT = Field("account", Form.ACCOUNT)
_MONEY = (
    Field("amount", verbatim=True),
    Field("amountCents", Form.CENTS, required=True, minimum=1),
    _ACCOUNT,
)
_MILESTONE = (
    Field("id", Form.LINE, required=True, verbatim=True),
    Field("date", Form.DAY, required=True),
    Field("title", Form.LINE, required=True),
    Field("costCents", Form.CENTS, required=True, minimum=0),
    Field("images", Form.URLS),
    Field("completed", Form.FLAG),
    Field("completedOn", Form.DAY),
    Field("evidence", Form.URLS),
)
_MEASUREMENT = (
    Field("measure", Form.LINE, required=True, verbatim=True),
    Field("value", Form.NUMBER, required=True),
    Field("date", Form.DAY, required=True),
    Field("note"),
)

_PROJECT = ContentKind(
    PROJECTS,
    PROJECTS,
    "project",
    "What is funded: content, payouts, milestones, evidence.",
    (
        _ID,
        _SLUG,
        Field("title", Form.LINE, required=True),
        Field("location", Form.COUNTRY),
        Field("status", required=True, choices=tuple(ProjectStatus)),
        _CATEGORY,
        Field("imageUrl", Form.URL),
        Field("completion"),
        Field("progress", Form.COUNT, minimum=0, maximum=100),
        Field("summary"),
        Field("fundingGoalCents", Form.CENTS),
        Field("capitalUsedCents", Form.CENTS, minimum=0),
        _ACCOUNT,
        Field("proposal", verbatim=True),
        Field("story", Form.HTML),
        Field("milestones", Form.ITEMS, fields=_MILESTONE),
        Field("measures", Form.ITEMS, fields=MEASURE),
        Field("measurements", Form.ITEMS, fields=_MEASUREMENT),
        _SAMPLE,
    ),
    account=PAYEE_PARENTS[0],
    check=_check_project,
    columns={"title": "Title", "status": "Status", "location": "Place", "fundingGoalCents": "Goal"},
    card=(
        *("id", "slug", "title", "location", "status", "category", "imageUrl", "summary"),
        *("completion", "progress", "fundingGoalCents", "capitalUsedCents", "sample"),
    ),
    is_listed=False,
)
_GRANT = ContentKind(
    GRANTS,
    GRANTS,
    "grant",
    "Grants made to others.",
    (
        _ID,
        _SLUG,
        Field("name", Form.LINE, required=True),
        Field("project", Form.LINE, required=True),
        Field("description", empty=""),
        Field("location"),
        Field("regionCode", Form.COUNTRY),
        _CATEGORY,
        Field("icon", verbatim=True),
        *_MONEY,
        Field("imageUrl", Form.URL),
        _SAMPLE,
    ),
    title="project",
    account=PAYEE_PARENTS[1],
    columns={"name": "Name", "project": "Project", "regionCode": "Region", "amountCents": "Amount"},
)
_DONATION = ContentKind(
    DONATIONS,
    DONATIONS,
    "donation",
    "Donations made to others.",
    (
        _ID,
        _SLUG,
        Field("code", Form.COUNTRY, required=True),
        Field("title", Form.LINE, required=True),
        *_MONEY,
        _SAMPLE,
    ),
    account=PAYEE_PARENTS[2],
    columns={"code": "Country", "title": "Title", "amountCents": "Amount"},
    card=("code", "title", "amount", "amountCents"),
    is_listed=False,
)
_UPDATE = ContentKind(
    UPDATES,
    UPDATES,
    "update",
    "Field updates of the projects.",
    (
        _ID,
        Field("project", required=True, verbatim=True),
        Field("title", Form.LINE, required=True),
        Field("author", Form.LINE, required=True),
        Field("date", Form.DAY, required=True),
        Field("content", Form.HTML, required=True),
        Field("milestone", Form.LINE, verbatim=True),
        Field("images", Form.URLS),
        Field("place", Form.LINE),
        _SAMPLE,
    ),
    columns={"date": "Date", "project": "Project", "title": "Title", "author": "Author"},
    is_listed=False,
)
_EVENT = ContentKind(
    EVENTS,
    EVENTS,
    "event",
    "Events of the community.",
    (
        _ID,
        Field("title", Form.LINE, required=True),
        Field("date", Form.DAY, required=True),
        Field("time", Form.TIME),
        Field("endDate", Form.DAY),
        Field("endTime", Form.TIME),
        Field("place"),
        Field("link", Form.URL),
        Field("description"),
        _SAMPLE,
    ),
    check=_check_event,
    columns={"date": "Date", "time": "Time", "title": "Title", "place": "Place"},
)
_TEAM_MEMBER = ContentKind(
    TEAM,
    TEAM,
    "team member",
    "Trustees and the operational team.",
    (
        _ID,
        Field("group", required=True, choices=("trustees", "operations")),
        Field("name", Form.LINE, required=True, verbatim=True),
        Field("role", Form.LINE, required=True),
        Field("image", Form.URL),
        Field("linkedinUrl", Form.URL),
        _SAMPLE,
    ),
    title="name",
    columns={"name": "Name", "role": "Role", "group": "Group"},
)
_FAQ = ContentKind(
    "faqs",
    "faqs",
    "question",
    "Questions and answers.",
    (
        _ID,
        Field("question", Form.LINE, required=True),
        Field("answer", required=True),
        Field("onHome", Form.FLAG, empty=False),
        _SAMPLE,
    ),
    title="question",
    columns={"question": "Question", "onHome": "On home page"},
)
_ROADMAP_ITEM = ContentKind(
    ROADMAP,
    ROADMAP,
    "act",
    "What is planned.",
    (
        _ID,
        Field("title", Form.LINE, required=True),
        Field("status", required=True, choices=("Complete", "In Progress")),
        Field("description"),
        Field("completedOn", Form.DAY),
        Field("measure", choices=("changemakers", "monthlyIncome")),
        Field("targetCount", Form.COUNT),
        Field("targetCents", Form.CENTS),
        _SAMPLE,
    ),
    columns={"title": "Title", "status": "Status"},
)
_REGION = ContentKind(
    "regions",
    "regions",
    "region",
    "Where the money works.",
    (
        _ID,
        Field("name", Form.LINE, required=True),
        Field("status", required=True, choices=("Active", "Partial", "Not yet")),
        _SAMPLE,
    ),
    title="name",
    columns={"name": "Name", "status": "Status"},
)
_CLAIM = ContentKind(
    CLAIMS,
    "content",
    "claim",
    "Figures and texts of the website.",
    (
        _ID,
        Field("figure", Form.LINE, required=True),
        Field("label", Form.LINE, required=True),
        Field("amountCents", Form.CENTS),
        Field("count", Form.COUNT),
        _SAMPLE,
    ),
    title="label",
    columns={"figure": "Figure", "label": "Text"},
    is_listed=False,
)

_BUDGET_LINE = (
    Field("description", Form.LINE, required=True),
    Field("amountCents", Form.CENTS, required=True, minimum=1),
)
_SUBMITTER = (
    Field("name", Form.LINE, verbatim=True, empty=None),
    Field("linkedinUrl", Form.URL, empty=""),
    Field("image", Form.URL, empty=None),
)
PROPOSAL = ContentKind(
    "proposals",
    "proposals",
    "proposal",
    "Projects that members vote on.",
    (
        Field("id", Form.ID, required=True),
        _SLUG,
        Field("title", Form.LINE, required=True),
        Field("endDate", required=True, verbatim=True),
        _CATEGORY,
        Field("country", Form.LINE, required=True, verbatim=True),
        Field("countryCode", Form.COUNTRY, empty=""),
        Field("fundingGoalCents", Form.CENTS, required=True, minimum=1),
        Field("summary", required=True),
        Field("submitters", Form.ITEMS, fields=_SUBMITTER, empty=()),
        Field("storySections", Form.HTML, empty=""),
        Field("implementation", Form.HTML, empty=""),
        Field("budgetList", Form.ITEMS, fields=_BUDGET_LINE, empty=()),
        Field("metrics", Form.TEXTS, empty=()),
        Field("measures", Form.ITEMS, fields=MEASURE, empty=()),
        Field("figures", choices=("live", AT_CLOSE)),
        _SAMPLE,
    ),
    check=_check_ids,
    columns={"title": "Title", "endDate": "Ends", "fundingGoalCents": "Goal"},
)
"""The text of a proposal: what members vote on, and what operators translate."""

KINDS = {
    kind.name: kind
    for kind in (
        *(_PROJECT, _GRANT, _DONATION, _UPDATE, _EVENT),
        *(_TEAM_MEMBER, _FAQ, _ROADMAP_ITEM, _REGION, _CLAIM),
    )
}
"""Every kind by its name."""


def kind_of(name: str) -> ContentKind:
    """Return the kind of that name.

    Raises:
        NotFound: there is none.
    """
    if name not in KINDS:
        raise NotFound(f"There is no content '{name}'; the kinds are {', '.join(KINDS)}.")
    return KINDS[name]
