"""The column values of a simulated row, as PostgreSQL expressions.

Each depends on the row's number ``n`` and its mark ``m``, 32 pseudorandom hexadecimal digits;
``t`` is the copied row, ``s`` the log index.
"""

# ruff: noqa: S608 - these statements contain only our own expressions

from __future__ import annotations

from collections.abc import Mapping

from tests.benchmarks.grown_organisation import EMAIL

_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"

# A version 7 UUID begins with the time, so new ones go to the end of an index.
_TIME = "lpad(to_hex(1700000000000 + n), 12, '0')"
MEMBER = (
    f"substr({_TIME}, 1, 8) || '-' || substr({_TIME}, 9) || '-7' || substr(m, 1, 3) || '-8' || "
    "substr(m, 4, 3) || '-' || substr(m, 7, 12)"
)
KEY = "'key_' || substr(m, 1, 6) || lpad(to_hex(n), 6, '0')"
ADDRESS = "'member.' || n || '@example.net'"
_TXN, _CHARGE = (f"'{kind}_1' || substr(m, 1, 23)" for kind in ("txn", "ch"))
_ENTRY_ID = " || ".join(
    f"substr('{_BASE32}', 1 + CAST(substring(bits FROM {1 + 5 * place} FOR 5) AS int), 1)"
    for place in range(16)
)

AMA = f"(SELECT id FROM members WHERE email = '{EMAIL}')"
AMAS_KEY = f"member_key = (SELECT member_key FROM members WHERE email = '{EMAIL}')"
PEOPLE: dict[str, tuple[str, Mapping[str, str]]] = {
    "members": (
        f"id = {AMA}",
        {"id": MEMBER, "member_key": KEY, "email": ADDRESS, "email_key": ADDRESS},
    ),
    "credentials": (f"member_id = {AMA}", {"member_id": MEMBER}),
    "pledges": (
        f"member_id = {AMA}",
        {
            "member_id": MEMBER,
            "id": MEMBER.replace("'-8'", "'-9'"),
            "customer_id": "'cus_' || substr(m, 1, 24)",
            "subscription_id": "'sub_' || substr(m, 1, 24)",
        },
    ),
    "electors": (f"member_id = {AMA}", {"member_id": MEMBER, "member_key": KEY}),
}
BESIDE: dict[str, tuple[str, Mapping[str, str]]] = {
    "pledge_changes": (AMAS_KEY, {"seq": "n + 1000", "member_key": KEY}),
    "consents": (f"member_id = {AMA}", {"member_id": MEMBER}),
    "contributors": (
        AMAS_KEY,
        {"handle": "overlay(t.handle PLACING m FROM 10)", "member_key": KEY},
    ),
}
"""Rows of a member that no measured request reads."""

PAYMENTS: dict[str, Mapping[str, str]] = {
    "entries": {"idx": "s.idx", "id": _ENTRY_ID, "external_id": _TXN, "member_key": KEY},
    "postings": {"entry": "s.idx"},
    "payments": {"entry": "s.idx", "source_id": _CHARGE, "member_key": KEY},
    "identities": {"entry": "s.idx", "source_id": _CHARGE, "txn_id": _TXN},
    "trace_lot": {
        "entry": "s.idx",
        "member": KEY,
        "seq": "t.seq + n",
        "total": "t.total + n * t.cents",
    },
    "trace_use": {
        "entry": "s.idx",
        "start": "t.start + (n - 1) * (t.stop - t.start)",
        "stop": "t.start + n * (t.stop - t.start)",
    },
}
ENTRY_LEAF = {
    "ref": f"encode(sha256(decode(m, 'hex') || convert_to({_TXN}, 'UTF8')), 'hex')",
    "salt": "m",
}
