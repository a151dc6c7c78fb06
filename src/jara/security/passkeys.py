"""Passkeys, checked with the library `webauthn`.

It takes 0.2 s to import, so the methods that need it import it.
"""

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from jara.domain.errors import InvalidInput
from jara.records.access import PasskeyAnswer

TIMEOUT_SECONDS = 300
_COSE_X, _COSE_Y = bytes.fromhex("a5010203262001215820"), bytes.fromhex("225820")
"""What stands before the two coordinates in a key of ES256, as COSE writes it."""
_REFUSED = "This passkey could not be checked; please try again."

Checked = TypeVar("Checked")


class InvalidPasskey(InvalidInput):
    """An answer is malformed, forged, or for another site or challenge."""

    code = "invalid_passkey"


class WebAuthnVerifier:
    """Checks passkeys for one site: its host, and exactly its origin."""

    def __init__(self, site_url: str, *, organisation: str) -> None:
        parts = urlsplit(site_url)
        self._host = parts.hostname or ""
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._organisation = organisation

    def creation_options(
        self, challenge: bytes, *, user: bytes, name: str, known: Sequence[str]
    ) -> Mapping[str, Any]:
        """Return the options with which a browser creates a passkey."""
        import webauthn  # slow to import

        structs = webauthn.helpers.structs
        options = webauthn.generate_registration_options(
            rp_id=self._host,
            rp_name=self._organisation,
            user_id=user,
            user_name=name,
            challenge=challenge,
            timeout=TIMEOUT_SECONDS * 1000,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                structs.PublicKeyCredentialDescriptor(id=_decode(each)) for each in known
            ],
        )
        return webauthn.helpers.options_to_json_dict(options)

    def request_options(self, challenge: bytes) -> Mapping[str, Any]:
        """Return the options with which a browser signs in."""
        import webauthn  # slow to import

        structs = webauthn.helpers.structs
        options = webauthn.generate_authentication_options(
            rp_id=self._host,
            challenge=challenge,
            timeout=TIMEOUT_SECONDS * 1000,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        )
        return webauthn.helpers.options_to_json_dict(options)

    def challenge_of(self, answer: PasskeyAnswer) -> bytes:
        """Return the challenge that an answer names.

        Raises:
            InvalidPasskey: the answer is malformed.
        """
        return _refusing(lambda: _decode(_client_data(answer)["challenge"]))

    def check_creation(self, answer: PasskeyAnswer, challenge: bytes) -> bytes:
        """Return the public key of a new passkey.

        Raises:
            InvalidPasskey: the answer does not match this challenge and this site.
        """
        import webauthn  # slow to import

        _refuse_frames(answer)
        verified = _refusing(
            lambda: webauthn.verify_registration_response(
                credential=_credential(answer, attestationObject=answer.attestation),
                expected_challenge=challenge,
                expected_rp_id=self._host,
                expected_origin=self._origin,
                require_user_verification=True,
            )
        )
        # The id beside the attestation is not signed; it must not name another passkey.
        if webauthn.helpers.bytes_to_base64url(verified.credential_id) != answer.id:
            raise InvalidPasskey(_REFUSED)
        return verified.credential_public_key

    def check_request(self, answer: PasskeyAnswer, challenge: bytes, public_key: bytes) -> None:
        """Check the signature of a sign-in.

        Raises:
            InvalidPasskey: the answer does not match this challenge and this site.
        """
        import webauthn  # slow to import

        _refuse_frames(answer)
        _refusing(
            lambda: webauthn.verify_authentication_response(
                credential=_credential(
                    answer, authenticatorData=answer.authenticator_data, signature=answer.signature
                ),
                expected_challenge=challenge,
                expected_rp_id=self._host,
                expected_origin=self._origin,
                credential_public_key=public_key,
                # The counter is not stored: it would reveal how often a member signs in.
                credential_current_sign_count=0,
                require_user_verification=True,
            )
        )


def point_of(public_key: bytes) -> bytes | None:
    """Return the uncompressed point of a passkey's key; None unless it is of P-256 (ES256).

    Authenticators write the key in canonical CBOR (CTAP2 §6), so its bytes have fixed places.
    """
    x, y = public_key[len(_COSE_X) :][:32], public_key[-32:]
    return b"\4" + x + y if public_key == _COSE_X + x + _COSE_Y + y else None


def _client_data(answer: PasskeyAnswer) -> dict[str, Any]:
    """Return what the browser says about the page; a result of another type fails later."""
    content: dict[str, Any] = json.loads(_decode(answer.client_data))
    return content


def _refuse_frames(answer: PasskeyAnswer) -> None:
    """Refuse an answer from a page in a frame of another site, which the library accepts.

    Older browsers leave out ``crossOrigin``; ``topOrigin`` names the site around the frame.

    Raises:
        InvalidPasskey: the browser says anything but that the page is not in such a frame.
    """
    content = _refusing(lambda: dict(_client_data(answer)))
    if content.get("crossOrigin", False) is not False or "topOrigin" in content:
        raise InvalidPasskey(_REFUSED)


def _credential(answer: PasskeyAnswer, **response: str) -> dict[str, Any]:
    return {
        "id": answer.id,
        "rawId": answer.id,
        "type": "public-key",
        "response": {"clientDataJSON": answer.client_data, **response},
    }


def _refusing(check: Callable[[], Checked]) -> Checked:
    """Return the result of a check; turn every error of it into the same refusal."""
    try:
        return check()
    except Exception as error:
        raise InvalidPasskey(_REFUSED) from error


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
