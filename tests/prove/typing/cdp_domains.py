"""Domains that few programs use are typed as the others are. Checked by checkers, never run."""

from __future__ import annotations

from typing import Any, assert_type

from cdp_protocol import Event, Expectation, Session
from cdp_protocol.types import (
    audits,
    bluetooth_emulation,
    debugger,
    extensions,
    fed_cm,
    heap_profiler,
    layer_tree,
    media,
    network,
    schema,
    tracing,
    web_audio,
    web_mcp,
)


async def commands_of_every_domain(session: Session) -> None:
    data = await session.WebAudio.getRealtimeData(contextId="1")
    assert_type(data, web_audio.GetRealtimeDataResult)
    assert_type(data["realtimeData"]["currentTime"], float)
    response = await session.Audits.getEncodedResponse(requestId="1", encoding="webp", quality=1)
    assert_type(response.get("body"), str | None)
    forms = (await session.Audits.checkFormsIssues())["formIssues"]
    assert_type(forms, list[audits.GenericIssueDetails])
    assert_type((await session.LayerTree.makeSnapshot(layerId="1"))["snapshotId"], str)
    assert_type((await session.Schema.getDomains())["domains"], list[schema.Domain])
    assert_type(await session.Extensions.loadUnpacked(path="/e"), extensions.LoadUnpackedResult)
    assert_type(await session.Console.enable(), dict[str, Any])
    await session.DeviceOrientation.setDeviceOrientationOverride(alpha=1, beta=2.5, gamma=0)
    manufacturer: bluetooth_emulation.ManufacturerData = {"key": 1, "data": "AA=="}
    await session.BluetoothEmulation.simulatePreconnectedPeripheral(
        address="00:00", name="n", manufacturerData=[manufacturer], knownServiceUuids=[]
    )
    breakpoints = await session.Debugger.setBreakpointByUrl(lineNumber=1, urlRegex=".*")
    assert_type(breakpoints["locations"], list[debugger.Location])


async def mistakes_in_every_domain(session: Session) -> None:
    await session.WebAudo.enable()  # type: ignore[attr-defined]  # misspelt domain
    await session.WebAudio.getRealtimData()  # type: ignore[attr-defined]  # misspelt command
    await session.WebAudio.getRealtimeData()  # type: ignore[call-arg]  # missing argument
    await session.WebAudio.enable(context="1")  # type: ignore[call-arg]  # no such argument
    await session.Schema.getDomains(1)  # type: ignore[call-arg]  # positional argument
    await session.Extensions.loadUnpacked(path=1)  # type: ignore[arg-type]  # wrong type
    quality = "high"
    await session.Audits.getEncodedResponse(
        requestId="1",
        encoding="gif",  # type: ignore[arg-type]  # unknown literal
    )
    await session.Audits.getEncodedResponse(
        requestId="1",
        encoding="png",
        quality=quality,  # type: ignore[arg-type]  # a word, no number
    )
    await session.LayerTree.loadSnapshot(
        tiles=[{"x": 0, "y": 0}],  # type: ignore[typeddict-item]  # a picture is missing
    )
    (await session.Schema.getDomains())["domain"]  # type: ignore[typeddict-item]  # no such key
    (await session.Schema.getDomains())["domains"][0]["title"]  # type: ignore[typeddict-item]
    snapshot = await session.LayerTree.makeSnapshot(layerId="1")
    snapshot["snapshotId"] = 1  # type: ignore[typeddict-item]  # wrong type


async def events_of_every_domain(session: Session) -> None:
    assert_type(session.Audits.issueAdded, Event[audits.IssueAddedEvent])
    assert_type(session.Debugger.paused, Event[debugger.PausedEvent])
    session.on(session.WebAudio.contextCreated, on_context)
    session.on(session.Tracing.dataCollected, lambda event: event["value"].clear())
    session.on(session.HeapProfiler.addHeapSnapshotChunk, lambda event: event["chunk"].upper())
    shown = session.FedCm.dialogShown
    async with session.expect(shown, lambda e: e["dialogType"] == "ConfirmIdpLogin") as dialog:
        assert_type(dialog, Expectation[fed_cm.DialogShownEvent])
        assert_type((await dialog)["accounts"], list[fed_cm.Account])
    async with session.expect(session.Media.playerCreated) as created:
        assert_type(await created, media.PlayerCreatedEvent)
    async with session.expect(session.WebMCP.toolsAdded) as added:
        assert_type((await added)["tools"], list[web_mcp.Tool])


def mistakes_with_events(session: Session) -> None:
    session.on(session.WebAudio.contextMade, print)  # type: ignore[attr-defined]  # misspelt
    session.on(session.Audits.issueAdded, on_context)  # type: ignore[arg-type]  # another's
    session.on(session.Audits.enable, on_anything)  # type: ignore[call-overload]  # a command
    session.on("Audits.issueAdded", on_context)  # type: ignore[arg-type]  # a name has no type
    session.expect(session.Media.playersCreated)  # type: ignore[attr-defined]  # misspelt
    session.expect(session.Media.enable)  # type: ignore[call-overload]  # a command
    session.expect(
        session.FedCm.dialogShown,
        lambda event: event["dialogTyp"] == "ConfirmIdpLogin",  # type: ignore[typeddict-item]
    )
    session.expect(
        session.FedCm.dialogShown,
        lambda event: event["dialogType"] == "Confirm",  # type: ignore[comparison-overlap]
    )


def on_context(event: web_audio.ContextCreatedEvent) -> None:
    assert_type(event["context"], web_audio.BaseAudioContext)
    assert_type(event["context"]["contextState"], web_audio.ContextState)


def on_anything(event: dict[str, Any]) -> None:
    assert_type(event, dict[str, Any])


def types_refer_to_one_another(
    issue: audits.InspectorIssue, node: heap_profiler.SamplingHeapProfileNode
) -> None:
    affected = issue["details"].get("cookieIssueDetails")
    assert_type(affected, audits.CookieIssueDetails | None)
    assert_type(node["children"], list[heap_profiler.SamplingHeapProfileNode])


def types_of_other_domains_are_the_same(
    layer: layer_tree.Layer, request: audits.AffectedRequest, headers: network.Headers
) -> None:
    assert_type(layer.get("backendNodeId"), int | None)
    assert_type(request.get("requestId"), str | None)
    assert_type(headers, dict[str, Any])


def traces_are_dicts(trace: tracing.DataCollectedEvent) -> None:
    assert_type(trace["value"], list[dict[str, Any]])
