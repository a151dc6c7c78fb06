"""Continuing the log after a restore from a backup.

Leaves published after the backup are lost. Others know a log with these leaves, so the restored
log continues under another name, and records that in a leaf.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.publiclog import notes
from jara.domain.publiclog.leaves import restore_leaf
from jara.domain.publiclog.notes import KeyChain
from jara.domain.publiclog.witnessing import Seen
from jara.services.audit import record_unattended
from jara.services.context import Context
from jara.services.log_keys import verification_key
from jara.services.publiclog.key_changes import append_key_change, finish_key_change
from jara.services.publiclog.proofs import add_checkpoint, newest_checkpoint, publish_checkpoints
from jara.store.store import UNFINISHED
from jara.store.unit_of_work import UnitOfWork

CONTINUED = "log"
"""Key of the state of a restore: the log as it was compared, once its leaf is appended."""
_NUMBERED = re.compile(r"(?P<base>.+)/restored-(?P<number>[1-9][0-9]{0,8})")


class RestoredLog(NamedTuple):
    """The log of a backup, compared with what is known of it."""

    size: int  # the number of leaves in the backup
    last: Seen | None  # the newest known checkpoint; None if there never was one
    is_whole: bool  # whether the backup contains everything up to it
    name: str  # the name of the log from now on

    @property
    def lost(self) -> int:
        """How many leaves are lost; 0 also if the backup has other leaves in their place."""
        return max(0, self.last.size - self.size) if self.last else 0


def read_checkpoints(context: Context, text: str, source: str) -> list[Seen]:
    """Return size and root of the checkpoints in a text, oldest first.

    Raises:
        InvalidInput: it holds none, or one that the log's key did not sign.
    """
    keys, found = KeyChain(verification_key(context)), []
    for block in re.split(r"\n\n(?!\u2014)", text.strip("\n")):
        try:
            checkpoint = notes.parse_checkpoint(f"{block}\n", extended=True)
        except InvalidInput as error:
            raise InvalidInput(f"'{source}' is not a file of checkpoints: {error}") from None
        if not keys.is_signed(checkpoint, context.vault.verifies):
            raise InvalidInput(
                f"The checkpoint of {checkpoint.size:,} leaves in '{source}' was not signed by the "
                "key of this log."
            )
        found.append(Seen(checkpoint.size, checkpoint.root))
    return found


def compare_log(context: Context, work: UnitOfWork, known: Iterable[Seen]) -> RestoredLog:
    """Compare a restored log with its own checkpoints, the signer's state and saved ones."""
    size, kept = work.log.size(), newest_checkpoint(work)
    own = [] if kept is None else [Seen(kept.size, kept.root)]
    standing = context.vault.log_signer().standing(work.log).seen
    signed = [] if standing is None else [standing]
    last = max([*own, *signed, *known], key=lambda seen: seen.size, default=None)
    is_whole = last is None or (last.size <= size and work.log.root(last.size) == last.root)
    return RestoredLog(size, last, is_whole, verification_key(context).name)


def continue_log(context: Context, source: str, *, known: Iterable[Seen]) -> RestoredLog:
    """Append the leaf that records the restore, and sign the log again.

    If leaves are lost, the log continues under another name. If this is interrupted, the database
    stays unusable, and calling it again goes on where it ended. `source` is the name of the backup;
    `known` are saved checkpoints, read by `read_checkpoints`.
    """
    with context.store.write() as work:
        state = json.loads(work.meta.get(UNFINISHED) or "{}")
        if CONTINUED in state:  # a restore that was interrupted later than here
            log = _read_log(state[CONTINUED])
        else:
            log = _append_restore(context, work, source, known)
            work.meta.put(
                UNFINISHED, json.dumps({"file": source, **state, CONTINUED: _written(log)})
            )
    finish_key_change(context)
    with context.store.write() as work:
        add_checkpoint(context, work)
    publish_checkpoints(context)
    with context.store.write() as work:
        work.meta.put(UNFINISHED, "")
    return log._replace(name=verification_key(context).name)


def _append_restore(
    context: Context, work: UnitOfWork, source: str, known: Iterable[Seen]
) -> RestoredLog:
    log = compare_log(context, work, known)
    root = work.log.root()
    base = log.last or Seen(log.size, root)
    if log.is_whole and context.vault.log_signer().standing(work.log).seen is None:
        context.vault.log_signer().adopt(base)
    work.log.append(restore_leaf(log.size, root, last_size=base.size, last_root=base.root))
    if not log.is_whole:
        append_key_change(context, work, name=_next_name(verification_key(context).name))
    work.sessions.end_all()  # one that ended since the backup would be open again
    record_unattended(context, work, "backup.restore", source, logSize=log.size, lastSize=base.size)
    return log


def _written(log: RestoredLog) -> list[object]:
    last = log.last
    return [log.size, last and [last.size, last.root.hex()], log.is_whole, log.name]


def _read_log(document: list[Any]) -> RestoredLog:
    size, last, is_whole, name = document
    return RestoredLog(size, last and Seen(last[0], bytes.fromhex(last[1])), is_whole, name)


def _next_name(name: str) -> str:
    """Return the name of a log that lost leaves: `jara.example/log/restored-1`."""
    numbered = _NUMBERED.fullmatch(name)
    if numbered is None:
        return f"{name}/restored-1"
    return f"{numbered['base']}/restored-{int(numbered['number']) + 1}"
