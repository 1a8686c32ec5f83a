"""Devices by name, and where their list comes from."""

from __future__ import annotations

import json

import pytest

from scripts.generate_devices import PLAYWRIGHT_LIST, devices_of
from viewpoint_mcp.config.emulation.devices import find_device
from viewpoint_mcp.errors import CallError

LISTED = """// DEVICE-LIST-BEGIN
  {
    'order': 1,
    'title': 'Slate // 7',
    'screen': {
      'horizontal': {'width': 800, 'height': 600},
      'device-pixel-ratio': 1.5,
      'vertical': {'width': 600, 'height': 800},
    },
    'capabilities': ['touch', 'mobile'],
    'user-agent':
        'It\\'s Chrome/%s',
    'user-agent-metadata': {'platform': 'Slate', 'mobile': true},
  },
  {
    /* DEVICE-LIST-IF-JS */
    'title': i18nLazyString(UIStrings.desk),
    /* DEVICE-LIST-ELSE
    'title': 'Desk',
    DEVICE-LIST-END-IF */
    'screen': {
      'horizontal': {'width': 1280, 'height': 950},
      'device-pixel-ratio': 1,
      'vertical': {'width': 950, 'height': 1280},
    },
    'capabilities': [],
    'user-agent': '',
    'modes': [{'title': 'default', 'orientation': 'horizontal'}],
  },
  // DEVICE-LIST-END
"""


def test_the_list_of_devtools_is_read() -> None:
    assert devices_of(LISTED) == {
        "Slate // 7": {
            "viewport": [600, 800],
            "scale": 1.5,
            "mobile": True,
            "touch": True,
            "userAgent": "It's Chrome/%s",
            "hints": {"platform": "Slate", "mobile": True},
        },
        "Desk": {"viewport": [1280, 950], "scale": 1, "mobile": False, "touch": False},
    }


@pytest.mark.parametrize("name", ["iPhone 15", "iphone 15", " IPHONE  15 "])
def test_a_device_is_found_in_any_case(name: str) -> None:
    assert find_device(name)["viewport"] == (393, 852)


def test_a_device_may_be_turned() -> None:
    upright, turned = find_device("Pixel 7"), find_device("Pixel 7 Landscape")
    assert turned == {**upright, "viewport": upright["viewport"][::-1]}


def test_a_device_without_a_user_agent_has_the_browsers() -> None:
    assert find_device("Laptop with touch")["user_agent"] is None


def test_similar_names_are_suggested() -> None:
    with pytest.raises(CallError, match=r'Unknown device "pixel 66"\. Similar names: .*Pixel 6'):
        find_device("pixel 66")


def test_each_device_of_playwright_is_known() -> None:
    names = json.loads(PLAYWRIGHT_LIST.read_text(encoding="utf-8"))["devices"]
    assert len(names) > 100
    assert all(find_device(name)["viewport"] for name in names)


def test_a_device_of_playwright_may_have_a_screen_larger_than_its_viewport() -> None:
    device = find_device("Pixel 5 landscape")
    assert (device["viewport"], device["screen"]) == ((727, 393), (851, 393))
    assert "Chrome/%s" in device["user_agent"]
