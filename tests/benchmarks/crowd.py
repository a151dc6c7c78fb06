"""Members who come at once: ``python crowd.py PLAN OUT`` lets them in, one after the other.

Each has an address and a connection of their own, reads, perhaps signs in, votes at the
moment that the plan gives, and looks at the result. Nobody waits for anybody: who comes
late finds the server as the crowd left it. What is refused with 429 or 503 is tried again
after as long as the answer asks for, as the website does. Times are the machine's
monotonic clock, so that they can be compared between processes.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

TRIES = 8
SECONDS_TO_ANSWER = 60.0
PUBLIC = ("/", "/api/stats", "/api/user/get-cash-overviews", "/api/user/get-proposals")
OWN = ("/api/user/get-profile", "/api/user/votes", "/api/ledger/transactions")
LATER = {429, 503}
BROKEN = 0
"""The status of a call whose connection broke, or that was answered too late."""

Answer = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Seen:
    """One call: of which kind, when it began, how long it took, what came back."""

    kind: str
    began: float
    seconds: float
    status: int


class Browser:
    """One member's connection, opened when it is needed and kept while the server keeps it."""

    def __init__(self, port: int, address: str, seen: list[Seen]) -> None:
        """Ask a port of this machine, from an address of one's own."""
        self._port = port
        self._address = address
        self._seen = seen
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, kind: str, path: str, body: dict[str, str] | None = None, token: str = ""
    ) -> Answer:
        """Make a call until it is neither too early nor too much."""
        answer: Answer = (BROKEN, {}, b"")
        for _ in range(TRIES):
            began = time.monotonic()
            try:
                async with asyncio.timeout(SECONDS_TO_ANSWER):
                    answer = await self._call(request_of(path, body, token))
            except (OSError, EOFError, TimeoutError):
                self.close()
                answer = (BROKEN, {}, b"")
            self._seen.append(Seen(kind, began, time.monotonic() - began, answer[0]))
            if answer[0] not in LATER:
                break
            await asyncio.sleep(float(answer[1]["retry-after"]) + random.random())
        return answer

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _call(self, request: bytes) -> Answer:
        if self._streams is not None:
            try:
                return await self._exchange(request)
            except (OSError, EOFError):
                self.close()  # the server had hung up in the meantime; browsers try again too
        self._streams = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._address, 0)
        )
        return await self._exchange(request)

    async def _exchange(self, request: bytes) -> Answer:
        assert self._streams is not None
        reader, writer = self._streams
        writer.write(request)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
        parts = (line.partition(":") for line in lines if line)
        headers = {name.lower(): value.strip() for name, _, value in parts}
        body = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(first.split()[1]), headers, body


def request_of(path: str, body: dict[str, str] | None, token: str) -> bytes:
    """Return a request as it goes over the line."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    if token:
        lines.append(f"token: {token}")
    return "\r\n".join([*lines, "", ""]).encode() + data


async def visit(plan: dict[str, Any], member: dict[str, Any], seen: list[Seen]) -> None:
    """Come, read, sign in, vote at the given moment, look at the result, and go."""
    await until(member["comes"])
    browser = Browser(plan["port"], member["address"], seen)
    for path in PUBLIC:
        await browser.ask("public pages and figures", path)
    await think()
    token = member["token"]
    if member["email"]:
        credentials = {"email": member["email"], "password": plan["password"]}
        status, _, raw = await browser.ask("signing in", "/api/user/login", credentials)
        if status in LATER | {BROKEN}:
            return
        token = json.loads(raw)["token"]
    for path in OWN:
        await browser.ask("a member's own pages", path, token=token)
        await think()
    await until(member["votes"])
    ballot = {"id": plan["proposal"], "voteType": member["choice"], "nonce": member["nonce"]}
    await browser.ask("voting", "/api/user/votes", ballot, token)
    await browser.ask("public pages and figures", "/api/user/get-proposals")
    browser.close()


async def until(moment: float) -> None:
    """Wait for a moment of the monotonic clock."""
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


async def think() -> None:
    """Take a person's time, or a short part of it."""
    await asyncio.sleep(random.uniform(0.1, 0.8))


async def let_in(plan: dict[str, Any]) -> list[Seen]:
    """Let all members of a plan come, each at their time."""
    seen: list[Seen] = []
    async with asyncio.TaskGroup() as group:
        for member in plan["members"]:
            group.create_task(visit(plan, member, seen))
    return seen


def main() -> None:
    """Read the plan, let the members in, and write what they saw."""
    plan_file, out = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    plan = json.loads(Path(plan_file).read_text("utf-8"))
    seen = asyncio.run(let_in(plan))
    Path(out).write_text(json.dumps([asdict(one) for one in seen]), encoding="utf-8")


if __name__ == "__main__":
    main()
