"""Passkeys over HTTP, with a software authenticator."""

from pathlib import Path
from typing import Any

from jara.records.access import PasskeyAnswer
from tests.services.members.software_authenticator import ORIGIN, Authenticator
from tests.webapi.desk import PASSWORD, Desk, later, open_desk, refused


def creation(answer: PasskeyAnswer, name: str = "Phone") -> dict[str, Any]:
    """Return the body that adds a passkey."""
    return {
        "name": name,
        "id": answer.id,
        "clientData": answer.client_data,
        "attestation": answer.attestation,
    }


def request(answer: PasskeyAnswer, **changes: str) -> dict[str, Any]:
    """Return the body that signs in."""
    return {
        "id": answer.id,
        "clientData": answer.client_data,
        "authenticatorData": answer.authenticator_data,
        "signature": answer.signature,
        **changes,
    }


def tap(desk: Desk, phone: Authenticator) -> dict[str, Any]:
    """Answer the sign-in options."""
    return request(phone.sign_in(desk.post("/user/login/passkey/options").json))


def test_a_passkey_is_added_used_and_removed(place: Path) -> None:
    """A passkey is added, used and removed; an old sign-in needs the password first."""
    desk = open_desk(place, site_url=ORIGIN)
    token, phone = desk.join(), Authenticator()
    later(desk, minutes=16)
    asked = desk.post("/user/passkeys/options", {}, token=token)
    assert refused(asked) == (403, "reauth_required")
    options = desk.post("/user/passkeys/options", {"currentPassword": PASSWORD}, token=token).json
    added = desk.post("/user/passkeys", creation(phone.create(options)), token=token)
    assert added.status_code == 201, added.json
    (line,) = desk.get("/user/passkeys", token=token).json
    answer = desk.post("/user/login/passkey", tap(desk, phone))

    assert (options["rp"]["id"], options["authenticatorSelection"]["userVerification"]) == (
        "jara.example",
        "required",
    )
    assert (line["name"], line["addedOn"]) == ("Phone", "2026-11-20")
    assert answer.status_code == 200
    assert desk.get("/user/get-profile", token=answer.json["token"]).status_code == 200
    assert desk.delete(f"/user/passkeys/{line['id']}", token=token).status_code == 200
    assert desk.post("/user/login/passkey", tap(desk, phone)).status_code == 401


def test_no_answer_is_a_server_error(place: Path) -> None:
    """Truncated, swapped and replayed answers are 4xx."""
    desk = open_desk(place, site_url=ORIGIN, limit_sign_in_address="100000/h")
    token, phone = desk.join(), Authenticator()
    options = desk.post("/user/passkeys/options", {}, token=token).json
    good = creation(phone.create(options))
    made = ("id", "clientData", "attestation")
    bodies = [{**good, part: good[part][:cut]} for part in made for cut in (1, 9, 20)]
    statuses = {desk.post("/user/passkeys", body, token=token).status_code for body in bodies}
    assert statuses == {422}
    desk.post("/user/passkeys", good, token=token)
    once = tap(desk, phone)
    parts = ("id", "clientData", "authenticatorData", "signature")
    broken = [{**once, part: once[part][:cut]} for part in parts for cut in (1, 9, 20)]
    broken += [{**once, part: once["clientData"]} for part in parts if part != "clientData"]
    statuses = {desk.post("/user/login/passkey", body).status_code for body in broken}

    assert statuses <= {401, 422}
    assert desk.post("/user/login/passkey", once).status_code == 200
    assert desk.post("/user/login/passkey", once).status_code == 422
