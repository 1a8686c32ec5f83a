"""What the arguments of browser_emulate change."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.config.emulation.changes import EmulationChanges
from viewpoint_mcp.config.emulation.emulation import Emulation
from viewpoint_mcp.config.emulation.network_conditions import (
    PRESETS,
    NetworkConditions,
    Throttling,
)
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import parse_arguments
from viewpoint_mcp.tools.devtools.emulate import EmulateArgs, merge_changes, merge_conditions

PHONE = EmulationChanges(device="iPhone 15", time_zone="Asia/Tokyo")
SLOW = NetworkConditions(throttling=PRESETS["Slow 3G"])
OFFLINE = NetworkConditions(is_offline=True)
ONLINE = NetworkConditions()


def parse(**arguments: Any) -> EmulateArgs:
    return parse_arguments(EmulateArgs, arguments, tool_name="browser_emulate")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, PHONE),
        (
            {"device": "pixel  7 LANDSCAPE"},
            EmulationChanges(device="Pixel 7 landscape", time_zone="Asia/Tokyo"),
        ),
        ({"device": None}, EmulationChanges(time_zone="Asia/Tokyo")),
        ({"reset": True}, EmulationChanges()),
        ({"reset": True, "locale": "de_DE"}, EmulationChanges(locale="de-DE")),
        (
            {"timezone": None, "viewport": "800x600", "geolocation": "1,2"},
            EmulationChanges(device="iPhone 15", viewport=(800, 600), geolocation=(1, 2, 10)),
        ),
        ({"reset": True, "cpuThrottling": 1}, EmulationChanges()),
        ({"reset": True, "cpuThrottling": "4"}, EmulationChanges(cpu_throttling=4)),
    ],
)
def test_arguments_change_what_they_name(
    arguments: dict[str, Any], expected: EmulationChanges
) -> None:
    assert merge_changes(PHONE, parse(**arguments)) == expected


def test_a_device_replaces_the_viewport_and_user_agent_of_earlier_calls() -> None:
    old = EmulationChanges(viewport=(800, 600), user_agent="Mine", locale="de-DE")
    expected = EmulationChanges(device="iPhone 15", locale="de-DE")
    assert merge_changes(old, parse(device="iPhone 15")) == expected
    both = merge_changes(old, parse(device="iPhone 15", viewport="100x200"))
    assert (both.viewport, both.user_agent) == ((100, 200), None)
    assert merge_changes(old, parse(device=None)) == old


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"device": "iPhone 5000"}, "Unknown device"),
        ({"viewport": "wide"}, "is not a size"),
        ({"viewport": "0x10"}, "is not a size"),
        ({"userAgent": " "}, "one line of text"),
        ({"userAgent": "a\nb"}, "one line of text"),
        ({"geolocation": "91,0"}, "is not a position"),
        ({"locale": "german"}, "is not a locale"),
        ({"timezone": "Mars/Olympus"}, "is not a time zone"),
        ({"cpuThrottling": 0.5}, "must be a number from 1 to 20, not 0.5"),
        ({"network": "4G"}, "must be one of Fast 3G, .* or an object with latencyMs"),
        ({"network": {"latency": 5}}, "Unknown argument 'network.latency'"),
        ({"network": {"latencyMs": -1}}, "'network.latencyMs' .* from 0 to 60000, not -1"),
        ({"network": {"downloadKbps": 0}}, "'network.downloadKbps' .* greater than 0"),
        ({"offline": True}, "Unknown argument 'offline'"),
    ],
)
def test_a_malformed_value_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError, match=message):
        merge_changes(EmulationChanges(), parse(**arguments))


@pytest.mark.parametrize(
    ("at_start", "present", "arguments", "expected"),
    [
        (ONLINE, SLOW, {}, SLOW),
        (ONLINE, SLOW, {"network": None}, ONLINE),
        (ONLINE, SLOW, {"reset": True}, ONLINE),
        (OFFLINE, SLOW, {"network": None}, OFFLINE),
        (OFFLINE, OFFLINE, {"network": "Slow 3G"}, SLOW),
        (OFFLINE, OFFLINE, {"network": {}}, ONLINE),
        (
            ONLINE,
            SLOW,
            {"network": "Offline"},
            NetworkConditions(is_offline=True, throttling=PRESETS["Slow 3G"]),
        ),
        (ONLINE, SLOW, {"network": "Offline", "reset": True}, OFFLINE),
        (
            ONLINE,
            ONLINE,
            {"network": {"latencyMs": 20, "uploadKbps": 100}},
            NetworkConditions(throttling=Throttling(latency=20, upload=100)),
        ),
    ],
)
def test_the_network_argument_sets_the_whole_connection(
    at_start: NetworkConditions,
    present: NetworkConditions,
    arguments: dict[str, Any],
    expected: NetworkConditions,
) -> None:
    assert merge_conditions(at_start, present, parse(**arguments)) == expected


def test_a_device_replaces_that_of_the_context_and_explicit_changes_override_it() -> None:
    desk = Emulation(viewport=(1280, 720), screen=(1920, 1080), user_agent="Desk", locale="fr-FR")
    phone = EmulationChanges(device="iPhone 15").apply_to(desk)
    assert (phone.viewport, phone.screen, phone.mobile, phone.touch) == (
        (393, 852),
        None,
        True,
        True,
    )
    assert "iPhone" in str(phone.user_agent)
    assert phone.locale == "fr-FR"
    mine = EmulationChanges(device="Pixel 7", user_agent="Mine").apply_to(desk)
    assert (mine.user_agent, mine.hints) == ("Mine", None)
    assert EmulationChanges().apply_to(desk) == desk
