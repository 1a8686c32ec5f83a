"""Which hosts are private, and which patterns make Chromium pause their documents."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from viewpoint_mcp.config.private_network import (
    URL_PATTERNS,
    find_origin,
    is_metadata_host,
    is_private_host,
    is_private_url,
    is_public_url,
)

PRIVATE = [
    *("localhost", "LOCALHOST.", "app.localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433"),
    *("0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1", "100.127.255.255", "::1", "[::1]", "::", "::ffff:192.168.1.1", "fd00:ec2::254"),
    *("fe80::1", "64:ff9b::10.0.0.1", "printer.local", "nas.lan", "x.internal", "a.home.arpa"),
]
PUBLIC = [
    *("example.com", "localhost.example.com", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1"),
    *("100.128.0.1", "192.169.0.1", "2606:4700::1111", "64:ff9b::8.8.8.8", "127.0.0.1.nip.io"),
    "local.example",
]


@pytest.mark.parametrize("host", PRIVATE)
def test_hosts_of_this_machine_and_its_network_are_private(host: str) -> None:
    assert is_private_host(host)


@pytest.mark.parametrize("host", PUBLIC)
def test_other_hosts_are_public(host: str) -> None:
    assert not is_private_host(host)


def test_a_host_without_a_dot_is_private() -> None:
    assert is_private_host("fileserver")


@pytest.mark.parametrize("host", PRIVATE)
@pytest.mark.parametrize("login", ["", "ada:pw@"])
def test_chromium_pauses_documents_of_each_private_host(host: str, login: str) -> None:
    # Chromium writes addresses in their canonical form.
    origin = find_origin(
        f"http://[{host}]/" if ":" in host and host[0] != "[" else f"http://{host}"
    )
    scheme, _, rest = origin.partition("://")
    url = f"{scheme}://{login}{rest}:8080/x"
    assert any(fnmatchcase(url, each.replace("[", "[[]")) for each in URL_PATTERNS)


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "0xa9fea9fe", "fd00:ec2::254", "Metadata.Google.Internal."]
)
def test_metadata_services_are_known_by_name_and_address(host: str) -> None:
    assert is_metadata_host(host)
    assert not is_metadata_host("192.168.1.1")


def test_only_addresses_of_the_web_are_private_or_public() -> None:
    for url in ("about:blank", "file:///etc/passwd", "data:text/html,x", "http://[::", ""):
        assert not is_private_url(url)
        assert not is_public_url(url)
    assert is_private_url("https://localhost:8443/x")
    assert is_public_url("http://example.com")


def test_an_origin_has_no_default_port_and_a_canonical_host() -> None:
    assert find_origin("http://127.1:80/x?y") == "http://127.0.0.1"
    assert find_origin("https://LocalHost:8443") == "https://localhost:8443"
