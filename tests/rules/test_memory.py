"""What spares copies of a process the pages that they share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from postroom.outside.readers.process import clean_environment

GAPS = """
from postroom.memory import fill_gaps

held = [bytes(63) for _ in range(20_000)]
old = {id(each) >> 12 for each in held}
del held[::40]
if %(fill)s:
    fill_gaps()
made = [bytes(63) for _ in range(100)]
print(len(old & {id(each) >> 12 for each in made}))
"""


@pytest.mark.parametrize(("fill", "touches"), [(True, False), (False, True)], ids=["filled", "left"])
def test_what_is_made_after_gaps_were_filled_touches_no_page_from_before(fill: bool, touches: bool) -> None:
    command = [sys.executable, "-c", GAPS % {"fill": fill}]
    said = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    assert touches == (int(said.stdout) > 0)
