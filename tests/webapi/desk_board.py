"""An organisation whose phones use the desk over HTTP."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from typing import Any

from jara.domain.control.ssh import Assertion
from jara.records.operations import Approval
from jara.services.context import Context, Rules
from jara.services.notices.links import complete_links
from jara.services.operations.invitations import invite_phone
from tests.fakes.operators import acting, enrol, enrol_phone
from tests.fakes.passkeys import Phone
from tests.services.books.ledger_builders import give
from tests.services.members.software_authenticator import Authenticator, encoded
from tests.services.operations.controlled_world import LIMIT_CENTS, ROLES, grant
from tests.webapi.desk import Desk as Api

SITE = "https://jara.example"
AMA, IDA = Phone("ama"), Phone("ida")


@dataclass
class Board:
    """An organisation with keys whose phones use the API."""

    api: Api

    @property
    def context(self) -> Context:
        """The context of commands."""
        return self.api.application.context

    def waits(self, cents: int = LIMIT_CENTS) -> str:
        """Let a payment wait; return its id."""
        waiting = grant(self.context, "kit", cents)
        assert isinstance(waiting, Approval)
        return waiting.id

    def session(self, phone: Phone = AMA) -> str:
        """Open a session; return its token."""
        answer = self.api.post("/desk/session", body(self.ask("/desk/session/options"), phone))
        assert answer.status_code == 200, answer.json
        return str(answer.json["token"])

    def ask(self, path: str, token: str = "", why: str | None = None) -> dict[str, Any]:
        """Return what is to be signed."""
        answer = self.api.post(path, None if why is None else {"why": why}, token=token or None)
        assert answer.status_code == 200, answer.json
        return dict(answer.json)

    def decide(
        self, act: str, token: str, phone: Phone = AMA, *, why: str | None = None, **changes: Any
    ) -> Any:
        """Approve an act, or refuse it."""
        path = f"/desk/waiting/{act}"
        asked = {**self.ask(f"{path}/options", token, why), **changes}
        more = {} if why is None else {"why": why}
        verb = "approve" if why is None else "refuse"
        return self.api.post(f"{path}/{verb}", {**body(asked, phone), **more}, token=token)


def body(asked: dict[str, Any], phone: Phone) -> dict[str, str]:
    """Return what the page sends when a phone answers."""
    challenge = asked["challenge"]
    made = phone.answer(urlsafe_b64decode(challenge + "=" * (-len(challenge) % 4)))
    return {"statement": asked["statement"], **parts(made)}


def parts(made: Assertion) -> dict[str, str]:
    """Return an assertion as the page sends it."""
    names = ("authenticatorData", "clientData", "signature")
    return {
        name: urlsafe_b64encode(part).decode().rstrip("=")
        for name, part in zip(names, made, strict=True)
    }


def make_board(api: Api) -> Board:
    """Let an organisation have a limit of $10, six keys and Ama's phone."""
    context = replace(api.application.context, rules=Rules(approval_cents=LIMIT_CENTS))
    give(context, 100_000)
    enrol(context, **ROLES)
    enrol_phone(context, AMA, "ada", "ben")
    return Board(api)


def accept_invitation(board: Board) -> tuple[dict[str, Any], dict[str, str], Any]:
    """Invite Ida's phone, and accept; return the page's data, what is sent and the answer."""
    invite_phone(acting(board.context, "ada"), "ida", role="approver", email="ida@example.org")
    with board.context.store.read() as work:
        (email,) = [one for one in work.outbox.all() if one.kind == "operator_phone"]
    code = complete_links(board.context, email).doc["link"].partition("#invitation=")[2]
    page = board.api.post("/desk/invitation", {"code": code}).json
    phone = Authenticator()
    made = phone.create({"challenge": encoded(bytes.fromhex(page["challenge"]))})
    sent = {
        "code": code,
        "id": made.id,
        "clientData": made.client_data,
        "attestation": made.attestation,
    }
    return page, sent, board.api.post("/desk/invitation/accept", sent)
