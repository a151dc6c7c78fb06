"""Released texts of the schema never change: databases were made by them."""

from hashlib import sha256

from jara.store.schema import all_steps

RELEASED = {"baseline": "aba9a78486681d218333e0a6a6875b63fbf58b3a61df966bbcee917a9a49e28c"}
"""SHA-256 of the statements of each released step, joined by an empty line."""


def test_released_steps_keep_their_text() -> None:
    """Editing one would make new databases differ from those that exist."""
    steps = {
        name: sha256("\n\n".join(step.statements).encode()).hexdigest()
        for name, step in all_steps().items()
    }

    assert {**steps, **RELEASED} == steps
