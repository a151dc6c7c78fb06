"""``jara members export``: all data about one member."""

from __future__ import annotations

import csv
import io
import json
from typing import Annotated, Any

import typer

from jara.documents import to_document
from jara.services.members.accounts import find_member
from jara.services.members.documents import (
    PAYMENT_COLUMNS,
    export_member,
    list_payments,
)
from jara.services.members.operators import act_for_member
from jara_cli.context import open_application
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag, OutPath

Who = Annotated[
    str, typer.Argument(metavar="MEMBER", help="Email address, or the id or its first characters.")
]


def export(
    ctx: typer.Context,
    member: Who,
    payments: Annotated[
        bool, typer.Option("--payments", help="Only the payment history, as CSV.")
    ] = False,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> None:
    """Export all data about a member as JSON, or the payments as CSV.

    \b
    Examples:
      jara members export ama@example.org --out ama.json
      jara members export ama@example.org --payments --out ama.csv
    """
    context = open_application(ctx).context
    found = find_member(context, member)

    def read() -> Any:  # noqa: ANN401 - a document
        if payments:
            return [to_document(payment) for payment in list_payments(context, found.id)]
        return export_member(context, found.id)

    held = act_for_member(context, "members.export", found, read)
    data = _as_csv(held) if payments and not as_json else _as_json(held)
    write_output(out, data.encode(), private=True)


def _as_json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _as_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, PAYMENT_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
