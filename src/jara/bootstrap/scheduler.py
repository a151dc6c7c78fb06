"""The key of the daily run."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.security.signing import public_key_of


def make_scheduler_key(application: Application) -> str:
    """Create the key in the secrets folder unless there is one; return the public key."""
    return f"{public_key_of(application.secrets.make_scheduler_key()).text()} scheduler"
