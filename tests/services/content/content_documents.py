"""Valid content documents."""

from typing import Any

WELLS: dict[str, Any] = {
    "id": "wells",
    "title": "Village wells",
    "status": "Planning",
    "category": "water",
}
