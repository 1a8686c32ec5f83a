"""The report of a trace: what is left out, what is masked, and what its policy allows."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from tests.reply_reader import check_characters
from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.tools.tracing.report.report_writer import ReportHead, write_report
from viewpoint_mcp.tools.tracing.text_masking import TextMask
from viewpoint_mcp.tools.tracing.trace_store import TraceStore
from viewpoint_mcp.tools.tracing.traced_call import (
    CallDetails,
    ConsoleLine,
    RequestLine,
    TracedCall,
    TracedPicture,
)

JPEG = b"\xff\xd8\xff" + bytes(range(256))
SIZE = (4, 3)


OpenStore = Callable[..., TraceStore]


@pytest.fixture
def open_store() -> Iterator[OpenStore]:
    """Return `open_store(**limits)`: a store that is closed after the test."""
    stores: list[TraceStore] = []

    def open_store(**limits: int) -> TraceStore:
        stores.append(TraceStore(**limits))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


class Tags(HTMLParser):
    """The tags and attributes of a document, and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def write(
    store: TraceStore, calls: list[TracedCall], *, count: int = 0, mask: TextMask | None = None
) -> str:
    head = ReportHead(1000.0, 1012.0, count or len(calls))
    report = write_report(head, calls, store, mask or TextMask(NO_SECRETS, ()))
    return report.data.decode()


def make_call(store: TraceStore, number: str, **details: Any) -> TracedCall:
    described = CallDetails(details.pop("arguments", {}), 1000.0, **details)
    return TracedCall(number, "browser_click", store.append(msgspec.json.encode(described)))


def test_a_call_that_runs_still_is_listed(open_store: OpenStore) -> None:
    store = open_store()
    text = write(store, [make_call(store, "1"), TracedCall("2", "browser_wait_for")])
    assert "still running when the report was saved" in text
    assert "2 calls in 12 s, 0 failed" in text


def test_calls_that_are_no_longer_stored_are_counted(open_store: OpenStore) -> None:
    store = open_store(max_bytes=3000, segment_bytes=1000)
    calls = [make_call(store, str(number), reply="x" * 900) for number in range(1, 11)]
    text = write(store, calls, count=15)
    kept = len(re.findall("<section ", text))
    assert 0 < kept < 10
    assert f"The oldest {15 - kept} calls are left out" in text
    assert '<section id="call-10"' in text


def test_a_picture_that_is_no_longer_stored_is_explained(open_store: OpenStore) -> None:
    store = open_store(max_bytes=1000, segment_bytes=500)
    picture = TracedPicture(store.append(JPEG * 2), SIZE)
    for _ in range(3):
        store.append(b"x" * 500)
    text = write(store, [make_call(store, "1", before=picture)])
    assert "No picture. It is no longer stored." in text


def test_equal_pictures_are_in_the_report_once(open_store: OpenStore) -> None:
    store = open_store()
    picture = TracedPicture(store.append(JPEG), SIZE)
    calls = [make_call(store, str(n), before=picture, after=picture) for n in (1, 2)]
    text = write(store, calls)
    assert text.count("data:image/jpeg") == 1
    assert text.count('class="picture p1"') == 4


def test_the_policy_allows_only_the_style_and_the_script_of_the_report(
    open_store: OpenStore,
) -> None:
    store = open_store()
    picture = TracedPicture(store.append(JPEG), SIZE)
    text = write(store, [make_call(store, "1", after=picture)])
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1]
    inline = re.findall("<(style|script)>(.*?)</", text, re.DOTALL)
    assert [name for name, _ in inline] == ["style", "style", "script"]
    for _, source in inline:
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]


def test_no_text_becomes_markup(open_store: OpenStore) -> None:
    evil = (
        "</pre></style></script><script>x</script><img src=x onerror=y>\x00\u202e\U000e0041\ufffe"
    )
    store = open_store()
    details = {
        "arguments": {evil: evil},
        "reply": evil,
        "url": "javascript:alert(1)",
        "title": evil,
        "before": TracedPicture(missing=evil),
        "console": [ConsoleLine("error", evil)],
        "requests": [RequestLine(evil, False)],
    }
    document = Tags(write(store, [make_call(store, "1", **details)]))
    names = [name for name, _ in document.tags]
    assert (names.count("script"), names.count("img")) == (1, 0)
    links = [attributes.get("href") for _, attributes in document.tags if "href" in attributes]
    assert links == ["#call-1"]
    assert not any(name.startswith("on") for _, each in document.tags for name in each)
    assert any("<script>x</script>" in each for each in document.texts)
    assert any(r"\u0000\u202e\udb40\udc41\ufffe" in each for each in document.texts)
    for each in document.texts:
        check_characters(each)


def test_secrets_passwords_and_credentials_are_masked_everywhere() -> None:
    mask = TextMask(Secrets({"TOKEN": "correct-horse"}), {"hunter2-typed", "pw"})
    text = "http://ann:hidden@a.test/?q=correct-horse hunter2-typed pw"
    shown = "http://<masked>@a.test/?q=<secret>TOKEN</secret> <password> pw"
    assert mask.mask(text) == shown
    arguments = {
        "text": "pw",
        "fields": [{"value": "pw"}, {"value": "not pw"}],
        "proxy": {"server": "http://u:v@p.test", "username": "u", "password": "w"},
    }
    rendered = msgspec.json.decode(mask.render_arguments(arguments))
    assert rendered == {
        "text": "<password>",
        "fields": [{"value": "<password>"}, {"value": "not pw"}],
        "proxy": {"server": "http://<masked>@p.test", "username": "u", "password": "<masked>"},
    }


def test_arguments_that_are_no_object_are_shown() -> None:
    assert TextMask(NO_SECRETS, ()).render_arguments("nonsense") == '"nonsense"'
    assert TextMask(NO_SECRETS, ()).render_arguments(None) == "{}"
