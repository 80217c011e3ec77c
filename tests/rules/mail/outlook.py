"""Outlook's files, written by hand for the tests: .msg (a compound file of properties) and winmail.dat (TNEF)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import pairwise

Folder = Mapping[str, "bytes | Folder"]

_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096


def compound(root: Folder) -> bytes:
    """A compound file (MS-CFB, version 3) with these streams and storages."""
    entries: list[dict] = [{"name": "Root Entry", "type": 5, "child": _FREE, "right": _FREE, "start": _END, "size": 0}]
    streams: list[tuple[int, bytes]] = []
    entries[0]["child"] = _add(root, entries, streams)

    mini, mini_fat = b"", []
    for index, content in streams:
        if len(content) < _CUTOFF:
            entries[index]["start"] = len(mini_fat) if content else _END
            count = -(-len(content) // _MINI)
            mini_fat += [len(mini_fat) + 1 + step for step in range(count - 1)] + [_END] * bool(count)
            mini += content.ljust(count * _MINI, b"\0")

    big = [(index, content) for index, content in streams if len(content) >= _CUTOFF]
    directory = -(-len(entries) // 4)
    mini_fat_sectors = -(-len(mini_fat) * 4 // _SECTOR)
    mini_sectors = -(-len(mini) // _SECTOR)
    body = directory + mini_fat_sectors + mini_sectors + sum(-(-len(content) // _SECTOR) for _, content in big)
    fat_sectors = 1
    while fat_sectors * 128 < fat_sectors + body:
        fat_sectors += 1

    fat = [_FAT] * fat_sectors
    places = []
    for count in (directory, mini_fat_sectors, mini_sectors):
        places.append(len(fat) if count else _END)
        fat += [len(fat) + 1 + step for step in range(count - 1)] + [_END] * bool(count)
    entries[0]["start"], entries[0]["size"] = places[2], len(mini)
    tail = b""
    for index, content in big:
        count = -(-len(content) // _SECTOR)
        entries[index]["start"] = len(fat)
        fat += [len(fat) + 1 + step for step in range(count - 1)] + [_END]
        tail += content.ljust(count * _SECTOR, b"\0")
    fat += [_FREE] * (fat_sectors * 128 - len(fat))

    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6,
        0, fat_sectors, places[0], 0, _CUTOFF, places[1], mini_fat_sectors, _END, 0, 0,
    )[:76]  # fmt: skip
    header += struct.pack("<109I", *range(fat_sectors), *[_FREE] * (109 - fat_sectors))
    packed_fat = struct.pack(f"<{len(fat)}I", *fat)
    packed_directory = b"".join(map(_entry, entries)).ljust(directory * _SECTOR, b"\0")
    packed_mini_fat = struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(mini_fat_sectors * _SECTOR, b"\xff")
    return header + packed_fat + packed_directory + packed_mini_fat + mini.ljust(mini_sectors * _SECTOR, b"\0") + tail


def _add(folder: Folder, entries: list[dict], streams: list[tuple[int, bytes]]) -> int:
    """The children as a chain to the right; returns the first."""
    chain = []
    for name, content in sorted(folder.items(), key=lambda item: (len(item[0]), item[0].upper())):
        stream = isinstance(content, bytes)
        entry = {"name": name, "type": 2 if stream else 1, "child": _FREE, "right": _FREE, "start": 0, "size": 0}
        entries.append(entry)
        chain.append(len(entries) - 1)
        if stream:
            entry["size"] = len(content)
            streams.append((len(entries) - 1, content))
        else:
            entry["child"] = _add(content, entries, streams)
    for one, other in pairwise(chain):
        entries[one]["right"] = other
    return chain[0] if chain else _FREE


def _entry(entry: dict) -> bytes:
    name = (entry["name"] + "\0").encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        name, len(name), entry["type"], 1, _FREE, entry["right"], entry["child"], b"", 0, 0, 0,
        entry["start"], entry["size"],
    )  # fmt: skip


def msg(
    subject: str,
    body: str = "",
    html: str = "",
    sender: str = "",
    to: Sequence[str] = (),
    files: Sequence[tuple[str, bytes]] = (),
    mails: Sequence[dict] = (),
) -> bytes:
    """A .msg file; `mails` are messages attached to it, given by the same arguments."""
    return compound(_message(32, subject, body, html, sender, to, files, mails))


def _message(
    header: int,
    subject: str,
    body: str = "",
    html: str = "",
    sender: str = "",
    to: Sequence[str] = (),
    files: Sequence[tuple[str, bytes]] = (),
    mails: Sequence[dict] = (),
) -> dict:
    texts = {0x001A: "IPM.Note", 0x0037: subject, 0x1000: body, 0x0C1F: sender, 0x5D01: sender}
    folder = _properties(
        header, {key: text for key, text in texts.items() if text}, {0x1013: html.encode()} if html else {}
    )
    for number, address in enumerate(to):
        folder[f"__recip_version1.0_#{number:08X}"] = _properties(
            8, {0x3001: address, 0x39FE: address}, {}, {0x0C15: 1}
        )
    for number, (name, content) in enumerate(files):
        folder[f"__attach_version1.0_#{number:08X}"] = _properties(8, {0x3707: name}, {0x3701: content}, {0x3705: 1})
    for number, mail in enumerate(mails, start=len(files)):
        attached = _properties(8, {0x3001: mail["subject"]}, {}, {0x3705: 5})
        attached["__substg1.0_3701000D"] = _message(24, **mail)
        folder[f"__attach_version1.0_#{number:08X}"] = attached
    return folder


def _properties(
    header: int, texts: Mapping[int, str], blobs: Mapping[int, bytes], numbers: Mapping[int, int] | None = None
) -> dict:
    folder: dict = {}
    lines = b""
    for key, text in texts.items():
        raw = text.encode("utf-16-le")
        folder[f"__substg1.0_{key:04X}001F"] = raw
        lines += struct.pack("<HHIII", 0x001F, key, 6, len(raw) + 2, 0)
    for key, blob in blobs.items():
        folder[f"__substg1.0_{key:04X}0102"] = blob
        lines += struct.pack("<HHIII", 0x0102, key, 6, len(blob), 0)
    for key, number in {0x3FDE: 65001, **(numbers or {})}.items():
        lines += struct.pack("<HHIII", 0x0003, key, 6, number, 0)
    folder["__properties_version1.0"] = b"\0" * header + lines
    return folder


def tnef(body: str = "", files: Sequence[tuple[str, bytes]] = ()) -> bytes:
    """A winmail.dat with a body and files."""
    out = struct.pack("<IH", 0x223E9F78, 1)
    out += _object(1, 0x00089006, struct.pack("<I", 0x00010000))
    out += _object(1, 0x00069007, struct.pack("<II", 1252, 0))
    if body:
        out += _object(1, 0x0002800C, body.encode("cp1252") + b"\0")
    for name, content in files:
        out += _object(2, 0x00069002, b"\0" * 14)
        out += _object(2, 0x00018010, name.encode("cp1252") + b"\0")
        out += _object(2, 0x0006800F, content)
    return out


def _object(level: int, name: int, content: bytes) -> bytes:
    return struct.pack("<BII", level, name, len(content)) + content + struct.pack("<H", sum(content) & 0xFFFF)
