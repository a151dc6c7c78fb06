"""``jara rehearse``: try with Stripe's test keys what Jara relies on."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.rehearsals import (
    ROWS,
    Rehearsal,
    Row,
    RowResult,
    Verdict,
    choose_rows,
    is_rehearsal,
    open_rehearsal,
    read_rehearsal,
)
from jara.domain.errors import InvalidInput, Unavailable
from jara.services.operations.payment_account import record_rehearsal
from jara_cli.columns import Column, Kind
from jara_cli.inputs import open_input
from jara_cli.options import argument, flag, option
from jara_cli.output import note, show_progress
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)

KeyFile = Annotated[str, option("FILE", "A file with the secret key of test mode.")]
File = Annotated[str, argument("FILE", "What `jara rehearse stripe` wrote.")]


@verb(
    app,
    Column("row", "Row"),
    Column("verdict", "Verdict"),
    Column("seen", "What was seen", Kind.SENTENCE),
    any_mode=True,
)
def stripe(
    application: Application,
    key_file: KeyFile,
    only: Annotated[list[str] | None, option("ROW", "Only this row; may be repeated.")] = None,
    out: Annotated[Path, option("FILE", "Requests, answers and verdicts are added here.")] = Path(
        "rehearsal.jsonl"
    ),
    clean: Annotated[
        bool, flag("--clean", "Only remove what an interrupted rehearsal left.")
    ] = False,
) -> Answer:
    """Try each row of docs/payments.md in Stripe's test mode; it takes about ten minutes.

    It needs no organisation. Each row has a test clock, which is deleted with its customers at
    the end; product, price and portal are those of `jara stripe setup`, and stay. A key of live
    mode is refused before anything is sent. `unseen` is a row that this account cannot show yet.
    Exits with 1 if a row differs or failed.

    Examples:
      jara rehearse stripe --key-file test.key
      jara rehearse stripe --key-file test.key --only paid-now --out again.jsonl
      jara rehearse stripe --key-file test.key --clean
    """
    rows = choose_rows(ROWS, only or ())
    ask = _ask if sys.stdin.isatty() else lambda _: False
    rehearsal = open_rehearsal(application, _read_key(key_file), ask=ask)
    if clean:
        removed = list(rehearsal.clean())
        return Answer({"removed": removed}, view=f"Removed: {', '.join(removed) or 'nothing'}.\n")
    results = _run(rehearsal, rows, out)
    counts = {verdict: sum(one.verdict is verdict for one in results) for verdict in Verdict}
    told = ", ".join(f"{verdict}: {count}" for verdict, count in counts.items() if count)
    well = not counts[Verdict.DIFFERS] and not counts[Verdict.FAILED]
    return Answer(
        results,
        notes=[
            f"{told}; written to {out}.",
            *([f"In the organisation: jara rehearse record {out}"] if well and not only else []),
        ],
        ok=well,
    )


@verb(app, Column("apiVersion", "Stripe's version"), Column("day", "Rehearsed on"))
def record(application: Application, file: File) -> Answer:
    """Record in the organisation that a rehearsal held, for `jara doctor`.

    Every row must be in the file, and none may differ or have failed.

    Example: jara rehearse record rehearsal.jsonl
    """
    with open_input(file) as stream:
        version, day, unseen = read_rehearsal(stream, ROWS)
    record_rehearsal(application.context, version=version, day=day)
    return Answer(
        {"apiVersion": version, "day": day, "unseen": unseen},
        notes=[f"Not seen yet: {', '.join(unseen)}."] if unseen else [],
    )


def _read_key(key_file: str) -> str:
    with open_input(key_file) as stream:
        return stream.read(1000).decode(errors="replace").strip()


def _run(rehearsal: Rehearsal, rows: dict[str, Row], out: Path) -> list[RowResult]:
    results = []
    try:
        with out.open("a+", encoding="utf-8") as stream:
            stream.seek(0)
            if not is_rehearsal(stream.readline()):
                raise InvalidInput(f"'{out}' is another kind of file; name a new one with --out.")
            if stream.seek(0, os.SEEK_END):
                stream.write("\n")  # a kill may have cut the last line
            with show_progress("Rehearsing", total=len(rows)) as advance:
                for result in rehearsal.run(rows, stream):
                    results.append(result)
                    advance(1)
    except OSError as error:
        raise Unavailable(f"'{out}' cannot be written: {error.strerror}.") from error
    return results


def _ask(sentence: str) -> bool:
    """Ask a person to do something in a browser; False if they do not want to."""
    note(sentence)
    note("Press Enter once it is done; type n to leave it out.")
    return input().strip().lower() != "n"
