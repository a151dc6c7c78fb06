"""The link in emails that stops a pledge without signing in; it never expires.

The code holds the member's id and a keyed hash of it, so nothing is stored for it. It can stop
a pledge and nothing else.
"""

from __future__ import annotations

import hmac

from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode

_PURPOSE = "stop pledge"


def stop_url(context: Context, member_id: str) -> str:
    """Return the link that stops a member's pledge."""
    code = f"{member_id}.{context.vault.keyed_hash(_PURPOSE, member_id)}"
    return f"{context.rules.site_url}/stop-pledge?code={code}"


def member_in(context: Context, code: str) -> str:
    """Return the id of the link's member.

    Raises:
        UnusableCode: the code is not valid.
    """
    member_id, _, proof = code.partition(".")
    expected = context.vault.keyed_hash(_PURPOSE, member_id)
    if not hmac.compare_digest(proof.encode(), expected.encode()):
        sentence = "This link is incomplete; please use the link in the newest email."
        raise UnusableCode(sentence, fields={"code": sentence})
    return member_id
