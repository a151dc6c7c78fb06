"""Writes the generated part of docs/security.md: what acts touch, and who must sign."""

from jara.domain.control.effects import TOUCHES, Touch, list_effects


def list_touches() -> str:
    """Return the table of touches, with the acts, calls and steps of each."""
    rows = [
        f"| {about.meaning} | {about.rule.phrase} | {_names(touch)} |"
        for touch, about in TOUCHES.items()
    ]
    head = "| what is touched | who must sign | by these acts, calls and steps of the daily run |"
    return "\n".join([head, "|---|---|---|", *rows, ""])


def _names(touch: Touch) -> str:
    """Return the names, those of one noun together: `ledger.post`, `.reverse`."""
    names = [
        f"{one.name} (daily)" if one.by == "daily run" else one.name
        for one in list_effects()
        if touch in one.touches
    ]
    shown, noun = [], ""
    for name in names:
        before, dot, after = name.partition(".")
        shown.append(f"`.{after}`" if dot and before == noun else f"`{name}`")
        noun = before if dot else ""
    return ", ".join(shown)
