"""The mail inside a signed S/MIME envelope; the signature itself is not judged here."""

from __future__ import annotations

from dataclasses import dataclass

_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")  # 1.2.840.113549.1.7.2
_OCTETS, _OID, _SEQUENCE, _INNER = 0x04, 0x06, 0x30, 0xA0
_DEEPEST = 24


@dataclass(frozen=True, slots=True)
class _Value:
    """One BER value: `tag` with its class bits, and where its content begins and ends."""

    tag: int
    start: int
    end: int
    after: int


def signed_content(raw: bytes) -> bytes | None:
    """What was signed, if `raw` is a CMS SignedData that carries it (opaque signing); else None."""
    try:
        (envelope,) = _values(raw, 0, len(raw))[:1]
        kind, inner = _children(raw, envelope, _SEQUENCE)[:2]
        if raw[kind.start : kind.end] != _SIGNED_DATA:
            return None
        (signed,) = _children(raw, inner, _INNER)[:1]
        content = next(value for value in _children(raw, signed, _SEQUENCE) if value.tag == _SEQUENCE)
        _, wrapped = _children(raw, content, _SEQUENCE)[:2]
        (octets,) = _children(raw, wrapped, _INNER)[:1]
        return _joined(raw, octets, 0)
    except (ValueError, IndexError, StopIteration):
        return None


def _children(raw: bytes, value: _Value, tag: int) -> list[_Value]:
    if value.tag != tag:
        raise ValueError("another structure")
    return _values(raw, value.start, value.end)


def _values(raw: bytes, at: int, end: int, depth: int = 0) -> list[_Value]:
    found = []
    while at < end and raw[at : at + 2] != b"\0\0":
        value = _value(raw, at, depth)
        found.append(value)
        at = value.after
    return found


def _value(raw: bytes, at: int, depth: int) -> _Value:
    tag, length, start = raw[at], raw[at + 1], at + 2
    if length == 0x80:
        # Indefinite: up to the two zero bytes behind the last child.
        if depth > _DEEPEST:
            raise ValueError("nested too deep")
        inside = _values(raw, start, len(raw), depth + 1)
        end = inside[-1].after if inside else start
        return _Value(tag, start, end, end + 2)
    if length > 0x80:
        size = length & 0x7F
        length = int.from_bytes(raw[start : start + size], "big")
        start += size
    if start + length > len(raw):
        raise ValueError("cut short")
    return _Value(tag, start, start + length, start + length)


def _joined(raw: bytes, octets: _Value, depth: int) -> bytes:
    """An octet string may come in pieces."""
    if octets.tag == _OCTETS:
        return raw[octets.start : octets.end]
    if octets.tag != _OCTETS | 0x20 or depth > _DEEPEST:
        raise ValueError("no octets")
    return b"".join(_joined(raw, piece, depth + 1) for piece in _values(raw, octets.start, octets.end))
