"""The versions of the legal texts."""

from __future__ import annotations

from jara.domain.legal.versions import LegalChange, LegalText
from jara.store.rows import Repository, Rows

VERSIONS = Rows("legal_versions", LegalChange, "text, number", values="place_values")


class LegalRepository(Repository):
    """Every version that was made; a withdrawn one stays."""

    def versions(self, text: LegalText) -> list[LegalChange]:
        """Return the versions of a text by number."""
        return VERSIONS.all(self._sql, "WHERE text = :text ORDER BY number", text=text.value)

    def put(self, change: LegalChange) -> None:
        """Add a version, or note that it was withdrawn."""
        VERSIONS.put(self._sql, change)
