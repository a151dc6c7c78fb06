"""Where payers send their money: nobody changes it alone, and nobody is shown a forged value."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jara.domain.control.state import BrokenControl
from jara.domain.control.statement import SharedAct, digest_of
from jara.domain.control.ways_in import WAY_VALUES, WAYS_ACTION, WayIn, way_hash
from jara.domain.errors import Conflict, InvalidInput, JaraError, NotFound, Refused
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.iban import print_iban
from jara.domain.organisation import PaymentMode
from jara.domain.publiclog.canonical import decode
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.records.journal import WaySetting
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.authority import read_control
from jara.services.context import Context, Rules
from jara.services.log_keys import organisation_key
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.operations.diagnosis_setup import Environment, Level
from jara.services.operations.diagnosis_trust import check_ways_in
from jara.services.operations.operators import add_operator, set_address
from jara.services.operations.payment_account import require_account, set_account, set_up_account
from jara.services.operations.upkeep import upgrade
from jara.services.organisation import PAYMENT_ACCOUNT, PAYMENT_MODE
from jara.services.payments.promising import promise, show_payment
from jara.services.payments.ways import list_ways, remove_way, set_way
from jara.services.ways_in import DONATE_URL, donate_link, set_donate_link
from tests.fakes.operators import TestSigner, acting, approve_as, enrol, signatures, waits
from tests.harness import copy_of, make_organisation
from tests.services.ballots.voting_world import add_member
from tests.services.operations.controlled_world import verify
from tests.services.operations.test_payment_account import FewChecks

IBAN, OTHER = "DE89370400440532013000", "GB33BUKB20201555555555"
HOLDER = "Jara e.V."
LINK, OTHER_LINK = "https://give.example/jara", "https://give.example/kit"
ROLES = {"ada": "admin", "ben": "approver", "kit": "bookkeeper", "scheduler": "scheduler"}

Change = Callable[[Context], object]


def transfer(context: Context, iban: str = OTHER, holder: str = "Kit") -> WaySetting | Approval:
    """Set where transfers go."""
    return set_way(
        context,
        PaymentWay.TRANSFER,
        ledger="assets:bank",
        details="Name the reference.",
        iban=iban,
        holder=holder,
    )


def at_provider(place: Path) -> Context:
    """Return an organisation in the provider's test mode, whose operators have no keys."""
    context = replace(make_organisation(place), payment_mode=PaymentMode.TEST)
    with context.store.write() as work:
        work.meta.put(PAYMENT_MODE, PaymentMode.TEST)
    return context


@pytest.fixture
def context(place: Path) -> Context:
    """A real organisation that takes transfers, cash and gifts elsewhere; four keys."""
    return copy_of(with_ways_in, place)


def with_ways_in(folder: Path) -> Context:
    """Make the organisation."""
    context = at_provider(folder)
    with context.store.write() as work:
        work.book_settings.put_account("assets:cash", kind="assets", meaning="Cash.")
        work.meta.put(PAYMENT_ACCOUNT, "acct_1")
    transfer(context, IBAN, HOLDER)
    set_donate_link(context, LINK)
    enrol(context, **ROLES)
    return context


def leaves(context: Context) -> list[dict[str, Any]]:
    """Return the leaves about ways in."""
    with context.store.read() as work:
        documents = [decode(leaf.body) for leaf in work.log.control_leaves()]
    return [one for one in documents if isinstance(one, dict) and one["t"] == LeafType.WAYS_IN]


def shown(context: Context) -> dict[str, Any]:
    """Return what the next member is shown who pays by transfer."""
    try:
        member = add_member(context, "zoe", cents=0)
        with context.store.write() as work:
            work.sql.run("DELETE FROM pledges WHERE member_id = :id", {"id": member.id})
        promise(acting(context, "kit"), member.email, dollars=10, way=PaymentWay.TRANSFER)
    except NotFound:
        return {}
    return show_payment(context, member.id)


def in_force(context: Context) -> tuple[object, ...]:
    """Return everything that payers are shown."""
    ways = {setting.way: (setting.iban, setting.holder) for setting in list_ways(context)}
    account = context.store.read_once().meta.get(PAYMENT_ACCOUNT)
    return ways, account, donate_link(context)


BEFORE = ({"transfer": (IBAN, HOLDER)}, "acct_1", LINK)
CHANGES: Mapping[str, Change] = {
    "IBAN": transfer,
    "instructions": lambda context: set_way(
        context,
        PaymentWay.TRANSFER,
        ledger="assets:bank",
        details="Pay to GB33 BUKB 2020 1555 5555 55.",
        iban=IBAN,
        holder=HOLDER,
    ),
    "cash": lambda context: set_way(
        context, PaymentWay.CASH, ledger="assets:cash", details="Ask for Kit."
    ),
    "mobile": lambda context: set_way(
        context, PaymentWay.MOBILE, ledger="assets:bank", details="+254 700 000 000"
    ),
    "cheque": lambda context: set_way(
        context, PaymentWay.CHEQUE, ledger="assets:cash", details="To Jara, Box 7"
    ),
    "removed": lambda context: remove_way(context, PaymentWay.TRANSFER),
    "account": lambda context: set_account(context, "acct_2"),
    "donate link": lambda context: set_donate_link(context, OTHER_LINK),
    "no donate link": lambda context: set_donate_link(context, None),
}


def test_the_next_member_sees_the_holder_that_two_people_signed(context: Context) -> None:
    """A bookkeeper cannot change the IBAN, an admin not alone; approved, it has a leaf."""
    size = len(leaves(context))
    with pytest.raises(Refused, match=r"'ways\.set' is for admin"):
        transfer(acting(context, "kit"))
    waiting = waits(transfer(acting(context, "ada")))
    assert (in_force(context), len(leaves(context))) == (BEFORE, size)

    details = show_approval(context, waiting.id)
    assert (details["needed"], details["payload"]["before"]["iban"]) == (2, IBAN)
    assert (details["payload"]["value"]["iban"], details["payload"]["value"]["holder"]) == (
        OTHER,
        "Kit",
    )
    approve_as(context, waiting, "ben")
    seen = shown(context)
    assert (seen["iban"], seen["holder"]) == (print_iban(OTHER), "Kit")
    value = list_ways(context)[0]._asdict()
    leaf = leaves(context)[-1]
    assert leaf[WAY_VALUES] == {"transfer": way_hash(WayIn.TRANSFER, value)}
    keys = {row["key"] for row in leaf["signatures"]}
    assert keys == {TestSigner(name).key.fingerprint for name in ("ada", "ben")}


@pytest.mark.parametrize("name", CHANGES)
def test_nobody_changes_a_way_in_alone(context: Context, tmp_path: Path, name: str) -> None:
    """Each value, by each of the keys: refused, or it waits and nothing has changed."""
    change = CHANGES[name]
    for operator in ("kit", "ben", "scheduler"):
        with pytest.raises(Refused, match="is for admin"):
            change(acting(context, operator))
    with pytest.raises(Refused):
        change(replace(context, operator="ada"))  # a name without a key
    waiting = waits(change(acting(context, "ada")))
    with pytest.raises(JaraError, match=r"signed .* already"):
        approve(acting(context, "ada"), waiting.id, handlers=HANDLERS)
    with pytest.raises(Refused, match="admin or approver"):
        approve(acting(context, "kit"), waiting.id, handlers=HANDLERS)
    assert in_force(context) == BEFORE

    approve_as(context, waiting, "ben")
    assert in_force(context) != BEFORE or name == "instructions"
    assert len(leaves(context)) == 2
    assert verify(context, tmp_path)[0] == 0


def test_every_operator_with_an_address_hears_of_it(context: Context) -> None:
    """The email says what it was and what it is."""
    for name in ("ada", "ben", "kit"):
        set_address(acting(context, "ada"), name, email=f"{name}@example.org")
    set_address(acting(context, "ada"), "kit", email="")
    approve_as(context, transfer(acting(context, "ada")), "ben")

    with context.store.read() as work:
        emails = [one for one in work.outbox.all() if one.kind == "way_changed"]
        notices = [one.address for one in work.outbox.all() if one.kind == "operator_address"]
    assert sorted(one.address for one in emails) == ["ada@example.org", "ben@example.org"]
    assert (IBAN in emails[0].doc["before"], OTHER in emails[0].doc["after"]) == (True, True)
    assert notices.count("kit@example.org") == 2


def test_the_doctor_names_operators_without_an_address(context: Context) -> None:
    """People without an address are named until they have one; a machine needs none."""
    before = list(check_ways_in(context, Environment()))
    for name in ("ada", "ben", "kit"):
        set_address(acting(context, "ada"), name, email=f"{name}@example.org")

    silent, well = before
    assert (silent.level, well.level) == (Level.WARNING, Level.OK)
    assert "of the ways to pay: ada, ben, kit: jara" in silent.message
    assert list(check_ways_in(context, Environment())) == [well]


def test_only_an_admin_sets_an_operators_address(context: Context) -> None:
    """Otherwise a bookkeeper could silence the notice first."""
    with pytest.raises(Refused, match="is for admin"):
        set_address(acting(context, "kit"), "ada", email="kit@example.org")
    with pytest.raises(NotFound, match="'zoe' is not an operator"):
        set_address(acting(context, "ada"), "zoe", email="zoe@example.org")


FORGERIES: Mapping[str, Callable[[Context], None]] = {
    "IBAN": lambda context: _write_way(context, WaySetting("transfer", "assets:bank", "", OTHER)),
    "cash": lambda context: _write_way(context, WaySetting("cash", "assets:cash", "Ask Kit.")),
    "cheque": lambda context: _write_way(context, WaySetting("cheque", "assets:cash", "Ask Kit.")),
    "account": lambda context: _write_meta(context, PAYMENT_ACCOUNT, "acct_2"),
    "donate link": lambda context: _write_meta(context, DONATE_URL, OTHER_LINK),
}


def _write_way(context: Context, setting: WaySetting) -> None:
    with context.store.write() as work:
        work.book_settings.put_way(setting)


def _write_meta(context: Context, key: str, value: str) -> None:
    with context.store.write() as work:
        work.meta.put(key, value)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_value_in_the_database_that_nobody_signed_is_not_offered(
    context: Context, name: str
) -> None:
    """Whoever can write to the database can take a way in away, and not put another there."""
    FORGERIES[name](context)

    assert {OTHER, "Ask Kit.", OTHER_LINK}.isdisjoint(str(in_force(context)).split("'"))
    assert shown(context).get("iban") in {None, print_iban(IBAN)}
    if name == "account":
        with pytest.raises(Conflict, match="not signed"):
            require_account(context, FewChecks(named="acct_2"))
    found = list(check_ways_in(context, Environment()))
    assert found[0].level is Level.ERROR
    assert "No operator signed" in found[0].message


@pytest.mark.parametrize(("url", "shown"), [(LINK, LINK), (OTHER_LINK, None)])
def test_a_setting_of_an_earlier_version_counts_if_it_is_signed(
    context: Context, url: str, shown: str | None
) -> None:
    """JARA_DONATE_URL moves into the database; operators' signatures decide, as before."""
    with context.store.write() as work:
        work.sql.run("DELETE FROM meta WHERE key = :key", {"key": DONATE_URL})

    upgrade(context, {"donate-url": url})

    assert donate_link(context) == shown


def test_the_first_account_waits_too(place: Path) -> None:
    """With keys, no command keeps the account that it sees first."""
    context = at_provider(place)
    enrol(context, **ROLES)
    with pytest.raises(Conflict, match="not signed"):
        require_account(context, FewChecks(named="acct_9"))
    waiting = waits(set_up_account(acting(context, "ada"), FewChecks(named="acct_9")))
    with pytest.raises(Conflict, match="not signed"):
        require_account(context, FewChecks(named="acct_9"))

    approve_as(context, waiting, "ben")
    require_account(context, FewChecks(named="acct_9"))
    assert isinstance(set_up_account(acting(context, "ada"), FewChecks(named="acct_9")), list)
    with pytest.raises(InvalidInput, match="not an account's id"):
        set_account(acting(context, "ada"), "9")


def test_without_keys_it_is_as_before(place: Path) -> None:
    """No operator, no leaf, no approval."""
    context = make_organisation(place)
    size = context.store.read_once().log.size()
    assert isinstance(transfer(context), WaySetting)
    assert set_donate_link(context, LINK) is None
    assert remove_way(context, PaymentWay.TRANSFER) is None
    with pytest.raises(Conflict, match="sandbox"):
        set_account(context, "acct_1")
    for wrong in ("http://give.example", "javascript:alert(1)", "https://a b"):
        with pytest.raises(InvalidInput, match="https"):
            set_donate_link(context, wrong)

    assert donate_link(context) == LINK
    assert set_donate_link(context, None) is None
    assert donate_link(context) is None
    assert context.store.read_once().log.size() == size


def test_with_names_and_a_limit_another_name_approves(place: Path) -> None:
    """The same rule as for a change of the limits."""
    context = make_organisation(place)
    for name in ("tester", "ada"):
        add_operator(context, name)
    limited = replace(context, rules=Rules(approval_cents=1000))
    waiting = waits(transfer(limited))
    with pytest.raises(Conflict, match="another operator"):
        approve(limited, waiting.id, handlers=HANDLERS)
    approve(replace(limited, operator="ada"), waiting.id, handlers=HANDLERS)

    assert list_ways(context)[0].iban == OTHER


def test_a_way_of_an_older_version_is_offered_and_signed_with_the_next_one(
    context: Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Keys were enrolled before the log knew ways in: they go on, and the next leaf has them."""
    old = make_organisation(tmp_path, seed="old")
    monkeypatch.setattr("jara.services.operations.control.log_first_ways", lambda *_: None)
    enrol(old, **ROLES)
    _write_way(old, WaySetting("transfer", "assets:bank", "", IBAN, HOLDER))
    assert list_ways(old)[0].iban == IBAN
    assert "older version" in next(iter(check_ways_in(old, Environment()))).message

    approve_as(old, set_donate_link(acting(old, "ada"), LINK), "ben")
    assert leaves(old)[-1][WAY_VALUES].keys() == {way.value for way in WayIn} - {"cheque"}
    _write_way(old, WaySetting("transfer", "assets:bank", "", OTHER))
    assert list_ways(old) == []
    assert in_force(context) == BEFORE


def forge(
    context: Context, *names: str, act: str | None = None, values: Mapping[str, str] | None = None
) -> None:
    """Write a leaf with a foreign program, signed by some people's keys."""
    public = {WAY_VALUES: values or {"transfer": "0" * 64}}
    with context.store.write() as work:
        organisation = organisation_key(context, work)
        digest = act or digest_of("forged", WAYS_ACTION, public, organisation)
        signed = SharedAct(WAYS_ACTION, digest, public)
        rows = signatures(signed, organisation, *map(TestSigner, names))
        work.log.append(shared_act_leaf(LeafType.WAYS_IN, digest, public, rows))


def forge_changed(context: Context, change: Callable[[dict[str, Any]], object]) -> None:
    """Append a changed copy of the newest leaf that two people signed."""
    approve_as(context, transfer(acting(context, "ada")), "ben")
    leaf = leaves(context)[-1]
    change(leaf)
    with context.store.write() as work:
        work.log.append(leaf)


TAMPERINGS: Mapping[str, tuple[Callable[[Context], None], str]] = {
    "nobody signed": (forge, "0 of 2 people signed"),
    "one admin": (lambda context: forge(context, "ada"), "1 of 2 people signed"),
    "one person twice": (lambda context: forge(context, "ada", "ada"), "1 of 2 people signed"),
    "no admin": (lambda context: forge(context, "ben", "kit"), "no admin signed"),
    "an unknown key": (lambda context: forge(context, "ada", "zoe"), "is not enrolled"),
    "the daily run": (lambda context: forge(context, "ada", "scheduler"), "only the roles"),
    "another value": (
        lambda context: forge_changed(context, lambda leaf: leaf[WAY_VALUES].update(cash="")),
        "was used before",
    ),
    "an unknown way": (
        lambda context: forge(context, "ada", "ben", values={"bitcoin": "0" * 64}),
        "not a leaf of a known type",
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_the_verifier_names_a_forged_leaf(context: Context, tmp_path: Path, name: str) -> None:
    """The server refuses to go on with such a log, and the verifier names the leaf."""
    tamper, words = TAMPERINGS[name]
    tamper(context)
    index = context.store.read_once().log.size() - 1

    status, out = verify(context, tmp_path, sign=False)
    assert status == 1
    assert f"leaf {index}" in out
    assert words in out
    if name != "an unknown way":
        with pytest.raises(BrokenControl, match=f"Leaf {index}"), context.store.read() as work:
            read_control(context, work)
        assert (donate_link(context), list_ways(context)) == (None, [])
