"""`make bench`: every benchmark that needs no data folder, one after the other."""

from __future__ import annotations

import subprocess
import sys

ALL = ("engine", "intake", "sync", "simulators", "documents", "drafts", "walk")


def main() -> None:
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")] or list(ALL)
    flags = [name for name in sys.argv[1:] if name.startswith("-")]
    for name in wanted:
        print(f"== {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *flags], check=True)


if __name__ == "__main__":
    main()
