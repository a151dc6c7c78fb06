"""An organisation whose acts wait for approval: `python -m tests.releases.waiting` stores today's.

``VERSION.tar.xz`` is its database and its secrets, as that version wrote them. Operators are those
of `tests.services.operations.controlled_world`; each act is one that version let wait.
"""

from pathlib import Path

HERE = Path(__file__).parent
