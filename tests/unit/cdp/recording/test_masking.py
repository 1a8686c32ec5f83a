"""Values that a recording masks, and those that it keeps."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import orjson
import pytest

from cdp_protocol.recording.masking import MessageMasker, mask_header

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"


def mask(message: Any, masking: MessageMasker | None = None) -> Any:
    """The message as a recording has it."""
    return orjson.loads((masking or MessageMasker()).mask_encoded_message(orjson.dumps(message)))


def event(method: str, **params: Any) -> dict[str, Any]:
    return {"method": method, "params": params}


def key(**params: Any) -> dict[str, Any]:
    return {"id": 1, "method": "Input.dispatchKeyEvent", "params": params}


COOKIE = {"name": "sid", "value": "hush", "domain": "a.test", "path": "/", "size": 7}

SECRETIVE = [
    {"id": 1, "result": {"cookies": [COOKIE]}},
    {"id": 1, "method": "Network.setCookie", "params": {"name": "a", "value": "hush", "url": "u"}},
    {
        "id": 1,
        "method": "Storage.setCookies",
        "params": {"cookies": [{"name": "a", "value": "hush"}]},
    },
    event("Network.requestWillBeSentExtraInfo", associatedCookies=[{"cookie": COOKIE}], headers={}),
    event("Network.requestWillBeSentExtraInfo", headers={"Cookie": "a=hush; b=hush"}),
    event("Network.requestWillBeSentExtraInfo", headers={"authorization": "Bearer hush"}),
    event("Network.responseReceivedExtraInfo", headers={"set-cookie": "a=hush; Path=/\nb=hush"}),
    event(
        "Network.responseReceivedExtraInfo",
        headersText="HTTP/1.1 200\r\nSet-Cookie: a=hush\r\n\r\n",
    ),
    event("Network.responseReceivedExtraInfo", blockedCookies=[{"cookieLine": "a=hush; Secure"}]),
    event("Network.requestWillBeSent", request={"headers": {"X-Api-Key": "hush"}}),
    event("Fetch.requestPaused", responseHeaders=[{"name": "Set-Cookie", "value": "a=hush"}]),
    {
        "id": 1,
        "method": "Network.setExtraHTTPHeaders",
        "params": {"headers": {"X-Auth-Token": "hush"}},
    },
    event("Network.requestWillBeSent", request={"postData": "user=ada&password=hush&go=1"}),
    event(
        "Network.requestWillBeSent", request={"postData": '{"user":"ada","password":"hu\\"hush"}'}
    ),
    event("Network.requestWillBeSent", request={"url": "https://a.test/?access_token=hush&b=1"}),
    event("Network.requestWillBeSent", request={"url": "https://a.test/#id_token=hush"}),
    {"id": 1, "method": "Page.navigate", "params": {"url": "https://ada:hush@a.test/x"}},
    {"id": 1, "method": "Input.insertText", "params": {"text": "hush"}},
    {
        "id": 1,
        "method": "Fetch.continueWithAuth",
        "params": {
            "requestId": "1",
            "authChallengeResponse": {
                "response": "ProvideCredentials",
                "username": "hush",
                "password": "hush",
            },
        },
    },
    event("Network.requestWillBeSent", request={"postData": "email=a&pass=hush"}),
    event("Network.webSocketFrameSent", response={"payloadData": '{"password":"hush"}'}),
    event(
        "Network.webSocketHandshakeResponseReceived",
        response={"requestHeadersText": "GET / HTTP/1.1\r\nCookie: sid=hush\r\n"},
    ),
    event("DOMStorage.domStorageItemAdded", key="access_token", newValue="hush"),
    {"id": 1, "result": {"entries": [["session_token", "hush"], ["colour", "blue"]]}},
    {
        "id": 1,
        "method": "Page.handleJavaScriptDialog",
        "params": {"accept": True, "promptText": "hush"},
    },
    {"id": 1, "method": "Autofill.trigger", "params": {"card": {"number": "hush", "cvc": "hush"}}},
    {
        "id": 1,
        "method": "Target.sendMessageToTarget",
        "params": {"message": '{"id":2,"method":"Input.insertText","params":{"text":"hush"}}'},
    },
    event(
        "Target.receivedMessageFromTarget",
        message='{"id":2,"result":{"cookies":[{"name":"a","value":"hush","domain":"b"}]}}',
    ),
    event("Target.receivedMessageFromTarget", message='{"token":"hush'),
    {"id": 1, "method": "WebAuthn.addCredential", "params": {"credential": {"privateKey": "hush"}}},
]


@pytest.mark.parametrize("message", SECRETIVE)
def test_credentials_are_masked(message: Any) -> None:
    shown = orjson.dumps(mask(message)).decode()

    assert "hush" not in shown
    assert "***" in shown


PAGES_OWN = {"cookie": "chocolate", "name": "a", "value": "b", "url": "c", "password": "is a word"}

HARMLESS = [
    event("Page.frameNavigated", frame={"url": "https://a.test/?q=tokens#side"}),
    event("Network.requestWillBeSent", request={"headers": {"Accept": "*/*", "Referer": "x"}}),
    {"id": 1, "result": {"result": {"type": "object", "value": PAGES_OWN}}},
    {
        "id": 1,
        "method": "Runtime.callFunctionOn",
        "params": {
            "arguments": [{"value": PAGES_OWN}],
            "functionDeclaration": "() => document.cookie",
        },
    },
    event("Runtime.consoleAPICalled", args=[{"type": "string", "value": "Your cookies, token"}]),
    key(type="keyDown", key="Enter", text="\r"),
    key(type="keyDown", key="a", modifiers=2),
    key(type="keyDown", key="f", modifiers=1),
    event("DOMStorage.domStorageItemAdded", key="colour", newValue="blue"),
    {"id": 1, "method": "Input.dispatchMouseEvent", "params": {"type": "mousePressed", "x": 1}},
    {"id": 1, "result": {"metrics": [{"name": "Tokens", "value": 1}]}},
]


@pytest.mark.parametrize("message", HARMLESS)
def test_harmless_values_are_kept(message: Any) -> None:
    assert mask(message) == message


def test_names_schemes_and_attributes_beside_masked_values_are_kept() -> None:
    assert mask_header("Cookie", "a=1; b=2") == "a=***; b=***"
    assert mask_header("Set-Cookie", "a=1; Path=/; HttpOnly") == "a=***; Path=/; HttpOnly"
    assert mask_header("Authorization", "Basic YTpi") == "Basic ***"
    assert mask_header("Content-Type", "text/html") == "text/html"


def test_a_cookie_keeps_all_but_its_value() -> None:
    shown = mask({"id": 1, "result": {"cookies": [COOKIE]}})["result"]["cookies"]

    assert shown == [{**COOKIE, "value": "***"}]


def test_a_typed_letter_is_masked_in_all_fields_of_its_events() -> None:
    letter = {"key": "h", "code": "KeyH", "text": "h", "unmodifiedText": "h"}
    shown = mask(key(type="keyDown", windowsVirtualKeyCode=72, **letter))

    assert set(shown["params"].values()) == {"keyDown", "***", 0}


@pytest.mark.parametrize(
    "typed",
    [
        {"type": "char", "text": "@", "modifiers": 3},  # AltGr
        {"type": "keyUp", "key": "@", "modifiers": 3},
        {"type": "keyDown", "text": "å", "key": "å", "modifiers": 1},  # Alt on a Mac
        {"type": "char", "text": "👍🏽"},
        {"type": "char", "text": "e\u0301"},
        {"type": "keyDown", "key": "ü"},
    ],
)
def test_typed_letters_of_any_keyboard_are_masked(typed: dict[str, Any]) -> None:
    shown = mask(key(**typed))["params"]

    assert {shown.get("text", "***"), shown.get("key", "***")} == {"***"}


def test_typed_text_is_masked_in_arguments_of_functions() -> None:
    arguments = [{"value": "heldAfter"}, {"value": [{"typed": "hush", "count": 1}]}]
    message = {
        "id": 1,
        "method": "Runtime.callFunctionOn",
        "params": {"functionDeclaration": "f", "arguments": arguments},
    }

    shown = mask(message, MessageMasker(typed_argument="typed"))["params"]["arguments"]

    assert shown == [{"value": "heldAfter"}, {"value": [{"typed": "***", "count": 1}]}]
    assert mask(message) == message


def test_typing_stays_when_it_is_wanted() -> None:
    message = {"id": 1, "method": "Input.insertText", "params": {"text": "hush"}}

    assert mask(message, MessageMasker(keep_typed=True)) == message


def test_tokens_are_recognised_by_their_format_anywhere() -> None:
    shown = mask(event("Runtime.consoleAPICalled", args=[{"value": f"got {JWT}, ok"}]))

    assert shown["params"]["args"] == [{"value": "got ***, ok"}]


@pytest.mark.parametrize(
    "spelled",
    [
        "p@ss wörd",
        "p%40ss%20w%C3%B6rd",
        "p%40ss+w%C3%B6rd",
        "p@ss%20w%c3%b6rd",
        r"p\u0040ss w\u00f6rd",
    ],
)
def test_named_secrets_are_masked_in_every_spelling(spelled: str) -> None:
    masking = MessageMasker(["p@ss wörd"])

    shown = mask(event("A.b", deep=[{"value": {"x": f"<{spelled}>"}}]), masking)

    assert shown["params"]["deep"][0]["value"]["x"] == "<***>"


def test_named_secrets_are_masked_in_json_within_json_and_in_base64() -> None:
    masking = MessageMasker({'say "hush"': "<secret>WORD</secret>"})
    text = 'it: say "hush".'
    entries = [{"bytes": b64encode(text.encode()).decode()}]
    message = event("N.r", inner=orjson.dumps(text).decode(), request={"postDataEntries": entries})

    shown = mask(message, masking)["params"]

    assert shown["inner"] == '"it: <secret>WORD</secret>."'
    inner = b64decode(shown["request"]["postDataEntries"][0]["bytes"]).decode()
    assert inner == "it: <secret>WORD</secret>."


POSTED = b"user=a&password=hush"
PART = b'--x\r\nContent-Disposition: form-data; name="pass"\r\n\r\nhush\r\n\x89\xff\r\n--x--'


@pytest.mark.parametrize("data", [POSTED, PART])
def test_a_posted_base64_body_is_searched_without_named_secrets(data: bytes) -> None:
    encoded = b64encode(data).decode()
    call = {"id": 1, "method": "Fetch.continueRequest", "params": {"postData": encoded}}
    answer = {"id": 1, "result": {"postData": encoded, "base64Encoded": True}}

    for found in (mask(call)["params"]["postData"], mask(answer)["result"]["postData"]):
        assert b64decode(found) == data.replace(b"hush", b"***")


@pytest.mark.parametrize("coding", ["utf-8", "latin-1"])
def test_named_secrets_are_masked_in_bodies_with_other_encodings(coding: str) -> None:
    body = b"\xe9\xff " + "pässwörd1".encode(coding)
    answer = {"id": 1, "result": {"body": b64encode(body).decode(), "base64Encoded": True}}

    shown = mask(answer, MessageMasker(["pässwörd1"]))["result"]["body"]

    assert b64decode(shown) == b"\xe9\xff ***"


def test_pictures_are_not_searched_for_secrets() -> None:
    picture = b64encode(b"\x89PNG\r\n ?token=x&y").decode()
    message = {"id": 1, "result": {"data": picture, "base64Encoded": True}}

    assert mask(message) == message


def test_a_longer_secret_is_masked_before_its_prefix() -> None:
    masking = MessageMasker({"open": "<A>", "open sesame": "<B>"})

    assert masking.mask_text("open sesame, open") == "<B>, <A>"


def test_most_messages_are_not_even_read() -> None:
    data = b'{"method":"Network.dataReceived","params":{"requestId":"1","dataLength":5}, "odd": }'

    assert MessageMasker(["a secret"]).mask_encoded_message(data) is data
