"""Released schema steps never change, because existing databases have their exact result."""

from __future__ import annotations

from hashlib import sha256

import pytest

from jara.store.schema import STEPS, SchemaStep, name_of

RELEASED = {
    "m0001_foundation": "4cdb37966a5865652a8daf4265762a0256ae953392ea2e84c2507b4fa385cd70",
    "m0002_flat_costs": "3cdb6b48ecdfa80b66c1bf2a64afdf0e6f015abd110ed5412525b51c755067d5",
    "m0003_secret_ballots": "8d0b635f682b3875c771efcd39683b8e5da92f13b35560a4bc947708ddb7a974",
    "m0004_accounts": "8f307b928312a65eeea31b61a7bbeb4696c8c918dbc5daca27594293f6c629ea",
    "m0005_operator_keys": "95b69640f45b14f336dc144582d2d02b499314e0b1c9a5ce6e663f66db47e055",
    "m0006_bank": "c9cd71eb93a89411760fb2194b5fe7b443243f80d0e023d058dfc367dfd2143b",
    "m0007_views": "a2c95fc1940fd2bc94f811ddb395bda8dc6fe525de24938839dc6b2a866d483b",
    "m0008_payment_ways": "ee2d1780179c8e30bc96297923c067b225ce7fd4db83b0b51db4052bd5ea2ddf",
    "m0009_bank_undo": "e9102c9c1617177c01e9a167c2f63997a2570460d69bf774f6ad8e279fe9fc1e",
    "m0010_languages": "51c0f29be455bff440ff49798da38d2b874a0c3bc45263b9bdc6f4be10311b63",
    "m0011_moving_in": "995d70301f3f2f334b1b660e0fb98f38957eb232dc4b0bb97911dd184d4ab7ac",
    "m0012_payment_details": "f45c70469722f973d6b09a513fee4df0dae5974c80cec4eae56dab0e4c3eca1b",
    "m0013_witnesses": "a5978a643252cd8e1a5bf3930c526b52be476e35567ad13d8801ea41cdea5d51",
    "m0014_kept_contributions": "f2f88739d41a17d15b251b0b7c34be900eb3b3193703af7d1b4cc6e225cd7c97",
    "m0015_open_disputes": "787bd19609c0f64c62ed146f27902e3d3237e5ff99d88384cd5e20c5d42ca8b1",
    "m0016_kept_matches": "d5a42d51a8ee02bbbb8dc63227b3c12152f177824d4044491901ff017846f346",
    "m0017_sealed_links": "543b002741e4492d2df3427cc2c052f677501416e6a7fcff0d3b1dccc0799d5b",
    "m0018_proven_payments": "5a1d272b11a2f445134ea9fbd6b06d5c7bc716183b098fbe84b3b8cb39f3471d",
    "m0019_sealed_ballots": "22f6a5985e87ee7e6966f7141d1392018c289a8e06d051067ce9cbfc9af1deb8",
    "m0020_ways_in": "3946fccf6076cb23e5c33f775d18dc3ed1dad63d57a77e569a483c367c559d14",
    "m0021_approvals_in_order": "4ba50cbb6dbd7fd3c12328b8cd077ea50c2fbcdb865b5bf990418f604e65443e",
    "m0022_paid_votes": "0d5cc0fb37e53f1cfbae0d737896d87d03e819626b7b323eefdc592b8b04aa3d",
    "m0023_bank_files": "fa68d94ec5750d6a7d695e54897d7c4fb43a077d51f5dbc490400eae3f41a81c",
    "m0024_tranches": "623d4d6dada17be1aae84b63a7909373cf2e85674f04b13f3046a245bc87042c",
    "m0025_returns": "026663dfc1d26045023fb871fdd2b105aa9a2e48fe78f48805d37206ccd3917e",
    "m0026_month_ends": "30c50d6d2838f87127d26acf455e1dc1cdb77d35c708a6dfbe7b1970e4e57665",
    "m0030_returned_emails": "33e1e438dede87bd28eda05b99dc07e264d95cbdf1634cd944ef08d9e2b880fd",
    "m0032_news": "36a65c54d45a17f2a02b7297e246179a8889e6633c7f0afee719101ad45f6e60",
    "m0033_email_choice": "688ed72f3908c2e8b0e432bbb76dea56c2a2816fb0e47d4aecf6226d745066f3",
    "m0034_field": "460e344c7ed7a9477e7a0f53d636caddada8e2ee830a3d7e0eb3a55d8fb11e0e",
    "m0035_announcements": "e6b238eff3c1e795f3f1b3bf2736e02a9c62c0609f23207f2bb372864b7ddcbd",
    "m0036_legal_texts": "f408b6138f15d846391dd1af6120d87acdc3d61aaf4059888a14fa1e90f597f6",
    "m0037_partner_addresses": "ce0e2d46b8b75306b873b5d886f7751b8ba049499fd5c1f3ca51da4fd86782b5",
    "m0038_sample_links": "20f6bd684026a0918d45b104b6164fe60b96aac6ca73ae9cf61f466ecc6c84e4",
    "m0041_attempts": "8be711660efaa04b6db3079fe210358e79be8e7d7f563bef91990e546feea6f1",
}
"""SHA-256 of the statements of each released step, joined by an empty line."""


@pytest.mark.parametrize("step", STEPS, ids=name_of)
def test_a_released_step_keeps_its_text(step: SchemaStep) -> None:
    """Editing a released step would make new databases differ from migrated ones."""
    statements = "\n\n".join(step.STATEMENTS)

    assert RELEASED[name_of(step)] == sha256(statements.encode()).hexdigest()
