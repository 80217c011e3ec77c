"""What a coverage report adds up to: lines, branches, and the folders that are covered least."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path, PurePath


def main(report: str, least: str) -> int:
    files = json.loads(Path(report).read_text())["files"]
    by_folder: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, seen in files.items():
        summary = seen["summary"]
        parts = PurePath(name).parts
        folder = "/".join(parts[parts.index("postroom") : -1][:3])
        counts = ("covered_lines", "num_statements", "covered_branches", "num_branches")
        by_folder[folder] = [have + summary[key] for have, key in zip(by_folder[folder], counts, strict=True)]
    whole = [sum(column) for column in zip(*by_folder.values(), strict=True)]
    for folder, counted in sorted(by_folder.items(), key=lambda each: _percent(*each[1][:2])):
        sys.stdout.write(
            f"{_percent(*counted[:2]):6.1f} % of lines, {_percent(*counted[2:]):6.1f} % of branches  {folder}\n"
        )
    lines = _percent(*whole[:2])
    sys.stdout.write(
        f"{lines:6.1f} % of {whole[1]:,} lines, {_percent(*whole[2:]):6.1f} % of {whole[3]:,} branches in all\n"
    )
    return 0 if lines >= float(least) else 1


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 100.0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
