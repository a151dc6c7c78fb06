"""Partners and claimants, their links, their reports and claims."""

from jara.domain.field_report import UNDECIDED
from jara.domain.lookup import beginning_with, choose_one
from jara.records.field import Claim, ClaimPurpose, FieldLink, FieldPhoto, FieldReport, Partner
from jara.store.rows import Repository, Rows
from jara.store.sql.codecs import in_list

PARTNERS = Rows("partners", Partner)
LINKS = Rows("field_links", FieldLink)
REPORTS = Rows("field_reports", FieldReport)
PHOTOS = Rows("field_photos", FieldPhoto, "report, sent_hash")
_CLAIMS = Rows("claims", Claim)
_PURPOSES = Rows("claim_purposes", ClaimPurpose)


class FieldRepository(Repository):
    """Who reports from the field, and what they sent."""

    link_proven = LINKS.finder("proof")
    report = REPORTS.finder("id")
    claim = _CLAIMS.finder("report")
    partners = PARTNERS.lister("ORDER BY name, id")
    put_partner = PARTNERS.putter()
    links = LINKS.lister("ORDER BY made_at, id")  # every link ever made
    put_link = LINKS.putter()
    add_report = REPORTS.adder()
    put_claim = _CLAIMS.putter()
    purposes = _PURPOSES.lister("ORDER BY name")
    put_purpose = _PURPOSES.putter()
    add_photo = PHOTOS.adder()  # which is expected from now on
    photos = PHOTOS.lister_by("report", "ORDER BY number")

    def partner(self, text: str) -> Partner:
        """Return the partner with this id or name, or with a unique beginning of either.

        Raises:
            NotFound: no partner matches.
            Conflict: several match.
        """
        partners = self.partners()
        return choose_one(
            text,
            beginning_with(text, partners, lambda one: (one.id, one.name)),
            kinds="of the partners",
            label=lambda one: one.name,
            missing=f"There is no partner '{text}'; see `jara partners list`.",
            names=lambda one: (one.id, one.name),
            near=lambda: {one.name: one for one in partners},
        )

    def remove_link(self, link: FieldLink) -> None:
        """Remove a link with all that came through it, and its partner if no link is left."""
        for report in REPORTS.all(self._sql, "WHERE link = :link", link=link.id):
            self._delete_pieces(report.id)
            self._delete("field_photos", {"report": report.id})
            self._delete("field_reports", {"id": report.id})
        self._delete("field_links", {"id": link.id})
        if not LINKS.all(self._sql, "WHERE partner = :partner", partner=link.partner):
            self._delete("partners", {"id": link.partner})

    def reports(
        self, *, undecided_only: bool = False, of_claims: bool = False
    ) -> list[FieldReport]:
        """Return the reports, oldest first; or what claims have in common with them."""
        names, params = in_list("s", sorted(UNDECIDED))
        where = f"WHERE project {'=' if of_claims else '<>'} '' "
        where += f"AND state IN {names} " if undecided_only else ""
        return REPORTS.all(
            self._sql, f"{where}ORDER BY received_at, id", **(params if undecided_only else {})
        )

    def reports_of(self, partner: str, project: str) -> list[FieldReport]:
        """Return what a partner reported on a project, newest first."""
        return REPORTS.all(
            self._sql,
            "WHERE partner = :partner AND project = :project ORDER BY received_at DESC, id",
            partner=partner,
            project=project,
        )

    def find_report(self, text: str, *, of_claims: bool = False) -> FieldReport:
        """Return the report, or claim, with this id, or with a unique beginning of it.

        Raises:
            NotFound: none matches.
            Conflict: several match.
        """
        reports = self.reports(of_claims=of_claims)
        kind = "claim" if of_claims else "report"
        seen = "`jara claims list --all`" if of_claims else "`jara field list --all`"
        return choose_one(
            text,
            beginning_with(text, reports, lambda one: (one.id,)),
            kinds="of the claims" if of_claims else "of the reports from the field",
            label=lambda one: one.id,
            missing=f"There is no {kind} '{text}'; see {seen}.",
            names=lambda one: (one.id,),
            near=lambda: {one.title: one for one in reports},
        )

    def put_report(self, report: FieldReport) -> None:
        """Change a report."""
        REPORTS.update(self._sql, report)

    def claims(self) -> dict[str, Claim]:
        """Return every claim by its id."""
        return {claim.report: claim for claim in _CLAIMS.all(self._sql)}

    def claim_photos(self) -> dict[str, set[str]]:
        """Return the SHA-256 of the photos of each claim, as they were sent."""
        found: dict[str, set[str]] = {}
        for claim, sent_hash in self._sql.all(
            "SELECT p.report, p.sent_hash FROM field_photos p JOIN claims c ON c.report = p.report"
        ):
            found.setdefault(str(claim), set()).add(str(sent_hash))
        return found

    def remove_purpose(self, purpose: ClaimPurpose) -> None:
        """Remove what may no longer be claimed."""
        self._delete("claim_purposes", {"name": purpose.name})

    def settle_photo(self, photo: FieldPhoto, data: bytes | None) -> None:
        """Store a complete photo, or its fault; its pieces are deleted."""
        PHOTOS.update(self._sql, photo, data=data)
        self._delete_pieces(photo.report, "AND sent_hash = :hash", hash=photo.sent_hash)

    def photo_data(self, photo: FieldPhoto) -> bytes | None:
        """Return a complete photo that waits; None once its report is decided."""
        query = "SELECT data FROM field_photos WHERE report = :report AND sent_hash = :hash"
        return self._value(bytes, query, report=photo.report, hash=photo.sent_hash)

    def delete_data(self, report_id: str) -> None:
        """Delete the photos of a report and their pieces; their names stay."""
        self._sql.run(
            "UPDATE field_photos SET data = NULL WHERE report = :report", {"report": report_id}
        )
        self._delete_pieces(report_id)

    def add_piece(self, photo: FieldPhoto, start: int, data: bytes) -> None:
        """Store a piece of a photo; the same piece again changes nothing."""
        self._sql.run(
            "INSERT INTO field_pieces (report, sent_hash, start, data) "
            "VALUES (:report, :hash, :start, :data) "
            "ON CONFLICT (report, sent_hash, start) DO NOTHING",
            {"report": photo.report, "hash": photo.sent_hash, "start": start, "data": data},
        )

    def delete_pieces(self, photo: FieldPhoto) -> None:
        """Delete the pieces of a photo, to take it from its beginning."""
        self._delete_pieces(photo.report, "AND sent_hash = :hash", hash=photo.sent_hash)

    def received(self, photo: FieldPhoto) -> bytes:
        """Return the beginning of a photo, as far as its pieces join."""
        rows = self._sql.all(
            "SELECT start, data FROM field_pieces WHERE report = :report AND sent_hash = :hash "
            "ORDER BY start",
            {"report": photo.report, "hash": photo.sent_hash},
        )
        joined = b""
        for start, data in rows:
            if start > len(joined):
                break
            joined += bytes(data)[len(joined) - start :]
        return joined

    def _delete_pieces(self, report_id: str, rest: str = "", **params: str) -> None:
        self._sql.run(
            f"DELETE FROM field_pieces WHERE report = :report {rest}",
            {"report": report_id, **params},
        )
