"""`import cdp_protocol` imports few modules beside asyncio and orjson."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cdp_protocol

TELL = "print('\\n'.join(sys.modules))"
# Some programs only need these: to find or start a browser, or for a mistake.
LATER = {
    "cdp_protocol.running_browser",
    "cdp_protocol.auto_attach",
    "cdp_protocol.cli",
    "cdp_protocol.description",
    "cdp_protocol.discovery.endpoint",
    "cdp_protocol.discovery.http_client",
    "cdp_protocol.launching",
    "cdp_protocol.recording",
    "cdp_protocol.sync",
    "cdp_protocol.types",
}


def imported_modules(code: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"import sys, asyncio, orjson, __future__\n{code}\n{TELL}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


def test_importing_the_client_imports_only_its_core() -> None:
    more = imported_modules("import cdp_protocol") - imported_modules("")

    assert "cdp_protocol.session" in more
    assert {name for name in more if name.partition(".")[0] != "cdp_protocol"} == set()
    assert more & LATER == set()


@pytest.mark.parametrize("name", cdp_protocol.__all__)
def test_lazily_imported_names_are_available(name: str) -> None:
    assert name in dir(cdp_protocol)
    assert getattr(cdp_protocol, name).__name__ == name


def test_a_missing_name_raises_attribute_error_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'cdp_protocol' has no attribute 'conect'"):
        cdp_protocol.conect  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("old_name", "new_name"),
    [
        ("by_last_use", "target_ids_by_last_use"),
        ("reach", "open_connection"),
        ("without_secrets", "mask_url_secrets"),
    ],
)
def test_an_old_name_works_and_warns_of_the_new_one(old_name: str, new_name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"cdp_protocol.{old_name} is now {new_name}"):
        value = getattr(cdp_protocol, old_name)
    assert value is getattr(cdp_protocol, new_name)
