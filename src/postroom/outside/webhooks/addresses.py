"""Which addresses a stranger's webhook may have: public ones over HTTPS, and those that the operator named."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.ip_network("64:ff9b::/96")
LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")
# Not routed to anybody, which Python's own list does not know: site-local, documentation, the relay of 6to4,
# and what a host keeps for itself. https://www.iana.org/assignments/iana-ipv6-special-registry
NOT_ANYBODYS = tuple(map(ipaddress.ip_network, ("fec0::/10", "3fff::/20", "192.88.99.0/24", "192.0.0.0/24")))
PORTS = {"http": 80, "https": 443}
LONGEST_NAME = 253
EXPECTED = "Expected a web address such as https://hooks.example.org/postroom."
# Names that no public name service answers for: RFC 6761, RFC 6762, RFC 8375, and .internal by a decision of ICANN.
HOME_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa")
_NAME = re.compile(r"(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)*(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def parse_allowed(text: str) -> frozenset[str]:
    """`host:port,…` as the operator wrote it; the settings have checked its shape."""
    each = (entry.rpartition(":") for entry in map(str.strip, text.split(",")) if entry)
    return frozenset(f"{host.strip('[]').lower()}:{int(port)}" for host, _, port in each)


def objection(url: str, allowed: Collection[str]) -> str | None:
    """Why this address is refused as it is written; None when it may be looked up."""
    parts = _split(url)
    if parts is None or parts.scheme not in PORTS or not parts.hostname:
        return EXPECTED
    if parts.username is not None or parts.password is not None:
        return "The address must not carry a name or password."
    if parts.fragment:
        return "The address must have no # in it."
    if is_named(url, allowed):
        return None
    if parts.scheme != "https":
        return "The address must begin with https://, or the operator names it in POSTROOM_WEBHOOK_ALLOW_HOSTS."
    return _objection_to_host(parts.hostname, in_brackets="[" in parts.netloc)


def _objection_to_host(host: str, *, in_brackets: bool) -> str | None:
    literal = _literal(host)
    if literal is not None:
        return None if is_public(literal) else private(host)
    name = host.removesuffix(".")
    if _NUMBER.fullmatch(name.rstrip(".").rpartition(".")[2]):  # resolvers take 2130706433 and 0x7f.1 for 127.0.0.1
        return f"{host} is a number: write a name, or the address as four plain numbers such as 203.0.113.7."
    if in_brackets or not _is_name(name):
        return EXPECTED
    if "." not in name or name.endswith(tuple(f".{each}" for each in HOME_NAMES)):
        return private(host)
    return None


def _is_name(host: str) -> bool:
    if len(host) > LONGEST_NAME or _NAME.fullmatch(host) is None:
        return False
    try:
        host.encode().decode("idna")
    except UnicodeError:
        return False
    return True


def is_named(url: str, allowed: Collection[str]) -> bool:
    parts = _split(url)
    return parts is not None and f"{(parts.hostname or '').lower()}:{_port(parts)}" in allowed


def private(host: str) -> str:
    return f"{host} is not a public address; the operator may name it in POSTROOM_WEBHOOK_ALLOW_HOSTS."


def is_public(address: IpAddress) -> bool:
    """Not private, loopback, link-local, shared (carrier NAT), multicast or reserved, also not in disguise."""
    inner = _inside(address)
    if inner is not None:
        return is_public(inner)
    if any(address in network for network in NOT_ANYBODYS):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _inside(address: IpAddress) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 one leads to."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in NAT64 or address in LOCAL_NAT64 or int(address) < 2**32:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _literal(host: str) -> IpAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _port(parts: SplitResult) -> int | None:
    return parts.port or PORTS.get(parts.scheme)


def _split(url: str) -> SplitResult | None:
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts
