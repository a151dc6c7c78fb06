"""A process that queues news and sends emails until it is killed: ``FOLDER URL SECONDS``."""

import sys
import time
from datetime import timedelta
from pathlib import Path

from jara.bootstrap import SystemClock
from jara.bootstrap.emails import CompletingSender
from jara.domain.errors import Unavailable
from jara.mail.senders import open_sender
from jara.services.news.fan_out import fan_out_news
from jara.services.notices.outbox import send_due
from tests.harness import make_context
from tests.services.news.news_world import IDENTITY


def main(folder: Path, url: str, ahead: timedelta) -> None:
    """Work until everything is sent; the clock is ahead, so that old leases have ended."""
    context = make_context(
        folder,
        at=SystemClock().now() + ahead,
        database=folder / "jara.db",
        seed=str(time.time_ns()),
    )
    sender = open_sender(IDENTITY, smtp_url=url or None, folder=folder / "mail")
    while True:
        try:
            queued = fan_out_news(context).total()
            sent = send_due(context, CompletingSender(context, lambda: sender)).sent
        except Unavailable:  # the other process writes
            continue
        if not queued and not sent:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], timedelta(seconds=float(sys.argv[3])))
