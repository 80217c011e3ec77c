"""A worker under the profiler: `python -m benchmarks.walk.profiled FILE work`. CPU of the main thread, not the clock."""

from __future__ import annotations

import cProfile
import sys
import time

from postroom.cli import app


def run() -> None:
    file, sys.argv = sys.argv[1], ["postroom", *sys.argv[2:]]
    profile = cProfile.Profile(time.thread_time)
    try:
        profile.runcall(app)
    finally:
        profile.dump_stats(file)


if __name__ == "__main__":
    run()
