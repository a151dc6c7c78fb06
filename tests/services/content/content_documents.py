"""Valid content documents."""

from __future__ import annotations

from typing import Any

WELLS: dict[str, Any] = {
    "id": "wells",
    "title": "Village wells",
    "status": "Planning",
    "category": "water",
}
