"""A DNS server on this machine that answers from a table."""

import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dns.flags import AA
from dns.message import from_wire, make_response
from dns.rcode import NXDOMAIN
from dns.rdatatype import to_text
from dns.rrset import from_text

Records = Mapping[tuple[str, str], list[str]]
"""The records of each name and type, such as ``("example.org", "TXT")``."""


def good_records(domain: str, selector: str) -> dict[tuple[str, str], list[str]]:
    """Return the records of a domain whose emails arrive; DMARC is that of the domain above."""
    above = domain.partition(".")[2]
    return {
        (domain, "TXT"): ['"google-site-verification=x"', '"v=spf1 mx -all"'],
        (f"{selector}._domainkey.{domain}", "TXT"): ['"v=DKIM1; k=rsa; p=MIIB" "IjAN"'],
        (f"_dmarc.{above}", "TXT"): ['"v=DMARC1; p=quarantine"'],
        (domain, "MX"): [f"10 mail.{above}."],
    }


@contextmanager
def dns_server(records: Records) -> Iterator[str]:
    """Answer questions over UDP; return the address and port."""

    class Answering(socketserver.BaseRequestHandler):
        """Answers one question."""

        def handle(self) -> None:
            """Answer from the table; a name that is not in it does not exist."""
            data, sock = self.request
            question = from_wire(data)
            (asked,) = question.question
            name, kind = asked.name.to_text(omit_final_dot=True), to_text(asked.rdtype)
            response = make_response(question)
            response.flags |= AA
            if values := records.get((name, kind)):
                response.answer.append(from_text(asked.name, 60, "IN", kind, *values))
            elif not any(known == name for known, _ in records):
                response.set_rcode(NXDOMAIN)
            sock.sendto(response.to_wire(), self.client_address)

    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
