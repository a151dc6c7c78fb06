"""How large a test of trust §5 is: its size in every test run, or its long one.

``JARA_SOAK=1`` takes the long sizes, ``JARA_SOAK_SEED`` the seed of what is drawn;
``JARA_SOAK_FIGURES`` names a file into which tests write what they saw.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

IS_SOAK = os.environ.get("JARA_SOAK") == "1"
SEED = int(os.environ.get("JARA_SOAK_SEED", "7"))
"""The same in every ordinary run, so that a test fails for everybody or for nobody."""


def size(ordinary: int, long: int) -> int:
    """Return how often or how much: in every run, or in a soak."""
    return long if IS_SOAK else ordinary


def saw(**figures: object) -> None:
    """Note what a test saw, for the table of a soak."""
    path = os.environ.get("JARA_SOAK_FIGURES")
    if path:
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(json.dumps(figures) + "\n")
