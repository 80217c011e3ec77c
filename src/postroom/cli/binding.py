"""Addresses to listen on: taken before anything is said about them, or refused with what to do."""

from __future__ import annotations

import errno
import socket

from postroom.nouns.errors import Misconfigured

UNKNOWN_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


def bound(host: str, port: int, named: str) -> list[socket.socket]:
    """Every address that the host has here (`localhost` may be two). `named` is the setting that says otherwise."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as problem:
        raise Misconfigured(
            f"{host} names no machine ({problem.strerror}); choose another address in {named}."
        ) from None
    taken: list[socket.socket] = []
    for family, _, _, _, place in dict.fromkeys(found):
        try:
            taken.append(_taken(family, place))
        except OSError as problem:
            if problem.errno in UNKNOWN_HERE and len(found) > 1:
                continue
            for each in taken:
                each.close()
            raise Misconfigured(f"Cannot listen on {host}:{port}: {_why(problem)} {named}.") from None
    return taken


def _taken(family: int, place: tuple[object, ...]) -> socket.socket:
    fresh = socket.socket(family, socket.SOCK_STREAM)
    try:
        fresh.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            fresh.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        fresh.bind(place)
        fresh.listen(2048)  # two processes may bind before either listens: only one may stay
    except OSError:
        fresh.close()
        raise
    return fresh


def _why(problem: OSError) -> str:
    if problem.errno == errno.EADDRINUSE:
        return "another program listens there; stop it, or choose another address in"
    if problem.errno == errno.EACCES:
        return "only root may use a port below 1024; choose a higher one in"
    if problem.errno in UNKNOWN_HERE:
        return "this machine has no such address; choose another in"
    return f"{problem.strerror}; choose another address in"
