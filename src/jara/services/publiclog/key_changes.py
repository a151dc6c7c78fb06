"""The keys of the public log: the one that signs now, those before it, and their changes."""

from contextlib import ExitStack

from jara.domain.publiclog.leaves import log_key_leaf
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import Checkpoint
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.log_keys import CHANGES, change_indexes, newest_change, verification_key
from jara.services.organisation import SECRETS_FINGERPRINT, require_own_secrets
from jara.services.publiclog.proofs import publish_checkpoints
from jara.services.publiclog.signer import sign_size
from jara.store.unit_of_work import UnitOfWork

ROTATE = "proofs.rotate-key"


def rotate_log_key(context: Context) -> VerificationKey:
    """Replace the key that signs the log with a new one, and return it.

    If an earlier change was interrupted, complete that one instead.

    Raises:
        Refused: the operator is not allowed to.
        Unavailable: the secrets folder belongs to another database.
    """
    if not finish_key_change(context):
        with ExitStack() as stack:
            with context.store.write() as work:
                require_operator(context, work, ROTATE)
                require_own_secrets(context, work)
                new = append_key_change(context, work)
                record_act(context, work, ROTATE, new.text())
                stack.enter_context(context.vault.log_signer().stopped())
            context.vault.adopt_log_key()
        finish_key_change(context)
    publish_checkpoints(context)
    return verification_key(context)


def append_key_change(
    context: Context, work: UnitOfWork, *, name: str | None = None
) -> VerificationKey:
    """Append the leaf that replaces the log's key, or its name; the secrets follow later."""
    old = verification_key(context)
    new, fingerprint = context.vault.prepare_log_key(name=name)
    leaf = work.log.append(log_key_leaf(old.text(), new.text()))
    indexes = [*change_indexes(work), leaf.index]
    work.meta.put(CHANGES, " ".join(map(str, indexes)))
    work.meta.put(SECRETS_FINGERPRINT, fingerprint)
    return new


def finish_key_change(context: Context) -> bool:
    """Complete a change whose leaf is in the log; return whether there was anything to do.

    A log that continues under another name has another history: its checkpoint file and its
    signer's state start again.
    """
    with context.store.read() as work:
        change = newest_change(work)
        if change is None:
            return False
        before = Seen(change.index, work.log.root(change.index))
    if context.vault.next_log_key() == change.new:
        if change.old.name != change.new.name and context.note_file is not None:
            context.note_file.set_aside()
        with context.vault.log_signer().stopped():
            context.vault.adopt_log_key()
    size = change.index + 1
    with context.store.write() as work:
        is_new = all(known.size != size for known in work.log.checkpoints())
        if is_new:
            if context.vault.log_signer().standing(work.log).seen is None:
                context.vault.log_signer().adopt(before)
            note = sign_size(context, work, size)
            work.log.add_checkpoint(Checkpoint(size, work.log.root(size), note, context.now()))
    return context.vault.forget_old_log_key() or is_new
