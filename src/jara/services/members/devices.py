"""Where a member is signed in: a list of devices with their last day of use.

The database stores hashes of sessions and members, and only the day of use: no row may
reveal who used the website when, because members vote when they use it.
"""

from __future__ import annotations

from datetime import date, datetime
from hashlib import sha256
from typing import NamedTuple

from jara.domain.errors import NotFound
from jara.records.access import SessionClaims
from jara.services.context import Context

UNKNOWN_DEVICE = "Unknown device"
NAME_CHARS = 24
"""Enough of a session's name to distinguish a member's sessions."""

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


class Device(NamedTuple):
    """A line of the member's list; ``id`` is used to end the session."""

    id: str
    device: str
    last_used_on: date
    current: bool


def list_devices(context: Context, claims: SessionClaims) -> list[Device]:
    """Return where a member is signed in: this session first, then the most recently used."""
    here = session_name(claims.session_id)
    with context.store.read() as work:
        stored = work.sessions.of_owner(session_owner(context, claims.member_id))
    devices = [
        Device(
            each.name[:NAME_CHARS],
            each.device,
            context.today() if each.name == here else each.used_on,
            current=each.name == here,
        )
        for each in stored
    ]
    return sorted(devices, key=lambda device: not device.current)


def end_device(context: Context, member_id: str, device_id: str) -> None:
    """End one session of a member.

    Raises:
        NotFound: the member has no such session.
    """
    ended = 0
    if len(device_id) == NAME_CHARS:
        with context.store.write() as work:
            ended = work.sessions.end(session_owner(context, member_id), device_id)
    if not ended:
        raise NotFound("This device is signed out already.")


def is_this_device(claims: SessionClaims, device_id: str) -> bool:
    """Return whether an id of the list is the current session."""
    return session_name(claims.session_id).startswith(device_id)


def describe_device(user_agent: str) -> str:
    """Return browser and system, such as ``Firefox on Windows``; nothing more is stored."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    known = [name for name in (browser, system) if name is not None]
    return " on ".join(known) or UNKNOWN_DEVICE


def session_name(session_id: str) -> str:
    """Return the name under which a session is stored: a hash of its random id.

    Even with the database and the signing key, no token can be made from it.
    """
    return sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()


def session_owner(context: Context, member_id: str) -> str:
    """Return the name under which a member's sessions are stored."""
    return context.vault.keyed_hash("session owner", member_id)


def note_use(context: Context, name: str, now: datetime) -> None:
    """Record a session's first use of the day; it is stored with others within the hour.

    If each were stored separately, the order of the writes would reveal the order of the visits.
    """
    due = context.used_sessions.note(name, now)
    if due:
        context.store.write_grouped(lambda work: work.sessions.use(sorted(due), now.date()))
