"""A crowd of members: ``python crowd.py PLAN OUT`` runs all of them.

Each has an IP address and a connection of their own, reads, may sign in, votes at the planned
moment, and looks at the result. Arrivals do not depend on the server's speed (open workload).
Calls refused with 429 or 503 are retried after `Retry-After`, as the website does. Times come
from the monotonic clock, so they can be compared between processes.
"""

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
"""The status of a call that timed out or lost its connection."""

Answer = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Seen:
    """One call: its kind, start, duration and status."""

    kind: str
    began: float
    seconds: float
    status: int


class Browser:
    """One member's connection, opened on demand and kept alive."""

    def __init__(self, port: int, address: str, seen: list[Seen]) -> None:
        """Connect to a local port from the given address."""
        self._port = port
        self._address = address
        self._seen = seen
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, kind: str, path: str, body: dict[str, str] | None = None, token: str = ""
    ) -> Answer:
        """Make a call; retry it after 429 and 503."""
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
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _call(self, request: bytes) -> Answer:
        if self._streams is not None:
            try:
                return await self._exchange(request)
            except (OSError, EOFError):
                self.close()  # the server closed the idle connection; browsers retry too
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
    """Return the bytes of a request."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    if token:
        lines.append(f"token: {token}")
    return "\r\n".join([*lines, "", ""]).encode() + data


async def visit(plan: dict[str, Any], member: dict[str, Any], seen: list[Seen]) -> None:
    """Read, sign in, vote at the given moment, and look at the result."""
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
    """Sleep until a moment of the monotonic clock."""
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


async def think() -> None:
    """Sleep for a moment, as a person would read."""
    await asyncio.sleep(random.uniform(0.1, 0.8))


async def let_in(plan: dict[str, Any]) -> list[Seen]:
    """Start every member of a plan at their time."""
    seen: list[Seen] = []
    async with asyncio.TaskGroup() as group:
        for member in plan["members"]:
            group.create_task(visit(plan, member, seen))
    return seen


def main() -> None:
    """Read the plan, run the members, and write their results."""
    plan_file, out = sys.argv[1:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    plan = json.loads(Path(plan_file).read_text("utf-8"))
    seen = asyncio.run(let_in(plan))
    Path(out).write_text(json.dumps([asdict(one) for one in seen]), encoding="utf-8")


if __name__ == "__main__":
    main()
