"""Each call that changes something is made; what it takes and answers is as its document says."""

import json
import re
from pathlib import Path
from typing import Any

from falcon import testing

from jara.domain.control.effects import ACTS
from jara.domain.control.effects import CALLS as CALLS_TOUCH
from jara.services.field.partners import set_partner_address
from jara.services.members.editing import MemberEdit, edit_member
from jara.services.notices.links import choice_url
from jara.services.publiclog.proofs import log_size
from tests.sent_emails import code_in, mailed_code, newest_email
from tests.services.giving.joiners import ASKS, FAILS, sandbox_of
from tests.services.members.software_authenticator import ORIGIN, Authenticator
from tests.sizes import IS_FULL
from tests.tables_written import read_tables, undeclared
from tests.webapi.calls import CALLS
from tests.webapi.desk import PASSWORD, Desk, later, open_desk, promise, registration
from tests.webapi.desk_board import accept_invitation, make_board
from tests.webapi.field.claims_world import claim_phone
from tests.webapi.field.field_world import field_photo, open_phone
from tests.webapi.payments.live_desk import LiveDesk
from tests.webapi.test_answer_schemas import differences
from tests.webapi.test_passkey_calls import creation, tap
from tests.webapi.test_promises import take_transfers

NEW_PASSWORD = {"newPassword": "a-new-cloth", "confirmNewPassword": "a-new-cloth"}
WEBHOOK = "POST /webhooks/stripe"
NEVER_REFUSED = {"POST /api/user/login/passkey/options", "POST /api/desk/session/options"}
"""They take nothing, and anybody may ask."""


class CheckedClient(testing.TestClient):
    """A client that holds each answer, and each body that is accepted, against the document.

    It notes the tables that a call writes although the table of effects does not say so.
    """

    def __init__(self, desk: Desk) -> None:
        """Read the document."""
        super().__init__(desk.client.app)
        self.context = desk.application.context
        self.is_on_server = desk.application.settings.database_url.startswith("postgres")
        self.undeclared: list[str] = []
        self.document = desk.get("/openapi.json").json
        self.paths = {
            re.compile(re.sub(r"{\w+}", "[^/]+", path)): path for path in self.document["paths"]
        }
        self.accepted: set[str] = set()
        self.refused: set[str] = set()

    def simulate_request(self, *args: Any, **more: Any) -> Any:
        """Make a call, and check it."""
        before = self._tables()
        answer = super().simulate_request(*args, **more)
        method, path = args
        template = next(name for form, name in self.paths.items() if form.fullmatch(path))
        operation = self.document["paths"][template][method.lower()]
        label = f"{method} {template}"
        touches = {*CALLS_TOUCH.get(label.replace(" /api/", " /"), ())}
        if path.endswith("/approve"):  # what the act itself touches, too
            touches |= {*ACTS["ledger.post"].touches}
        tables = undeclared(touches, before, self._tables())
        self.undeclared += [f"{label}: {table}" for table in tables]
        content = operation["responses"][str(answer.status_code)]["content"]
        (media_type,) = content
        assert answer.headers["content-type"] == media_type
        if media_type == "application/json":
            schema = content[media_type]["schema"]
            assert differences(self.document, schema, answer.json) == [], label
        if answer.status_code >= 400:
            self.refused.add(label)
            return answer
        self.accepted.add(f"{label}: {answer.status_code}")
        if "json" in more:
            (body,) = operation["requestBody"]["content"].values()
            assert differences(self.document, body["schema"], more["json"]) == [], label
        return answer

    def _tables(self) -> dict[str, str]:
        """Return a hash of each table; on a server in a full run only, where each query is slow."""
        if self.is_on_server and not IS_FULL:
            return {}
        with self.context.store.read() as work:
            return read_tables(work)

    @property
    def changes(self) -> set[str]:
        """The calls of the document that change something, with each status of success."""
        return {
            f"{method.upper()} {path}: {status}"
            for path, item in self.document["paths"].items()
            for method, operation in item.items()
            for status in operation["responses"]
            if method != "get" and status < "300"
        }


def join_and_change(desk: Desk) -> None:
    """Join, change what a member may change, and pay."""
    form = registration()
    desk.post("/email-exists", {"email": form["email"], "password": PASSWORD})
    token = desk.join(**form)
    desk.put("/user/update-subscription", {"subscriptionAmount": 20}, token=token)
    desk.put("/user/pledge", {"billingDay": "28"}, token=token)
    desk.post("/user/pledge/pay", token=token)
    desk.put("/user/todo/invite-a-friend", {"completed": True}, token=token)
    desk.put("/user/update-profile", {"email": "new@example.org"}, token=token)
    for path, kind in (
        ("/confirm-address", "address_confirm"),
        ("/undo-change", "address_changed"),
    ):
        desk.post(path, {"code": mailed_code(desk.application.context, kind)})
    context = desk.application.context
    edit_member(context, form["email"], MemberEdit(email="moved@example.org"))
    desk.post(
        "/confirm-address", {"code": mailed_code(context, "address_confirm", "moved@example.org")}
    )
    desk.post("/agree-address", {"code": mailed_code(context, "address_agreement")})
    asked = desk.post("/register", registration(paymentMethodId=ASKS))
    confirm = {"clientSecret": asked.json["clientSecret"], "outcome": "succeed"}
    desk.post("/sandbox/confirm", confirm)
    desk.post("/register/promise", promise(way="transfer"))
    gift = {"amountCents": 500, "email": "g@example.org", "paymentMethodId": "pm_card_visa"}
    desk.post("/gifts", gift)
    desk.post("/gifts", {**gift, "paymentMethodId": ASKS})
    desk.post("/gifts/promise", {"amountCents": 500, "email": "k@example.org", "way": "transfer"})


def pay_late(desk: Desk) -> None:
    """Pay a charge that failed, with a card whose bank asks; end the pledge and start again."""
    form = registration()
    desk.put("/user/pledge", {"paymentMethodId": FAILS}, token=desk.join(**form))
    later(desk, days=31)
    sandbox_of(desk.application.context).run_until(desk.clock.now())
    credentials = {"email": form["email"], "password": PASSWORD}
    token = desk.post("/user/login", credentials).json["token"]
    desk.put("/user/pledge", {"paymentMethodId": ASKS}, token=token)
    desk.post("/user/pledge/pay", token=token)
    desk.put("/user/pledge", {"canceled": True}, token=token)
    desk.put("/user/pledge", {"paymentMethodId": ASKS}, token=token)


def vote_and_check(desk: Desk) -> None:
    """Vote, and ask what the log says about the ballot."""
    name, token = desk.open_vote(), desk.join()
    vote = {"id": name, "voteType": "upvote"}
    receipt = desk.post("/user/votes", vote, token=token).json["receipt"]
    voter, size = json.loads(receipt["leafBytes"])["voter"], log_size(desk.application.context)
    desk.post(
        "/proofs/ballot", {"proposal": name, "voter": voter, "key": receipt["key"], "size": size}
    )


def sign_in_and_out(desk: Desk) -> None:
    """Sign in in each way, reset the password, and end sessions and the account."""
    context, form, phone = desk.application.context, registration(), Authenticator()
    credentials = {"email": form["email"], "password": PASSWORD}
    token = desk.join(**form)
    options = desk.post("/user/passkeys/options", {}, token=token).json
    desk.post("/user/passkeys", creation(phone.create(options)), token=token)
    desk.post("/user/login/passkey", tap(desk, phone))
    (passkey,) = desk.get("/user/passkeys", token=token).json
    desk.delete(f"/user/passkeys/{passkey['id']}", token=token)
    other = desk.post("/user/login", credentials).json["token"]
    session = desk.get("/user/sessions", token=other).json[-1]
    desk.delete(f"/user/sessions/{session['id']}", token=other)
    for path in ("/user/logout", "/user/logout-everywhere"):
        desk.post(path, token=desk.post("/user/login", credentials).json["token"])
    desk.post("/user/forgot-password", {"email": form["email"]})
    code = mailed_code(context, "password_reset")
    desk.post("/user/reset-password/check", {"code": code})
    desk.post("/user/reset-password", {"code": code, **NEW_PASSWORD})
    token = desk.post("/user/login", {**credentials, "password": "a-new-cloth"}).json["token"]
    desk.delete("/user/delete-account", {"currentPassword": "a-new-cloth"}, token=token)


def follow_links(desk: Desk) -> None:
    """Follow the links of emails."""
    context = desk.application.context
    desk.join(email="l@example.org")
    welcome = newest_email(context, "welcome", "l@example.org")
    desk.post("/stop-pledge", {"code": code_in(welcome.doc["stopUrl"])})
    choice = {"code": code_in(choice_url(context, "l@example.org"))}
    desk.post("/emails/choice", {**choice, "choice": "votes"})
    desk.post("/newsletter", {"email": "n@example.org"})
    desk.post("/newsletter/confirm", {"code": mailed_code(context, "newsletter_confirmation")})
    desk.post("/newsletter/unsubscribe", {"code": code_in(choice_url(context, "n@example.org"))})


def report_from_the_field(desk: Desk) -> None:
    """Send a report with a photo as a partner, who confirms an address."""
    context, phone, photo = desk.application.context, open_phone(desk), field_photo()
    phone.send_all(photo)
    phone.send({"title": 7})
    phone.call("PUT", "/reports/phone-made-key-0001/photos/none", body=b"x")
    claim_phone(desk).claim()
    set_partner_address(context, "Maji Safi", "partner@example.org")
    desk.post("/partners/confirm", {"code": mailed_code(context, "partner_address")})


def sign_at_the_desk(desk: Desk) -> None:
    """Invite a phone; with another one, approve an act and refuse another."""
    board = make_board(desk)
    accept_invitation(board)
    token = board.session()
    board.decide(board.waits(), token)
    board.decide(board.waits(), token, why="not yet")


def refuse_all(desk: Desk) -> None:
    """Make each call without a session, and with a body that it does not take."""
    for call in CALLS:
        if call.method != "GET":
            body: dict[str, list[str]] = {"nothing": []}
            desk.call(call.method, call.address, body if call.body is not None else None)


def test_each_change_is_answered_as_documented(place: Path) -> None:
    """Each is accepted at least once, and refused at least once."""
    desk = open_desk(place, site_url=ORIGIN)
    take_transfers(desk)
    client = desk.client = CheckedClient(desk)

    join_and_change(desk)
    vote_and_check(desk)
    sign_in_and_out(desk)
    follow_links(desk)
    report_from_the_field(desk)
    pay_late(desk)
    sign_at_the_desk(desk)
    refuse_all(desk)

    assert client.changes - client.accepted == set()
    assert not client.undeclared, client.undeclared
    changes = {change.partition(":")[0] for change in client.changes}
    assert changes - client.refused == NEVER_REFUSED
    assert {f"{call.replace(' /api/', ' /')}" for call in changes} == CALLS_TOUCH.keys() - {WEBHOOK}


def test_the_webhook_is_answered_as_documented(live: LiveDesk) -> None:
    """The one change that exists with live payments only."""
    live.client = client = CheckedClient(live)
    assert live.register().status_code == 201

    assert live.hear_all() > 0
    assert live.deliver(b"{}", "forged").status_code == 401
    assert not client.undeclared, client.undeclared
    assert "POST /api/webhooks/stripe: 200" in client.accepted
    assert "POST /api/webhooks/stripe" in client.refused
