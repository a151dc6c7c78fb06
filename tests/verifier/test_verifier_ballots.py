"""The verifier on sealed ballots: what the close must list, and what a promise is worth."""

from collections.abc import Callable
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from jara import jara_verify
from jara.domain.control.roles import OF_PASSKEY, Role
from jara.domain.publiclog import canonical, leaves, merkle
from jara.domain.publiclog.ballots import LISTED_WITHIN
from jara.domain.voting.tally import DEFAULT_RULE, Measure, RuleChange, Share, VoteRule
from tests.verifier.log_builder import (
    ENDS,
    Check,
    LogBuilder,
    failures,
    sealed_votes,
    tiny_log,
    write_receipt,
)
from tests.verifier.promise_vectors import FATES, FILE, print_vectors

MISSING = "promised and missing: keep this file, it is the proof"
HASH = "ab" * 32

Forge = Callable[[LogBuilder], object]


def test_sealed_ballots_listed_at_the_close_pass(check: Check) -> None:
    """Each line says how many were dropped, and how the votes were paid for."""
    status, out = check(sealed_votes().files())

    assert (status, failures(out)) == (0, "")
    assert "ok      proposal old: passed, 1 yes and 0 no of 1, 0 dropped; paid by card 1\n" in out
    assert (
        "ok      proposal new: rejected, 2 yes and 1 no of 5, 1 dropped; paid by card 2, cash 1\n"
        in out
    )
    assert "ok      proposal gone: withdrawn with 0 ballots\n" in out
    assert "ok      proposal open: open\n" in out


@pytest.mark.parametrize(("goal", "status"), [(50_000, 0), (90_000, 1)])
def test_the_goal_is_that_of_the_text(check: Check, goal: int, status: int) -> None:
    """The log cannot give a proposal another goal than the text that was voted on."""
    log = tiny_log()
    text = canonical.encode({"goal_cents": goal, "title": "Wells of p"})
    log.proposals["p"] = text
    opening = next(leaf for leaf in log.leaves if leaf["t"] == leaves.LeafType.PROPOSAL_OPEN)
    opening["content_hash"] = sha256(text).hexdigest()

    found, out = check(log.files())

    assert found == status
    assert ("its goal is 50000 cents, in proposals/p.json it is 90000" in out) is bool(status)


def test_an_unusual_rule_is_named(check: Check) -> None:
    """The usual one is half of the roll."""
    log = by_rule(VoteRule(2, 3, Measure.VOTES, more=True, quorum=Share(1, 5)))

    status, out = check(log.files())

    result = "passed, 1 yes and 0 no of 1, 0 dropped; paid by card 1; by the rule "
    words = f"{result}more than 2/3 of the votes, quorum 1/5\n"
    assert (status, words in out) == (0, True)


def by_rule(rule: VoteRule, *, day: str | None = "2026-01-10") -> LogBuilder:
    """Return a log with a rule from 10 January on, and a vote that opened by it."""
    log = LogBuilder()
    log.append(leaves.vote_rule_leaf(RuleChange(date(2026, 1, 10), rule)))
    log.open_vote("p")
    log.leaves[-1].update({"rule": rule.document(), **({} if day is None else {"day": day})})
    log.cast("p", "a", "up")
    log.close("p", "a", yes=1, no=0, void=0, passed=True)
    log.checkpoint()
    return log


@pytest.mark.parametrize(
    ("day", "rule", "words"),
    [
        ("2026-01-09", VoteRule(2, 3), "its rule is 2/3, in force was 1/2"),
        (None, VoteRule(2, 3), "it names a day of opening exactly if the log has a vote_rule"),
    ],
)
def test_a_vote_by_another_rule_than_that_in_force_is_named(
    check: Check, day: str | None, rule: VoteRule, words: str
) -> None:
    """The rule is that of the day of the opening, which the leaf names once there is a choice."""
    status, out = check(by_rule(rule, day=day).files())

    assert (status, words in out) == (1, True)


def test_a_rule_that_nobody_set_is_named(check: Check) -> None:
    """Without a leaf that sets another rule, a vote needs half of the roll."""
    log = tiny_log()
    opening = next(leaf for leaf in log.leaves if leaf["t"] == leaves.LeafType.PROPOSAL_OPEN)
    opening["rule"] = {"den": 3, "num": 2, "of": "roll"}

    status, out = check(log.files())

    assert (status, "its rule is 2/3, in force was 1/2" in out) == (1, True)


def _hash_of(log: LogBuilder, index: int) -> str:
    return merkle.leaf_hash(canonical.encode(log.leaves[index])).hex()


def _set(index: int, **fields: Any) -> Forge:
    return lambda log: log.leaves[index].update(fields)


def _without(index: int, *names: str) -> Forge:
    return lambda log: [log.leaves[index].pop(name) for name in names]


def _insert(index: int, *new: Callable[[LogBuilder], leaves.Leaf]) -> Forge:
    """Insert leaves, and move what later leaves say of their place."""

    def forge(log: LogBuilder) -> None:
        log.leaves[index:index] = [leaf(log) for leaf in new]
        _place_endings(log)

    return forge


def _remove(index: int) -> Forge:
    def forge(log: LogBuilder) -> None:
        del log.leaves[index]
        _place_endings(log)

    return forge


def _place_endings(log: LogBuilder) -> None:
    for place, leaf in enumerate(log.leaves):
        if "last_index" in leaf:
            leaf["last_index"] = place - 1


def _listed_early(log: LogBuilder) -> None:
    """Move the first ballot of the vote to the middle of its time."""
    log.leaves.insert(6, log.leaves.pop(10))
    _place_endings(log)


def _entry_between(log: LogBuilder) -> None:
    """Move an entry between the ballots and their close."""
    log.leaves.insert(12, log.leaves.pop(4))
    _place_endings(log)


def _dropped_listed(log: LogBuilder) -> None:
    log.leaves[13] |= {"dropped": [_hash_of(log, 11)], "no": 0}


def _dropped_twice(log: LogBuilder) -> None:
    log.leaves[13] |= {"dropped": log.leaves[13]["dropped"] * 2, "void": 2}


WAYS = {"card": 3, "cash": 0, "mobile": 0, "transfer": 0}
FORGERIES: list[tuple[Forge, str]] = [
    # A ballot is added or taken away without a word.
    (_insert(10, lambda log: log.ballot("new", "d", "up")), "leaf 14: the ballots are 3 yes, 1 no"),
    (_remove(10), "proposal new: leaf 12: the ballots are 1 yes, 1 no, 1 dropped; the result is"),
    (_insert(10, lambda log: log.ballot("new", "z", "up")), "is not on the roll"),
    # What was dropped is not what the result says.
    (_set(13, dropped=[]), "leaf 13: the ballots are 2 yes, 1 no, 0 dropped; the result is not"),
    (_set(13, dropped=[HASH, "cd" * 32]), "the ballots are 2 yes, 1 no, 2 dropped; the result is"),
    (_set(13, void=2), "leaf 13: the ballots are 2 yes, 1 no, 1 dropped; the result is not"),
    (_dropped_listed, "leaf 13: it drops the ballot in leaf 11, which it lists"),
    (_dropped_twice, "leaf 13: it drops a ballot twice"),
    # How the votes were paid for.
    (_set(13, ways=WAYS | {"card": 2}), "leaf 13: the ways to pay are of 2 ballots, but 3 of them"),
    (_set(13, ways=WAYS | {"cash": 1}), "leaf 13: the ways to pay are of 4 ballots, but 3 of them"),
    (_set(13, changed_addresses=4), "leaf 13: 4 ballots are of changed addresses, but 3 count"),
    # A ballot is listed while its vote is open.
    (_listed_early, "proposal new: leaf 13: leaf 6 lists a ballot while the vote is open"),
    (_entry_between, "proposal new: leaf 13: leaf 9 lists a ballot while the vote is open"),
    (_insert(2, lambda log: log.ballot("old", "f", "up")), "leaf 2: the vote is not open"),
    (lambda log: log.cast("open", "a", "up"), "leaf 15: a ballot is listed, but the vote is open"),
    (_insert(9, lambda log: log.ballot("gone", "a", "up")), "but leaf 9 lists a ballot"),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_forged_ballots_are_named(check: Check, forge: Forge, message: str) -> None:
    """The log's key signed the forged log, but the rules of sealed ballots are violated."""
    log = sealed_votes()
    forge(log)
    log.checkpoint_sizes[-1] = len(log.leaves)

    status, out = check(log.files())

    assert status == 1
    assert message in failures(out)
    assert "ok      checkpoints" in out
    assert "ok      leaves" in out


def test_votes_that_operators_took_are_named(check: Check) -> None:
    """An operator alone may take a vote while none is open; the line says how many."""
    log = sealed_votes()
    log.leaves[13]["lost_votes"] = 2
    log.checkpoint_sizes[-1] = len(log.leaves)

    status, out = check(log.files())

    assert (status, "; votes lost by acts of operators: 2" in out) == (0, True)


def test_votes_paid_by_cheque_are_counted(check: Check) -> None:
    """The close names cheques only if there are any."""
    log = sealed_votes()
    log.leaves[13]["ways"] = WAYS | {"card": 2, "cheque": 1}
    log.checkpoint_sizes[-1] = len(log.leaves)

    status, out = check(log.files())

    assert (status, "paid by card 2, cheque 1" in out) == (0, True)


@pytest.mark.parametrize(
    ("index", "fields"),
    [
        (2, {"key": "ab"}),
        (5, {"ends": "2026-02-30T00:00:00Z"}),
        (13, {"dropped": ["ab"]}),
        (13, {"dropped": HASH}),
        (13, {"ways": {"card": 3}}),
        (13, {"ways": WAYS | {"coins": 1}}),
        (13, {"ways": WAYS | {"card": -3}}),
        (13, {"changed_addresses": -1}),
        (13, {"lost_votes": -1}),
    ],
)
def test_malformed_fields_are_named(check: Check, index: int, fields: dict[str, Any]) -> None:
    """The fields of the leaves of a vote have their types."""
    log = sealed_votes()
    log.leaves[index].update(fields)

    assert f"FAILED  leaves: leaf {index}: not a leaf of a known" in check(log.files())[1]


# ---------------------------------------------------------------- promises


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Set the clock of the reader's computer, from the time at which ballots are listed."""

    def run(after: timedelta) -> None:
        at = int((ENDS + LISTED_WITHIN + after).timestamp())
        monkeypatch.setattr(jara_verify, "seconds_now", lambda: at)

    return run


@pytest.mark.parametrize(
    ("ballot", "sentence"),
    [
        (("open", "a", "up"), "promised; listed on 1 February at the latest"),
        (("new", "a", "up"), "listed, counted as yes"),
        (("new", "b", "down"), "listed, counted as no"),
        (("new", "x", "down"), "dropped, because no contribution was left"),
        (("old", "d", "up"), "listed, counted as yes"),
        (("gone", "a", "up"), "withdrawn, nothing was counted"),
    ],
)
def test_a_promise_states_the_fate_of_the_ballot(
    check: Check,
    tmp_path: Path,
    set_clock: Callable[[timedelta], None],
    ballot: tuple[str, str, str],
    sentence: str,
) -> None:
    """Promised, listed, dropped and withdrawn are good."""
    set_clock(timedelta(0))
    log = sealed_votes()
    path = write_receipt(log.promise(*ballot), tmp_path / "r.json")

    status, out = check(log.files(withhold=True), "--receipt", path)

    assert (status, failures(out)) == (0, "")
    assert f"ok      receipt: {sentence}\n" in out


@pytest.mark.parametrize(
    ("ballot", "message"),
    [
        (("new", "d", "up"), f"{MISSING}\n"),
        (("new", "b", "up"), f"{MISSING}\n"),
        (("open", "a", "up"), f"{MISSING} (the vote is open in this bundle"),
    ],
)
def test_a_broken_promise_fails(
    check: Check,
    tmp_path: Path,
    set_clock: Callable[[timedelta], None],
    ballot: tuple[str, str, str],
    message: str,
) -> None:
    """A ballot that was not listed, was turned, or is overdue, is missing."""
    set_clock(timedelta(seconds=1))
    log = sealed_votes()
    path = write_receipt(log.promise(*ballot), tmp_path / "r.json")

    status, out = check(log.files(), "--receipt", path)

    assert status == 1
    assert f"FAILED  receipt: {message}" in out


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"leaf": 5}, "the receipt has no proper 'leaf'"),
        ({"leafBytes": None}, "the receipt has no proper 'leafBytes'"),
        ({"leafBytes": "{}"}, "leafBytes do not hash to leaf"),
        ({"listedBy": "soon"}, "the receipt has no proper 'listedBy'"),
        ({"listedBy": "2026-02-30T00:00:00Z"}, "the receipt has no proper 'listedBy'"),
        ({"listedBy": "2026-02-03T00:00:00Z"}, "its promise is not signed by its key"),
        ({"key": "ab"}, "the receipt has no proper 'key'"),
        ({"key": "01" + "00" * 31}, "its promise is not signed by its key"),
        ({"signature": "ab"}, "the receipt has no proper 'signature'"),
        ({"signature": "00" * 64}, "its promise is not signed by its key"),
        ({"proposal": "old"}, "its proposal is not the ballot's"),
        ({"nonce": "00"}, "the receipt has no proper 'nonce'"),
        ({"nonce": "00" * 16}, "the nonce is not the ballot's"),
        ({"tracker": "AAAA-BBBB-CCCC"}, "the tracker is not the leaf's"),
    ],
)
def test_a_promise_with_a_changed_field_fails(
    check: Check, tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    """Each field of a promise is checked."""
    log = sealed_votes()
    path = write_receipt({**log.promise("new", "a", "up"), **fields}, tmp_path / "r.json")

    status, out = check(log.files(), "--receipt", path)

    assert status == 1
    assert f"FAILED  receipt: {message}" in out


def test_a_promise_by_a_key_that_no_leaf_names_is_worthless(check: Check, tmp_path: Path) -> None:
    """Anyone can sign with a key of their own; the log must have named it."""
    promise = LogBuilder(seed=9).sign_promise(sealed_votes().promise("new", "a", "up"))
    path = write_receipt(promise, tmp_path / "r.json")

    _, out = check(sealed_votes().files(), "--receipt", path)

    assert "FAILED  receipt: no leaf of this log names the key that signed its promise" in out


def test_a_promise_may_not_put_off_the_ballot(check: Check, tmp_path: Path) -> None:
    """A server that promises to list a ballot next year promises nothing."""
    log = sealed_votes()
    late = log.promise("open", "a", "up") | {"listedBy": "2027-02-02T00:00:00Z"}
    path = write_receipt(log.sign_promise(late), tmp_path / "r.json")

    status, out = check(log.files(), "--receipt", path)

    assert status == 1
    assert "FAILED  receipt: it promises 2027-02-02, which is later than a day after" in out


def test_a_promise_about_another_log_fails(check: Check, tmp_path: Path) -> None:
    """A log that never opened the vote cannot keep the promise."""
    log = tiny_log()
    log.name_promise_key()
    log.checkpoint()
    path = write_receipt(sealed_votes().promise("new", "a", "up"), tmp_path / "r.json")

    assert (
        "FAILED  receipt: this log has no vote on new" in check(log.files(), "--receipt", path)[1]
    )


def test_a_receipt_of_something_else_than_a_ballot_fails(check: Check, tmp_path: Path) -> None:
    """An entry is not a ballot."""
    log = sealed_votes()
    entry = canonical.encode(log.leaves[4])
    receipt = {
        **log.promise("new", "a", "up"),
        "leaf": merkle.leaf_hash(entry).hex(),
        "leafBytes": entry.decode(),
    }

    _, out = check(log.files(), "--receipt", write_receipt(receipt, tmp_path / "r.json"))

    assert "FAILED  receipt: the leaf is not a ballot" in out


@pytest.mark.parametrize("data", [b"\xff", b"[]", b"{", b"[" * 9999])
def test_a_receipt_that_is_no_object_is_unreadable(
    check: Check, tmp_path: Path, data: bytes
) -> None:
    """A receipt is a JSON object in UTF-8."""
    (tmp_path / "r.json").write_bytes(data)

    assert check(tiny_log().files(), "--receipt", tmp_path / "r.json")[0] == 2


@pytest.mark.parametrize("fate", list(FATES))
def test_the_website_is_tested_with_receipts_that_the_verifier_judges_the_same(
    check: Check, tmp_path: Path, set_clock: Callable[[timedelta], None], fate: str
) -> None:
    """The stored vectors are up to date, and only the last two receipts are bad."""
    set_clock(timedelta(0))
    assert FILE.read_text("utf-8") == print_vectors()
    log = sealed_votes()
    path = write_receipt(log.promise(*FATES[fate]), tmp_path / "r.json")

    status, _ = check(log.files(), "--receipt", path)

    assert (status == 0) == (fate not in {"missing", "turned"})


def test_the_verifier_knows_the_products_tables() -> None:
    """It imports nothing of the product, so it names its rule and its roles again."""
    assert DEFAULT_RULE.document() == jara_verify.DEFAULT_RULE
    assert {*map(str, Role)} == jara_verify.ROLES
    assert {*map(str, OF_PASSKEY)} == jara_verify.PASSKEY_ROLES
