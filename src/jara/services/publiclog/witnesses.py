"""The log's witnesses: the chosen ones, how many are enough, and what they have seen."""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import NamedTuple

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.publiclog.witnessing import CosignerKey, default_quorum, require_witness_url
from jara.records.log import Checkpoint, Cosignature, Witness
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

QUORUM = "witnesses.quorum"
"""Key in `meta`: how many witnesses must have signed; the default follows from their number."""

LATE_AFTER = timedelta(days=3)
"""After this time without enough cosignatures, an operator should check."""


class Sight(NamedTuple):
    """What one witness has seen."""

    witness: Witness
    at: datetime | None  # when it signed the standing's checkpoint, or None if it did not


class Standing(NamedTuple):
    """How many witnesses have seen the log."""

    quorum: int  # how many are enough
    size: int
    """The size of the newest checkpoint that enough witnesses signed; else of the newest that any
    signed; 0 if there is none."""
    sights: tuple[Sight, ...]  # each witness, and whether it signed that checkpoint

    @property
    def seen(self) -> int:
        """How many witnesses signed the checkpoint."""
        return sum(sight.at is not None for sight in self.sights)

    @property
    def newest(self) -> datetime | None:
        """When a witness signed it last."""
        return max((sight.at for sight in self.sights if sight.at is not None), default=None)

    @property
    def is_enough(self) -> bool:
        """Whether the quorum is reached."""
        return 0 < self.quorum <= self.seen

    @property
    def enough_since(self) -> datetime | None:
        """The time up to which the quorum is known to have seen the log."""
        times = sorted((one.at for one in self.sights if one.at is not None), reverse=True)
        return times[self.quorum - 1] if self.is_enough else None

    def is_late(self, now: datetime) -> bool:
        """Return whether there are witnesses, but too few of them have seen the log recently."""
        if not self.sights:
            return False
        added = max(sight.witness.added_at for sight in self.sights)
        return now - (self.enough_since or added) > LATE_AFTER


def add_witness(context: Context, url: str, key: str) -> Witness:
    """Add a witness by its address and its published key.

    Raises:
        InvalidInput: the address is not https, or the key is not a witness's.
        Conflict: there is a witness with this name or key.
    """
    address, parsed = require_witness_url(url), CosignerKey.parse(key)
    witness = Witness(parsed.name, parsed.text(), address, context.now())
    with context.store.write() as work:
        for known in work.witnesses.all():
            if known.name == witness.name or CosignerKey.parse(known.key).public_key == (
                parsed.public_key
            ):
                raise Conflict(
                    f"{known.name} is a witness already; to change its address or key: "
                    f"jara proofs witnesses remove {known.name}"
                )
        work.witnesses.put(witness)
        facts = {"key": witness.key, "url": address}
        record_act(context, work, "witnesses.add", witness.name, facts=facts)
    return witness


def remove_witness(context: Context, name: str) -> None:
    """Remove a witness and its signatures.

    Raises:
        NotFound: there is no such witness.
    """
    with context.store.write() as work:
        if not work.witnesses.remove(name):
            known = ", ".join(one.name for one in work.witnesses.all()) or "none"
            raise NotFound(f"There is no witness '{name}'; there is: {known}.")
        record_act(context, work, "witnesses.remove", name)


def set_quorum(context: Context, count: int) -> None:
    """Set how many witnesses are enough; 0 restores the default.

    Raises:
        InvalidInput: it is negative, or more than there are witnesses.
    """
    with context.store.write() as work:
        known = work.witnesses.count()
        if not 0 <= count <= known:
            raise InvalidInput(f"{count} is not between 0 and {known}, the number of witnesses.")
        before = {"quorum": quorum_of(work)}
        work.meta.put(QUORUM, str(count))
        record_act(
            context, work, "witnesses.quorum", "quorum", before=before, facts={"quorum": count}
        )


def quorum_of(work: UnitOfWork) -> int:
    """Return how many witnesses are enough, never more than there are."""
    known = work.witnesses.count()
    if known == 0:
        return 0
    chosen = int(work.meta.get(QUORUM) or 0)
    return min(chosen, known) or default_quorum(known)


def read_standing(work: UnitOfWork) -> Standing:
    """Return which witnesses signed the newest checkpoint with enough signatures, else with any."""
    quorum = quorum_of(work)
    by_size: dict[int, list[Cosignature]] = {}
    for one in work.witnesses.cosignatures():
        by_size.setdefault(one.size, []).append(one)
    enough = [size for size, signed in by_size.items() if len(signed) >= quorum]
    size = max(enough or by_size, default=0)
    signed = {one.witness: one for one in by_size.get(size, ())}
    sights = []
    for witness in work.witnesses.all():
        own = signed.get(witness.name)
        sights.append(Sight(witness, None if own is None else own.seen_at))
    return Standing(quorum, size, tuple(sights))


def show_standing(context: Context) -> Standing:
    """Return how many witnesses have seen the log."""
    with context.store.read() as work:
        return read_standing(work)


def cosigned_note(work: UnitOfWork, checkpoint: Checkpoint) -> str:
    """Return a checkpoint's note with the cosignatures under the log's signature."""
    return checkpoint.note + "".join(
        one.line for one in work.witnesses.cosignatures(checkpoint.size)
    )


def cosigned_notes(work: UnitOfWork, size: int) -> list[str]:
    """Return every checkpoint's note up to a size with its cosignatures, oldest first."""
    lines: dict[int, str] = defaultdict(str)
    for one in work.witnesses.cosignatures():
        lines[one.size] += one.line
    return [each.note + lines[each.size] for each in work.log.checkpoints() if each.size <= size]


def newest_cosigned(work: UnitOfWork) -> str | None:
    """Return the newest note that enough witnesses signed, with their lines; None if none is.

    Every vote calls this, so it reads only that note.
    """
    quorum = quorum_of(work)
    size = work.witnesses.newest_size(quorum) if quorum else None
    checkpoint = None if size is None else work.log.checkpoint(size)
    return None if checkpoint is None else cosigned_note(work, checkpoint)
