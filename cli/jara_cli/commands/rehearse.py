"""``jara rehearse``: try with Stripe's test keys what Jara relies on."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.rehearsals import ROWS, open_rehearsal, rehearsal
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
Out = Annotated[Path, option("FILE", "Requests, answers and verdicts are added here.")]


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
    out: Out = Path("rehearsal.jsonl"),
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
    rows = rehearsal.choose_rows(ROWS, only or ())
    ask = _ask if sys.stdin.isatty() else lambda _: False
    opened = open_rehearsal(application, _read_key(key_file), ask=ask)
    if clean:
        removed = list(opened.clean())
        return Answer({"removed": removed}, view=f"Removed: {', '.join(removed) or 'nothing'}.\n")
    results = _run(opened, rows, out)
    counts = Counter(one.verdict for one in results)
    told = ", ".join(f"{one}: {counts[one]}" for one in rehearsal.Verdict if counts[one])
    well = not counts[rehearsal.Verdict.DIFFERS] and not counts[rehearsal.Verdict.FAILED]
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

    Every row must be in the file, and none may differ or have failed. The recorded day is the
    earliest on which a row was last tried.

    Example: jara rehearse record rehearsal.jsonl
    """
    with open_input(file) as stream:
        version, day, unseen = rehearsal.read_rehearsal(stream, ROWS)
    record_rehearsal(application.context, version=version, day=day)
    return Answer(
        {"apiVersion": version, "day": day, "unseen": unseen},
        notes=[f"Not seen yet: {', '.join(unseen)}."] if unseen else [],
    )


def _read_key(key_file: str) -> str:
    with open_input(key_file) as stream:
        return stream.read(1000).decode(errors="replace").strip()


def _run(
    opened: rehearsal.Rehearsal, rows: dict[str, rehearsal.Row], out: Path
) -> list[rehearsal.RowResult]:
    results = []
    try:
        with out.open("a+", encoding="utf-8") as stream:
            stream.seek(0)
            if not rehearsal.is_rehearsal(stream.readline()):
                raise InvalidInput(f"'{out}' is another kind of file; name a new one with --out.")
            if stream.seek(0, os.SEEK_END):
                stream.write("\n")  # a kill may have cut the last line
            with show_progress("Rehearsing", total=len(rows)) as advance:
                for result in opened.run(rows, stream):
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
