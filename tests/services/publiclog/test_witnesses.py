"""The log's witnesses: choosing them, offering checkpoints, and handling their answers."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.domain.publiclog.notes import parse_checkpoint
from jara.domain.publiclog.witnessing import CosignerKey, cosigned_at
from jara.records.log import Cosignature
from jara.services.context import Context
from jara.services.log_keys import verification_key
from jara.services.operations.daily_run import run_daily, witness_step
from jara.services.operations.diagnosis_setup import Environment
from jara.services.operations.diagnosis_trust import check_witnesses
from jara.services.operations.start_page import read_start_page
from jara.services.ports.outside import OnAnswer, WitnessAnswer
from jara.services.publiclog import witnesses
from jara.services.publiclog.offering import offer_checkpoint, try_to_offer
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.publiclog.witnesses import quorum_of, remove_witness, set_quorum
from tests.fakes.witnesses import Liar, LocalWitnesses, honest, make_cosigner, say
from tests.harness import clock_of, make_organisation
from tests.services.books.ledger_builders import give

NAMES = ("w.example/1", "w.example/2", "w.example/3")


@pytest.fixture
def network() -> LocalWitnesses:
    """The reachable witnesses."""
    return LocalWitnesses()


@pytest.fixture
def context(place: Path, tmp_path: Path, network: LocalWitnesses) -> Context:
    """An organisation with three honest witnesses and a checkpoint that they have not seen."""
    context = replace(make_organisation(place), witnesses=network)
    for name in NAMES:
        cosigner = make_cosigner(tmp_path, name, context.clock, verification_key(context))
        url = url_of(name)
        network.answers[url] = honest(cosigner)
        witnesses.add_witness(context, url, cosigner.key.text())
    make_checkpoint(context)
    return context


def url_of(name: str) -> str:
    """Return the address of a witness."""
    return f"https://{name}"


def grow(context: Context, cents: int = 4321) -> None:
    """Let the log grow, and sign it."""
    give(context, cents, "ama")
    make_checkpoint(context)


def failures(context: Context) -> dict[str, str]:
    """Return the failure of each witness."""
    with context.store.read() as work:
        return {one.name: one.failure for one in work.witnesses.all() if one.failure}


def seen(context: Context) -> int:
    """Offer the checkpoint; return the number of witnesses that have seen it."""
    standing = offer_checkpoint(context)
    assert standing is not None
    return standing.seen


def test_every_witness_signs_and_its_line_is_kept(context: Context) -> None:
    """The note then carries the log's signature and three more, which all verify."""
    assert seen(context) == 3
    grow(context)
    assert seen(context) == 3

    with context.store.read() as work:
        note = witnesses.newest_cosigned(work)
        keys = [CosignerKey.parse(one.key) for one in work.witnesses.all()]
        size = work.log.size()
    assert note is not None
    checkpoint = parse_checkpoint(note)
    assert (checkpoint.size, len(checkpoint.signatures)) == (size, 4)
    times = [
        cosigned_at(
            checkpoint.text(), checkpoint.signatures, key=key, verifies=context.vault.verifies
        )
        for key in keys
    ]
    assert times == [int(context.now().timestamp())] * 3
    assert failures(context) == {}


def test_offering_the_same_checkpoint_renews_its_time(context: Context) -> None:
    """The witnesses sign an unchanged checkpoint again each day."""
    seen(context)
    clock_of(context).advance(days=1)
    seen(context)

    standing = witnesses.read_standing(context.store.read_once())
    assert context.now() == standing.newest == standing.enough_since


def test_without_witnesses_network_or_checkpoint_nothing_is_asked(
    place: Path, tmp_path: Path, network: LocalWitnesses
) -> None:
    """No request is sent, and no error is raised."""
    alone = make_organisation(place)
    context = replace(alone, witnesses=network)

    assert offer_checkpoint(alone) is None
    make_checkpoint(context)
    assert offer_checkpoint(context) is None
    with context.store.read() as work:
        assert witnesses.newest_cosigned(work) is None
        assert not witnesses.read_standing(work).is_late(context.now() + timedelta(days=99))
        assert quorum_of(work) == 0
    del tmp_path


def test_a_witness_that_was_away_gets_the_proof_it_needs(
    context: Context, network: LocalWitnesses
) -> None:
    """The witness answers with its known size, and the second request proves the rest."""
    seen(context)
    with context.store.write() as work:
        for one in work.witnesses.all():
            work.witnesses.put(one._replace(seen_size=0))
    grow(context)
    network.asked.clear()

    assert seen(context) == 3
    assert len(network.asked) == 6
    assert failures(context) == {}


@pytest.mark.parametrize(
    ("status", "body", "kind", "failure"),
    [
        (0, "did not answer within 5 seconds", "", "did not answer within 5 seconds"),
        (400, "", "", "does not understand the request"),
        (403, "", "", "does not know the log's key"),
        (404, "", "", "does not know this log; give it the log's key"),
        (422, "", "", "has seen another history, and does not accept this one"),
        (500, "<html>", "", "answered with status 500"),
        (302, "", "", "answered with status 302"),
        (409, "12\n", "text/plain", "answered with status 409"),
        (409, "012\n", "text/x.tlog.size", "answered with status 409"),
        (409, "1\n", "text/x.tlog.size; x=y", "has seen another history of 1 leaves"),
        (200, "", "", "answered without a valid signature of its own"),
        (200, "ok\n", "", "answered without a valid signature of its own"),
    ],
)
def test_a_witness_that_does_not_sign_is_named(
    context: Context, network: LocalWitnesses, status: int, body: str, kind: str, failure: str
) -> None:
    """The failure is recorded, and the other witnesses are asked normally."""
    network.answers[url_of(NAMES[1])] = say(status, body, kind)

    assert seen(context) == 2
    assert failures(context) == {NAMES[1]: failure}
    network.answers[url_of(NAMES[1])] = network.answers[url_of(NAMES[0])]
    seen(context)
    assert failures(context) == {NAMES[1]: "answered without a valid signature of its own"}


def test_a_log_that_went_back_is_named_by_its_witnesses(
    context: Context, network: LocalWitnesses
) -> None:
    """Witnesses that have seen more leaves than there are show an old database."""
    network.answers[url_of(NAMES[0])] = say(409, "999999\n", "text/x.tlog.size")

    seen(context)

    (failure,) = failures(context).values()
    assert failure.startswith("has seen 999,999 leaves of this log, which has ")


def test_a_checkpoint_that_was_overtaken_is_no_failure(
    context: Context, network: LocalWitnesses
) -> None:
    """Another process may have offered a newer checkpoint, if the log has that size."""
    give(context, 99, "ama")
    size = context.store.read_once().log.size()
    network.answers[url_of(NAMES[0])] = say(409, f"{size}\n", "text/x.tlog.size")

    assert seen(context) == 2
    assert failures(context) == {}
    assert size == context.store.read_once().witnesses.all()[0].seen_size


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_signature_of_another_time_does_not_count(
    context: Context, network: LocalWitnesses, hours: int
) -> None:
    """A signature from the future would look fresh forever."""
    now = context.now()
    for name in NAMES:
        network.answers[url_of(name)] = Liar(name, context.clock)
    liar = Liar(NAMES[0], context.clock)

    def late(body: bytes) -> WitnessAnswer:
        clock_of(context).set(now + timedelta(hours=hours))
        answer = liar(body)
        clock_of(context).set(now)
        return answer

    network.answers[url_of(NAMES[0])] = late

    assert seen(context) == 2
    assert "one of the clocks is wrong" in failures(context)[NAMES[0]]


def test_a_witness_removed_or_changed_meanwhile_stays_so(
    context: Context, network: LocalWitnesses
) -> None:
    """The answer of a witness that is deleted, or has another key by then, is ignored."""
    first, second, _ = NAMES
    sign, other = network.answers[url_of(first)], Liar("other", context.clock).key

    def remove_both(body: bytes) -> WitnessAnswer:
        remove_witness(context, first)
        with context.store.write() as work:
            (found,) = (one for one in work.witnesses.all() if one.name == second)
            changed = CosignerKey(second, other.public_key).text()
            work.witnesses.put(found._replace(key=changed))
        return sign(body)

    network.answers[url_of(first)] = remove_both

    seen(context)
    with context.store.read() as work:
        known = {one.name: one.seen_size for one in work.witnesses.all()}
        kept = {one.witness for one in work.witnesses.cosignatures()}
    assert known == {second: 0, NAMES[2]: known[NAMES[2]]}
    assert first not in kept


def test_a_failure_of_the_database_stops_nothing(context: Context) -> None:
    """Closing a vote continues, whatever happens to the witnesses."""

    class Broken:
        def offer(self, urls: object, bodies: object, on_answer: OnAnswer) -> None:
            raise Unavailable("The network is gone.")

    assert try_to_offer(replace(context, witnesses=Broken())) is None
    assert try_to_offer(context) is not None


def test_witnesses_are_added_once(context: Context) -> None:
    """Name and key are unique, and an address is https."""
    key = Liar(NAMES[0], context.clock).key
    with pytest.raises(Conflict, match="is a witness already"):
        witnesses.add_witness(context, "https://new.example", key.text())
    with pytest.raises(Conflict, match="is a witness already"):
        witnesses.add_witness(
            context, "https://new.example", CosignerKey("new", key.public_key).text()
        )
    with pytest.raises(InvalidInput):
        witnesses.add_witness(context, "http://new.example", Liar("new", context.clock).key.text())


def test_a_removed_witness_is_forgotten(context: Context) -> None:
    """Its cosignatures are deleted too."""
    seen(context)
    remove_witness(context, NAMES[0])

    with context.store.read() as work:
        assert {one.witness for one in work.witnesses.cosignatures()} == {NAMES[1], NAMES[2]}
        assert quorum_of(work) == 2
    with pytest.raises(NotFound, match=r"there is: w.example/2, w.example/3"):
        remove_witness(context, NAMES[0])
    remove_witness(context, NAMES[1])
    remove_witness(context, NAMES[2])
    with pytest.raises(NotFound, match="there is: none"):
        remove_witness(context, NAMES[0])


def test_the_quorum_can_be_chosen(context: Context) -> None:
    """A quorum is from 1 to the number of witnesses; 0 restores the default."""
    assert quorum_of(context.store.read_once()) == 3
    set_quorum(context, 2)
    assert quorum_of(context.store.read_once()) == 2
    with pytest.raises(InvalidInput, match="not between 0 and 3"):
        set_quorum(context, 4)
    with pytest.raises(InvalidInput):
        set_quorum(context, -1)
    set_quorum(context, 0)
    assert quorum_of(context.store.read_once()) == 3


def test_the_standing_is_that_of_the_newest_checkpoint_with_a_quorum(
    context: Context, network: LocalWitnesses
) -> None:
    """A newer checkpoint without a quorum is ignored; if none has a quorum, the newest is shown."""
    network.answers[url_of(NAMES[2])] = say(0, "is down")
    seen(context)
    with context.store.read() as work:
        first, standing = work.log.size(), witnesses.read_standing(work)
        assert witnesses.newest_cosigned(work) is None
    assert (
        standing.size, standing.seen, standing.is_enough, standing.enough_since,
    ) == (first, 2, False, None)  # fmt: skip
    set_quorum(context, 2)
    network.answers[url_of(NAMES[1])] = say(0, "is down")
    grow(context)
    seen(context)

    with context.store.read() as work:
        standing = witnesses.read_standing(work)
        (_, newest) = work.log.checkpoints()
        assert len(parse_checkpoint(witnesses.newest_cosigned(work) or "").signatures) == 3
        assert len(parse_checkpoint(witnesses.cosigned_note(work, newest)).signatures) == 2
    assert (standing.size, standing.seen, standing.is_enough) == (first, 2, True)


def test_an_older_cosignature_never_replaces_a_newer_one(context: Context) -> None:
    """The newer one stays, whichever is stored last."""
    seen(context)
    with context.store.write() as work:
        new = work.witnesses.cosignatures()[0]
        work.witnesses.keep(
            Cosignature(new.size, new.witness, "old\n", new.seen_at - timedelta(hours=1))
        )

    assert new in context.store.read_once().witnesses.cosignatures(new.size)


def test_operators_hear_of_witnesses_that_are_late_or_wrong(
    context: Context, network: LocalWitnesses
) -> None:
    """The doctor reports it immediately, the start page after three days without a quorum."""
    seen(context)
    network.answers[url_of(NAMES[0])] = say(422)
    clock_of(context).advance(days=4)
    seen(context)

    messages = [one.message for one in check_witnesses(context, Environment())]
    assert [*messages] == [
        "The witness w.example/1 has seen another history, and does not accept this one.",
        "Fewer than 3 witnesses have seen the log in the last 3 days: jara proofs status",
    ]
    assert "jara proofs status" in [one.command for one in read_start_page(context).waiting]
    network.answers[url_of(NAMES[0])] = network.answers[url_of(NAMES[1])]
    set_quorum(context, 2)
    seen(context)
    assert "jara proofs status" not in [one.command for one in read_start_page(context).waiting]
    assert (
        "3 of 3 witnesses have seen the log of"
        in list(check_witnesses(context, Environment()))[-1].message
    )


def test_the_daily_run_asks_the_witnesses(context: Context) -> None:
    """The step reports how many have seen the log, or that there are no witnesses."""
    (result,) = run_daily(context, [witness_step()])
    (alone,) = run_daily(replace(context, witnesses=None), [witness_step()])

    assert (result.ok, result.counts) == (True, {"seen": 3, "witnesses": 3})
    assert (alone.ok, alone.message) == (True, "No witnesses are chosen.")
