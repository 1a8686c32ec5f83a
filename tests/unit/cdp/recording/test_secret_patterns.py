"""Texts that give themselves away, however pages try to hold up the search for them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cdp_protocol.recording.secret_patterns import is_secret_name, mask_secret_fields, mask_tokens

PIECES = [
    *("token", "?token", "&pass", "[pass]", "%5Bpass%5D", "-eyJaaaaaaaa", "eyJaaaaaaaa."),
    *("password", '"', '"password"', '"password":', '"token" ', 'name="sid"', 'name="sid"\n'),
    *("//", "//a:", "//a:b", "bearer ", "bearer a", "?", "=", "\\", '"pass":"\\'),
]
SECRETS = ["p@ss + w0rd!", "a + + b", "'" * 4]
OF_SECRETS = ["a+", "a ", "a%20", "'", "\\", "p@ss "]
HOSTILE = f"""
from cdp_protocol.recording.masking import MessageMasker

for secrets, pieces in (([], {PIECES!r}), ({SECRETS!r}, {OF_SECRETS!r})):
    masker = MessageMasker(secrets)
    for piece in pieces:
        masker.mask_body("?" + piece * (1_000_000 // len(piece)))
"""


@pytest.mark.prove
def test_no_text_of_a_page_makes_the_search_slow() -> None:
    # Far more than needed, and far less than a time that is not proportional to the text.
    subprocess.run([sys.executable, "-c", HOSTILE], timeout=100, check=True)


@pytest.mark.parametrize(
    "name",
    [
        *("pass", "password", "user_pass", "userpass", "login[pass]", "user%5Bpass%5D", "passwd"),
        *("X-Amz-Signature", "X-Amz-Credential", "sig", "sid", "api_key", "access_token"),
    ],
)
def test_names_of_secrets_are_known(name: str) -> None:
    assert is_secret_name(name)
    assert mask_tokens(f"https://a.test/?b=1&{name}=hush&c=2").count("hush") == 0
    assert mask_secret_fields(f"{name}=hush&c=2") == f"{name}=***&c=2"
    assert mask_secret_fields(f'{{"{name}": "hu\\"sh"}}') == f'{{"{name}": "***"}}'


@pytest.mark.parametrize("name", ["bypass", "compass", "passive", "side", "design", "user", "q"])
def test_names_that_only_resemble_secrets_are_not_known(name: str) -> None:
    text = f"https://a.test/?b=1&{name}=shown"

    assert mask_tokens(text) == text
    assert mask_secret_fields(f"{name}=shown") == f"{name}=shown"


def test_a_secret_within_the_value_of_another_parameter_is_found() -> None:
    assert mask_tokens("/?next=/a?token=hush&b=1") == "/?next=/a?token=***&b=1"
