"""Members of an organisation, and what they do on its website besides voting."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from secrets import token_bytes
from typing import Any

from jara.services.payments.importing import collect_movements
from jara.services.payments.refunding import refund_payment
from tests.sent_emails import mailed_code
from tests.services.giving.joiners import sandbox_of
from tests.services.members.software_authenticator import Authenticator
from tests.webapi.desk import PASSWORD, Desk, registration


@dataclass
class Person:
    """A member, as the website knows them."""

    desk: Desk
    email: str
    token: str = ""
    id: str = ""
    key: str = ""
    password: str = PASSWORD
    choice: str = ""
    """The choice of the ballot; empty if there is none."""

    def join(self) -> None:
        """Join with a card, or join again after leaving."""
        answer = self.desk.post("/register", registration(email=self.email, password=self.password))
        assert answer.status_code in {201, 202}, answer.json
        self.token = answer.json["token"]
        with self.desk.application.context.store.read() as work:
            member = work.members.by_email(self.email)
        assert member is not None
        self.id, self.key = member.id, member.key

    def sign_in(self) -> None:
        """Sign in with the password."""
        body = {"email": self.email, "password": self.password}
        self.token = self._done("POST", "/user/login", body)["token"]

    def change_settings(self) -> None:
        """Change the name."""
        self._done("PUT", "/user/update-profile", {"firstname": "Efua", "lastname": "Mensah"})

    def turn_news(self, *, on: bool = False) -> None:
        """Subscribe to the news, or end that."""
        self._done("PUT", "/user/update-profile", {"notifications": on})

    def change_amount(self) -> None:
        """Give more each month."""
        self._done("PUT", "/user/update-subscription", {"subscriptionAmount": 20})

    def top_up(self) -> None:
        """Give once more."""
        body = {"amountCents": 1500, "email": self.email, "paymentMethodId": "pm_card_visa"}
        self._done("POST", "/gifts", body)

    def tick_off(self) -> None:
        """Complete an item of the checklist."""
        self._done("PUT", "/user/todo/invite-a-friend", {"completed": True})

    def read(self) -> None:
        """Look at the own account."""
        for path in ("/user/get-profile", "/user/export", "/user/votes"):
            self._done("GET", path)

    def reset_password(self) -> None:
        """Set a new password by the mailed link."""
        self._done("POST", "/user/forgot-password", {"email": self.email})
        code = mailed_code(self.desk.application.context, "password_reset", self.email)
        self.password += "!"
        new = {"newPassword": self.password, "confirmNewPassword": self.password}
        self._done("POST", "/user/reset-password", {"code": code, **new})
        self.sign_in()

    def add_passkey(self) -> None:
        """Add a passkey."""
        asked = {"currentPassword": self.password}
        options = self._done("POST", "/user/passkeys/options", asked)
        made = Authenticator(name=token_bytes(16)).create(options)
        body = {
            "name": "Phone",
            "id": made.id,
            "clientData": made.client_data,
            "attestation": made.attestation,
        }
        self._done("POST", "/user/passkeys", body)

    def pause(self, *, paused: bool = True) -> None:
        """Pause the pledge, or resume it."""
        self._done("PUT", "/user/pledge", {"paused": paused})

    def leave(self) -> None:
        """Close the account."""
        self._done("DELETE", "/user/delete-account", {"currentPassword": self.password})

    def vote(self, proposal: str, choice: str) -> dict[str, Any]:
        """Vote; return the receipt."""
        body = {"id": proposal, "voteType": f"{choice}vote"}
        receipt: dict[str, Any] = self._done("POST", "/user/votes", body)["receipt"]
        self.choice = choice
        return receipt

    def refund(self, *, cents: int | None = None) -> None:
        """Let an operator refund the newest payment, in part or whole."""
        context = self.desk.application.context
        refund_payment(context, self.charge(), cents=cents, why="asked for it")

    def dispute(self) -> None:
        """Dispute the first payment at the bank."""
        context = self.desk.application.context
        sandbox_of(context).dispute(self.charge())
        collect_movements(context)

    def charge(self) -> str:
        """Return the id of the first payment of the pledge."""
        with self.desk.application.context.store.read() as work:
            payments = work.payments.of_member(self.key)
        return next(str(one.source_id) for one in payments if one.kind == "pledge")

    def do_something(self, random: Random, done: list[str]) -> None:
        """Do one thing at random that leaves the right to vote."""
        act: Callable[[], None] = random.choice(
            [
                self.sign_in,
                self.change_settings,
                self.turn_news,
                self.change_amount,
                self.top_up,
                self.tick_off,
                self.read,
                self.reset_password,
                self.add_passkey,
                lambda: self.refund(cents=100),
            ]
        )
        act()
        done.append(getattr(act, "__name__", "refund"))

    def _done(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.desk.call(method, path, body, token=self.token or None)
        if answer.status_code == 401 and self.token:  # the sign-in has ended
            self.token = ""
            self.sign_in()
            answer = self.desk.call(method, path, body, token=self.token)
        assert answer.status_code < 300, (method, path, answer.json)
        return answer.json
