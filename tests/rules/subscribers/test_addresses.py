"""Which addresses a webhook may have."""

from __future__ import annotations

import ipaddress

import pytest

from postroom.outside.webhooks.addresses import is_public, objection, parse_allowed

PRIVATE = [
    "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1",
    "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:7f00:1::", "2002:a00:1::", "fec0::1", "3fff::1", "192.88.99.1", "192.0.0.8",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_not_public_in_whatever_form(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/", "ftp://hooks.example.org/", "https://", "https:///path", "hooks.example.org",
        "https://user:pass@hooks.example.org/", "https://hooks.example.org/#part", "https://127.0.0.1/",
        "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://10.0.0.1:8443/", "https://hooks.example.org:99999/",
        "https://hooks.example.org/a b", "https://hooks.example.org/\n", "https:\\\\hooks.example.org/",
        "javascript:alert(1)", "https://[fe80::1%25eth0]/",
    ],
)  # fmt: skip
def test_an_address_that_leads_inside_or_nowhere_is_refused_with_a_sentence(url):
    assert (objection(url, frozenset()) or "").endswith(".")


@pytest.mark.parametrize(
    "host",
    [
        "2130706433", "134744072", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1", "127.0.0.1.", "10.0.0.1.",
        "10.0.0.1..", "8.8.8.8.", "0", "0x", "4294967297", "hooks.example.1", "1.2.3.4.5",
    ],
)  # fmt: skip
def test_a_number_that_is_no_plain_address_is_refused_and_says_how_to_write_it(host):
    assert "four plain numbers" in (objection(f"https://{host}/", frozenset()) or "")


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST.", "api.localhost", "metadata", "metadata.google.internal", "printer.local", "router"],
)
def test_a_name_that_only_a_network_of_ones_own_knows_is_refused(host):
    assert "not a public address" in (objection(f"https://{host}/", frozenset()) or "")


@pytest.mark.parametrize(
    "host",
    [
        "a..example.org", "-.example.org", "-a.example.org", "xn--.example.org", "xn--999999.example.org", ".example.org",
        "%31%32%37.0.0.1", "127.0.0.1%00.example.org", "8.8.8.8%2einternal", "[v1.x]", "[example.org]", f"{'a' * 64}.example.org", f"{'a.' * 127}org",
        "exa$mple.org", "example.org..",
    ],
)  # fmt: skip
def test_what_is_no_name_of_a_host_is_refused(host):
    assert (objection(f"https://{host}/", frozenset()) or "").endswith(".")


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.org/x?y=1", "https://8.8.8.8:8443/", "https://[2606:4700::1]/", "https://hooks.example.org./",
        "https://under_score.example.org/", "https://xn--bcher-kva.example/", "https://1password.example.org/",
        "https://3.example.org/",
    ],
)  # fmt: skip
def test_a_public_address_over_https_may_be_asked(url):
    assert objection(url, frozenset()) is None


def test_an_operator_names_exceptions_by_host_and_port():
    allowed = parse_allowed("hooks.internal:8080, 127.0.0.1:9000,[::1]:9001, Plain.Example:80, localhost:9002")
    for url in (
        "http://hooks.internal:8080/",
        "http://127.0.0.1:9000/x",
        "http://[::1]:9001/",
        "http://plain.example/",
        "http://localhost:9002/",
    ):
        assert objection(url, allowed) is None
    for url in ("http://hooks.internal:8081/", "http://127.0.0.1/", "http://127.0.0.1:9001/"):
        assert objection(url, allowed) is not None
