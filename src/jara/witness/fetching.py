"""One small request to a witness or a log, with a deadline: https, or http on this machine."""

import ssl
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.witnessing import require_witness_url
from jara.services.ports.outside import WitnessAnswer

ANSWER_BYTES_MAX = 8192
_PIECE = 1024


def fetch(url: str, end: float, *, body: bytes | None = None) -> WitnessAnswer:
    """Send a request, POST if it has a body, and return the answer; it never raises.

    `url` is the whole address, `end` the deadline for the answer, on the monotonic clock.
    """
    try:
        require_witness_url(url)
        return _fetch(url, end, body)
    except InvalidInput as error:
        return WitnessAnswer(0, error.message)
    except TimeoutError:
        return WitnessAnswer(0, "did not answer in time")
    except ssl.SSLError as error:
        return WitnessAnswer(0, f"has no valid certificate: {error.reason}")
    except (OSError, HTTPException, ValueError) as error:
        return WitnessAnswer(0, f"cannot be reached: {error}"[:200])


def _fetch(url: str, end: float, body: bytes | None) -> WitnessAnswer:
    parts = urlsplit(url)
    left = max(0.01, end - time.monotonic())
    host = parts.hostname or ""
    connection = (
        HTTPSConnection(host, parts.port, timeout=left, context=ssl.create_default_context())
        if parts.scheme == "https"
        else HTTPConnection(host, parts.port, timeout=left)
    )
    try:
        method = "GET" if body is None else "POST"
        headers = {"User-Agent": "jara", "Connection": "close"}
        connection.request(method, parts.path or "/", body=body, headers=headers)
        answer = connection.getresponse()
        data = bytearray()
        while piece := answer.read1(_PIECE):
            data += piece
            if len(data) > ANSWER_BYTES_MAX:
                return WitnessAnswer(0, "answered with too much")
            if time.monotonic() > end:
                raise TimeoutError
        media_type = answer.headers.get("Content-Type", "")
        return WitnessAnswer(answer.status, bytes(data).decode("utf-8", "replace"), media_type)
    finally:
        connection.close()
