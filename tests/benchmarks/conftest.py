"""What every benchmark measures: Jara as people have it, with its bytecode kept."""

from __future__ import annotations

import os

# An installer compiles what it installs. Where Python is told not to keep bytecode, an
# editable installation would compile every module at each start, and that be measured.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
