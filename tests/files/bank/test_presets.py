"""The shipped mappings of banks' CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.errors import InvalidInput, NotFound
from jara.files.bank import presets
from jara.files.bank.presets import preset_names, read_preset

ACCOUNT = "DE89370400440532013000"


@pytest.mark.parametrize("name", preset_names())
def test_each_preset_is_a_mapping(name: str) -> None:
    """Its columns are named, and it can be stored and read back."""
    mapping = read_preset(name, account=ACCOUNT)

    assert mapping.account == ACCOUNT
    assert {mapping.date, *mapping.text} <= mapping.columns


def test_an_unknown_preset_is_refused() -> None:
    """The message names the presets."""
    with pytest.raises(NotFound, match="there are sample"):
        read_preset("../countries", account=ACCOUNT)


@pytest.mark.parametrize("text", ["date: Day\naccount: 1\n", "amount: Sum\n", "- date\n"])
def test_a_file_with_other_keys_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A preset has a column for the day, no account, and no unknown keys."""
    (tmp_path / "bank-presets").mkdir()
    (tmp_path / "bank-presets" / "wrong.yaml").write_text(text)
    monkeypatch.setattr(presets, "data_folder", lambda: tmp_path)

    with pytest.raises(InvalidInput, match=r"wrong\.yaml is not a mapping"):
        read_preset("wrong", account=ACCOUNT)
