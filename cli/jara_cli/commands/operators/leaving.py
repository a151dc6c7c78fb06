"""``jara operators remove`` and ``handover``: what hangs on a person, and how each goes on."""

from typing import Annotated, cast

import typer

from jara.bootstrap import Application
from jara.bootstrap.transfer import describe_installation
from jara.documents import Document
from jara.records.operations import Approval, Operator
from jara.services.context import Context
from jara.services.operations.handing_over import list_handover, list_hanging
from jara.services.operations.operators import ListedOperator, list_operators, remove_operator
from jara_cli.columns import Column, Kind
from jara_cli.context import config_path
from jara_cli.options import Why, Yes, argument, confirm, option
from jara_cli.output import note
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, argument("NAME", "The operator's short name, as in JARA_OPERATOR.")]

OPERATORS = (
    Column("id", "Name"),
    Column("addedAt", "Added", Kind.DATE),
    Column("removedAt", "Removed", Kind.DATE),
    Column("email", "Email", rank=1),
    Column("roles", "Roles"),
    Column("key", "Key"),
)
_STEPS = (
    Column("title", "Step"),
    Column("state", "State"),
    Column("what", "What", Kind.SENTENCE),
    Column("how", "How", Kind.SENTENCE),
)


@verb(app, *OPERATORS)
def remove(
    context: Context,
    name: Name,
    key: Annotated[str | None, option("SHA256:…", "Only this key, by its fingerprint.")] = None,
    why: Why = "",
    yes: Yes = False,
) -> Answer:
    """Remove an operator or one of their keys; their actions stay in the audit log.

    First it says what hangs on the person, and how each goes on: acts that wait, mailboxes, what
    nobody else can do. `jara operators handover` lists what else is handed over.

    Example: jara operators remove ada --why "moved on" --yes
    """
    hanging = list_hanging(context, name, key=key)
    for one in hanging:
        note(one.what)
        note(f"  {one.how}")
    confirm(f"Remove the operator '{name}'?", yes=yes)
    answer = changed_answer(context, remove_operator(context, name, key=key, why=why))
    return answer._replace(document={**cast("Document", answer.document), "hanging": hanging})


@verb(app, *_STEPS)
def handover(application: Application, ctx: typer.Context, name: Name) -> Answer:
    """List what an operator who leaves hands over: the steps of docs/handover.md, filled in.

    It changes nothing. A step is done, to do, or to check, where nothing here can tell.

    Example: jara operators handover ada
    """
    place = describe_installation(application, config_path(ctx))
    return Answer(list_handover(application.context, name, place))


def changed_answer(context: Context, done: Operator | Approval) -> Answer:
    """Return the answer of a command that changed an operator, or that waits for others."""
    if isinstance(done, Approval):
        return waiting(done)
    (listed,) = (one for one in list_operators(context) if one.operator.name == done.name)
    document = document_of(listed)
    return Answer(document, view=key_rows(document))


def document_of(listed: ListedOperator) -> Document:
    """Return an operator as ``--json`` shows them."""
    return {
        "id": listed.operator.name,
        "addedAt": listed.operator.added_at,
        "removedAt": listed.operator.removed_at,
        "email": listed.operator.email,
        "keys": [
            {"key": key.fingerprint, "kind": key.kind, "roles": key.roles} for key in listed.keys
        ],
    }


def key_rows(operator: Document) -> list[Document]:
    """Return a row for each key of an operator; one without a key has one row."""
    return [{**operator, **key} for key in operator["keys"] or [{}]]
