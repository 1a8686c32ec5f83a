"""The choice of the profile that the server keeps for a browser and a working directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewpoint_mcp.browser.connect.kept_profile import choose_kept_profile
from viewpoint_mcp.config.settings import Settings

SHOP = Settings(keeps_profile=True, working_dir=Path("/home/ada/shop"))


def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "PATH": "/usr/bin"}


@pytest.mark.parametrize(
    ("executable", "name"),
    [
        ("/usr/bin/chromium", "profile-chromium"),
        ("/usr/bin/google-chrome-stable", "profile-chrome"),
        ("/opt/microsoft/msedge-beta/msedge", "profile-msedge-beta"),
        ("{home}/.local/share/viewpoint-mcp/browser/1.2.3.4/chrome", "profile-chrome-for-testing"),
        ("{home}/.local/share/viewpoint-mcp/browser/2.2.3.4/chrome", "profile-chrome-for-testing"),
    ],
)
def test_each_browser_has_a_profile_that_survives_its_updates(
    tmp_path: Path, executable: str, name: str
) -> None:
    path = Path(executable.format(home=tmp_path))
    chosen = choose_kept_profile(SHOP, path, environ(tmp_path))
    assert chosen is not None
    assert chosen.name == name
    assert chosen.parent.parent == tmp_path / ".cache" / "viewpoint-mcp"
    assert chosen.parent.name.startswith("shop-")


def test_executables_in_other_places_have_a_profile_each(tmp_path: Path) -> None:
    paths = [Path("/a/chrome"), Path("/b/chrome")]
    chosen = {choose_kept_profile(SHOP, path, environ(tmp_path)) for path in paths}
    assert len(chosen) == 2


def test_no_profile_is_kept_without_a_cache_or_without_being_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    chromium = Path("/usr/bin/chromium")
    assert choose_kept_profile(Settings(), chromium, environ(tmp_path)) is None
    assert choose_kept_profile(SHOP, chromium, {}) is None
    assert choose_kept_profile(SHOP, chromium, {"HOME": str(tmp_path / "file")}) is None
