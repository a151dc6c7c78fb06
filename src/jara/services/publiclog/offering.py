"""Offering checkpoints to the witnesses, outside of any transaction.

What a witness answers is checked before it is stored. A witness that is down, slow, wrong or
malicious is reported, but blocks nothing.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from jara.domain.errors import InvalidInput, JaraError
from jara.domain.publiclog import notes
from jara.domain.publiclog.witnessing import AddCheckpoint, CosignerKey, cosigned_at
from jara.records.log import Checkpoint, Cosignature, Witness
from jara.services.context import Context
from jara.services.ports.outside import WitnessAnswer
from jara.services.publiclog.proofs import newest_checkpoint
from jara.services.publiclog.witnesses import Standing, read_standing
from jara.store.unit_of_work import UnitOfWork

CLOCKS_DIFFER = timedelta(minutes=10)
"""The maximum clock difference; a cosignature from the far future would never look old."""

_CONFLICT = 409
_SIGNED = 200
_SIZE = re.compile(r"(0|[1-9][0-9]{0,15})\n", re.ASCII)
_SIZE_TYPE = "text/x.tlog.size"
_MEANINGS = {
    400: "does not understand the request",
    403: "does not know the log's key",
    404: "does not know this log; give it the log's key",
    422: "has seen another history, and does not accept this one",
}


@dataclass(slots=True)
class _Offer:
    """One checkpoint on its way to the witnesses."""

    context: Context
    checkpoint: Checkpoint
    size: int
    witnesses: dict[str, Witness]
    asked_again: set[str] = field(default_factory=set)
    signed: list[Cosignature] = field(default_factory=list)

    def request(self, work: UnitOfWork, old: int) -> bytes:
        """Return the request to a witness that last signed the log at size `old`."""
        proof = tuple(work.log.consistency(old, self.checkpoint.size))
        return AddCheckpoint(old, proof, self.checkpoint.note).text().encode()

    def record(self, name: str, answer: WitnessAnswer) -> bytes | None:
        """Record a witness's answer; return another request if it needs a proof."""
        witness = self.witnesses[name]
        if answer.status == _SIGNED:
            self._note_signature(witness, answer.body)
            return None
        old = _size_of(answer)
        if old is None:
            self._note(witness, _reason(answer))
        elif old > self.size:
            self._note(witness, f"has seen {old:,} leaves of this log, which has {self.size:,} now")
        elif old > self.checkpoint.size:  # another process offered a newer checkpoint
            self._note(witness._replace(seen_size=old), "")
        elif name in self.asked_again:
            self._note(witness, f"has seen another history of {old:,} leaves")
        else:
            self.asked_again.add(name)
            with self.context.store.read() as work:
                return self.request(work, old)
        return None

    def _note_signature(self, witness: Witness, body: str) -> None:
        """Store the signature of the witness's key, if it is recent and of this checkpoint."""
        key = CosignerKey.parse(witness.key)
        text = notes.parse_checkpoint(self.checkpoint.note).text()
        lines: tuple[notes.NoteSignature, ...] = ()
        with suppress(InvalidInput):
            lines = notes.parse_signatures(body)
        time = cosigned_at(text, lines, key=key, verifies=self.context.vault.verifies)
        if time is None:
            self._note(witness, "answered without a valid signature of its own")
            return
        now = self.context.now()
        if abs(now.timestamp() - time) > CLOCKS_DIFFER.total_seconds():
            self._note(witness, "signed with a time that is not now; one of the clocks is wrong")
            return
        best = max(
            (line for line in lines if (line.name, line.key_id) == (key.name, key.key_id)),
            key=lambda line: line.signature[:8],
        )
        seen_at = datetime.fromtimestamp(time, UTC)
        line = notes.signature_line(key, best.signature)
        self.signed.append(Cosignature(self.checkpoint.size, witness.name, line, seen_at))
        self._note(witness._replace(seen_size=self.checkpoint.size), "")

    def _note(self, witness: Witness, failure: str) -> None:
        self.witnesses[witness.name] = witness._replace(
            failure=failure, tried_at=self.context.now()
        )

    def store(self, work: UnitOfWork) -> None:
        """Store the answers of the witnesses that are still chosen with the same key."""
        chosen = {one.name: one for one in work.witnesses.all()}
        for name, answered in self.witnesses.items():
            if name in chosen and chosen[name].key == answered.key:
                work.witnesses.put(answered._replace(url=chosen[name].url))
        for cosignature in self.signed:
            if cosignature.witness in chosen:
                work.witnesses.keep(cosignature)


def offer_checkpoint(context: Context) -> Standing | None:
    """Offer the newest checkpoint to every witness; return how many have seen it.

    Return None without a network, witnesses or a checkpoint. Offering a checkpoint again renews
    the time of its signatures.
    """
    if context.witnesses is None:
        return None
    with context.store.read() as work:
        checkpoint, chosen = newest_checkpoint(work), work.witnesses.all()
        if checkpoint is None or not chosen:
            return None
        by_name = {one.name: one for one in chosen}
        offer = _Offer(context, checkpoint, work.log.size(), by_name)
        bodies = {
            one.name: offer.request(work, min(one.seen_size, checkpoint.size)) for one in chosen
        }
    context.witnesses.offer({one.name: one.url for one in chosen}, bodies, offer.record)
    with context.store.write() as work:
        offer.store(work)
        return read_standing(work)


def try_to_offer(context: Context) -> Standing | None:
    """Offer the newest checkpoint as `offer_checkpoint` does; failures are ignored."""
    with suppress(JaraError):
        return offer_checkpoint(context)
    return None


def _size_of(answer: WitnessAnswer) -> int | None:
    found = _SIZE.fullmatch(answer.body)
    is_size = answer.status == _CONFLICT and answer.media_type.partition(";")[0] == _SIZE_TYPE
    return int(found[1]) if is_size and found else None


def _reason(answer: WitnessAnswer) -> str:
    if answer.status == 0:
        return answer.body
    return _MEANINGS.get(answer.status, f"answered with status {answer.status}")
