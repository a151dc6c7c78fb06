"""The desk over HTTP: a phone opens a session, sees what waits, and signs it or refuses it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

from jara import jara_verify
from jara.domain.papers import PaperKind
from jara.records.operations import Approval
from jara.security.six_words import words_of
from jara.services.approvals import approve
from jara.services.books.papers import PaperFile, with_documents
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits, show_limits
from jara.services.operations.operators import add_operator, remove_operator
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.fakes.operators import TestSigner, acting, approve_as, enrol_phone
from tests.fakes.passkeys import Phone
from tests.services.books.ledger_builders import pass_proposal
from tests.services.operations.controlled_world import LIMIT_CENTS, verify
from tests.sizes import size
from tests.webapi.desk import Desk as Api
from tests.webapi.desk import later, open_desk, refused
from tests.webapi.desk_board import (
    AMA,
    IDA,
    SITE,
    Board,
    body,
    make_board,
)

ORDER = jara_verify._P256_ORDER


@pytest.fixture
def board(place: Path) -> Board:
    """Return an organisation with a limit of $10, six keys and Ama's phone."""
    return make_board(open_desk(place, site_url=SITE))


def test_a_phone_reads_the_documents_that_it_signs(board: Board) -> None:
    """Their bytes have the hash that stands in the signed text; no other session reads them."""
    invoice = PaperFile("application/pdf", b"%PDF-1.7 invoice")
    with with_documents(acting(board.context, "kit"), [(invoice, PaperKind.INVOICE)]) as inside:
        waiting = disburse(inside, Disbursement(Payee.GRANTS, "school", LIMIT_CENTS))
    assert isinstance(waiting, Approval)
    token, path = board.session(), f"/desk/waiting/{waiting.id}"

    act = board.api.get(path, token=token).json
    answer = board.api.get(f"{path}/papers/{invoice.hash}", token=token)

    (paper,) = act["papers"]
    assert (paper["kind"], paper["sha256"], paper["bytes"]) == ("invoice", invoice.hash, 16)
    assert invoice.hash in act["document"]
    assert answer.content == invoice.data
    assert board.api.get(f"{path}/papers/{'0' * 64}", token=token).status_code == 404
    assert board.api.get(f"{path}/papers/{invoice.hash}").status_code == 401


def test_a_phone_approves_what_it_sees(board: Board, tmp_path: Path) -> None:
    """The digest of what is shown is in the statement, and the leaf in the log."""
    act, token = board.waits(), board.session()
    shown = board.api.get("/desk/waiting", token=token).json
    (waiting,) = shown["waiting"]
    answer = board.api.get(f"/desk/waiting/{act}", token=token)
    one = answer.json
    assert answer.headers["cache-control"] == "no-store"

    assert one == waiting
    assert (shown["operator"], waiting["id"], waiting["askedBy"]) == ("ama", act, "kit")
    assert waiting["effect"] == "$10.00 leave the account for school."
    assert (waiting["needed"], waiting["signedBy"], waiting["mayDecide"]) == (2, ["kit"], True)
    digest = sha256(waiting["document"].encode()).digest()
    asked = board.ask(f"/desk/waiting/{act}/options", token)
    assert f'"act":"{digest.hex()}"' in asked["statement"]
    assert waiting["words"] == words_of(digest)
    board.api.clock.advance(seconds=1)  # the last five are shown, and setting up decided five
    answer = board.api.post(f"/desk/waiting/{act}/approve", body(asked, AMA), token=token)
    assert (answer.status_code, answer.json["state"]) == (200, "approved")
    with board.context.store.read() as work:
        assert digest.hex().encode() in work.log.leaf(answer.json["leaf"]).body
    after = board.api.get("/desk/waiting", token=token).json
    assert after["waiting"] == []
    assert ("ama", act) in {(one["decidedBy"], one["id"]) for one in after["decided"]}
    status, lines = verify(board.context, tmp_path)
    assert status == 0, lines


def test_the_desk_speaks_french(board: Board) -> None:
    """The sentence is written as French writes amounts."""
    board.waits()
    answer = board.api.get("/desk/waiting", token=board.session(), query_string="lang=fr")

    assert answer.json["waiting"][0]["effect"] == "10,00\xa0$\xa0US quittent le compte pour school."


def test_a_refusal_is_signed_with_its_reason(board: Board) -> None:
    """Nothing is carried out, and the signed text has the reason."""
    act, token = board.waits(), board.session()
    answer = board.decide(act, token, why="wrong account")

    assert (answer.json["state"], answer.json["leaf"]) == ("refused", None)
    with board.context.store.read() as work:
        (row,) = [one for one in work.operations.audit() if one.action == "approvals.refuse"]
        assert (row.operator, row.why) == ("ama", "wrong account")
        assert row.after["signed"]
    other = board.waits()
    asked = board.ask(f"/desk/waiting/{other}/options", token, "one reason")
    answer = board.api.post(
        f"/desk/waiting/{other}/refuse", {**body(asked, AMA), "why": "another"}, token=token
    )
    assert refused(answer) == (409, "act_changed")


def test_no_members_token_opens_the_desk_and_no_desk_opens_an_account(board: Board) -> None:
    """Each session is good for its own calls; a desk's ends after 15 minutes."""
    member, token = board.api.join(), board.session()

    assert board.api.get("/desk/waiting", token=member).status_code == 401
    assert board.api.get("/user/get-profile", token=token).status_code == 401
    for forged in (token[:-1], token.replace(".", "x.", 1), "", ".", "é", token + "0"):
        assert (
            board.api.get(
                "/desk/waiting", headers={"Authorization": f"Bearer {forged}"}
            ).status_code
            == 401
        )
    later(board.api, minutes=16)
    assert board.api.get("/desk/waiting", token=token).status_code == 401


def test_a_removed_phone_ends_its_session(board: Board) -> None:
    """At once, because the log is asked with each call."""
    token = board.session()
    removal = remove_operator(acting(board.context, "ada"), "ama", why="lost")
    approve_as(board.context, removal, "ben")

    assert board.api.get("/desk/waiting", token=token).status_code == 401
    answer = board.api.post("/desk/session", body(board.ask("/desk/session/options"), AMA))
    assert refused(answer) == (401, "not_verified")


def test_a_session_opens_once_with_an_answer(board: Board) -> None:
    """A copied answer opens nothing; neither does one for another statement or after 5 minutes."""
    sent = body(board.ask("/desk/session/options"), AMA)

    assert board.api.post("/desk/session", sent).status_code == 200
    assert refused(board.api.post("/desk/session", sent)) == (401, "not_verified")
    act, token = board.waits(), board.session()
    for_act = board.ask(f"/desk/waiting/{act}/options", token)
    assert refused(board.api.post("/desk/session", body(for_act, AMA))) == (401, "not_verified")
    late = body(board.ask("/desk/session/options"), AMA)
    later(board.api, minutes=6)
    assert refused(board.api.post("/desk/session", late)) == (401, "not_verified")


def test_a_site_that_phones_cannot_sign_at_opens_no_session(tmp_path: Path) -> None:
    """The document has the refusal; the fuzzer of `nox -s full` found it missing."""
    desk = open_desk(tmp_path)  # its address is in numbers
    parts = dict.fromkeys(("statement", "authenticatorData", "clientData", "signature"), "AAAA")

    answer = desk.post("/desk/session", parts)

    assert refused(answer) == (409, "conflict")
    documented = desk.get("/openapi.json").json["paths"]["/api/desk/session"]["post"]["responses"]
    assert str(answer.status_code) in documented


@pytest.mark.parametrize(
    ("phone", "expected"),
    [
        (AMA.but(flags=1), (401, "not_verified")),
        (AMA.but(origin="https://www.jara.example"), (422, "wrong_origin")),
        (IDA, (401, "not_verified")),
    ],
)
def test_the_errors_of_a_session(board: Board, phone: Phone, expected: tuple[int, str]) -> None:
    """Each forgery has its code."""
    answer = board.api.post("/desk/session", body(board.ask("/desk/session/options"), phone))

    assert refused(answer) == expected


def test_the_errors_of_a_decision(board: Board) -> None:
    """Changed, decided, own, over the limit, not verified, elsewhere, unknown."""
    enrol_phone(board.context, Phone("kit's"), "ada", "ben", name="kit")
    enrol_phone(board.context, Phone("ann's"), "ada", "ben", name="ann", role="auditor")
    act, token = board.waits(), board.session()
    own, reads = board.session(Phone("kit's")), board.session(Phone("ann's"))
    path = f"/desk/waiting/{act}"

    assert refused(board.api.post(f"{path}/options", token=own)) == (403, "own_act")
    assert board.api.get(path, token=own).json["hint"].startswith("You signed this already")
    assert refused(board.api.post(f"{path}/options", token=reads)) == (403, "refused")
    assert board.api.get(path, token=reads).json["mayDecide"] is False
    assert board.api.post("/desk/waiting/appr_no/options", token=token).status_code == 404
    assert refused(board.decide(act, token, AMA.but(flags=4))) == (401, "not_verified")
    assert refused(board.decide(act, token, AMA.but(origin="https://x"))) == (422, "wrong_origin")
    assert refused(board.decide(act, token, IDA)) == (403, "bad_signature")
    blank = board.api.post(f"{path}/options", {"why": " "}, token=token)
    assert refused(blank) == (422, "invalid_input")
    other = board.ask(f"/desk/waiting/{board.waits()}/options", token)
    changed = board.api.post(f"{path}/approve", body(other, AMA), token=token)
    assert refused(changed) == (409, "act_changed")
    asked = board.ask(f"{path}/options", token)
    approve(acting(board.context, "ben"), act, handlers=HANDLERS)
    decided = board.api.post(f"{path}/approve", body(asked, AMA), token=token)
    assert refused(decided) == (410, "act_decided")
    assert refused(board.api.get(path, token=token)) == (410, "act_decided")
    limits = show_limits(board.context)._replace(phone_limit_cents=LIMIT_CENTS)
    approve_as(board.context, set_limits(acting(board.context, "ada"), limits, why="x"), "ben")
    large = f"/desk/waiting/{board.waits(LIMIT_CENTS + 1)}"
    assert refused(board.api.post(f"{large}/options", token=token)) == (403, "phone_limit")
    assert board.api.get(large, token=token).json["hint"].startswith("This is over the limit")


def test_an_old_challenge_is_refused(board: Board) -> None:
    """Five minutes, by the server's clock; the phone's plays no part."""
    act, token = board.waits(), board.session()
    path = f"/desk/waiting/{act}"
    sent = body(board.ask(f"{path}/options", token), AMA)
    later(board.api, minutes=6)

    answer = board.api.post(f"{path}/approve", sent, token=token)
    assert refused(answer) == (403, "bad_signature")
    assert board.decide(act, token).json["state"] == "approved"


def test_a_key_asks_sixty_times_in_five_minutes(board: Board) -> None:
    """Then it waits."""
    act, token = board.waits(), board.session()
    path = f"/desk/waiting/{act}/options"
    answers = [board.api.post(path, token=token).status_code for _ in range(61)]

    assert answers == [200] * 60 + [429]


def at_site(board: Board, site_url: str) -> Board:
    """Return the same organisation at another address."""
    application = board.api.application
    rules = application.context.rules._replace(site_url=site_url)
    context = replace(application.context, rules=rules)
    return Board(Api(replace(application, context=context), board.api.clock))


def test_a_phone_signs_nothing_at_a_new_host_name(board: Board) -> None:
    """Its signatures until then stay good; an answer from the old address opens nothing."""
    act, token = board.waits(), board.session()
    moved = at_site(board, "https://new.example")

    asked = moved.ask("/desk/session/options")
    assert asked["host"] == "new.example"
    for phone in (AMA, AMA.but(origin="https://new.example"), Phone("ama", host="new.example")):
        answer = moved.api.post("/desk/session", body(asked, phone))
        assert answer.status_code in {401, 422}
    assert moved.api.get("/desk/waiting", token=token).status_code == 401
    newer = Phone("ama", host="new.example")
    enrol_phone(board.context, newer, "ada", "ben", name="ama")
    assert moved.decide(act, moved.session(newer), newer).json["state"] == "approved"


def test_an_impossible_act_is_not_signed(board: Board) -> None:
    """The desk says why, and the act leaves the list by the daily run."""
    key = TestSigner("cyd").key.text()
    first, second = (
        add_operator(acting(board.context, "ada"), "cyd", key=key, roles=("editor",))
        for _ in range(2)
    )
    assert isinstance(second, Approval)
    token, path = board.session(), f"/desk/waiting/{second.id}"
    sent = body(board.ask(f"{path}/options", token), AMA)
    approve_as(board.context, first, "ben")

    shown = board.api.get(path, token=token).json
    assert "is or was enrolled" in shown["obstacle"]
    for end, parts in (("options", None), ("approve", sent)):  # the phone signed in time
        answer = board.api.post(f"{path}/{end}", parts, token=token)
        assert refused(answer) == (409, "conflict")
        assert "is or was enrolled" in answer.json["message"]


def test_an_act_of_an_earlier_version_is_refused_only(board: Board) -> None:
    """It has no handler, so the desk shows it without a number of people, and signs no approval."""
    old = Approval("appr_1", "votes.gone", {}, "", "waiting", "kit", board.context.now())
    with board.context.store.write() as work:
        work.operations.put_approval(old)
    token = board.session()

    shown = board.api.get("/desk/waiting/appr_1", token=token).json
    answer = board.api.post("/desk/waiting/appr_1/options", token=token)

    assert (shown["needed"], shown["obstacle"]) == (0, "This version has no act 'votes.gone'.")
    assert refused(answer) == (409, "conflict")
    assert board.decide("appr_1", token, why="gone").json["state"] == "refused"


def test_a_payment_waits_on_when_its_money_is_spent_in_between(board: Board) -> None:
    """The phone hears why its signature pays nothing; what stays set aside is shown before."""
    pass_proposal(board.context, 3 * LIMIT_CENTS)
    payment = Disbursement(Payee.PROJECTS, "wells", 2 * LIMIT_CENTS, proposal="prop_wells")
    first, second = (disburse(acting(board.context, "kit"), payment) for _ in range(2))
    assert isinstance(second, Approval)
    token, path = board.session(), f"/desk/waiting/{second.id}"
    assert board.api.get(path, token=token).json["remains"] == "$10.00 stay set aside."
    sent = body(board.ask(f"{path}/options", token), AMA)
    approve_as(board.context, first, "ben")

    answer = board.api.post(f"{path}/approve", sent, token=token)

    assert refused(answer) == (409, "fund_overdrawn")
    assert board.api.get(path, token=token).json["remains"] == "$0.00 stay set aside."


def test_two_trustees_at_once_decide_once(board: Board) -> None:
    """One of them hears that somebody was faster."""
    enrol_phone(board.context, IDA, "ada", "ben")
    act, tokens = board.waits(), {"ama": board.session(), "ida": board.session(IDA)}
    path = f"/desk/waiting/{act}"
    sent = {
        phone.name: body(board.ask(f"{path}/options", tokens[phone.name]), phone)
        for phone in (AMA, IDA)
    }
    with ThreadPoolExecutor() as pool:
        answers = list(
            pool.map(
                lambda name: board.api.post(f"{path}/approve", sent[name], token=tokens[name]),
                sent,
            )
        )

    assert sorted(one.status_code for one in answers) in ([200, 409], [200, 410])
    with board.context.store.read() as work:
        entries = [one for one in work.operations.audit() if one.subject == act]
    assert [one.action for one in entries].count("approvals.approve") == 1


def test_forged_assertions_are_refused(board: Board) -> None:
    """Thousands of them, of every kind; the act goes on waiting."""
    act, token, draw = board.waits(), board.session(), Random(3)
    path, others = f"/desk/waiting/{act}", board.waits(LIMIT_CENTS * 2)
    enrol_phone(board.context, IDA, "ada", "ben")
    other = board.ask(f"/desk/waiting/{others}/options", token)
    refusal = board.ask(f"{path}/options", token, "no")
    for number in range(size(150, 10_000, full=2_000)):
        board.context.recent._times.clear()  # the limit of calls is tested elsewhere
        if number % 200 == 0:
            asked = board.ask(f"{path}/options", token)
        sent = forged(draw, asked, other, refusal)
        answer = board.api.post(f"{path}/approve", sent, token=token)
        assert answer.status_code in {401, 403, 409, 422}, (number, sent, answer.json)

    assert board.decide(act, token).json["state"] == "approved"


def forged(
    draw: Random, asked: dict[str, Any], other: dict[str, Any], refusal: dict[str, Any]
) -> dict[str, str]:
    """Return one forgery of an approval."""
    good, made = body(asked, AMA), {}
    match draw.randrange(9):
        case 0:
            origin = draw.choice(["https://evil.example", "http://jara.example", SITE + ":444"])
            made = body(asked, AMA.but(origin=origin))
        case 1:
            made = body(draw.choice([other, refusal]), AMA)
        case 2:
            made = {"statement": draw.choice([other, refusal])["statement"]}
        case 3:
            made = body(asked, AMA.but(flags=draw.choice([0, 1, 4, 0x40, 0x45, 0x85])))
        case 4:
            r, s = decode_dss_signature(urlsafe_b64decode(good["signature"] + "=="))
            pair = draw.choice([(0, s), (r, 0), (ORDER, s), (r, ORDER), (r + ORDER, s), (s, r)])
            der = encode_dss_signature(*pair)
            made = {"signature": urlsafe_b64encode(der).decode().rstrip("=")}
        case 5:
            name = draw.choice(["authenticatorData", "clientData", "signature"])
            made = {name: good[name][: draw.randrange(1, len(good[name]) - 2)]}
        case 6:
            made = body(
                asked, AMA.but(more=draw.choice([{"crossOrigin": True}, {"topOrigin": SITE}]))
            )
        case 7:
            made = body(asked, IDA)
        case _:
            name = draw.choice(["authenticatorData", "signature", "clientData"])
            data = bytearray(urlsafe_b64decode(good[name] + "=="))
            data[draw.randrange(len(data))] ^= draw.randrange(1, 256)
            made = {name: urlsafe_b64encode(bytes(data)).decode().rstrip("=")}
    return {**good, **made}
