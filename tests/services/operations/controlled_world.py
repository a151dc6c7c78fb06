"""An organisation whose operators have keys, a limit of ten dollars, and its bundle."""

import io
import shutil
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import date
from pathlib import Path

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, PostedEntry
from jara.files.publiclog.bundle import bundle_pieces
from jara.records.operations import Approval
from jara.services.context import Context, Rules
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.publiclog.proofs import bundle_contents, make_checkpoint
from tests.fakes.operators import acting, enrol, waits
from tests.harness import make_organisation
from tests.services.books.ledger_builders import a_move, give, post

LIMIT_CENTS = 1000
ROLES = {
    "ada": "admin",
    "ben": "approver",
    "kit": "bookkeeper",
    "eve": "editor",
    "ann": "auditor",
    "scheduler": "scheduler",
}


def make_controlled(place: Path) -> Context:
    """Return an organisation with money, six keys, and a limit of $10."""
    context = make_organisation(place, rules=Rules(approval_cents=LIMIT_CENTS))
    give(context, 100_000)
    enrol(context, **ROLES)
    return replace(context, rules=Rules())  # the log holds the limit now


def grant(
    context: Context, name: str, cents: int = LIMIT_CENTS, *, slug: str = "school"
) -> PostedEntry | Approval:
    """Post a grant payment as an operator's command does."""
    payment = Disbursement(Payee.GRANTS, slug, cents, day=date(2026, 11, 19))
    return disburse(acting(context, name), payment)


def waiting_grant(context: Context, name: str = "kit", cents: int = LIMIT_CENTS) -> Approval:
    """Return a grant payment that waits for approval."""
    return waits(grant(context, name, cents))


def forge_grant(
    context: Context, cents: int = LIMIT_CENTS, *, day: date = date(2026, 11, 19)
) -> int:
    """Write a payout to books and log with a foreign program; return its log index."""
    kind, fund = EntryKind.DISBURSEMENT, Fund.PROJECTS
    entry = a_move(cents, "expenses:grants:school", fund=fund, kind=kind, day=day)
    return post(context, entry).index


def verify(
    context: Context,
    folder: Path,
    *,
    drop: int | None = None,
    sign: bool = True,
    whole: bool = True,
    by: str = "scheduler",
) -> tuple[int, str]:
    """Check the bundle with the verifier; return its status and output.

    Args:
        context: the organisation.
        folder: where the bundle is written.
        drop: a leaf to remove from the bundle.
        whole: with entries, for contributors; without them, for visitors.
        sign: make a checkpoint first, as the daily run does.
        by: who makes the checkpoint.
    """
    if sign:
        make_checkpoint(acting(context, by))
    tar = folder / "bundle.tar"
    with context.store.read() as work, tar.open("wb") as file:
        file.writelines(bundle_pieces(bundle_contents(context, work, whole=whole)))
    place = tar if drop is None else _without_leaf(tar, folder / "unpacked", drop)
    out = io.StringIO()
    with redirect_stdout(out):
        status = jara_verify.main([str(place)])
    return status, out.getvalue()


def assert_good(context: Context, folder: Path, *, by: str = "scheduler") -> None:
    """Check that the verifier finds nothing, in the control of acts neither."""
    status, out = verify(context, folder, by=by)
    assert (status, "ok      control" in out) == (0, True), out


def _without_leaf(tar: Path, folder: Path, index: int) -> Path:
    shutil.unpack_archive(tar, folder)
    entries = folder / "entries.ndjson"
    lines = entries.read_bytes().splitlines(keepends=True)
    entries.write_bytes(b"".join(lines[:index] + lines[index + 1 :]))
    return folder
