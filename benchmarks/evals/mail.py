"""How mail is read: machine mail caught, normal mail kept, replies split, odd MIME survived.

    python -m benchmarks.evals.mail DATA [--json PATH] [--failures]

DATA is a folder with `bounces/`, `talon/`, `email_reply_trimmer/` and others beside them, or its parent.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from postroom.mail.automatic import automatic
from postroom.mail.html import html_to_text
from postroom.mail.parse import read_mail, read_mail_file
from postroom.mail.replies import split_reply
from postroom.nouns.mail import MailMessage

MACHINE = ("bounce", "report", "auto_reply")
NOT_MAIL = (".rb", ".py", ".md", ".gitignore", ".html")
# Delivery reports among the collections of odd mail: they are rightly caught, so they are no normal mail.
REPORT = re.compile(rb"^content-type:\s*multipart/report|^from: mail delivery subsystem", re.IGNORECASE | re.MULTILINE)


@dataclass
class Tally:
    right: int = 0
    total: int = 0
    failures: list[str] = field(default_factory=list)

    def count(self, right: bool, name: str) -> None:
        self.total += 1
        self.right += right
        if not right:
            self.failures.append(name)

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else 1.0


def mails(data: Path) -> Iterator[Path]:
    for path in sorted(data.rglob("*")):
        if path.is_file() and not path.name.endswith(NOT_MAIL) and "LICENSE" not in path.name:
            yield path


def machine_mail(data: Path) -> tuple[Tally, Counter[str]]:
    tally, kinds = Tally(), Counter[str]()
    for path in sorted((data / "bounces").rglob("*.eml")):
        found = automatic(read_mail(path.read_bytes()))
        kinds[found.kind if found else "person"] += 1
        tally.count(found is not None and found.kind in MACHINE, path.name)
    return tally, kinds


def normal_mail(data: Path) -> Tally:
    """Mail by people must not be taken for a bounce or an absence, nor may a reply that quotes one."""
    tally = Tally()
    for folder in ("talon/standard_replies", "mailparser", "cpython"):
        for path in mails(data / folder):
            raw = path.read_bytes()
            if not REPORT.search(raw[:4000]):
                tally.count(_for_people(read_mail(raw)), f"{folder}/{path.name}")
    for path in mails(data / "email_reply_trimmer/emails"):
        raw = b"From: Anna <anna@client.test>\nTo: desk@house.test\nSubject: Re: Offer\n\n" + path.read_bytes()
        tally.count(_for_people(read_mail(raw)), f"replies/{path.name}")
    for path in sorted((data / "bounces").rglob("*.eml")):
        tally.count(_for_people(read_mail(_forwarded_by_a_person(path.read_bytes()))), f"forwarded {path.name}")
    return tally


def _for_people(message: MailMessage) -> bool:
    found = automatic(message)
    return found is None or found.kind not in MACHINE


def _forwarded_by_a_person(bounce: bytes) -> bytes:
    head = (
        b"From: Anna <anna@client.test>\nTo: desk@house.test\n"
        b"Subject: FW: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/mixed; boundary="=_f"\n\n--=_f\nContent-Type: text/plain\n\n'
        b"Your confirmation came back to us, could you check the address?\n\n"
    )
    return head + b"--=_f\nContent-Type: message/rfc822\n\n" + bounce + b"\n--=_f--\n"


def replies(data: Path) -> Tally:
    """The new words, exactly, blanks aside. Lines with `>` in the expected answer are quotes, so not ours."""
    tally = Tally()
    for path in mails(data / "email_reply_trimmer/emails"):
        expected = data / "email_reply_trimmer/trimmed" / path.name
        if expected.exists():
            want = [line for line in expected.read_text("utf-8").splitlines() if not re.match(r"\s?[A-Z]?>", line)]
            got = split_reply(path.read_text("utf-8")).new
            tally.count(_flat(got) == _flat("\n".join(want)), path.name)
    for path in sorted((data / "talon/standard_replies").glob("*.eml")):
        tally.count(read_mail(path.read_bytes()).new_text == "Hello", path.name)
    for path in sorted((data / "talon").rglob("*.html")):
        new = split_reply(html_to_text(path.read_text("utf-8"))).new
        tally.count(bool(_flat(new)) and not re.search(r"(?i)test|wrote:|от |subject:", new), path.name)
    return tally


def _flat(text: str) -> str:
    return " ".join(text.split())


def odd_mime(data: Path, rounds: int) -> Tally:
    """Every file as it is, then cut short, with flipped bytes and with shuffled lines."""
    tally, dice = Tally(), random.Random(5)
    for path in mails(data):
        raw = path.read_bytes()
        for number, variant in enumerate([raw, *(_spoilt(raw, dice) for _ in range(rounds))]):
            try:
                message = read_mail_file(path.name, variant)
                automatic(message)
                tally.count(isinstance(message.content_hash, str), f"{path.name} #{number}")
            except Exception as error:
                tally.count(False, f"{path.name} #{number}: {error!r}")
    return tally


def _spoilt(raw: bytes, dice: random.Random) -> bytes:
    if not raw:
        return raw
    cut = dice.randrange(len(raw))
    match dice.randrange(3):
        case 0:
            return raw[:cut]
        case 1:
            spoilt = bytearray(raw)
            for _ in range(20):
                spoilt[dice.randrange(len(raw))] = dice.randrange(256)
            return bytes(spoilt)
        case _:
            lines = raw.splitlines(keepends=True)
            dice.shuffle(lines)
            return b"".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rounds", type=int, default=4, help="spoilt variants of each file")
    parser.add_argument("--failures", action="store_true")
    options = parser.parse_args()
    data = options.data / "mail" if (options.data / "mail").is_dir() else options.data
    if not (data / "bounces").is_dir():
        sys.exit(f"{data} has no folder `bounces`: give the folder that holds the mail collections.")
    started = time.perf_counter()
    caught, kinds = machine_mail(data)
    tallies = {
        "machine mail caught": (caught, 0.98),
        "normal mail kept": (normal_mail(data), 1.0),
        "replies split exactly": (replies(data), 0.9),
        "odd MIME survived": (odd_mime(data, options.rounds), 1.0),
    }
    for name, (tally, aim) in tallies.items():
        print(f"{name:<24}{tally.right:>6} / {tally.total:<6}{tally.share:>8.1%}   aim ≥ {aim:.0%}")
        if options.failures:
            print("".join(f"    {failure}\n" for failure in tally.failures), end="")
    print("kinds: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"{time.perf_counter() - started:.1f} s")
    if options.json:
        figures = {name: asdict(tally) | {"share": tally.share, "aim": aim} for name, (tally, aim) in tallies.items()}
        options.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0 if all(tally.share >= aim for tally, aim in tallies.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
