"""The chat: members who read that it is not open yet hear when it is, once."""

from __future__ import annotations

from jara.domain.organisation import IdentityPart
from jara.services.context import Context
from jara.services.news.announcement_news import CHAT_OPENED
from jara.services.news_items import cause_news
from jara.services.organisation import own_values
from jara.store.unit_of_work import UnitOfWork

_STATE = "chat.state"
_CLOSED, _OPENED = "closed", "opened"


def note_chat(context: Context, work: UnitOfWork) -> None:
    """Note whether the chat has an address; its first one after a time without is news."""
    is_open, state = IdentityPart.CHAT in own_values(work), work.meta.get(_STATE)
    if state == _OPENED or (state == _CLOSED and not is_open):
        return
    if state == _CLOSED:
        cause_news(context, work, CHAT_OPENED, "first")
    work.meta.put(_STATE, _OPENED if is_open else _CLOSED)
