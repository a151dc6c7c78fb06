"""The verifier judges an entry by its effect: what one person takes out alone is named."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books.account import BANK, FEES, GIFTS, OPENING, STRIPE, SUSPENSE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.publiclog.leaves import proposal_release_leaf
from tests.fakes.operators import Signer, TestSigner
from tests.fakes.passkeys import Phone
from tests.sizes import size
from tests.verifier.controlled_log import (
    ADA,
    AMA,
    BEN,
    DAY,
    KIT,
    LARGE,
    LIMIT,
    SMALL,
    ControlledLog,
    between,
    moved,
)
from tests.verifier.log_builder import Check

SCHOOL, WELL, OWN = "expenses:grants:school", "expenses:grants:well", "assets:mine"

Forge = Callable[[ControlledLog], object]


def post(*entries: JournalEntry) -> Forge:
    """Return a forgery that posts entries with a foreign program."""
    return lambda log: [log.post(entry) for entry in entries]


def _reverse_grant(log: ControlledLog) -> None:
    grant = log.post(moved("income:grants", -LARGE, EntryKind.GRANT))
    log.reverse(grant)


def _releases(cents: int, *signers: TestSigner, approved: bool = False) -> Forge:
    """Return a forgery that publishes a release, perhaps after an approval of its entry."""

    def forge(log: ControlledLog) -> None:
        entry = replace(between(Fund.COMMITTED, Fund.PROJECTS, cents), reference="prop_1")
        if approved:
            log.approve(entry)
        log.post(entry)
        keys = [one.key.fingerprint for one in signers]
        log.append(proposal_release_leaf("prop_1", cents=cents, day=DAY, reason="x", signers=keys))

    return forge


def _return_with_a_loss(log: ControlledLog) -> None:
    paid = moved(SCHOOL, LARGE)
    log.approve(paid)
    index = log.post(paid)
    postings = (
        Posting(BANK, Fund.OTHER, 100),
        Posting("expenses:fx", Fund.OTHER, LARGE - 100),
        Posting(SCHOOL, Fund.OTHER, -LARGE),
    )
    log.post(JournalEntry(DAY, EntryKind.RETURN, "Returned", postings, of=index))


def _another_second_entry(log: ControlledLog) -> None:
    log.approve(moved(SCHOOL, LARGE), moved(WELL, 100))
    log.post(moved(SCHOOL, LARGE))
    log.post(moved(SCHOOL, 100))


def _one_of_two(log: ControlledLog) -> None:
    log.approve(moved(SCHOOL, LARGE), moved(WELL, 100))
    log.post(moved(SCHOOL, LARGE))


def _one_of_two_before_another(log: ControlledLog) -> None:
    _one_of_two(log)
    log.approve(moved(SCHOOL, 100))
    log.post(moved(SCHOOL, 100))


def _more_than_signed(log: ControlledLog) -> None:
    index = log.approve(moved(SCHOOL, LARGE))
    log.leaves[index]["entries"] = 2
    log.post(moved(SCHOOL, LARGE))
    log.post(moved(WELL, LARGE))


def _approval_of_one(log: ControlledLog) -> None:
    log.approve(moved(SCHOOL, LARGE), signers=(KIT,))
    log.post(moved(SCHOOL, LARGE))


def _approval_of_something_else(log: ControlledLog) -> None:
    log.approve(moved(SUSPENSE, LARGE))
    log.post(moved(OWN, LARGE, EntryKind.TRANSFER))


def _own_account_named(log: ControlledLog) -> None:
    log.leaves[log.limits]["assets"].append(OWN)
    log.post(moved(OWN, LARGE, EntryKind.TRANSFER))


def _accounts_taken_out(log: ControlledLog) -> None:
    del log.leaves[log.limits]["assets"]
    log.post(moved(SUSPENSE, LARGE, EntryKind.SUSPENSE))


def _funds_taken_out(log: ControlledLog) -> None:
    del log.leaves[log.limits]["funds"]
    log.post(between(Fund.PROJECTS, Fund.STAFF))


def _charged_to_projects(log: ControlledLog) -> None:
    postings = (*_paid(Fund.PROJECTS, LARGE), *_paid(Fund.OTHER, -LARGE))
    log.post(JournalEntry(DAY, EntryKind.MANUAL, "Charged", postings))


def _paid(fund: Fund, cents: int) -> tuple[Posting, Posting]:
    return Posting(SCHOOL, fund, cents), Posting(BANK, fund, -cents)


def _limits_again(log: ControlledLog) -> None:
    old = log.leaves[log.limits]
    log.append({**old})
    log.post(moved(SCHOOL, SMALL))


def _back_dated(today: date | None) -> Forge:
    """Return a forgery that posts entries of three days and payees, on one day."""

    def forge(log: ControlledLog) -> None:
        log.today = today
        for back in range(3):
            log.post(moved(f"expenses:grants:p{back}", SMALL, day=DAY - timedelta(days=back)))

    return forge


def _releases_of_what_is_not_held(*cents: int) -> Forge:
    """Return a forgery that publishes releases without entries."""
    keys = [KIT.key.fingerprint]
    return lambda log: [
        log.append(proposal_release_leaf("p_1", cents=one, day=DAY, reason="x", signers=keys))
        for one in cents
    ]


def _five(kind: EntryKind, account: str) -> Forge:
    return post(*(moved(account, SMALL, kind) for _ in range(5)))


TAMPERINGS: dict[str, tuple[Forge, str]] = {
    "suspense": (post(moved(SUSPENSE, LARGE, EntryKind.SUSPENSE)), "it pays 50000 cents without"),
    "a top-up": (post(moved(SUSPENSE, LARGE, EntryKind.TOPUP)), "it pays 50000 cents without"),
    "a payout that arrived elsewhere": (
        post(moved(OWN, LARGE, EntryKind.PAYOUT_ARRIVED, source="assets:in-transit")),
        "it pays 50000 cents without",
    ),
    "a transfer to an own account": (
        post(moved(OWN, LARGE, EntryKind.TRANSFER)),
        "it pays 50000 cents without",
    ),
    "five fees": (_five(EntryKind.FEE, FEES), "with it expenses:fees gets 19800 cents"),
    "a fee to an account of its own": (
        post(moved("liabilities:loan", LARGE, EntryKind.FEE, source=STRIPE)),
        "it pays 50000 cents without",
    ),
    "a refund out of the bank": (
        post(moved(GIFTS, LARGE, EntryKind.REFUND)),
        "it pays 50000 cents without",
    ),
    "a dispute out of the bank": (
        post(moved(GIFTS, LARGE, EntryKind.DISPUTE)),
        "it pays 50000 cents without",
    ),
    "an opening that takes": (
        post(moved(OPENING, LARGE, EntryKind.OPENING)),
        "it pays 50000 cents without",
    ),
    "a pledge that takes": (
        post(moved("income:pledges", LARGE, EntryKind.PLEDGE)),
        "it pays 50000 cents without",
    ),
    "a reversed grant": (_reverse_grant, "it pays 50000 cents without"),
    "a return with a loss": (_return_with_a_loss, "it pays 49900 cents without"),
    "exactly the limit": (post(moved(SCHOOL, LIMIT)), "it pays 10000 cents without"),
    "exactly the limit of a day": (
        post(moved(SCHOOL, LIMIT // 2), moved(SCHOOL, LIMIT // 2)),
        "gets 10000 cents",
    ),
    "many payees on a day": (
        post(*(moved(f"expenses:grants:p{n}", SMALL) for n in range(3))),
        "with it 29700 cents go out on 2026-11-20 without approval; the limit of a day over all",
    ),
    "another second entry": (_another_second_entry, "it is not what leaf 7 approves"),
    "one of two entries": (_one_of_two, "leaf 7: 1 of the entries that it approves are missing"),
    "one of two entries, then another approval": (
        _one_of_two_before_another,
        "leaf 7: 1 of the entries that it approves are missing",
    ),
    "more entries than signed": (_more_than_signed, "leaf 7: a signature is not of this act"),
    "an approval of one person": (_approval_of_one, "leaf 7: 1 of 2 people signed"),
    "an approval of another account": (_approval_of_something_else, "is not what leaf 7 approves"),
    "an own account put into the limits": (_own_account_named, "leaf 5: a signature is not of"),
    "limits without their accounts": (_accounts_taken_out, "leaf 5: a signature is not of"),
    "limits without their funds": (_funds_taken_out, "leaf 5: a signature is not of"),
    "old limits again": (_limits_again, "was used before"),
    "a transfer out of projects": (
        post(between(Fund.PROJECTS, Fund.STAFF)),
        "it pays 50000 cents without",
    ),
    "a payment charged to projects": (_charged_to_projects, "it pays 50000 cents without"),
    "a release": (_releases(LARGE, KIT), "it pays 50000 cents without"),
    "a release of what is not held": (
        _releases_of_what_is_not_held(LARGE),
        "it releases 50000 cents without",
    ),
    "two releases of what is not held": (
        _releases_of_what_is_not_held(SMALL, SMALL),
        "with it equity:transfers gets 19800 cents on 2026-11-20 without",
    ),
    "entries of three days, posted on one": (
        _back_dated(DAY),
        "with it 29700 cents go out posted on 2026-11-20 without approval",
    ),
    "entries of earlier days": (
        _back_dated(None),
        "it says that it was posted on 2026-11-19, but it follows what was posted on 2026-11-20",
    ),
    "a release in two names": (_releases(SMALL, KIT, BEN), "its signers did not sign"),
    "an approved release in another name": (
        _releases(LARGE, BEN, approved=True),
        "it releases 50000 cents without",
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_money_taken_by_one_person_is_named(check: Check, name: str) -> None:
    """Hashes and the log's signatures are valid, and the verifier names the leaf."""
    forge, message = TAMPERINGS[name]
    log = ControlledLog()
    forge(log)

    status, out = check(log.end().files())

    assert status == 1
    assert "FAILED  control: " in out
    assert message in out


def test_payments_signed_by_two_people_pass(check: Check) -> None:
    """One approval is for one entry, or for several that follow it; approved sums do not add up."""
    log = ControlledLog()
    several = [moved(SCHOOL, LARGE), moved(WELL, LARGE), moved(OWN, LARGE, EntryKind.TRANSFER)]
    log.approve(*several)
    for entry in several:
        log.post(entry)
    log.approve(moved(SUSPENSE, LARGE))
    log.post(moved(SUSPENSE, LARGE))
    log.post(moved("expenses:operations", SMALL))

    status, out = check(log.end().files())

    assert (status, "ok      control: 3 keys of 3 people, 5 payouts" in out) == (0, True), out


def test_movements_of_the_provider_are_good(check: Check) -> None:
    """Fees, disputes, refunds and unknown movements at the provider need nobody's signature."""
    log = ControlledLog()
    for account, kind in (
        (SUSPENSE, EntryKind.SUSPENSE),
        ("assets:in-transit", EntryKind.PAYOUT),
        ("assets:stripe-reserve", EntryKind.RESERVE),
    ):
        log.post(moved(account, LARGE, kind, source=STRIPE))
    log.post(moved(BANK, LARGE, EntryKind.PAYOUT_ARRIVED, source="assets:in-transit"))
    log.post(moved(STRIPE, LARGE, EntryKind.TOPUP))

    status, out = check(log.end().files())

    assert (status, "ok      control" in out) == (0, True), out


def test_money_moves_between_funds_by_the_rules(check: Check) -> None:
    """Two people move what they like, and anybody what no vote or split decided on."""
    log = ControlledLog()
    log.approve(between(Fund.PROJECTS, Fund.STAFF))
    log.post(between(Fund.PROJECTS, Fund.STAFF))
    log.post(between(Fund.MARKETING, Fund.STAFF))
    log.post(between(Fund.PROJECTS, Fund.COMMITTED))
    log.today = DAY + timedelta(days=1)
    log.post(replace(between(Fund.PROJECTS, Fund.STAFF, SMALL), day=DAY - timedelta(days=1)))

    _, out = check(log.end().files())

    assert "ok      control: 3 keys of 3 people, 2 payouts" in out, out


def test_what_goes_out_in_a_month_is_added_up(check: Check) -> None:
    """Other months and approved entries do not count; earlier limits have no month."""
    small = [moved(SCHOOL, SMALL, day=DAY - timedelta(days=back)) for back in (4, 2, 0)]
    log = ControlledLog()
    for entry in small:
        log.post(entry)
    assert "ok      control" in check(log.end().files())[1]

    log = ControlledLog()
    figures = {"limit_cents": LIMIT, "month_limit_cents": 2 * LIMIT, "assets": ["assets:bank"]}
    log.set_limits(figures, ADA, BEN)
    for entry in (moved(SCHOOL, SMALL, day=DAY - timedelta(days=30)), *small):
        log.post(entry)
    _, out = check(log.end().files())
    assert "cents go out in 2026-11 without approval; the limit of a month over all is" in out


def test_limits_that_name_no_funds_count_over_all(check: Check) -> None:
    """Transfers of 0.2.0 needed nobody, and its approvals were over all funds."""
    log = ControlledLog(names_funds=False)
    log.post(between(Fund.PROJECTS, Fund.STAFF))
    log.approve(between(Fund.PROJECTS, Fund.STAFF))
    log.post(between(Fund.PROJECTS, Fund.STAFF))

    status, out = check(log.end().files())

    assert (status, "ok      control" in out) == (0, True), out


def test_a_log_with_old_limits_is_judged_as_before(check: Check) -> None:
    """What limits of before allowed one person is good, and what they did not is named."""
    log = ControlledLog(names_accounts=False)
    log.post(moved(SUSPENSE, LARGE, EntryKind.SUSPENSE))
    log.post(moved(OWN, LARGE, EntryKind.TRANSFER))
    log.reverse(log.post(moved("income:grants", -LARGE, EntryKind.GRANT)))
    for payee in range(5):
        log.post(moved(f"expenses:grants:p{payee}", SMALL))
    log.approve(moved(SCHOOL, LARGE))
    log.post(moved(SCHOOL, LARGE))
    status, out = check(log.end().files())
    assert (status, "ok      control" in out) == (0, True), out

    log.post(moved(WELL, LARGE))
    _, out = check(log.end().files())
    assert "it pays 50000 cents without approval" in out


ACCOUNTS = (SUSPENSE, SCHOOL, WELL, FEES, GIFTS, OWN, STRIPE, OPENING)
DAYS = [DAY - timedelta(days=back) for back in range(2)]
acts = st.lists(
    st.tuples(
        st.sampled_from(EntryKind),
        st.sampled_from(ACCOUNTS),
        st.sampled_from([1, 3_000, 6_000, SMALL, LIMIT, LARGE]),
        st.sampled_from(DAYS),
        st.sampled_from(["alone", "alone", "alone", "back", "both"]),
    ),
    max_size=10,
)


@settings(max_examples=size(30, 200, full=200), deadline=None)
@given(acts)
def test_money_out_alone_never_passes_the_limits_unnamed(
    drawn: list[tuple[EntryKind, str, int, date, str]],
) -> None:
    """Law: whatever one person writes out of the bank, the verdict is the limits' verdict.

    The sums are counted here by what the bank account lost, not by the rules of the verifier.
    """
    log = ControlledLog()
    alone: Counter[tuple[str, date]] = Counter()
    gets: Counter[tuple[str, str, date]] = Counter()
    is_over = False
    for number, (kind, account, cents, day, how) in enumerate(drawn):
        log.today = DAY + timedelta(days=number // 4)
        entry = moved(account, cents, kind, day=day)
        if how == "both":
            log.approve(entry)
        index = log.post(entry)
        lost = 0 if account == STRIPE else cents
        for what, one in (("of", day), ("posted", log.today)):
            gets[account, what, one] += lost
            if how != "both" and lost:
                alone[what, one] += lost
                is_over |= lost >= LIMIT or gets[account, what, one] >= LIMIT
                is_over |= alone[what, one] >= 2 * LIMIT
        if how == "back" and "of" not in log.leaves[index]:
            log.reverse(index)

    lines: list[str] = []
    control = jara_verify.Control(log.key.text(), jara_verify.Report(lines.append))
    for index, leaf in enumerate(log.leaves):
        if leaf["t"] == "jara/v1/entry":
            control.add_entry(index, leaf)
        elif leaf["t"] in jara_verify.CONTROL:
            control.add(index, leaf)
    control.close()

    assert lines[0].startswith("FAILED" if is_over else "ok"), lines[0]


def test_a_withheld_entry_is_not_judged(check: Check) -> None:
    """A visitor's bundle shows limits and approvals, and no entries."""
    log = ControlledLog()
    several = [moved(SCHOOL, LARGE), moved(WELL, LARGE)]
    log.approve(*several)
    for entry in several:
        log.post(replace(entry))

    status, out = check(log.end().files(withhold=True))

    assert (status, "ok      control: 3 keys of 3 people, 0 payouts" in out) == (0, True), out


def _phone_log(limit: int, *signers: Signer) -> ControlledLog:
    """Return a log in which a phone, and perhaps others, approve a payment of SMALL."""
    log = ControlledLog()
    log.add_key(AMA, ADA, BEN)
    log.set_limits({**log.figures, "phone_limit_cents": limit}, ADA, BEN)
    payment = moved(SCHOOL, SMALL)
    log.approve(payment, signers=signers)
    log.post(payment)
    log.end()
    return log


@pytest.mark.parametrize(
    ("limit", "signers", "is_good"),
    [
        (SMALL, (KIT, AMA), True),
        (SMALL - 1, (KIT, AMA), False),
        (SMALL - 1, (KIT, AMA, BEN), True),
        (0, (KIT, AMA), False),
        (0, (KIT, BEN), True),
    ],
)
def test_a_phone_over_its_limit_is_named(
    check: Check, limit: int, signers: Sequence[Signer], is_good: bool
) -> None:
    """What an approval is for is added up, and a phone counts up to its limit."""
    log = _phone_log(limit, *signers)
    status, lines = check(log.files())

    assert status == (0 if is_good else 1), lines
    if not is_good:
        assert "1 of 2 people signed" in lines


FORGED = {
    "nobody there": (AMA.but(flags=0), "without a person who was there and verified"),
    "another origin": (AMA.but(origin="https://www.jara.example"), "for another website"),
    "another type": (AMA.but(kind="webauthn.create"), "not of this act"),
    "another operator's": (Phone("ida"), "is not enrolled"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_assertion_in_the_log_is_named(check: Check, name: str) -> None:
    """Whoever writes the log cannot make a phone's signature out of something else."""
    phone, why = FORGED[name]
    log = _phone_log(SMALL, KIT, phone)
    status, lines = check(log.files())

    assert status == 1
    assert "FAILED  control: leaf 9: " in lines
    assert why in lines


def test_a_phones_signature_of_another_act_is_named(check: Check) -> None:
    """A copied signature is used once, for one act."""
    log = _phone_log(SMALL, KIT, AMA)
    old = dict(log.leaves[9])
    log.append({**old, "act": "0" * 64})
    log.post(moved(SCHOOL, SMALL))
    status, lines = check(log.end().files())

    assert status == 1
    assert "used before" in lines, lines
