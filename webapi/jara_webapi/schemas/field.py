"""Reports from the field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from jara.domain.content.fields import NUMBER
from jara.domain.field_report import (
    NUMBERS_MAX,
    PHOTOS_MAX,
    REPORT_BYTES_MAX,
    TEXT_CHARS_MAX,
    TITLE_CHARS_MAX,
)
from jara_webapi.schemas.base import Body

SHA256 = r"^[0-9a-f]{64}$"

Digest = Annotated[str, StringConstraints(pattern=SHA256)]


class AnnouncedPhoto(Body):
    """A photo that follows: the SHA-256 of its bytes, and how many they are."""

    sha256: Digest
    size: Annotated[int, Field(ge=1, le=REPORT_BYTES_MAX)]


class MeasuredValue(Body):
    """A measured value; digits with a decimal point."""

    measure: Annotated[str, Field(min_length=1, max_length=80)]
    value: Annotated[str, Field(pattern=f"^{NUMBER}$")]


class FieldReport(Body):
    """A report from the field; its photos follow in pieces.

    ``written_at`` is the phone's clock in seconds after 1970; a wrong one is no reason to refuse.
    """

    title: Annotated[str, Field(min_length=1, max_length=TITLE_CHARS_MAX)]
    text: Annotated[str, Field(min_length=1, max_length=TEXT_CHARS_MAX)]
    milestone: Annotated[str, Field(max_length=200)] | None = None
    numbers: list[MeasuredValue] = Field(default_factory=list, max_length=NUMBERS_MAX)
    consent: Literal["yes", "nobody", "no"] | None = None
    latitude: Annotated[float, Field(ge=-90, le=90)] | None = None
    longitude: Annotated[float, Field(ge=-180, le=180)] | None = None
    written_at: Annotated[int, Field(ge=-(2**53), le=2**53)] | None = None
    photos: list[AnnouncedPhoto] = Field(default_factory=list, max_length=PHOTOS_MAX)


class PieceQuery(Body):
    """Where in the photo a piece begins."""

    start: Annotated[int, Field(ge=0, le=REPORT_BYTES_MAX)] = 0
