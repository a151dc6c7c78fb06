"""The error messages of invalid settings."""

import pytest

from jara.config.loading import load_settings
from jara.domain.errors import InvalidInput


def refuse(environ: dict[str, str], **options: str) -> str:
    """Return the error message of these settings."""
    with pytest.raises(InvalidInput) as caught:
        load_settings(environ, overrides=options)
    return caught.value.message
